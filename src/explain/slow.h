/* Why a call took long, in sentences: what the scheduler did to the threads at both of its ends.
 * Pure. */
#ifndef NFSBENCH_EXPLAIN_SLOW_H
#define NFSBENCH_EXPLAIN_SLOW_H

#include <stddef.h>

#include "explain/server_moments.h"

/* Write sentences to NOTES, in the order of time; returns how many. Told is each pause that took a
 * twentieth of CALL's time or more, the longest ones, or that there was none: of the client's
 * thread, and, between the request's arrival and the reply, of the server's threads that read and
 * that answered it (see server_moments(), which has filled in CALL). */
size_t slow_describe(const struct server_events *events, const struct call_times *call,
                     char notes[CALL_NOTES_MAXIMUM][CALL_NOTE_SIZE]);

#endif
