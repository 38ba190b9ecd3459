/* Derives from the kernel's events the timestamps of calls that the client can't take itself, and
 * the reasons why a call was slow. Pure, except for memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/kernel/trace.h"
#include "measure/timestamp.h"

struct load_log;

/* The events of a block of calls, sorted by time, and the threads concerned. */
struct server_events {
    const struct kernel_event *list;
    size_t count;
    uint32_t client_thread, server_process;
};

/* End a block that TRACE, of REQUEST, watched, and take its events; of *LOST others they may lack
 * some. They are valid until the next time. */
struct server_events server_events_take(struct trace *trace, const struct trace_request *request,
                                        uint64_t *lost);

/* Those of them in some time. */
struct event_window {
    const struct kernel_event *first, *end;
    uint32_t client_thread, server_process;
};

struct event_window server_events_between(const struct server_events *events, uint64_t from,
                                          uint64_t until);

struct thread_start {
    uint64_t woken, runs; /* 0: it did not */
    uint32_t waker;       /* the server's thread that woke it; 0: another cause */
};

/* How THREAD, which slept or waited for a processor at FROM, started to run before UNTIL. A thread
 * that loses its processor without having been woken was already running, so its return is not a
 * start. But a thread woken while it is going to sleep leaves the processor after its wake-up. */
struct thread_start thread_start_find(struct event_window window, uint32_t thread, uint64_t from,
                                      uint64_t until);

/* Fill in AT, the timestamps of a call whose REQUEST_ARRIVED is set, with the start of the thread
 * that this woke: of READER, which had read the request at UNTIL, or the first in the chain of
 * threads that woke one another and finally READER. Returns when READER runs; 0: it did not sleep.
 */
uint64_t thread_start_fill(struct event_window window, uint32_t reader, uint64_t until,
                           uint64_t *at);

/* Fill in REQUEST_ARRIVED to REPLY_SENT and REPLY_ARRIVED to CLIENT_RUNS of CALL, one of several
 * that follow one another, as far as they are known; SEND_ENTERED, REPLY_READ and the xid must be
 * set, which is 0 for calls over TLS: of these the time alone says which reply is theirs.
 * Timestamps that did not occur or were lost remain 0. Returns whether the call's way through the
 * server is known: REQUEST_ARRIVED, REQUEST_READ and REPLY_ENTERED. */
bool server_timestamps(const struct server_events *events, struct call_times *call);

/* The same of calls under load, those of LOG, which are told apart by their place in the streams of
 * their connection. Returns the number of calls whose way through the
 * server is known, or -ENOMEM.
 *
 * If a server's thread that did not sleep answers several calls by one send(), it worked on them
 * one after the other, in the order of their replies: each gets an equal part of the time, and
 * waits during the others'. */
long load_server_timestamps(const struct load_log *log, const struct server_events *events);

/* Write sentences on what the scheduler did to the threads of client and server during CALL to
 * NOTES, in order of time, and return their number. The notes describe the longest pauses of at
 * least a twentieth of CALL's time, or say that there was none: pauses of the client's thread and,
 * between the request's arrival and the reply, of the server's threads that read and answered it.
 * CALL must have been filled in by server_timestamps(). */
size_t slow_describe(const struct server_events *events, const struct call_times *call,
                     char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE]);

/* List those of the server's REQUEST_ARRIVED, REQUEST_READ and REPLY_ENTERED for which EVENTS has
 * no event, for a message; "" if each has one, but none with the xid of a call. */
void server_timestamps_missing(const struct server_events *events, char *text, size_t size);

/* The process that reads the requests in EVENTS; 0 if unknown. */
uint32_t server_timestamps_reader(const struct server_events *events);
