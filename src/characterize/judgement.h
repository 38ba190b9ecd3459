/* Conclusions from the figures of experiments. Pure functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/estimate.h"

/* Whether one way is faster than another */

enum gain {
    GAIN_NONE,    /* the way is not noticeably faster */
    GAIN_SOME,    /* the way is noticeably faster */
    GAIN_UNKNOWN, /* the confidence interval allows both */
};

#define GAIN_LEAST 1.2

/* Classify RATIO, the speed of one way divided by that of the other. From GAIN_LEAST on, a gain is
 * noticeable. */
enum gain gain_classify(const struct interval *ratio);

/* Whether a sync of data to a medium can be as fast as measured */

enum sync_cost {
    SYNC_COST_PLAUSIBLE, /* the data may have reached a medium that keeps them without power */
    SYNC_COST_TOO_SMALL, /* the data can't have reached a medium, unless the server's memory has a
                            battery */
    SYNC_COST_UNCLEAR,   /* the confidence interval allows both */
};

/* Classify the difference between a stable and an unstable WRITE, US microseconds. No medium is
 * faster than SYNC_LEAST_US: flash with a protected write cache takes some 10 us over NVMe, a disk
 * milliseconds. */
enum { SYNC_LEAST_US = 5 };
enum sync_cost sync_cost_classify(const struct interval *us);

/* Where costs rise permanently */

#define KNEE_LEAST 2.0

/* Return the first index of COUNT costs from which on all estimates are more than KNEE_LEAST times
 * the smallest cost before it, and whose interval is above that of the smallest cost; 0: there is
 * none. */
size_t knee_find(const struct interval *costs, size_t count);

/* Return true if certainly none of COUNT costs is more than KNEE_LEAST times the smallest. */
bool knee_is_excluded(const struct interval *costs, size_t count);

/* Whether a quick call waits for a slow one */

enum waiting {
    WAITING_NOT, /* the wait is a small share of the slow call's time */
    WAITING_PARTLY,
    WAITING_WHOLLY,  /* the wait is most of the slow call's time */
    WAITING_UNCLEAR, /* the confidence interval allows several of these classes */
    WAITING_UNKNOWN, /* no call was slow enough */
};

/* Classify WAIT, the additional time of a quick call during a slow call. SLOW and QUICK are the
 * times of each call alone, in the same unit. */
enum waiting waiting_classify(const struct interval *wait, double slow, double quick);

/* The resolution of a clock, from times that were read from it */

/* Return how many of COUNT successive times (at least 1) differ from the time before. */
size_t granularity_moves(const uint64_t *times, size_t count);

/* Return the smallest difference between two successive times that differ, ns; 0: all are equal. */
double granularity_least_step(const uint64_t *times, size_t count);

/* Return the largest power of ten, up to a second, that divides all COUNT times, ns; 0: all are
 * equal, so it is unknown. */
uint64_t granularity_unit(const uint64_t *times, size_t count);

/* A search for a limit: the largest number for which a property holds, provided that the property
 * holds for all smaller numbers. Numbers are doubled until one fails, then the gap is halved. */
struct bisection {
    uint64_t holds; /* largest number for which the property held; 0: none yet */
    uint64_t fails; /* smallest number for which the property failed; 0: none yet */
    uint64_t first, maximum;
    /* final gap between HOLDS and FAILS, as a share of FAILS; 0: FAILS is HOLDS + 1 */
    double width;
};

/* Begin at FIRST (at least 1). MAXIMUM is the largest number to try. */
void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width);

/* Return the next number to try; 0: the limit is known, or is at least MAXIMUM. */
uint64_t bisection_next(const struct bisection *bisection);

/* Note whether the property HOLDS for NUMBER. */
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

/* Names of the fates in texts: "recognised", "carried out again", ... */
extern const char *const duplicate_names[DUPLICATE_FATES];

/* Return the fate of a request whose first reply was NFS3_OK. STATUS is that of the second reply.
 * WHEN_DONE is the second status of a request that is executed twice. */
enum duplicate_fate duplicate_classify(int status, int when_done);

/* Return the common fate of COUNT requests; DUPLICATE_MIXED if they differ. */
enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count);

/* Write COUNT OPS by their FATES to TEXT, as "recognised: remove, create; carried out again:
 * mkdir". Returns TEXT. */
enum { DUPLICATES_TEXT_SIZE = 256 };
const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE]);
