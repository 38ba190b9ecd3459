/* Sets of result files. The files of a set are of one kind. An op of a set is in all its files. */
#pragma once

#include "common/error.h"
#include "output/result/result_file.h"

enum { RESULT_SET_FILES = 16, RESULT_SET_OPS = 64 };

struct result_set {
    /* files that fit the first one (result_files_fit()) */
    struct result_file *files[RESULT_SET_FILES];
    size_t file_count;
    /* One result of each file, or two of a file that compares two sides. */
    const struct result *results[RESULT_SET_FILES];
    size_t count;
    /* Names of the ops that all results have, in the order of WANTED (see result_sets_open());
     * without WANTED, in the order of the first result, without the null control. Empty if the
     * files' kind has no ops (result_file_has_ops()). */
    const char *ops[RESULT_SET_OPS];
    size_t op_count;
};

/* Read COUNT files (1 to RESULT_SET_FILES) into at most MOST SETS. Each file, or each of a file's
 * parts, is put into the first set that it fits, or into a new set; *OPENED is the number of sets.
 * A set's ops are those in WANTED (names separated by commas, case ignored); if WANTED is NULL, all
 * ops that its files have in common. COMMAND is as for result_file_read(). Returns 0, or a negative
 * errno with ERROR set: an error of result_file_read(), or -ENOMEM. With ERROR_USAGE: -EBADMSG for
 * a file without values to compare; -EINVAL for a wrong COUNT, an empty WANTED or more than MOST
 * sets; -E2BIG if a set has too many results; -ENOENT if a file lacks an op of WANTED (if its kind
 * has no list of ops: all of them), or if a set's files have no op in common. Release the *OPENED
 * sets with result_set_close(), also after an error. */
int result_sets_open(struct result_set *sets, size_t most, size_t *opened, char *const *paths,
                     size_t count, const char *wanted, const char *command, struct error *error);

void result_set_close(struct result_set *set);

/* Set SET to the only file FILE, whose kind must have values to compare. FILE still belongs to the
 * caller, and must outlive SET; do not close SET. Returns 0, or -ENOENT with ERROR set
 * (ERROR_USAGE) if FILE has no op. */
int result_set_of_file(struct result_set *set, struct result_file *file, struct error *error);

const struct result_op *result_set_op(const struct result_set *set, size_t result, size_t op);

char result_set_letter(size_t result);
