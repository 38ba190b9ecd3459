/* Think times: how long the users of a closed loop, each in their own way, wait. A connection makes
 * some calls; when all of them are answered, it waits before it makes the next ones. */
#pragma once

#include <stddef.h>

#include "common/random.h"

enum { THINK_QUANTILES = 6 };

/* The probabilities of the quantiles. */
extern const double think_probabilities[THINK_QUANTILES];

struct think {
    double ns[THINK_QUANTILES]; /* that a wait takes; ascending */
    double calls;               /* between two waits, on average; 1 or more */
    unsigned depth;             /* most calls in flight on a connection; no more than the load's */
};

/* How long to wait, ns: from a distribution that is even between the quantiles, and has nothing
 * outside of the outermost. */
double think_draw_ns(const struct think *think, struct random *random);

/* How many calls to make until the next wait: one of the two numbers next to the average. */
size_t think_draw_calls(const struct think *think, struct random *random);
