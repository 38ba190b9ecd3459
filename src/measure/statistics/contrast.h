/* Contrasts: a contrast is the difference between two cells (an op of a variant, or of a run), with
 * its interval. The verdict on a difference comes from here; src/compare may leave it open.
 *
 * A unit is a launch (measure/statistics/launches.h) or, if there is one launch, one measurement of
 * a group of variants. Rounds show what varies within a unit, units show what varies between them.
 * So a contrast is first estimated within each unit (from its rounds, if both cells share them),
 * then over units. Levels are in ns or are rates. A contrast is always the second cell less the
 * first. */
#pragma once

#include <stdbool.h>

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/launches.h"

struct comparison {
    struct interval first, second; /* each side's level, and its interval */
    struct interval difference;    /* second less first */
    double degrees;    /* degrees of freedom of DIFFERENCE; INFINITY: normal distribution */
    double p;          /* two-sided p-value of the difference */
    double adjusted_p; /* p, adjusted for all comparisons made together */
};

/* Compare two sides whose intervals FIRST and SECOND are independent. */
void comparison_of_intervals(struct comparison *comparison, const struct interval *first,
                             const struct interval *second);

/* Widen COMPARISON by a further error of the difference with the known standard deviation ERROR (0:
 * none). Each side gets half of the variance. P is at least that of the wider interval; ADJUSTED_P
 * becomes P. No interval becomes narrower. Degrees of freedom are by Welch and Satterthwaite, with
 * infinitely many for ERROR. If DIFFERENCE has infinite or unknown ends, nothing is changed. */
void comparison_widen(struct comparison *comparison, double error);

/* Return the p-value of a normal 95 % interval: below 0.05 if the interval excludes 0; 1 if its
 * ends are infinite or unknown. */
double comparison_p(const struct interval *difference);

/* Return the second side divided by the first, with Fieller's 95 % interval (E. C. Fieller, "Some
 * Problems in Interval Estimation", 1954), extended to asymmetric intervals (A. Donner, G. Y. Zou,
 * "Closed-form Confidence Intervals for Functions of the Normal Mean and Standard Deviation",
 * 2012). The result is NAN if the first side's interval or the second side's estimate is not above
 * 0, or if the possible ratios are not an interval. The sides are independent or, if PAIRED,
 * correlated as the width of their difference implies. */
struct interval comparison_ratio(const struct comparison *comparison, bool paired);

/* Compare the medians of FIRST's and SECOND's rounds, which are not paired. Each side is resampled
 * independently, in blocks as long as its autocorrelation requires. Returns 0 or -ENOMEM. */
int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error);

/* Return STATISTIC of SECOND's block less STATISTIC of FIRST's block, for each of N rounds. A drift
 * between rounds affects both blocks equally and cancels out. The caller frees the result. NULL:
 * out of memory. */
double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error);

/* Estimate the median of paired_differences()'s values. Returns 0 or -ENOMEM. */
int paired_median(const struct series *first, const struct series *second,
                  enum block_statistic statistic, const struct resampling *resampling,
                  struct replicates *replicates, struct error *error);

/* A quantity of both sides, and its difference. If the sides share rounds, all three are resampled
 * together: the n-th replicate of each draws the same rounds. */
struct paired {
    struct replicates first, second, difference;
};

/* Estimate two series' levels and difference over RESAMPLING's rounds. Returns 0 or -ENOMEM. */
int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error);

/* Set PAIRED to FIRST, SECOND and their difference. FIRST and SECOND estimate the same quantity,
 * for example a cost above null. If the sides share rounds, both must have the same resampling. */
void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second);

/* A series, and the null calls of the same rounds. */
struct paired_series {
    const struct series *op, *null_calls;
};

/* Estimate the difference of two mean costs above null: the mean over RESAMPLING's rounds of the
 * difference between the blocks' means, with the interval of mean_interval()
 * (measure/statistics/mean_interval.h), and its p-value. Sets only COMPARISON's difference and
 * p-values. Returns 0 or -ENOMEM. */
int paired_mean_costs(const struct paired_series *first, const struct paired_series *second,
                      const struct resampling *resampling, struct comparison *comparison,
                      struct error *error);

/* Add TERM to SUM, which has the same resampling. */
void paired_add(struct paired *sum, const struct paired *term);

/* Set COMPARISON to the intervals of both sides and of the difference. The p-value uses the
 * difference's bootstrap standard error. */
void paired_compare(const struct paired *paired, struct comparison *comparison);

/* Compare two measurements, FIRST of N launches and SECOND of M (at least 1 each), by Welch's test
 * on the means of their independent units. A side with one unit is given the standard deviation of
 * the other side. If both have one unit, the variance between launches is unknown: returns false,
 * with P and ADJUSTED_P of 1 and an infinite interval; otherwise true. */
bool comparison_of_launches(struct comparison *comparison, const struct launch *first, size_t n,
                            const struct launch *second, size_t m);

enum comparison_verdict {
    COMPARISON_SAME,   /* the difference is within the floor, or not significant */
    COMPARISON_FASTER, /* the second side is faster */
    COMPARISON_SLOWER,
    COMPARISON_NOT_COMPARABLE, /* no comparison was made */
    COMPARISON_EQUAL,          /* the difference's 90 % interval is within the user's margin */
    COMPARISON_UNKNOWN,        /* not decided; for example, each side has only one launch */
};

/* Adjust the p-values of N comparisons that are made together, because chance makes some
 * significant (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). Sorts
 * COMPARISONS by p. */
void comparison_adjust(struct comparison *comparisons[], size_t n);

/* In a sweep, read "launch" as a visit of a cell. */
enum comparison_design {
    COMPARISON_SEPARATE_RUNS, /* the sides share no rounds: each has launches of its own */
    COMPARISON_ONE_LAUNCH,    /* the same, and at least one side has only one launch */
    COMPARISON_SAME_ROUNDS,   /* both sides are measured in each round of one launch */
    COMPARISON_SAME_LAUNCHES, /* both sides are measured in each round of several launches */
};

enum comparison_quantity { COMPARISON_ROUND_TRIP, COMPARISON_COST };

/* Return the floor, ns: how much two identical sides may differ, whatever the intervals say. The
 * floor is the larger of NOISE_FLOOR_NS (from the null control) and a share of BASE_NS. For
 * COMPARISON_ONE_LAUNCH, it is at least 200 ns. Reason: round trips and costs vary from process to
 * process (measurements: doc/METHOD.md). BASE_NS is the smaller of both round trips or, for
 * COMPARISON_ONE_LAUNCH, of both compared figures. */
double comparison_floor(enum comparison_design design, enum comparison_quantity quantity,
                        double base_ns, double noise_floor_ns);

/* The largest difference that counts as equal: the larger of `ns` and `share` x the first cell's
 * level. If both are 0, no cells count as equal. */
struct contrast_margin {
    double ns;    /* the margin as a difference, in the unit of the quantity */
    double share; /* the margin / the first cell's level */
};

/* Judge COMPARISON: the sides differ if the difference exceeds FLOOR and is significant (adjusted p
 * below 0.05). The side with the larger level is the slower one. If levels are rates, the caller
 * must negate the difference. */
enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor);

/* A contrast of two cells, with each cell's estimates in its units (at least one). */
struct contrast {
    const struct launch *first, *second;
    size_t first_count, second_count;
    /* Differences in the units in which the cells share rounds. DIFFERENCE_COUNT 0: none. */
    const struct launch *differences;
    size_t difference_count;
    double floor; /* largest difference that two identical cells may have; 0 or more */

    /* Set by contrasts_estimate(). Exception: if DIFFERENCE_COUNT is 1, the caller sets COMPARISON,
     * from the rounds of the only shared unit. It is then valid for this unit only. */
    struct comparison comparison;
    bool moderated;         /* the spread was partly estimated from other contrasts */
    struct interval narrow; /* 90 % interval of the difference, for two one-sided tests */

    enum comparison_verdict word; /* set by contrasts_judge() */
};

/* Estimate COUNT contrasts of one quantity, such as the costs of all ops in all variants against
 * one reference. With L units, contrast k has a difference d_ku and a standard error w_ku in each
 * unit u; s_k^2 is the variance of d_ku over u, w_k^2 the mean of w_ku^2. If there are at least
 * CONTRAST_UNITS_LEAST units, and CONTRAST_FAMILY_LEAST contrasts with enough units, the spread
 * between units, relative to the rounds' error, is estimated from all contrasts:
 *
 * S^2 = mean over k of s_k^2 / w_k^2   v_k = (2 S^2 w_k^2 + (L - 1) s_k^2) / (L + 1)
 *
 * This is a moderated variance with a prior of CONTRAST_PRIOR = 2 degrees of freedom (G. K. Smyth,
 * "Linear Models and Empirical Bayes Methods for Assessing Differential Expression", 2004). It
 * implies the half-width t(L + 1) sqrt(v_k / L); the rounds alone imply 1.96 w_k / sqrt(L). The
 * interval has the larger half-width, and p is the larger of both p-values. With fewer units (at
 * least 2) or contrasts, the mean of the differences has Student's interval, at least as wide as
 * the rounds imply. Without differences, the interval is that of comparison_of_launches().
 * Coverage: tests/unit/test_contrast.c; a prior of 4 degrees covered 90 % with 3 contrasts, and
 * full pooling fails if spreads differ. Do not mix quantities: null's spread between launches is
 * not that of a cost. */
void contrasts_estimate(struct contrast *contrasts[], size_t count);

enum { CONTRAST_UNITS_LEAST = 3, CONTRAST_FAMILY_LEAST = 3, CONTRAST_PRIOR = 2 };

/* Judge COUNT estimated contrasts, of any quantities, that answer the primary question; their
 * p-values are adjusted together. A contrast is
 * - unknown if each cell has one unit, and the two cells share at most one round;
 * - equal if its 90 % interval is within MARGIN, even if the difference is known not to be 0 (two
 *   one-sided tests: D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the
 *   Power Approach", 1987; each at 5 %, not adjusted);
 * - else what comparison_judge() returns.
 * Returns 0 or -ENOMEM. */
int contrasts_judge(struct contrast *contrasts[], size_t count,
                    const struct contrast_margin *margin, struct error *error);
