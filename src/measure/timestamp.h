/* The moments in a call's life, from its encoding to its decoding, in the order in which they come.
 */
#ifndef NFSBENCH_MEASURE_TIMESTAMP_H
#define NFSBENCH_MEASURE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timestamp {
    TIMESTAMP_BEGUN,        /* the client began to encode */
    TIMESTAMP_SEND_ENTERED, /* encoded; the client calls send() */
    TIMESTAMP_SCHEDULED, /* its kernel gives the last packet to the queueing discipline: TX_SCHED */
    TIMESTAMP_TRANSMITTED,     /* and to the device: TX_SOFTWARE */
    TIMESTAMP_REQUEST_ARRIVED, /* the request is in the server's socket */
    TIMESTAMP_SERVER_WOKEN,    /* a server thread that slept is made ready to run */
    TIMESTAMP_SERVER_RUNS,     /* and has a processor */
    TIMESTAMP_READER_RUNS,   /* another of its threads, that it woke to read the request, has one */
    TIMESTAMP_REQUEST_READ,  /* the server's receiving system call returned with the request */
    TIMESTAMP_WORKER_RUNS,   /* another of its threads, that was handed the request, has a processor
                              */
    TIMESTAMP_REPLY_ENTERED, /* the server calls send() with the reply */
    TIMESTAMP_REPLY_SENT,    /* its kernel gives the reply's last packet to the device */
    TIMESTAMP_REPLY_RECEIVED, /* the client's kernel has that packet: RX_SOFTWARE */
    TIMESTAMP_REPLY_ARRIVED,  /* the reply is in the client's socket */
    TIMESTAMP_CLIENT_WOKEN,   /* the client's thread, which slept, is made ready to run */
    TIMESTAMP_CLIENT_RUNS,    /* and has a processor */
    TIMESTAMP_REPLY_READ,     /* the client's recv() returned with the reply's last byte */
    TIMESTAMP_DECODED,        /* and it is decoded and checked */
    TIMESTAMPS,
};

/* Sentences about a call. */
enum { CALL_NOTES_MAXIMUM = 8, CALL_NOTE_SIZE = 160 };

/* What is known of a call. Times are ns of CLOCK_MONOTONIC on the client's machine; 0: that moment
 * did not come, or is not known. */
struct call_times {
    uint64_t at[TIMESTAMPS];
    uint64_t send_returned; /* the client's send() did: it overlaps what comes after it was sent */
    uint64_t lifetime_ns;   /* begun to decoded by the measuring clock, its own cost taken off */
    uint64_t number;        /* among the run's calls, from 0, those that are left out included */
    uint32_t xid;
    bool retransmitted; /* sent again, or over a connection made again: not to be explained */
    bool failed;        /* answered by an error */
};

#endif
