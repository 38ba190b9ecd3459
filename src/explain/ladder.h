/* The result of 'nfsbench explain --ladder', and its forms. */
#pragma once

#include <stdio.h>

#include "measure/ladder.h"
#include "output/result.h"

/* The bytes that a rung sends and receives on the connection; 0 without a socket. */
struct ladder_bytes {
    size_t call, reply;
};

struct ladder_result {
    const char *op;                            /* as on the command line */
    const char *null_op;                       /* its baseline: null or mount-null */
    const char *echo;                          /* its address: "127.0.0.1 port 4711 over TCP" */
    bool echo_is_own;                          /* it was started for this run */
    const struct series *series[LADDER_RUNGS]; /* with as many rounds as RUN's */
    struct ladder_bytes bytes[LADDER_RUNGS];
    struct ladder ladder;
    const struct result *run; /* null and op as a run of their own, which provides the verdict */
};

/* Print text for people: a line for each rung, with bars, and the meaning of each step. */
void ladder_print(const struct ladder_result *result, FILE *out);

/* For file_write(); DATA is a struct ladder_result. */
int ladder_write_json(const void *data, FILE *out);
int ladder_write_csv(const void *data, FILE *out);
