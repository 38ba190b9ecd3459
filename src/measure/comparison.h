/* Comparison of two sides: the estimated difference, and the one verdict on it. */
#pragma once

#include <stdbool.h>

#include "measure/estimate.h"

struct comparison {
    struct interval first, second; /* the medians of each, ns */
    struct interval difference;    /* second less first, ns */
    double p;                      /* two-sided p-value of the difference */
    double adjusted_p;             /* p, adjusted for all comparisons made together */
};

/* Compare the medians of FIRST's and SECOND's rounds, which are not paired: each is resampled
 * independently, in blocks as long as its autocorrelation requires. P comes from the difference
 * divided by its bootstrap standard error. Returns 0 or -ENOMEM. */
int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error);

/* The same, from the replicates of both sides and of their difference under one resampling. */
void comparison_fill(struct comparison *comparison, const struct replicates *first,
                     const struct replicates *second, const struct replicates *difference);

/* The same from both sides' intervals, which are independent. */
void comparison_of_intervals(struct comparison *comparison, const struct interval *first,
                             const struct interval *second);

/* The p-value that goes with a 95 % interval: below 0.05 if the interval excludes 0; 1 for one
 * without ends. */
double comparison_p(const struct interval *difference);

/* The second side over the first, with Fieller's 95 % interval (E. C. Fieller, "Some Problems in
 * Interval Estimation", 1954) for intervals whose ends may be unequally far from the estimate (A.
 * Donner, G. Y. Zou, "Closed-form Confidence Intervals for Functions of the Normal Mean and
 * Standard Deviation", 2012); NAN unless the first's interval and the second's estimate are above
 * 0, and where the ratios that fit are no interval. The two are independent or, if PAIRED,
 * correlated as the width of their difference implies. */
struct interval comparison_ratio(const struct comparison *comparison, bool paired);

/* Adjust the p of N comparisons made together, some of which would be significant by chance (S.
 * Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). */
void comparison_adjust(struct comparison *comparisons[], size_t n);

/* How the two sides were measured. */
enum comparison_design {
    COMPARISON_SEPARATE_RUNS, /* each side has launches of its own */
    COMPARISON_ONE_LAUNCH,    /* each side has a single launch of its own */
    COMPARISON_SAME_ROUNDS,   /* both sides are measured in each round */
    COMPARISON_SAME_LAUNCHES, /* likewise, in several launches, which show how much these vary */
};

/* Which figure of an op is compared. */
enum comparison_quantity { COMPARISON_ROUND_TRIP, COMPARISON_COST };

/* The floor, ns: how much two identical sides may differ, whatever the intervals say. It is the
 * larger of NOISE_FLOOR_NS, from the null control, and a share of BASE_NS, since round trips and
 * costs vary from process to process (doc/METHOD.md has the measurements). BASE_NS is the smaller
 * of the two sides' round trips or, if neither side has several launches, of the two compared
 * figures. */
double comparison_floor(enum comparison_design design, enum comparison_quantity quantity,
                        double base_ns, double noise_floor_ns);

/* The verdict on a comparison. */
enum comparison_verdict {
    COMPARISON_SAME,   /* within the floor, or not significant */
    COMPARISON_FASTER, /* the second side is faster */
    COMPARISON_SLOWER,
    COMPARISON_NOT_COMPARABLE, /* no comparison was made */
    COMPARISON_UNKNOWN, /* each side has one launch, and the difference is within what launches may
                           differ by */
};

/* Judge COMPARISON: the sides differ if the difference exceeds FLOOR (ns) and is significant, that
 * is, its adjusted p is below 0.05. */
enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor);
