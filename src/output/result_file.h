/* A result file (doc/FORMAT.md), read back: what comparing and drawing need of it. */
#ifndef NFSBENCH_OUTPUT_RESULT_FILE_H
#define NFSBENCH_OUTPUT_RESULT_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "measure/estimate.h"

/* Latencies of LOW to HIGH ns, half open. */
struct result_file_bucket {
    double low, high, count;
};

struct result_file_op {
    const char *op;
    const json_t *object; /* the op's, for what is not below */
    double *blocks;       /* per round, ns */
    double *above_null;   /* per round: its block less null's, ns; NULL without a baseline */
    struct result_file_bucket *buckets; /* those that hold something, ascending */
    size_t bucket_count;                /* 0: the file has no histogram of it */
    double timed;                       /* calls in all of them */
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

/* The quantile Q (0 to 1) of an op with a histogram, ns: the middle of the bucket that holds it. */
double result_file_quantile(const struct result_file_op *op, double q);

/* A number or a text below OBJECT, by its path of keys with dots between ("latency_ns.p50"); NAN,
 * or NULL, where it is not there. */
double result_file_number(const json_t *object, const char *keys);
const char *result_file_text(const json_t *object, const char *keys);

/* An estimate with its 95 % interval, of the form {"estimate": x, "ci95": [low, high]}; false where
 * it is not there. */
bool result_file_interval(const json_t *object, const char *keys, struct interval *interval);

#endif
