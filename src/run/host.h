/* What machine this is. */
#ifndef NFSBENCH_RUN_HOST_H
#define NFSBENCH_RUN_HOST_H

#include <stdbool.h>

struct host {
    char kernel[80], machine[32], cpu[80], clocksource[32];
    unsigned cpus;
    bool virtual; /* the processor says that a hypervisor is below */
};

/* Fill HOST in; what the system does not say is "unknown". */
void host_fill(struct host *host);

#endif
