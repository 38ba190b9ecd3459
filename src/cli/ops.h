/* The word of the command line that names the ops: single ones and groups with commas between, or a
 * mix. */
#ifndef NFSBENCH_CLI_OPS_H
#define NFSBENCH_CLI_OPS_H

#include "cli/settings.h"

/* Parse TEXT into SETTINGS' ops. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int ops_parse(struct settings *settings, const char *text, struct error *error);

#endif
