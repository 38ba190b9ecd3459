/* What an observer of calls notes of them, under load or one at a time (stamped.h): the client's
 * own timestamps, the kernel's, and where each call and each reply lies in its connection's
 * streams, by which the kernel's timestamps and the server's events are assigned to it. */
#pragma once

#include <stdatomic.h>

#include "engine/load_watch.h"
#include "explain/phases/load_tls.h"
#include "explain/phases/stamps.h"
#include "measure/clock.h"
#include "measure/timestamp.h"

/* The kernel's timestamps of a call. */
enum stamp_kind { STAMP_SCHEDULED, STAMP_TRANSMITTED, STAMP_RECEIVED, STAMP_KINDS };

/* The kernel's names: "TX_SCHED". */
extern const char *const stamp_names[STAMP_KINDS];

/* A call of the block, with positions in the connection's stream. */
struct load_call {
    struct call_times times;
    unsigned connection; /* among those of the log */
    uint32_t thread;     /* gettid() of the client's thread */
    /* The positions of its first byte (with TLS, or if calls are made one at a time) and after its
     * last. With TLS: before it is encrypted; after the block REQUEST_END is that of the end of its
     * last record. */
    uint32_t request_begin, request_end;
    uint32_t reply_begin, reply_end; /* of its reply, with the record mark; with TLS, of the records
                                      * that it is in */
    size_t decryption, decryptions;  /* with TLS: the first of the connection's that are of its
                                      * reply, and how many are */
    uint64_t unwrap_ns;              /* by Kerberos: the time that the unwrapping of it took */
    uint64_t began_ticks, ticks;     /* when its lifetime began, and how long it was */
    uint64_t receive_entered;        /* the recv() that returned its reply's end was called */
    uint64_t busy_before;            /* that recv(): the client was last busy with another call */
    bool answered;
};

/* Something that happened to all bytes of a stream before END. */
struct load_mark {
    uint32_t end;
    uint32_t thread;    /* of the server; 0: not noted */
    uint64_t at, until; /* CLOCK_MONOTONIC, ns; UNTIL: of a system call, when it returned */
};

struct load_marks {
    struct load_mark *list; /* in order of END and time */
    size_t count, capacity;
};

struct load_connection {
    struct stamps stamps;
    uint16_t port;        /* the client's */
    uint32_t added, sent; /* bytes, or datagrams */
    uint32_t received;
    uint32_t stamped;     /* datagrams that were sent with timestamps */
    uint32_t first_stamp; /* the position of number 0, of the timestamps of this block */
    uint64_t received_stamps[STAMPS_DATAGRAMS_MAXIMUM]; /* of the last datagrams, in order */
    unsigned received_together;                         /* so many */
    bool renewed;                                       /* it was lost and restored in the block */
    uint64_t unmatched; /* timestamps in the block of what was never sent */
    uint64_t receive_entered, busy_before, read_at,
        received_stamp;  /* of the last recv() with bytes */
    uint64_t decoded_at; /* the previous reply was, or was unwrapped, a send() had ended, or what
                          * was read at READ_AT was decrypted */
    struct load_tls tls;
    struct load_marks sends, scheduled, transmitted; /* in the block */
};

/* A thread of the load, and what only it changes during a block. */
struct load_thread {
    struct load_log *log;
    unsigned number;
    uint32_t id;         /* gettid() */
    bool on;             /* since its first call that is logged */
    uint64_t busy_until; /* the end of its last work on a call */
};

struct load_log {
    const struct clock *clock;
    bool is_tcp;
    /* Set after load_log_open(): */
    bool has_tls;
    bool single;                /* one call at a time, over a channel */
    bool has_kerberos;          /* of these */
    struct load_watch *watches; /* for the engine: of each thread */
    struct load_thread *threads;
    unsigned thread_count;
    uint32_t sample; /* one of so many calls is logged; 1 or more */
    /* Called, with ON by several threads, before and after the part of a block whose calls are
     * logged. NULL: not wanted. */
    void (*sampling)(void *context, bool on);
    void *context;
    /* Those of the threads in turn: connection i of thread j is at i * THREAD_COUNT + j. */
    struct load_connection *connections;
    size_t connection_count, connection_capacity;
    struct load_call *calls; /* of the block, by number */
    size_t count, capacity;
    size_t from, until;     /* the calls of the block that are logged */
    size_t filled;          /* of the block, so many have the client's timestamps */
    atomic_size_t answered; /* of these */
    uint64_t blocks;        /* so far */
    /* In all blocks: the kernel's timestamps that calls sent once lack; those of no call; and the
     * calls in blocks during which CLOCK_REALTIME was set. */
    uint64_t lost[STAMP_KINDS], unmatched, dropped;
    atomic_int failure; /* a negative errno: memory, or timestamps that the kernel refused */
};

/* Begin a log of one call in SAMPLE that THREADS threads make; load_notes_watch() is due then.
 * Returns 0 or -ENOMEM. */
int load_log_open(struct load_log *log, const struct clock *clock, bool is_tcp, uint32_t sample,
                  unsigned threads);

/* Before a block of COUNT calls. Returns 0 or -ENOMEM. */
int load_log_begin(struct load_log *log, size_t count);

/* After it: fill in the client's timestamps of its calls. If the clock of the kernel's timestamps
 * was set meanwhile, the log then has no calls. */
void load_log_end(struct load_log *log);

/* When the server's timestamps of the block's calls are filled in, too: with TLS, gather the time
 * in which long replies were decrypted piece by piece (decryption_gather()). */
void load_log_gather_decryption(struct load_log *log);

/* What is noted of a send() is of its last byte: correct AT, the timestamps of a call, for calls
 * whose bytes had left before LATEST. */
void load_log_correct_sending(uint64_t *at, uint64_t latest);

/* The first mark of MARKS that covers END, or NULL. */
const struct load_mark *load_marks_find(const struct load_marks *marks, uint32_t end);

/* Add a mark, unless an earlier one covers END. Returns 0 or -ENOMEM. */
int load_marks_add(struct load_marks *marks, struct load_mark mark);

void load_log_close(struct load_log *log);

/* Between the files of the log */

/* Fill in LOG's watches: of each thread, the callbacks that note what happens to its calls. */
void load_notes_watch(struct load_log *log);

/* Keep CODE, a negative errno, if it is the first; 0 is none. */
void load_log_fail(struct load_log *log, int code);

void load_log_clear_marks(struct load_connection *connection);

/* Fill in the client's timestamps of the calls that were answered since this was done last. */
void load_log_fill_in(struct load_log *log);

/* Collect the kernel's timestamps of what was sent, as far as they have arrived. */
void load_log_collect(struct load_log *log, struct load_connection *connection);
