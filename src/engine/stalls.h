/* Stalls: times in which a server that had answered gave no answer. Whatever a call is for, one
 * that takes far longer than others like it is noted here, so that no stall stays hidden because it
 * fell among calls whose latencies nobody reads. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STALLS_MAXIMUM = 64 };

#define STALL_LEAST_NS  100000000.0  /* no shorter call is a stall */
#define STALL_SECOND_NS 1000000000.0 /* a wait that is one, unless it is usual */

struct stall {
    uint64_t began_ns, ended_ns; /* clock_raw_ns() */
    uint64_t calls;              /* that waited */
    const char *series;          /* or the procedure of a call that is in none */
};

/* Zeroed, there are none. Several threads may note some. */
struct stalls {
    pthread_mutex_t lock;
    struct stall list[STALLS_MAXIMUM]; /* in the order in which they ended */
    size_t count;
    uint64_t not_kept;
};

/* Is a call of NS a stall, of a series in which calls take USUAL_NS (0: not known)? It is where it
 * takes more than 100 ms and more than 100 times as long as usual; or a second or more, and more
 * than twice as long. */
bool stall_is_one(double ns, double usual_ns);

/* STALL, whose series is a text that outlives STALLS, has ended. Calls that waited at the same time
 * are one stall. */
void stalls_note(struct stalls *stalls, const struct stall *stall);
