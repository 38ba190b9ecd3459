/* The timestamps of a call, from its encoding to its decoding, in the order in which they occur. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum timestamp {
    TIMESTAMP_BEGUN,        /* the client began to encode; in an open loop: the call was due */
    TIMESTAMP_SLOT_TAKEN,   /* open loop: fewer calls than allowed are in flight */
    TIMESTAMP_ENCODED,      /* one call at a time: the call is encoded */
    TIMESTAMP_WRAPPED,      /* by Kerberos: and signed, with its arguments wrapped */
    TIMESTAMP_SEND_ENTERED, /* the client calls send(); over TLS under load: first encrypts */
    TIMESTAMP_ENCRYPTED,    /* over TLS: and the call is encrypted */
    TIMESTAMP_SEND_TAKEN,   /* under load: send() has returned, or SCHEDULED was earlier */
    TIMESTAMP_SCHEDULED,   /* its kernel passes the last packet to the queueing discipline: TX_SCHED
                            */
    TIMESTAMP_TRANSMITTED, /* and to the device: TX_SOFTWARE */
    TIMESTAMP_REQUEST_ARRIVED, /* the request is in the server's socket */
    TIMESTAMP_SERVER_WOKEN,    /* a server thread that slept is made ready to run */
    TIMESTAMP_SERVER_RUNS,     /* and has a processor */
    TIMESTAMP_READER_WOKEN,    /* another server thread is woken to read the request */
    TIMESTAMP_READER_RUNS,     /* and has a processor */
    TIMESTAMP_READ_ENTERED,   /* under load: the server calls recv() for a request that was there */
    TIMESTAMP_REQUEST_READ,   /* the server's receiving system call returned with the request */
    TIMESTAMP_WORKER_WOKEN,   /* another server thread is woken to process it */
    TIMESTAMP_WORKER_RUNS,    /* and has a processor; under load: is free for it */
    TIMESTAMP_REPLY_READY,    /* under load: the server has finished its work on the call */
    TIMESTAMP_REPLY_ENTERED,  /* the server calls send() with the reply */
    TIMESTAMP_REPLY_SENT,     /* its kernel passes the reply's last packet to the device */
    TIMESTAMP_REPLY_RECEIVED, /* the client's kernel has received that packet: RX_SOFTWARE */
    TIMESTAMP_REPLY_ARRIVED,  /* the reply is in the client's socket */
    TIMESTAMP_CLIENT_WOKEN,   /* the client's thread, which slept, is made ready to run */
    TIMESTAMP_CLIENT_RUNS,    /* and has a processor */
    TIMESTAMP_RECEIVE_ENTERED, /* under load: the client calls recv() for a reply that was there */
    TIMESTAMP_REPLY_READ,      /* the client's recv() returned with the reply's last byte */
    TIMESTAMP_DECRYPTED,       /* over TLS: the reply is decrypted */
    TIMESTAMP_UNWRAPPED,       /* by Kerberos: its verifier is checked, its results are unwrapped */
    TIMESTAMP_DECODE_BEGUN, /* under load: the replies that were received before it are decoded */
    TIMESTAMP_DECODED,      /* the reply is decoded and checked */
    TIMESTAMPS,
};

/* Notes on a call, each a sentence. */
enum { CALL_NOTES_MAXIMUM = 8, CALL_NOTE_SIZE = 160 };

/* The timestamps of one call, in ns of CLOCK_MONOTONIC on the client's machine; 0: it did not
 * occur, or is unknown. */
struct call_times {
    uint64_t at[TIMESTAMPS];
    uint64_t send_returned; /* the client's send() returned; this may overlap with later phases */
    /* From begun to decoded, by the measuring clock, less the clock's own cost. */
    uint64_t lifetime_ns;
    uint64_t number; /* of the call in the run, from 0; calls that are left out count, too */
    uint32_t xid;
    bool retransmitted; /* sent again, or over a new connection: can't be explained */
    bool failed;        /* the reply was an error */
};
