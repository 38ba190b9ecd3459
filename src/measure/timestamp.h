/* The timestamps of a call, in the order in which they occur. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum timestamp {
    TIMESTAMP_BEGUN, /* the client begins to encode the call; in an open loop: the call is due */
    TIMESTAMP_SLOT_TAKEN,   /* open loop: fewer calls are in flight than allowed */
    TIMESTAMP_ENCODED,      /* the call is encoded; only if calls are made one at a time */
    TIMESTAMP_WRAPPED,      /* Kerberos: the call is signed, and its arguments are wrapped */
    TIMESTAMP_SEND_ENTERED, /* the client calls send(); over TLS under load, it begins to encrypt */
    TIMESTAMP_ENCRYPTED,    /* TLS: the call is encrypted */
    /* under load: send() returns or, if that is earlier, TX_SCHED (SCHEDULED is 0 then) */
    TIMESTAMP_SEND_TAKEN,
    TIMESTAMP_SCHEDULED, /* TX_SCHED: the client's kernel queues the last packet */
    /* TX_SOFTWARE: the client's kernel passes the last packet to the device */
    TIMESTAMP_TRANSMITTED,
    TIMESTAMP_REQUEST_ARRIVED, /* the request is in the server's socket */
    TIMESTAMP_SERVER_WOKEN,    /* a server thread that slept is made ready to run */
    TIMESTAMP_SERVER_RUNS,     /* the woken server thread has a processor */
    TIMESTAMP_READER_WOKEN,    /* another server thread is woken to read the request */
    TIMESTAMP_READER_RUNS,     /* the woken reader has a processor */
    TIMESTAMP_READ_ENTERED,    /* under load: the server calls recv() for a waiting request */
    TIMESTAMP_REQUEST_READ,    /* the server's receiving system call returns with the request */
    TIMESTAMP_WORKER_WOKEN,    /* another server thread is woken to process the request */
    /* the woken thread has a processor; under load: this thread is free for the request */
    TIMESTAMP_WORKER_RUNS,
    TIMESTAMP_REPLY_READY, /* under load: the server has finished its work on the call */
    /* the server calls send() with the reply; under load: 0 if not later than REPLY_READY */
    TIMESTAMP_REPLY_ENTERED,
    TIMESTAMP_REPLY_SENT,     /* the server's kernel passes the reply's last packet to the device */
    TIMESTAMP_REPLY_RECEIVED, /* RX_SOFTWARE: the client's kernel has the reply's last packet */
    TIMESTAMP_REPLY_ARRIVED,  /* the reply is in the client's socket */
    TIMESTAMP_CLIENT_WOKEN,   /* the client's thread, which slept, is made ready to run */
    TIMESTAMP_CLIENT_RUNS,    /* the woken client has a processor */
    TIMESTAMP_RECEIVE_ENTERED, /* under load: the client calls recv() for a waiting reply */
    TIMESTAMP_REPLY_READ,      /* the client's recv() returns with the reply's last byte */
    TIMESTAMP_DECRYPTED,       /* TLS: the reply is decrypted */
    TIMESTAMP_UNWRAPPED,    /* Kerberos: the reply's verifier is checked, its results unwrapped */
    TIMESTAMP_DECODE_BEGUN, /* under load: all replies received earlier are decoded */
    TIMESTAMP_DECODED,      /* the reply is decoded and checked */
    TIMESTAMPS,
};

/* Maximum number of notes on a call, and the size of a note, which is one sentence. */
enum { CALL_NOTES_MAXIMUM = 8, CALL_NOTE_SIZE = 160 };

/* The timestamps of one call, in ns of CLOCK_MONOTONIC on the client's machine. 0: the event did
 * not occur, or its time is unknown. */
struct call_times {
    uint64_t at[TIMESTAMPS];
    uint64_t send_returned; /* when the client's send() returned; may overlap with later phases */
    /* Time from BEGUN to DECODED by the measuring clock, less the clock's own cost. */
    uint64_t lifetime_ns;
    uint64_t number; /* number of the call in the run, from 0; unexplained calls count, too */
    uint32_t xid;
    bool retransmitted; /* sent again, or in a block with a new connection: can't be explained */
    bool failed;        /* the reply was an error */
};
