/* Parts of the main job that runs by several ranks share with it. */
#ifndef NFSBENCH_CLI_MEASURE_H
#define NFSBENCH_CLI_MEASURE_H

#include "cli/settings.h"
#include "output/result.h"

/* Can what SETTINGS ask for be written where it is to go? Better known before the run. 0, or a
 * negative errno with ERROR set. */
int measure_check_forms(const struct settings *settings, struct error *error);

/* Tell the result in every way that was asked for. 0, or a negative errno with ERROR set. */
int measure_write_result(const struct settings *settings, const struct result *result,
                         struct error *error);

/* What the program ends with after a run of that verdict. */
int measure_exit_status(enum verdict verdict, const struct settings *settings);

#endif
