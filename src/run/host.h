/* A description of this machine. */
#ifndef NFSBENCH_RUN_HOST_H
#define NFSBENCH_RUN_HOST_H

#include <stdbool.h>

struct host {
    char kernel[80], machine[32], cpu[80], clocksource[32];
    unsigned cpus;
    bool virtual; /* the processor reports a hypervisor */
};

/* Fill in HOST; what the system does not report is "unknown". */
void host_fill(struct host *host);

#endif
