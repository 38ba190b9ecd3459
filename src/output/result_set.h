/* Several result files, and what they have in common. */
#ifndef NFSBENCH_OUTPUT_RESULT_SET_H
#define NFSBENCH_OUTPUT_RESULT_SET_H

#include "common/error.h"
#include "output/result.h"

enum { RESULT_SET_FILES = 16, RESULT_SET_OPS = 64 };

struct result_set {
    struct result results[RESULT_SET_FILES];
    size_t count;
    const char
        *ops[RESULT_SET_OPS]; /* that all files have, but the null control, as in the first */
    size_t op_count;
};

/* Read COUNT files. Of their ops only those that WANTED names, in capitals or small letters, with
 * commas between; NULL: all.
 * COMMAND is as for result_read(). 0, or a negative errno with ERROR set: as result_read(), or
 * -ENOENT (ERROR_USAGE) where an op is not in all files, or no op is. Release it with
 * result_set_close(), which may be done after an error, too. */
int result_set_open(struct result_set *set, char *const *paths, size_t count, const char *wanted,
                    const char *command, struct error *error);
void result_set_close(struct result_set *set);

/* The op numbered OP of SET's in the file numbered FILE. */
const struct result_op *result_set_op(const struct result_set *set, size_t file, size_t op);

/* What the file numbered FILE is called beside others: A, B, C ... */
char result_set_letter(size_t file);

#endif
