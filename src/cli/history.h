/* Parts of nfsbench history: which files there are, which results belong together, and where they
 * change. */
#pragma once

#include <stddef.h>

#include "common/error.h"
#include "common/memory.h"
#include "output/history.h"
#include "output/result.h"

/* The files of a history: those that are named, and those in directories. */
struct history_files {
    const char **paths; /* a directory's files in the order of their names */
    size_t count;
    struct arena arena;
};

/* Collect the files that WORDS name. For a directory these are the files in it whose names end in
 * .json; its subdirectories are not searched. 0, or a negative errno with ERROR set (ERROR_USAGE):
 * opendir()'s and readdir()'s, -E2BIG for more than MAXIMUM files; or -ENOMEM. history_files_free()
 * after both. */
int history_files_find(struct history_files *files, char *const *words, size_t count,
                       size_t maximum, struct error *error);
void history_files_free(struct history_files *files);

/* The series of a history */

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
