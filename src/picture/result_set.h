/* Several result files of one kind, and what they have in common. */
#pragma once

#include "common/error.h"
#include "output/result/result_file.h"

enum { RESULT_SET_FILES = 16, RESULT_SET_OPS = 64 };

struct result_set {
    struct result_file files[RESULT_SET_FILES]; /* which fit the first */
    size_t file_count;
    /* Their results: one of each file, or two, the sides that were measured in the same rounds. */
    const struct result *results[RESULT_SET_FILES];
    size_t count;
    /* That all results have, but the null control, as in the first; none where the files have no
     * such ops (result_file_has_ops()). */
    const char *ops[RESULT_SET_OPS];
    size_t op_count;
};

/* Read COUNT files. Of their ops only those that WANTED names, in capitals or small letters, with
 * commas between; NULL: all.
 * COMMAND is as for result_file_read(). 0, or a negative errno with ERROR set: as
 * result_file_read(), -EINVAL (ERROR_USAGE) for files of kinds that don't fit, or -ENOENT
 * (ERROR_USAGE) where an op is not in all files, or no op is. Release it with result_set_close(),
 * which may be done after an error, too. */
int result_set_open(struct result_set *set, char *const *paths, size_t count, const char *wanted,
                    const char *command, struct error *error);
void result_set_close(struct result_set *set);

/* The op numbered OP of SET's in the result numbered RESULT. */
const struct result_op *result_set_op(const struct result_set *set, size_t result, size_t op);

/* What the result numbered RESULT is called beside others: A, B, C ... */
char result_set_letter(size_t result);
