/* What of the options has no sense, by itself or beside the others. */
#ifndef NFSBENCH_CLI_SETTINGS_CHECK_H
#define NFSBENCH_CLI_SETTINGS_CHECK_H

#include "cli/settings.h"

/* What no number that can be given stands for. */
enum { SETTINGS_NOT_GIVEN = UINT32_MAX };

/* Check SETTINGS whose defaults are not filled in yet: 0, or a negative errno with ERROR set
 * (ERROR_USAGE). */
int settings_check(const struct settings *settings, struct error *error);

#endif
