/* A result file (doc/FORMAT.md), read back: what comparing and drawing need of it. */
#ifndef NFSBENCH_OUTPUT_RESULT_FILE_H
#define NFSBENCH_OUTPUT_RESULT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct result_file_op {
    const char *op;
    const json_t *object; /* the op's, for what is not below */
    double *blocks;       /* per round, ns */
    double *above_null;   /* per round: its block less null's, ns; NULL without a baseline */
};

struct result_file {
    const char *path; /* as given */
    json_t *root;     /* the whole */
    size_t rounds;
    struct result_file_op *ops; /* null, null_control, then the others, as in the file */
    size_t op_count;
};

/* Read PATH. 0, or a negative errno with ERROR set (ERROR_USAGE): -ENOENT and the like for a file
 * that can't be read, -EBADMSG for one that is no whole result of a schema that is known. Release
 * it with result_file_close(); a zeroed one may be closed, too. */
int result_file_open(struct result_file *file, const char *path, struct error *error);
void result_file_close(struct result_file *file);

/* The op called NAME, or NULL. */
const struct result_file_op *result_file_find(const struct result_file *file, const char *name);

/* A number or a text below OBJECT, by its path of keys with dots between ("latency_ns.p50"); NAN,
 * or NULL, where it is not there. */
double result_file_number(const json_t *object, const char *keys);
const char *result_file_text(const json_t *object, const char *keys);

#endif
