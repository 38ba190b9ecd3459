/* Conclusions from the figures of experiments. Pure functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/estimate.h"

/* Whether one way of making calls is faster than another */

enum gain {
    GAIN_NONE,    /* the way is not noticeably faster */
    GAIN_SOME,    /* the way is noticeably faster */
    GAIN_UNKNOWN, /* the confidence interval allows GAIN_NONE and GAIN_SOME */
};

#define GAIN_LEAST 1.2

/* Classify RATIO, the speed of one way divided by that of the other. A ratio of GAIN_LEAST or more
 * is noticeable. */
enum gain gain_classify(const struct interval *ratio);

/* Whether a sync of data to a medium can be as fast as measured */

enum sync_cost {
    SYNC_COST_PLAUSIBLE, /* the data may have reached a medium that keeps them without power */
    SYNC_COST_TOO_SMALL, /* the data can't have reached a medium, unless the server's memory has a
                            battery */
    SYNC_COST_UNCLEAR,   /* the confidence interval allows both of the above */
};

/* Classify US, the time of a stable WRITE minus that of an unstable one, in microseconds. No medium
 * takes less than SYNC_LEAST_US: flash with a protected write cache takes some 10 us over NVMe, a
 * disk milliseconds. */
enum { SYNC_LEAST_US = 5 };
enum sync_cost sync_cost_classify(const struct interval *us);

/* A knee is where costs rise permanently, to more than KNEE_LEAST times the smallest cost. */

#define KNEE_LEAST 2.0

/* Return the index of the knee in COUNT COSTS; 0 if there is none. At the knee, the interval is
 * above that of the smallest cost before it. From the knee on, all estimates are more than
 * KNEE_LEAST times that smallest cost. */
size_t knee_find(const struct interval *costs, size_t count);

/* Return true if, by their intervals, none of COUNT COSTS is more than KNEE_LEAST times the
 * smallest. */
bool knee_is_excluded(const struct interval *costs, size_t count);

/* Whether a quick call waits for a slow one */

enum waiting {
    WAITING_NOT,     /* the interval is below 20 % of the slow call's time */
    WAITING_PARTLY,  /* the interval is above 20 %, but not all of it above 60 % */
    WAITING_WHOLLY,  /* the interval is above 60 % of the slow call's time */
    WAITING_UNCLEAR, /* the interval includes 20 % */
    WAITING_UNKNOWN, /* the slow call takes less than 3 times as long as the quick one */
};

/* Classify WAIT, the additional time of a quick call during a slow call. SLOW and QUICK are the
 * times of a slow and of a quick call alone. All have the same unit. */
enum waiting waiting_classify(const struct interval *wait, double slow, double quick);

/* The resolution of a clock, from times that were read from it */

/* Return how many of COUNT successive TIMES differ from the time before them. */
size_t granularity_moves(const uint64_t *times, size_t count);

/* Return the smallest difference between successive TIMES that differ, ns; 0 if all are equal. */
double granularity_least_step(const uint64_t *times, size_t count);

/* Return the largest power of ten, in ns and up to a second, that divides all COUNT TIMES; 0 if all
 * are equal, because the resolution is then unknown. */
uint64_t granularity_unit(const uint64_t *times, size_t count);

/* A search for a limit: the largest number for which a property holds. The property must hold for
 * all smaller numbers. The tried number is doubled, up to MAXIMUM, until the property fails; after
 * that, the gap between HOLDS and FAILS is halved. */
struct bisection {
    uint64_t holds; /* largest number for which the property held; 0: none yet */
    uint64_t fails; /* smallest number for which the property failed; 0: none yet */
    uint64_t first, maximum;
    /* The search ends when FAILS - HOLDS is at most WIDTH * FAILS; if WIDTH is 0, when FAILS is
     * HOLDS + 1. */
    double width;
};

/* Begin at FIRST (at least 1). MAXIMUM is the largest number to try. */
void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width);

/* Return the next number to try; 0 if the search has ended, or the property holds for `maximum`. */
uint64_t bisection_next(const struct bisection *bisection);

/* Record that the property holds for NUMBER or, if HOLDS is false, that it fails. */
void bisection_note(struct bisection *bisection, uint64_t number, bool holds);

/* Fates of a request that was sent twice */

enum duplicate_fate {
    DUPLICATE_KNOWN,      /* not executed again: answered like the first request */
    DUPLICATE_AGAIN,      /* executed again */
    DUPLICATE_UNANSWERED, /* dropped without a reply */
    DUPLICATE_MIXED,      /* several requests have different fates */
    DUPLICATE_OTHER,      /* something else, or unknown */
    DUPLICATE_FATES,
};

/* Names of the fates in texts: "recognised", "carried out again", ... */
extern const char *const duplicate_names[DUPLICATE_FATES];

/* Return the fate of a repeated request whose first reply was NFS3_OK. STATUS is the status of the
 * second reply. WHEN_DONE is the status if the request is executed twice. */
enum duplicate_fate duplicate_classify(int status, int when_done);

/* Return the common fate of COUNT requests (1 or more); DUPLICATE_MIXED if they differ. */
enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count);

/* Write COUNT OPS, grouped by their FATES, to TEXT: "recognised: remove, create; carried out again:
 * mkdir". Returns TEXT. */
enum { DUPLICATES_TEXT_SIZE = 256 };
const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE]);
