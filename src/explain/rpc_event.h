/* The events of the kernel's RPCs that an eBPF program reports, in the layout that it shares with
 * the reader. The program is compiled without libc, so only <linux/types.h> may be included here.
 */
#pragma once

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
    /* Of the kernel's server on this machine: of the transport VALUE, which waits for one of its
     * threads (svc_xprt_enqueue) */
    SVC_QUEUED,
    /* and of TASK, a request that such a thread handles */
    SVC_TAKEN,     /* it took the transport VALUE (svc_xprt_dequeue) */
    SVC_RECEIVED,  /* the call is in memory (svc_xdr_recvfrom) */
    SVC_PROCESSED, /* it is known to be for the procedure NAME (svc_process) */
    SVC_CHECKED,   /* its file handle is looked at (nfsd_fh_verify) */
    SVC_IO_BEGUN,  /* nfsd calls the file system for its data (nfsd_read_splice, nfsd_read_vector,
                      nfsd_write_opened) */
    SVC_IO_DONE,   /* (nfsd_read_io_done, nfsd_write_io_done) */
    SVC_SENDS,     /* the reply is about to be sent (svc_stats_latency) */
    SVC_SENT,      /* (svc_send) */
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
