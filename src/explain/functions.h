/* The result of 'nfsbench explain --functions': how often functions of the kernel run for a call of
 * each op. */
#ifndef NFSBENCH_EXPLAIN_FUNCTIONS_H
#define NFSBENCH_EXPLAIN_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "explain/function_counts.h"
#include "measure/estimate.h"
#include "measure/load.h"
#include "output/origin.h"

struct function_row {
    const struct kernel_function *function;
    struct interval per_call[FUNCTION_SIDES]; /* mean over the rounds */
};

struct functions_op {
    const char *op;
    uint64_t calls;
    struct function_row *rows; /* of the functions that were counted, whether or not they ran */
    size_t row_count;
};

struct function_missing {
    const char *name, *reason;
};

struct functions_result {
    struct origin origin;
    char client_cpus[128];
    int server_cpu;          /* to which self: is bound; -1: none */
    const struct load *load; /* NULL: one call at a time */
    size_t rounds;
    struct functions_op *ops;
    size_t op_count;
    struct function_missing missing[FUNCTIONS_MAXIMUM];
    size_t missing_count;
    const char *server_missing; /* why nothing is known of the server's side; or NULL */
    const char *cut_short_by;   /* why the run ended early; or NULL */
};

/* Print text for people: a table for each op. */
void functions_print(const struct functions_result *result, FILE *out);

/* For file_write(); DATA is a struct functions_result. */
int functions_write_json(const void *data, FILE *out); /* doc/FORMAT.md */
int functions_write_csv(const void *data, FILE *out);  /* a line per op and function */

#endif
