/* Stalls: times in which a server that had answered before gave no answer. A call of a series is
 * noted here if it takes far longer than usual; a single call (rpc_client_call()) is noted if it
 * takes a second. Thus stalls of calls without a reported latency are not hidden. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STALLS_MAXIMUM = 64 };

#define STALL_LEAST_NS  100000000.0  /* shorter calls are never stalls */
#define STALL_SECOND_NS 1000000000.0 /* this long or longer: a stall if over twice the usual */

struct stall {
    uint64_t began_ns, ended_ns; /* on clock_raw_ns() */
    uint64_t calls;              /* number of calls that waited */
    const char *series;          /* name of the calls' series or, without one, of their procedure */
};

/* The stalls of a run. Zeroed: there are no stalls. Several threads may add stalls. */
struct stalls {
    pthread_mutex_t lock;
    struct stall list[STALLS_MAXIMUM]; /* in the order in which they were added */
    size_t count;
    uint64_t not_kept;
};

/* Return whether a call that took NS is a stall. Calls of its series usually take USUAL_NS (0:
 * unknown; then each call over 100 ms is a stall). A stall takes more than 100 ms and more than 100
 * times as long as usual, or at least a second and more than twice as long as usual. */
bool stall_is_one(double ns, double usual_ns);

/* Add STALL, whose series text must outlive STALLS. A stall of the list that overlaps STALL is
 * extended, and keeps its series; else, if the list is full, STALL is only counted in NOT_KEPT. */
void stalls_note(struct stalls *stalls, const struct stall *stall);
