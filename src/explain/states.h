/* The result of 'nfsbench explain' on a mount, the states of its RPCs, or with --knfsd, those of
 * requests inside the kernel's server; and its forms. */
#pragma once

#include <stdio.h>

#include "explain/prediction.h"
#include "explain/rpc_states.h"
#include "output/result.h"

struct states_op {
    const char *op;
    const char *system_call;        /* NULL: it is not on a mount */
    struct rpc_states rpcs;         /* of the traced calls */
    uint64_t calls;                 /* traced */
    uint64_t blocks_left_out;       /* that had to be made again */
    uint64_t events_lost;           /* since the buffer was full */
    double untraced_ns;             /* the mean of the other calls */
    bool has_cost;                  /* false: too few rounds for an interval */
    struct interval tracing_cost;   /* what tracing adds to a call */
    struct predictions predictions; /* of a system call's phases */
};

struct states_result {
    struct states_op *ops;
    size_t op_count;
    const char *missing;      /* why there are no states; or NULL */
    const char *absent;       /* the tracepoints that the kernel has not, with commas between */
    const struct result *run; /* the calls without tracing, as a run of their own; its verdict
                                 includes the states' */
};

/* A group of OP's tasks, for its forms: its name, and whether its tasks are system calls. */
const char *states_group_name(const struct states_op *op, size_t group);
bool states_group_is_call(size_t group);

/* The next group of OP from FROM on that has tasks and is shown, and its table; or GROUP_COUNT of
 * its RPCs. */
size_t states_next_group(const struct states_op *op, size_t from, struct state_table *table);

/* Compare the phases of OP's system calls, and their lifetime, with PREDICTIONS. */
void states_predict(struct states_op *op, const struct predictions *predictions);

/* Print text for people: a table for each group. */
void states_print(const struct states_result *result, FILE *out);

/* For file_write(); DATA is a struct states_result. */
int states_write_json(const void *data, FILE *out);
int states_write_csv(const void *data, FILE *out); /* a line for each state */
