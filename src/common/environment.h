/* What figures depend on besides the server: the build of this program, and the machine that it
 * runs on. Results that are compared should have both in common. */
#pragma once

#include <stdbool.h>

/* The commit (from git describe, or the version if there is no repository), the compiler and its
 * flags, and the features that are built in: "v0.1.0-3-g123 GNU 12.2.0 Release with libnfs eBPF
 * MPI". */
const char *build_description(void);

struct host {
    char name[80]; /* its host name */
    char kernel[80], machine[32], cpu[80], clocksource[32];
    unsigned cpus;
    bool virtual; /* the processor reports a hypervisor */
};

/* Fill in HOST; what the system does not report is "unknown". */
void host_fill(struct host *host);
