/* The result of 'nfsbench explain' on a mount, the states of its RPCs, or with --knfsd, those of
 * requests inside the kernel's server. */
#pragma once

#include "common/memory.h"
#include "explain/kernel/rpc_states.h"
#include "explain/phases/prediction.h"
#include "explain/states/kprofile.h"
#include "output/result/result.h"

/* A group of tasks, which has some. */
struct states_table {
    enum { STATES_OF_CALLS, STATES_OF_RPCS, STATES_OF_REQUESTS } of;
    const char *name; /* of the system call, or of the procedure */
    struct state_table states;
};

struct states_op {
    const char *op;
    const char *system_call;      /* NULL: it is not on a mount */
    struct rpc_states rpcs;       /* of the traced calls */
    uint64_t calls;               /* traced */
    uint64_t blocks_left_out;     /* that had to be made again */
    uint64_t events_lost;         /* since the buffer was full */
    double untraced_ns;           /* the mean of the other calls; NAN: there was no time for any */
    double untraced_typical_ns;   /* of them, by the same medians as what tracing adds */
    bool has_cost;                /* false: too few rounds for an interval */
    struct interval tracing_cost; /* what tracing adds to a call */
    struct predictions predictions; /* of a system call's phases */
    struct states_table *tables;    /* of the RPCs, made of them by states_fill() */
    size_t table_count;
    struct kprofile_table *kprofile; /* of each procedure's RPCs, by states_fill_kprofile() */
    size_t kprofile_count;
    struct arena arena;
};

struct states_result {
    struct states_op *ops;
    size_t op_count;
    uint32_t clients;         /* processes that made calls on the mount, one of which was traced */
    const char *missing;      /* why there are no states; or NULL */
    const char *absent;       /* the tracepoints that the kernel has not, with commas between; or
                                 NULL */
    const struct result *run; /* the calls without tracing, as a run of their own; its verdict
                                 includes the states' */
};

/* Make the tables of OP, and compare the phases of its system calls, and their lifetime, with
 * PREDICTIONS. 0 or -ENOMEM. */
int states_fill(struct states_op *op, const struct predictions *predictions);

/* Make kprofile's tables of those of OP's RPCs. Returns 0 or -ENOMEM. */
int states_fill_kprofile(struct states_op *op);

/* Release OP's tables and RPCs. */
void states_close(struct states_op *op);

extern const struct view view_states;
