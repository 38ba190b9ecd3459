/* Series of results over time: which results belong together, and where they change. */
#ifndef NFSBENCH_CLI_HISTORY_SERIES_H
#define NFSBENCH_CLI_HISTORY_SERIES_H

#include "common/error.h"
#include "output/history.h"
#include "output/result.h"

/* Make HISTORY empty, with room for ROOM files. 0 or -ENOMEM; call history_free() after either. */
int history_begin(struct history *history, size_t room, struct error *error);
void history_free(struct history *history);

/* Add those of RESULT's ops that WANTED names (separated by commas; NULL: all) to the series of
 * their settings. A result that is invalid, that does not say when it started, or that was added
 * before is left out. 0, -E2BIG (ERROR_USAGE) for too many series, or -ENOMEM. */
int history_add(struct history *history, const struct result *result, const char *wanted,
                struct error *error);

/* Record that the file PATH is left out, and why. */
void history_leave_out(struct history *history, const char *path, const char *reason);

/* Find the changes of all series. 0 or -ENOMEM. */
int history_find_changes(struct history *history, struct error *error);

#endif
