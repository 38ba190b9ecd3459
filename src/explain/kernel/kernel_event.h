/* The events that the eBPF programs report, in the layout that they share with the reader. The
 * programs are compiled without libc, so only <linux/types.h> may be included here. */
#pragma once

#include <linux/types.h>

/* Of a connection and of the threads at both of its ends (trace.bpf.c) */

enum kernel_event_type {
    KERNEL_REQUEST_ARRIVED, /* data are in the server's socket */
    KERNEL_REPLY_ARRIVED,   /* data are in the client's socket */
    KERNEL_WOKEN,           /* THREAD was made runnable, by OTHER or while OTHER ran */
    KERNEL_SWITCHED_IN,     /* THREAD got CPU; OTHER had it before */
    KERNEL_SWITCHED_OUT,    /* THREAD lost CPU to OTHER; PREEMPTED: involuntarily */
    KERNEL_RECEIVED,        /* THREAD's receiving system call returns with LENGTH bytes */
    KERNEL_SEND_ENTERED,    /* THREAD called send() with the reply XID, or its first bytes */
    KERNEL_SENT,            /* a packet of the server's connection is passed to the device */
    KERNEL_SEND_CONTINUED,  /* THREAD called send() with more of a reply (set by the reader) */
    KERNEL_RECEIVE_ENTERED, /* under load: THREAD calls recv() or the like */
};

/* The number of bytes kept from the start of a send(): a record mark and an xid. */
enum { KERNEL_EVENT_HEAD = 8 };

struct kernel_event {
    __u64 at_ns; /* CLOCK_MONOTONIC */
    __u32 type;  /* enum kernel_event_type */
    __u32 cpu;
    __u32 process; /* of THREAD: the client's or the server's; 0: none */
    __u32 thread;
    union {
        /* Of the scheduler's events */
        struct {
            __u32 other;         /* the other thread's number; 0: none (idle processor) */
            __u32 other_process; /* the process of OTHER */
        };
        /* Of the others, over TCP: sequence numbers */
        struct {
            /* After the last byte received, read or sent; of KERNEL_SEND_ENTERED: of the next one.
             */
            __u32 sequence;
            /* Likewise in bytes since the connection began; of KERNEL_..._ARRIVED and
             * KERNEL_SEND_ENTERED only. */
            __u32 position;
        };
    };
    __u32 xid; /* of KERNEL_SEND_ENTERED, in the host's byte order; 0: unknown. Set by the reader
                  (reply_name()) */
    /* Bytes received or sent, without headers; of KERNEL_SEND_ENTERED: bytes in HEAD. */
    __s32 length;
    __u32 preempted; /* 1: yes */
    __u32 port;      /* of the others, over TCP: the client's; 0: unknown */
    union {
        char other_name[16]; /* command name of OTHER */
        __u8 head[16];       /* of KERNEL_SEND_ENTERED: the first bytes to be sent */
    };
};

/* Of the kernel's RPCs (rpc_trace.bpf.c) */

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

/* The number of a processor's events since the reader last set it to 0, including those that did
 * not fit. It has its own cache line. */
struct kernel_event_count {
    __u64 events;
    __u64 unused[7];
};
