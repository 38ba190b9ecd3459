/* Contrasts: the difference between two cells (an op of a variant, or of a run), its interval, and
 * the one judge of it.
 *
 * A unit is a launch (measure/statistics/launches.h), or a visit to a group of variants where there
 * is one launch. Rounds show what varies within a unit, units what varies between them. So a
 * contrast is first estimated within each unit, from its rounds if both cells share them, and then
 * over units. Levels are in ns, unless they are rates; a contrast is always the second less the
 * first. */
#pragma once

#include <stdbool.h>

#include "measure/rounds.h"
#include "measure/statistics/estimate.h"
#include "measure/statistics/launches.h"

struct comparison {
    struct interval first, second; /* the level of each */
    struct interval difference;    /* second less first */
    double degrees;                /* of freedom of the intervals; INFINITY: they are normal */
    double p;                      /* two-sided p-value of the difference */
    double adjusted_p;             /* p, adjusted for all comparisons made together */
};

/* Compare two sides by their intervals, which are independent. */
void comparison_of_intervals(struct comparison *comparison, const struct interval *first,
                             const struct interval *second);

/* Widen COMPARISON by a further error of the difference, whose standard deviation ERROR is known
 * (0: none), half of its variance from each side. The p-values follow the wider interval, which is
 * never narrower; its degrees of freedom are Welch's and Satterthwaite's, with infinitely many for
 * ERROR. One without ends stays as it is. */
void comparison_widen(struct comparison *comparison, double error);

/* The p-value that goes with a normal 95 % interval: below 0.05 if the interval excludes 0; 1 for
 * one without ends. */
double comparison_p(const struct interval *difference);

/* The second side over the first, with Fieller's 95 % interval (E. C. Fieller, "Some Problems in
 * Interval Estimation", 1954) for intervals whose ends may be unequally far from the estimate (A.
 * Donner, G. Y. Zou, "Closed-form Confidence Intervals for Functions of the Normal Mean and
 * Standard Deviation", 2012); NAN unless the first's interval and the second's estimate are above
 * 0, and where the ratios that fit are no interval. The two are independent or, if PAIRED,
 * correlated as the width of their difference implies. */
struct interval comparison_ratio(const struct comparison *comparison, bool paired);

/* Within a unit, from its rounds */

/* Compare the medians of FIRST's and SECOND's rounds, which are not paired: each is resampled
 * independently, in blocks as long as its autocorrelation requires. Returns 0 or -ENOMEM. */
int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error);

/* SECOND minus FIRST in each of N rounds that both were measured in, so that a drift from round to
 * round, which affects both equally, cancels out; for the caller to free. NULL, with ERROR set, if
 * memory runs out. */
double *paired_differences(const struct series *first, const struct series *second,
                           enum block_statistic statistic, size_t n, struct error *error);

/* Their median. Returns 0 or -ENOMEM. */
int paired_median(const struct series *first, const struct series *second,
                  enum block_statistic statistic, const struct resampling *resampling,
                  struct replicates *replicates, struct error *error);

/* A quantity on both sides, and its difference, the median of the rounds' differences. All are
 * resampled together: the n-th replicate of each draws the same rounds. */
struct paired {
    struct replicates first, second, difference;
};

/* The levels of two series with RESAMPLING's n rounds. Returns 0 or -ENOMEM. */
int paired_levels(struct paired *paired, const struct series *first, const struct series *second,
                  const struct resampling *resampling, struct error *error);

/* The same for costs above null and their parts, which are estimated within each side's rounds:
 * FIRST and SECOND have the same resampling. */
void paired_costs(struct paired *paired, const struct replicates *first,
                  const struct replicates *second);

/* A series and the null calls below it. */
struct paired_series {
    const struct series *op, *null_calls;
};

/* The difference of two mean costs above null: the mean over RESAMPLING's rounds of each round's
 * difference of the blocks' means, with mean_interval()'s interval
 * (measure/statistics/mean_interval.h), and the p-value that goes with it. Sets COMPARISON's
 * difference and p-values only. Returns 0 or -ENOMEM.
 */
int paired_mean_costs(const struct paired_series *first, const struct paired_series *second,
                      const struct resampling *resampling, struct comparison *comparison,
                      struct error *error);

/* SUM += TERM, both with the same resampling. */
void paired_add(struct paired *sum, const struct paired *term);

/* The intervals of both sides and of the difference, and its p-value, which comes from the
 * difference divided by its bootstrap standard error. */
void paired_compare(const struct paired *paired, struct comparison *comparison);

/* Over units, one contrast alone */

/* Compare two measurements, FIRST of N launches and SECOND of M (at least 1 each), by Welch's test
 * on the means of their independent units. A side with a single unit has the other's standard
 * deviation. If both have, the variance between launches is unknown: returns false, with P and
 * ADJUSTED_P of 1 and an infinite interval of the difference. */
bool comparison_of_launches(struct comparison *comparison, const struct launch *first, size_t n,
                            const struct launch *second, size_t m);

/* The judge */

/* The verdict on a comparison. */
enum comparison_verdict {
    COMPARISON_SAME,   /* within the floor, or not significant */
    COMPARISON_FASTER, /* the second side is faster */
    COMPARISON_SLOWER,
    COMPARISON_NOT_COMPARABLE, /* no comparison was made */
    COMPARISON_EQUAL,          /* within a margin that was asked for */
    COMPARISON_UNKNOWN, /* each side has one launch, and the difference is within what launches may
                           differ by */
};

/* Adjust the p of N comparisons made together, some of which would be significant by chance (S.
 * Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). Sorts COMPARISONS. */
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

/* How far from 0 a difference may be that counts as none; both 0: not asked for. The larger of two
 * counts. */
struct contrast_margin {
    double ns;    /* in the quantity's unit */
    double share; /* of the first's level */
};

/* Judge COMPARISON: the sides differ if the difference exceeds FLOOR (ns) and is significant, that
 * is, its adjusted p is below 0.05. */
enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor);

/* Over units, a family of contrasts */

/* Of two cells, with what each measured in its units, at least one. */
struct contrast {
    const struct launch *first, *second;
    size_t first_count, second_count;
    /* In the units in which they shared rounds; DIFFERENCE_COUNT is 0 where they shared none. */
    const struct launch *differences;
    size_t difference_count;
    double floor; /* how much two alike may differ by, whatever the interval says; at least 0 */

    /* What contrasts_estimate() finds; of the differences of a single unit COMPARISON is given,
     * from the unit's rounds, and holds for this unit only. */
    struct comparison comparison;
    bool moderated;         /* the spread between units is partly that of the whole family */
    struct interval narrow; /* of the difference: 90 %, for two one-sided tests */

    enum comparison_verdict word; /* contrasts_judge() finds it */
};

/* Estimate COUNT contrasts of the same quantity, such as of all ops' costs in all variants with one
 * reference. With L units, each contrast k has a difference d_ku and a standard error w_ku in each
 * unit u; s_k^2 is the variance of d_ku over u, w_k^2 the mean of w_ku^2. With at least
 * CONTRAST_UNITS_LEAST units and CONTRAST_FAMILY_LEAST contrasts that have as many, the spread
 * between units, in terms of what rounds explain, is taken from all together:
 *
 *     S^2 = mean over k of s_k^2 / w_k^2
 *     v_k = (2 S^2 w_k^2 + (L - 1) s_k^2) / (L + 1)
 *
 * a moderated variance with a prior of CONTRAST_PRIOR = 2 degrees of freedom (after G. K. Smyth,
 * "Linear Models and Empirical Bayes Methods for Assessing Differential Expression", 2004). The
 * interval's half-width is the larger of t(L + 1) sqrt(v_k / L) and what the rounds alone imply,
 * 1.96 w_k / sqrt(L); p goes likewise. Otherwise the differences' mean has
 * Student's interval and p, not narrower than what the rounds imply; without differences it is
 * comparison_of_launches()'s. tests/unit/test_contrast.c has the coverage: a prior of 4 degrees
 * covered 90 % with 3 contrasts, and full pooling fails where spreads differ. Different quantities
 * are not one family: null's spread between launches is not a cost's. */
void contrasts_estimate(struct contrast *contrasts[], size_t count);

enum { CONTRAST_UNITS_LEAST = 3, CONTRAST_FAMILY_LEAST = 3, CONTRAST_PRIOR = 2 };

/* Judge COUNT contrasts that were estimated, of any quantities: those of the primary question.
 * Their p-values are adjusted together; others do not count. A contrast is
 *
 * - unknown if each cell has one unit and they share no rounds, or a single one;
 * - equal if its 90 % interval is within MARGIN, even if it is known not to be 0 (two one-sided
 *   tests: D. J. Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power
 *   Approach", 1987). The claim of each is made at 5 %, and is not adjusted;
 * - else what comparison_judge() says.
 *
 * Returns 0 or -ENOMEM. */
int contrasts_judge(struct contrast *contrasts[], size_t count,
                    const struct contrast_margin *margin, struct error *error);
