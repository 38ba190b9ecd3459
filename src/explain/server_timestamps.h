/* What the kernel's events of the server's side say of a call: the timestamps that the client does
 * not see by itself, and why it took long. Pure. */
#ifndef NFSBENCH_EXPLAIN_SERVER_TIMESTAMPS_H
#define NFSBENCH_EXPLAIN_SERVER_TIMESTAMPS_H

#include <stddef.h>
#include <stdint.h>

#include "explain/kernel_event.h"
#include "measure/timestamp.h"

/* The events of a block of calls, by time, and whose they are. */
struct server_events {
    const struct kernel_event *list;
    size_t count;
    uint32_t client_thread, server_process;
};

/* Fill in, for each of COUNT CALLS that were made one after the other, REQUEST_ARRIVED to
 * REPLY_SENT and REPLY_ARRIVED to CLIENT_RUNS, as far as they are known. SEND_ENTERED, REPLY_READ
 * and the xid must be. What did not come, or was lost, stays 0. */
void server_timestamps(const struct server_events *events, struct call_times *calls, size_t count);

/* Why a call took long: write sentences to NOTES, in the order of time, of what the scheduler did
 * to the threads at both of its ends; returns how many. Each pause is described that took a
 * twentieth of CALL's time or more, the longest ones, or that there was none: of the client's
 * thread, and, between the request's arrival and the reply, of the server's threads that read and
 * that answered it. server_timestamps() has filled in CALL. */
size_t slow_describe(const struct server_events *events, const struct call_times *call,
                     char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE]);

/* How many of COUNT CALLS have the server's side: its REQUEST_ARRIVED, REQUEST_READ and
 * REPLY_ENTERED. */
size_t server_timestamps_joined(const struct call_times *calls, size_t count);

/* Which of these timestamps EVENTS has for no call at all, for a message; "" where each is there,
 * but with no call's xid. */
void server_timestamps_missing(const struct server_events *events, char *text, size_t size);

/* The process that reads the requests in EVENTS; 0: none does that can be seen. */
uint32_t server_timestamps_reader(const struct server_events *events);

#endif
