/* The events of the kernel's RPCs that an eBPF program reports, in the layout that it shares with
 * the reader. The program is compiled without libc, so only <linux/types.h> may be included here.
 */
#ifndef NFSBENCH_EXPLAIN_RPC_EVENT_H
#define NFSBENCH_EXPLAIN_RPC_EVENT_H

#include <linux/types.h>

enum rpc_event_type {
    /* Of TASK, an RPC of the kernel's client; in parentheses the tracepoint. */
    RPC_BEGUN, /* when the kernel began to count its lifetime; for procedure NAME, by client NUMBER;
                  VALUE 1: the caller does not wait itself (rpc_task_begin) */
    RPC_ACTION,   /* the state machine calls the function at VALUE (rpc_task_run_action) */
    RPC_SLEEPS,   /* in the queue NAME (rpc_task_sleep) */
    RPC_WOKEN,    /* (rpc_task_wakeup) */
    RPC_SENT,     /* all of the call is in the socket of the transport VALUE; NUMBER: its xid
                     (xprt_transmit) */
    RPC_ENDED,    /* (rpc_task_end) */
    RPC_MEASURED, /* the kernel's own figure: it took VALUE ns (rpc_stats_latency) */
    /* Of the transport VALUE */
    RPC_DATA_READY, /* data have arrived in its socket (xs_data_ready) */
    RPC_REPLIED,    /* among them is the reply to the call with xid NUMBER (xprt_lookup_rqst) */
    /* Of the process that makes system calls */
    RPC_CALL_ENTERED,  /* it began a system call (sys_enter) */
    RPC_CALL_RETURNED, /* (sys_exit) */
    RPC_CALLER_RUNS,   /* it got a processor (sched_switch) */
    RPC_EVENT_TYPES,
};

struct rpc_event {
    __u64 at_ns; /* CLOCK_MONOTONIC */
    __u32 type;  /* enum rpc_event_type */
    __u32 cpu;
    __u64 task; /* its address */
    __u64 value;
    __u32 process; /* which was running */
    __u32 number;
    char name[16];
};

#endif
