/* Series of results over time: which results belong together, and where they change. */
#ifndef NFSBENCH_CLI_HISTORY_SERIES_H
#define NFSBENCH_CLI_HISTORY_SERIES_H

#include "common/error.h"
#include "output/history.h"
#include "output/result.h"

/* Room for ROOM files. 0 or -ENOMEM; history_free() after both. */
int history_begin(struct history *history, size_t room, struct error *error);
void history_free(struct history *history);

/* Add RESULT's ops, those that WANTED names (with commas between; NULL: all), to the series of
 * their settings. An invalid result, one that does not say when it started, and one that is there
 * already are left out instead. 0, -E2BIG (ERROR_USAGE) for too many series, or -ENOMEM. */
int history_add(struct history *history, const struct result *result, const char *wanted,
                struct error *error);

/* Leave out the file PATH, which REASON says why. */
void history_leave_out(struct history *history, const char *path, const char *reason);

/* Find the changes of all series. 0 or -ENOMEM. */
int history_find_changes(struct history *history, struct error *error);

#endif
