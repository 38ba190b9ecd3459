/* What the figures of an experiment say, judged without a server. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/estimate.h"

/* Is one way faster than another? */

enum gain {
    GAIN_NONE,    /* it is no faster, or not by so much that anybody notices */
    GAIN_SOME,    /* it is faster */
    GAIN_UNKNOWN, /* the figures vary too much to tell */
};

#define GAIN_LEAST 1.2

/* RATIO is how many times as fast it is. */
enum gain gain_classify(const struct interval *ratio);

/* Can a sync cost so little? */

enum sync_cost {
    SYNC_COST_PLAUSIBLE, /* data may have reached a medium that keeps them without power */
    SYNC_COST_TOO_SMALL, /* they can't have, unless the server's memory is backed up */
    SYNC_COST_UNCLEAR,   /* the interval allows both */
};

/* US is how much more a stable WRITE takes than an unstable one, us. No medium takes less than
 * SYNC_LEAST_US: flash whose write cache is backed up takes some 10 us over NVMe, a disk
 * milliseconds. */
enum { SYNC_LEAST_US = 5 };
enum sync_cost sync_cost_classify(const struct interval *us);

/* Where costs rise for good. */

#define KNEE_LEAST 2.0

/* The index of the first of COUNT costs from which on all are more than KNEE_LEAST times the least
 * before it, and the first of them certainly so; 0: there is none. */
size_t knee_find(const struct interval *costs, size_t count);

/* Is it certain that none of COUNT costs is more than KNEE_LEAST times the least? */
bool knee_is_excluded(const struct interval *costs, size_t count);

/* Does a quick call wait for a slow one? */

enum waiting {
    WAITING_NOT, /* its wait is a small part of the slow call's time */
    WAITING_PARTLY,
    WAITING_WHOLLY,  /* it waits for most of that */
    WAITING_UNCLEAR, /* the figures vary too much to tell */
    WAITING_UNKNOWN, /* no call was slow enough to tell */
};

/* WAIT is how much longer the quick call takes beside the slow one, which takes SLOW; alone it
 * takes QUICK. In the same unit. */
enum waiting waiting_classify(const struct interval *wait, double slow, double quick);

/* How fine a clock is, by times that were read from it. */

/* How often a time of COUNT successive ones (at least 1) differs from the one before. */
size_t granularity_moves(const uint64_t *times, size_t count);

/* The least step between two that differ, ns; 0: all are alike. */
double granularity_least_step(const uint64_t *times, size_t count);

/* The largest power of ten, up to a second, that divides all of COUNT times in ns; 0: all times are
 * alike, which says nothing. */
uint64_t granularity_unit(const uint64_t *times, size_t count);

/* Finding a limit by trials: up to which number something holds, where it holds for all smaller
 * ones. First the numbers are doubled until one fails, then halved between the two. */
struct bisection {
    uint64_t holds; /* the largest number for which it held; 0: none yet */
    uint64_t fails; /* the smallest for which it failed; 0: none yet */
    uint64_t first, maximum;
    double
        width; /* share of FAILS by which the two may differ in the end; 0: they are neighbours */
};

/* Begin at FIRST (1 or more), and go no further than to MAXIMUM. */
void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width);

/* The next number to try; 0: the limit is known, or above the maximum. */
uint64_t bisection_next(const struct bisection *bisection);

/* What the trial of NUMBER said. */
void bisection_note(struct bisection *bisection, uint64_t number, bool holds);

/* What became of a request that came a second time. */

enum duplicate_fate {
    DUPLICATE_KNOWN,      /* answered as the first was: it was not carried out */
    DUPLICATE_AGAIN,      /* carried out again */
    DUPLICATE_UNANSWERED, /* dropped */
    DUPLICATE_MIXED,      /* several, and not all had one of these */
    DUPLICATE_OTHER,      /* something else, or not known */
    DUPLICATE_FATES,
};

/* "recognised", "carried out again" and so on. */
extern const char *const duplicate_names[DUPLICATE_FATES];

/* The fate of a request whose first reply was NFS3_OK, by the second reply's STATUS; WHEN_DONE is
 * that of one that is carried out twice. */
enum duplicate_fate duplicate_classify(int status, int when_done);

/* The fate that all of COUNT requests had; DUPLICATE_MIXED where they differ. */
enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count);

/* "recognised: remove, create; carried out again: mkdir". Returns TEXT. */
enum { DUPLICATES_TEXT_SIZE = 256 };
const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE]);
