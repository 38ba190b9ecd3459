/* The events that the eBPF program reports, in the layout that it shares with the reader. The
 * program is compiled without libc, so only <linux/types.h> may be included here. */
#pragma once

#include <linux/types.h>

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
