/* What the eBPF program reports, in the layout that it and the reader share. The program is
 * compiled without libc: nothing may be included here but <linux/types.h>. */
#ifndef NFSBENCH_EXPLAIN_KERNEL_EVENT_H
#define NFSBENCH_EXPLAIN_KERNEL_EVENT_H

#include <linux/types.h>

enum kernel_event_type {
    KERNEL_REQUEST_ARRIVED, /* data are in the server's socket */
    KERNEL_REPLY_ARRIVED,   /* data are in the client's socket */
    KERNEL_WOKEN,           /* THREAD was made ready to run; by OTHER, or while OTHER ran */
    KERNEL_SWITCHED_IN,     /* THREAD got CPU; OTHER had it before */
    KERNEL_SWITCHED_OUT,    /* THREAD lost CPU to OTHER; PREEMPTED: it wanted to go on */
    KERNEL_RECEIVED,        /* THREAD's receiving system call has LENGTH bytes, and returns */
    KERNEL_SEND_ENTERED,    /* THREAD called send() with the reply XID, or its first bytes */
    KERNEL_SENT,            /* a packet of the server's connection is given to the device */
    KERNEL_SEND_CONTINUED,  /* THREAD called send() with more of a reply (the reader's finding) */
};

/* How many of a send()'s first bytes are looked at: a record's mark and its xid. */
enum { KERNEL_EVENT_HEAD = 8 };

struct kernel_event {
    __u64 at_ns; /* CLOCK_MONOTONIC */
    __u32 type;  /* enum kernel_event_type */
    __u32 cpu;
    __u32 process; /* of THREAD: the client's or the server's; 0 where there is none */
    __u32 thread;
    __u32 other;         /* the other thread's number; 0: none, the processor was idle */
    __u32 other_process; /* that it is of */
    __u32 xid;           /* of KERNEL_SEND_ENTERED, in the host's byte order; 0: not to be read.
                            The reader finds it (reply_name()) */
    __s32 length;    /* bytes received or sent, without headers; of KERNEL_SEND_ENTERED: in HEAD */
    __u32 preempted; /* 1: yes */
    __u32 unused;
    union {
        char other_name[16]; /* of OTHER: its command's name */
        __u8 head[16];       /* of KERNEL_SEND_ENTERED: the first bytes to be sent */
    };
};

/* How many events a processor had since the reader last set it to 0; those that there
 * was no room for, too. Alone in its cache line. */
struct kernel_event_count {
    __u64 events;
    __u64 unused[7];
};

#endif
