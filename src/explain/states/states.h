/* The result of 'nfsbench explain' on a mount: phases of system calls, states of RPCs and, if the
 * kernel's server is on this machine, states of the server's requests. With --knfsd, the result has
 * only states of requests. */
#pragma once

#include "common/memory.h"
#include "explain/kernel/rpc_states.h"
#include "explain/phases/prediction.h"
#include "explain/states/kprofile.h"
#include "output/result/result.h"

/* The states of a group of tasks; the group is not empty. */
struct states_table {
    enum { STATES_OF_CALLS, STATES_OF_RPCS, STATES_OF_REQUESTS } of;
    const char *name; /* name of the system call or the procedure */
    struct state_table states;
};

struct states_op {
    const char *op;
    const char *system_call;      /* system call of the op; NULL: it was not called on a mount */
    struct rpc_states rpcs;       /* states of the traced calls */
    uint64_t calls;               /* number of traced calls, without those in BLOCKS_LEFT_OUT */
    uint64_t blocks_left_out;     /* number of traced blocks that were repeated, and so ignored */
    uint64_t events_lost;         /* number of events that were lost */
    double untraced_ns;           /* mean time of untraced calls; NAN: there was no time for them */
    double untraced_typical_ns;   /* explain_run_typical() of untraced calls */
    bool has_cost;                /* TRACING_COST is known: enough blocks, traced and untraced */
    struct interval tracing_cost; /* time that tracing adds to a call */
    struct predictions predictions; /* predictions of the phases of system calls */
    struct states_table *tables;    /* tables of RPCS, made by states_make_tables() */
    size_t table_count;
    /* one table for each procedure, made by states_make_kprofile() */
    struct kprofile_table *kprofile;
    size_t kprofile_count;
    struct arena arena;
};

struct states_result {
    struct states_op *ops;
    size_t op_count;
    uint32_t clients;    /* number of processes that made calls on the mount; one was traced */
    const char *missing; /* why there are no states; or NULL */
    const char *absent;  /* tracepoints that the kernel lacks, separated by commas; or NULL */
    const struct result
        /* result of the untraced calls (traced if time was short), with the verdict */
        *run;
};

/* Make OP's tables, and compare the phases of its system calls and their lifetime with PREDICTIONS.
 * Returns 0 or -ENOMEM. */
int states_make_tables(struct states_op *op, const struct predictions *predictions);

/* Make kprofile's tables from OP's tables of RPCs. Returns 0 or -ENOMEM. */
int states_make_kprofile(struct states_op *op);

void states_close(struct states_op *op);

extern const struct view view_states;
