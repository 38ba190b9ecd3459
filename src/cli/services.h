/* nfsbench HOST: shows what the host offers. */
#ifndef NFSBENCH_CLI_SERVICES_H
#define NFSBENCH_CLI_SERVICES_H

#include "cli/options.h"

/* Is the only word a host without an export? */
bool services_are_asked_for(const struct options *options);

/* Ask that host for its services and exports, print them, and write them in the forms that were
 * asked for. 0, or a negative errno with ERROR set, also for a host without NFS version 3. */
int services_show(const struct options *options, struct error *error);

#endif
