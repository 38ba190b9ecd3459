/* From the kernel's events, derives the timestamps of calls that the client can't take itself, and
 * the reasons why a call was slow. Only server_events_take() does more than compute. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/kernel/trace.h"
#include "measure/timestamp.h"

struct load_log;

/* The events of a block, sorted by time, with the client's thread and the server's process. */
struct server_events {
    const struct kernel_event *list;
    size_t count;
    uint32_t client_thread, server_process;
};

/* Disable TRACE, which was opened with REQUEST, and return the events of the block, valid until
 * TRACE is read again. Sets *LOST to the number of missing events. */
struct server_events server_events_take(struct trace *trace, const struct trace_request *request,
                                        uint64_t *lost);

struct event_window {
    const struct kernel_event *first, *end;
    uint32_t client_thread, server_process;
};

struct event_window server_events_between(const struct server_events *events, uint64_t from,
                                          uint64_t until);

struct thread_start {
    /* WOKEN: time when the thread was made runnable; 0: it was runnable already. RUNS: time when it
     * got a processor. Both 0: it did not sleep, or unknown. */
    uint64_t woken, runs;
    uint32_t waker; /* server's thread that woke the thread; 0: something else woke it */
};

/* THREAD slept or waited for a processor at FROM: return when it was woken and got a processor. All
 * members are 0 if it got no processor by UNTIL. They are also 0 if it was preempted before a
 * wake-up, because this shows that it was running at FROM. (A thread that is woken while it goes to
 * sleep leaves the processor after its wake-up.) */
struct thread_start thread_start_find(struct event_window window, uint32_t thread, uint64_t from,
                                      uint64_t until);

/* Set SERVER_WOKEN and SERVER_RUNS in AT, the timestamps of a call, to the start of the server's
 * thread that the request's arrival woke. This thread may be READER, which read the request at
 * UNTIL. If it is another thread, it woke READER, directly or through other threads; READER_WOKEN
 * and READER_RUNS are then set, too. Returns when READER started to run; 0: READER did not sleep,
 * or unknown. */
uint64_t thread_start_set_timestamps(struct event_window window, uint32_t reader, uint64_t until,
                                     uint64_t *at);

/* Set CALL's timestamps from REQUEST_ARRIVED to REPLY_SENT, and from REPLY_ARRIVED to CLIENT_RUNS.
 * Calls must be made one at a time. SEND_ENTERED, REPLY_READ and the xid must be set. The
 * xid is 0 for a call over TLS, whose reply is found by time alone. Unknown timestamps remain 0.
 * Returns true if REQUEST_ARRIVED, REQUEST_READ and REPLY_ENTERED are known. */
bool server_timestamps(const struct server_events *events, struct call_times *call);

/* Set the timestamps of LOG's calls under load that follow from EVENTS. Calls and events are
 * matched by positions in the connection's streams. Returns the number of calls with
 * REQUEST_ARRIVED, REQUEST_READ and REPLY_READY, or -ENOMEM. If a server's thread answers several
 * calls by one send() without having slept, it worked on them one after the other, in the order of
 * their replies. The work on each call is taken to be an equal share of the time; during the rest
 * of the time the call waited. */
long load_server_timestamps(const struct load_log *log, const struct server_events *events);

/* Write sentences to NOTES on what the scheduler did to the threads of client and server during
 * CALL, in order of time, and return their number. The sentences describe the longest pauses of at
 * least a twentieth of CALL's time, or say that there was none. The threads are the client's
 * thread, the server's thread that read the request (until the read), and the server's thread that
 * answered (from the read on). server_timestamps() must have been called for CALL. */
size_t slow_describe(const struct server_events *events, const struct call_times *call,
                     char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE]);

/* Write to TEXT, for a message, which of REQUEST_ARRIVED, REQUEST_READ and REPLY_ENTERED have no
 * event in EVENTS. TEXT is "" if each has an event. */
void server_timestamps_missing(const struct server_events *events, char *text, size_t size);

/* Return the process that reads the requests in EVENTS; 0: unknown. */
uint32_t server_timestamps_reader(const struct server_events *events);
