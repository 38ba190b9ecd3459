/* The log of observed calls, under load or one at a time (stamped.h). It has the client's and the
 * kernel's timestamps, and the positions of each call and reply in the connection's streams. By
 * these positions, timestamps of sending and, under load, the server's events are assigned to
 * calls. */
#pragma once

#include <stdatomic.h>

#include "engine/load_watch.h"
#include "explain/phases/load_tls.h"
#include "explain/phases/stamps.h"
#include "measure/clock.h"
#include "measure/timestamp.h"

/* The kernel's timestamps of a call. */
enum stamp_kind { STAMP_SCHEDULED, STAMP_TRANSMITTED, STAMP_RECEIVED, STAMP_KINDS };

/* The kernel's names of timestamps, such as "TX_SCHED". */
extern const char *const stamp_names[STAMP_KINDS];

/* A call of a block. Positions are in the connection's streams. */
struct load_call {
    struct call_times times;
    unsigned connection; /* index in the log's connections */
    uint32_t thread;     /* gettid() of the client's thread */
    /* Positions of the call's first byte (set, but used only with TLS or if SINGLE) and after its
     * last byte. With TLS, these are positions in the unencrypted stream. After a block with TLS,
     * REQUEST_END is the position in the encrypted stream after the call's last record. */
    uint32_t request_begin, request_end;
    /* begin and end of the reply with its record mark; with TLS, of the reply's records */
    uint32_t reply_begin, reply_end;
    /* With TLS: index of the first of the connection's decryptions that belong to the reply, and
     * their number. */
    size_t decryption, decryptions;
    uint64_t unwrap_ns;          /* with Kerberos: time that unwrapping the reply took */
    uint64_t began_ticks, ticks; /* begin and length of the lifetime, in ticks of the log's CLOCK */
    uint64_t receive_entered; /* when the recv() of the reply's last byte was called; SINGLE: 0 */
    uint64_t busy_before;     /* when the thread's last work before RECEIVE_ENTERED ended */
    bool answered;
};

/* An event that concerns all bytes of a stream before position END. */
struct load_mark {
    uint32_t end;
    uint32_t thread;    /* thread of the server; 0: unknown */
    uint64_t at, until; /* CLOCK_MONOTONIC, ns; AT: time of the event, or when its system call
                           began; UNTIL: time when this system call returned */
};

struct load_marks {
    struct load_mark *list; /* ordered by END and time */
    size_t count, capacity;
};

struct load_connection {
    struct stamps stamps;
    uint16_t port; /* client's port */
    /* Positions (bytes, or datagrams over UDP). ADDED: in the unencrypted stream, after the last
     * call that was added; if SINGLE, before this call. SENT and RECEIVED: after the last byte or
     * datagram that the socket sent or received. */
    uint32_t added, sent;
    uint32_t received;
    uint32_t stamped;     /* number of datagrams sent with timestamps */
    uint32_t first_stamp; /* position of timestamp number 0; UDP: computed for each block */
    /* under load over UDP: timestamps, in order, of the datagrams that were last received */
    uint64_t received_stamps[STAMPS_DATAGRAMS_MAXIMUM];
    unsigned received_together; /* number of timestamps in RECEIVED_STAMPS */
    bool renewed; /* the connection was restored in the block (not set for calls made one at a time
                     without TLS) */
    uint64_t unmatched; /* number of timestamps in the block that belong to no sent message */
    /* Times of the last recv() that returned bytes. RECEIVE_ENTERED: when it was called;
     * BUSY_BEFORE: when the thread's work before it ended; READ_AT: when it returned;
     * RECEIVED_STAMP: the kernel's timestamp of the bytes. */
    uint64_t receive_entered, busy_before, read_at, received_stamp;
    /* Time when the client last became ready for the next reply: bytes were read (READ_AT) or
     * decrypted, the previous reply was unwrapped or decoded, or a send() ended. */
    uint64_t decoded_at;
    struct load_tls tls;
    struct load_marks sends, scheduled, transmitted; /* marks of this block */
};

/* A thread of the load. During a block, only the thread itself changes the members. */
struct load_thread {
    struct load_log *log;
    unsigned number;
    uint32_t id; /* gettid() */
    /* True from the thread's first logged call of the block until the thread gets a reply after all
     * logged calls (of any thread) were answered; at the latest until the block ends. */
    bool on;
    uint64_t busy_until; /* time when the thread's last work on a call ended */
};

struct load_log {
    const struct clock *clock;
    bool is_tcp;
    /* Set after load_log_open(): */
    bool has_tls;
    bool single;                /* calls are made one at a time, through a channel */
    bool has_kerberos;          /* Kerberos protects the calls; used only if SINGLE */
    struct load_watch *watches; /* callbacks for the engine, one per thread */
    struct load_thread *threads;
    unsigned thread_count;
    uint32_t sample; /* one call in SAMPLE is logged; at least 1 */
    /* Called with ON true before the part of a block whose calls are logged, and with ON false when
     * all these calls are answered. Several threads may call it with ON true. NULL: not called. */
    void (*sampling)(void *context, bool on);
    void *context;
    struct load_connection *connections; /* connection I of thread J: I * THREAD_COUNT + J */
    size_t connection_count, connection_capacity;
    struct load_call *calls; /* calls of the block, by number */
    size_t count, capacity;
    size_t from, until;     /* range of the block's calls that are logged */
    size_t filled;          /* answered calls before number FILLED have the client's timestamps */
    atomic_size_t answered; /* number of the block's logged calls that were answered */
    uint64_t blocks;
    /* Sums over blocks. LOST: kernel timestamps that calls without retransmission lack (under load,
     * only STAMP_TRANSMITTED is counted); UNMATCHED: kernel timestamps that belong to no sent
     * message; DROPPED: all calls, logged or not, in blocks during which CLOCK_REALTIME was set. */
    uint64_t lost[STAMP_KINDS], unmatched, dropped;
    atomic_int failure; /* the first error (no memory, no timestamps), a negative errno; or 0 */
};

/* Open a log for THREADS threads that logs one call in SAMPLE. Call load_notes_watch() next,
 * and load_log_close() in any case. Returns 0 or -ENOMEM. */
int load_log_open(struct load_log *log, const struct clock *clock, bool is_tcp, uint32_t sample,
                  unsigned threads);

/* Begin a block of COUNT calls. Returns 0 or -ENOMEM. */
int load_log_begin(struct load_log *log, size_t count);

/* End the block: wait shortly for late timestamps, and set the client's timestamps of its calls. If
 * CLOCK_REALTIME was set during the block, all its calls are removed from the log. */
void load_log_end(struct load_log *log);

/* With TLS: gather the time in which long replies were decrypted piece by piece
 * (decryption_gather()). Call it after the server's timestamps of the block's calls are set. */
void load_log_gather_decryption(struct load_log *log);

/* Correct AT, the timestamps of a call that was sent before LATEST. SEND_TAKEN, SCHEDULED and
 * TRANSMITTED belong to the last byte of a send(), which may carry later calls, too. SEND_TAKEN
 * becomes LATEST if it is later. SCHEDULED and TRANSMITTED each become 0 if later than LATEST. */
void load_log_correct_sending(uint64_t *at, uint64_t latest);

/* Return the first mark in MARKS that covers position END, or NULL. */
const struct load_mark *load_marks_find(const struct load_marks *marks, uint32_t end);

/* Add MARK, unless an earlier mark covers its END. Returns 0 or -ENOMEM. */
int load_marks_add(struct load_marks *marks, struct load_mark mark);

void load_log_close(struct load_log *log);

/* Functions that the files of the log share */

/* Set LOG's watches: callbacks for each thread, which note the events of its calls. */
void load_notes_watch(struct load_log *log);

/* Keep CODE, a negative errno, if it is the first failure. CODE 0 is ignored. */
void load_log_fail(struct load_log *log, int code);

void load_log_clear_marks(struct load_connection *connection);

/* Set the client's timestamps of the calls answered since the last call of this function. */
void load_log_set_client_timestamps(struct load_log *log);

/* Collect arrived timestamps of sent messages until the last sent byte's transmission is known. */
void load_log_collect(struct load_log *log, struct load_connection *connection);
