/* Conclusions from the figures of experiments. Pure functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/estimate.h"

/* Whether one way is faster than another */

enum gain {
    GAIN_NONE,    /* it is not noticeably faster */
    GAIN_SOME,    /* it is faster */
    GAIN_UNKNOWN, /* the interval allows both */
};

#define GAIN_LEAST 1.2

/* Classify RATIO, how many times as fast it is. GAIN_LEAST is noticeable. */
enum gain gain_classify(const struct interval *ratio);

/* Whether a sync can be as fast as measured */

enum sync_cost {
    SYNC_COST_PLAUSIBLE, /* data may have reached a medium that keeps them without power */
    SYNC_COST_TOO_SMALL, /* they can't have, unless the server's memory has a battery */
    SYNC_COST_UNCLEAR,   /* the interval allows both */
};

/* Classify the difference between a stable and an unstable WRITE, US microseconds. No medium is
 * faster than SYNC_LEAST_US: flash with a protected write cache takes some 10 us over NVMe, a disk
 * milliseconds. */
enum { SYNC_LEAST_US = 5 };
enum sync_cost sync_cost_classify(const struct interval *us);

/* Where costs rise permanently */

#define KNEE_LEAST 2.0

/* Return the first index of COUNT costs from which all costs are more than KNEE_LEAST times the
 * smallest cost before it, the first one certainly; 0: there is none. */
size_t knee_find(const struct interval *costs, size_t count);

/* Return true if certainly none of COUNT costs is more than KNEE_LEAST times the smallest. */
bool knee_is_excluded(const struct interval *costs, size_t count);

/* Whether a quick call waits for a slow one */

enum waiting {
    WAITING_NOT, /* its wait is a small share of the slow call's time */
    WAITING_PARTLY,
    WAITING_WHOLLY,  /* its wait is most of the slow call's time */
    WAITING_UNCLEAR, /* the interval allows several */
    WAITING_UNKNOWN, /* no call was slow enough */
};

/* Classify WAIT, how much longer a quick call takes during a slow one. SLOW and QUICK are the times
 * of each alone, in the same unit. */
enum waiting waiting_classify(const struct interval *wait, double slow, double quick);

/* The resolution of a clock, from times that were read from it */

/* Return how often a time of COUNT successive ones (at least 1) differs from the previous one. */
size_t granularity_moves(const uint64_t *times, size_t count);

/* Return the smallest difference between two successive times that differ, ns; 0: all are equal. */
double granularity_least_step(const uint64_t *times, size_t count);

/* Return the largest power of ten, up to a second, that divides all COUNT times, ns; 0: all are
 * equal, so it is unknown. */
uint64_t granularity_unit(const uint64_t *times, size_t count);

/* A search for a limit: the largest number for which something holds, provided that it holds for
 * all smaller ones. Numbers are doubled until one fails, then the gap is halved. */
struct bisection {
    uint64_t holds; /* largest number for which it held; 0: none yet */
    uint64_t fails; /* smallest number for which it failed; 0: none yet */
    uint64_t first, maximum;
    double
        width; /* final gap between HOLDS and FAILS, as a share of FAILS; 0: they are neighbours */
};

/* Begin at FIRST (at least 1). MAXIMUM is the largest number to try. */
void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width);

/* Return the next number to try; 0: the limit is known or above MAXIMUM. */
uint64_t bisection_next(const struct bisection *bisection);

/* Note whether it HOLDS for NUMBER. */
void bisection_note(struct bisection *bisection, uint64_t number, bool holds);

/* What happened to a request that was sent twice */

enum duplicate_fate {
    DUPLICATE_KNOWN,      /* not executed: answered like the first one */
    DUPLICATE_AGAIN,      /* executed again */
    DUPLICATE_UNANSWERED, /* dropped without a reply */
    DUPLICATE_MIXED,      /* different fates of several requests */
    DUPLICATE_OTHER,      /* something else, or unknown */
    DUPLICATE_FATES,
};

/* Names for people: "recognised", "carried out again", ... */
extern const char *const duplicate_names[DUPLICATE_FATES];

/* Return the fate of a request whose first reply was NFS3_OK. STATUS is that of the second reply.
 * WHEN_DONE is the status if it is executed twice. */
enum duplicate_fate duplicate_classify(int status, int when_done);

/* Return the common fate of COUNT requests; DUPLICATE_MIXED if they differ. */
enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count);

/* Write "recognised: remove, create; carried out again: mkdir" to TEXT, and return it. */
enum { DUPLICATES_TEXT_SIZE = 256 };
const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE]);
