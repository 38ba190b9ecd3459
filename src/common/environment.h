/* The environment of a measurement: the build of this program, and the machine. It may explain
 * differences between results. */
#pragma once

#include <stdbool.h>

/* Return the commit (from git describe; the version if there is no repository), the compiler, the
 * build type and the built-in features: "v0.1.0-3-g123 GNU 12.2.0 Release with libnfs eBPF MPI". */
const char *build_description(void);

struct host {
    char name[80]; /* host name */
    char kernel[80], machine[32], cpu[80], clocksource[32];
    unsigned cpus;
    bool virtual; /* the processor reports a hypervisor */
};

/* Describe this machine in HOST. Texts that the system does not report are "unknown". */
void host_read(struct host *host);
