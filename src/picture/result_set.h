/* Sets of result files of one kind, and what the files of a set have in common. */
#pragma once

#include "common/error.h"
#include "output/result/result_file.h"

enum { RESULT_SET_FILES = 16, RESULT_SET_OPS = 64 };

struct result_set {
    struct result_file *files[RESULT_SET_FILES]; /* each fits the first */
    size_t file_count;
    /* Their results: one of each file, or two, the sides that were measured in the same rounds. */
    const struct result *results[RESULT_SET_FILES];
    size_t count;
    /* That all results have, but the null control, as in the first; none where the files have no
     * such ops (result_file_has_ops()). */
    const char *ops[RESULT_SET_OPS];
    size_t op_count;
};

/* Read COUNT files into SETS, at most MOST of them: each file into the first set whose files it
 * fits, else into a new one. *OPENED is set to the number of sets. Only the ops that WANTED names
 * are kept (in capitals or small letters, with commas between); NULL: all.
 * COMMAND is as for result_file_read(). 0, or a negative errno with ERROR set: as
 * result_file_read(), -EINVAL (ERROR_USAGE) if the files need more than MOST sets, or -ENOENT
 * (ERROR_USAGE) if an op is not in all files of a set, or no op is. Release each of the *OPENED
 * sets with result_set_close(), after an error, too. */
int result_sets_open(struct result_set *sets, size_t most, size_t *opened, char *const *paths,
                     size_t count, const char *wanted, const char *command, struct error *error);

void result_set_close(struct result_set *set);

/* Set SET to FILE alone, which was read and is of a kind that has figures. FILE stays the caller's
 * and must live as long as SET, which is not to be closed. 0, or -ENOENT with ERROR set
 * (ERROR_USAGE) if it has no op. */
int result_set_of_file(struct result_set *set, struct result_file *file, struct error *error);

/* The op numbered OP of SET's in the result numbered RESULT. */
const struct result_op *result_set_op(const struct result_set *set, size_t result, size_t op);

/* What the result numbered RESULT is called beside others: A, B, C ... */
char result_set_letter(size_t result);
