/* What 'nfsbench explain --ladder' found, in its forms. */
#ifndef NFSBENCH_EXPLAIN_LADDER_H
#define NFSBENCH_EXPLAIN_LADDER_H

#include <stdio.h>

#include "measure/ladder.h"
#include "output/result.h"

/* What a rung sends and gets back, in bytes on the connection; 0 for one without a socket. */
struct ladder_bytes {
    size_t call, reply;
};

struct ladder_result {
    const char *op;                            /* as on the command line */
    const char *null_op;                       /* that it stands on: null, or mount-null */
    const char *echo;                          /* where it was: "127.0.0.1 port 4711 over TCP" */
    bool echo_is_own;                          /* it was started for this run */
    const struct series *series[LADDER_RUNGS]; /* of as many rounds as RUN's */
    struct ladder_bytes bytes[LADDER_RUNGS];
    struct ladder ladder;
    const struct result *run; /* of its null and op, as a run of their own: by which the ladder is
                                 judged */
};

/* For people: a line for each rung, with bars; and what each step is. */
void ladder_print(const struct ladder_result *result, FILE *out);

/* For file_write(); DATA is a struct ladder_result. */
int ladder_write_json(const void *data, FILE *out);
int ladder_write_csv(const void *data, FILE *out);

#endif
