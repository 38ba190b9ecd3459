/* The files of a history: those that are named, and those in directories. */
#ifndef NFSBENCH_CLI_HISTORY_FILES_H
#define NFSBENCH_CLI_HISTORY_FILES_H

#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"

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

#endif
