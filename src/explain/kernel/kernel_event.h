/* The events that the eBPF programs report, in the layout that they share with the reader. The
 * programs are compiled without libc, so only <linux/types.h> may be included here. */
#pragma once

#include <linux/types.h>

/* Events of a connection and of the threads at both of its ends (trace.bpf.c) */

enum kernel_event_type {
    KERNEL_REQUEST_ARRIVED, /* data are in the server's socket */
    KERNEL_REPLY_ARRIVED,   /* data are in the client's socket */
    KERNEL_WOKEN,           /* THREAD was made runnable, by OTHER or while OTHER ran */
    KERNEL_SWITCHED_IN,     /* THREAD got CPU; OTHER had it before */
    KERNEL_SWITCHED_OUT,    /* THREAD lost CPU to OTHER, involuntarily if PREEMPTED is 1 */
    KERNEL_RECEIVED,        /* THREAD, of any process, read LENGTH bytes from the server's socket */
    /* THREAD, of the server, begins a sending system call; without load: the first of reply XID */
    KERNEL_SEND_ENTERED,
    KERNEL_SENT,            /* the device gets a packet with data from the server's socket */
    KERNEL_SEND_CONTINUED,  /* a send() that the reader took for more of the same reply */
    KERNEL_RECEIVE_ENTERED, /* under load: THREAD, of the server, begins a receive system call */
};

/* Number of a send()'s first bytes that are recorded: a record mark and an xid. */
enum { KERNEL_EVENT_HEAD = 8 };

struct kernel_event {
    __u64 at_ns; /* CLOCK_MONOTONIC */
    __u32 type;  /* enum kernel_event_type */
    __u32 cpu;
    __u32 process; /* process of THREAD; 0: the event has no thread */
    __u32 thread;
    union {
        /* Events of the scheduler: */
        struct {
            __u32 other;         /* thread number; 0: none (idle processor) */
            __u32 other_process; /* the process of OTHER */
        };
        /* Other types of events, over TCP: */
        struct {
            /* Sequence number after the last byte that arrived, was read or was sent. In
             * KERNEL_..._ENTERED: sequence number of the next byte that the server writes. */
            __u32 sequence;
            /* Number of bytes before SEQUENCE since the connection began. Valid only for
             * KERNEL_..._ARRIVED and KERNEL_..._ENTERED. */
            __u32 position;
        };
    };
    /* KERNEL_SEND_ENTERED: xid in the host's byte order, set by the reader (reply_name()); 0:
     * unknown, or under load. */
    __u32 xid;
    __s32 length;    /* KERNEL_RECEIVED and KERNEL_SENT: bytes of data (KERNEL_SENT over UDP: and of
                        headers); KERNEL_SEND_ENTERED: number of bytes in HEAD */
    __u32 preempted; /* 1: THREAD lost CPU involuntarily */
    __u32 port;      /* client's port; 0 over UDP, and for events of the scheduler */
    union {
        char other_name[16]; /* command name of OTHER */
        __u8 head[16];       /* KERNEL_SEND_ENTERED: the first bytes to be sent */
    };
};

/* Events of the kernel's RPCs (rpc_trace.bpf.c). The tracepoint of each event is in parentheses. */

enum rpc_event_type {
    /* In the events up to RPC_MEASURED, TASK is an RPC of the kernel's client. */
    /* At AT_NS the kernel began to count the RPC's lifetime. NAME: procedure; NUMBER: RPC client;
     * VALUE: 1 if the RPC is asynchronous (the caller does not wait in it), else 0
     * (rpc_task_begin). */
    RPC_BEGUN,
    RPC_ACTION,   /* the state machine calls the function at VALUE (rpc_task_run_action) */
    RPC_SLEEPS,   /* the RPC sleeps in the queue NAME (rpc_task_sleep) */
    RPC_WOKEN,    /* the RPC is woken (rpc_task_wakeup) */
    RPC_SENT,     /* the call is in the socket of transport VALUE; NUMBER: xid (xprt_transmit) */
    RPC_ENDED,    /* the RPC ends (rpc_task_end) */
    RPC_MEASURED, /* the kernel measured VALUE ns as the RPC's duration (rpc_stats_latency) */
    /* In the next two events, VALUE is a transport of the kernel's client. */
    RPC_DATA_READY, /* data have arrived in the transport's socket (xs_data_ready) */
    RPC_REPLIED,    /* the reply with xid NUMBER is among the data (xprt_lookup_rqst) */
    /* The transport VALUE of the kernel's server, on this machine, waits for a server thread
     * (svc_xprt_enqueue). */
    SVC_QUEUED,
    /* In the events up to SVC_SENT, TASK is a request that a server's thread handles. */
    SVC_TAKEN,     /* the thread took transport VALUE (svc_xprt_dequeue) */
    SVC_RECEIVED,  /* the call is in memory (svc_xdr_recvfrom) */
    SVC_PROCESSED, /* the procedure NAME of NFSv3 is known (svc_process) */
    SVC_CHECKED,   /* the request's file handle is verified (nfsd_fh_verify) */
    /* nfsd calls the file system for data (nfsd_read_splice, nfsd_read_vector,
     * nfsd_write_opened) */
    SVC_IO_BEGUN,
    SVC_IO_DONE, /* the file system returned (nfsd_read_io_done, nfsd_write_io_done) */
    SVC_SENDS,   /* the reply is about to be sent (svc_stats_latency) */
    SVC_SENT,    /* the reply is sent (svc_send) */
    /* In the events from here on, the caller is the process whose system calls are recorded. */
    RPC_CALL_ENTERED,  /* the caller began a system call (sys_enter) */
    RPC_CALL_RETURNED, /* the system call returns (sys_exit) */
    RPC_CALLER_RUNS,   /* the caller got a processor (sched_switch) */
    RPC_EVENT_TYPES,
};

struct rpc_event {
    __u64 at_ns; /* CLOCK_MONOTONIC */
    __u32 type;  /* enum rpc_event_type */
    __u32 cpu;
    __u64 task; /* address of the RPC or the request; 0: none */
    __u64 value;
    __u32 process; /* process that was running when the event was recorded */
    __u32 number;
    char name[16];
};

/* Number of a processor's events, including events that did not fit, since the reader last set the
 * number to 0. Each number has its own cache line. */
struct kernel_event_count {
    __u64 events;
    __u64 unused[7];
};
