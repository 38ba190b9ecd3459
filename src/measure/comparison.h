/* Do two sides differ? What is compared, and the one judge of it. */
#ifndef NFSBENCH_MEASURE_COMPARISON_H
#define NFSBENCH_MEASURE_COMPARISON_H

#include <stdbool.h>

#include "measure/estimate.h"

struct comparison {
    struct interval first, second; /* the medians of each, ns */
    struct interval difference;    /* second less first, ns */
    double p;                      /* that a difference as large comes by chance, two-sided */
    double adjusted_p;             /* likewise, of all comparisons that were made together */
};

/* Compare the medians of FIRST's and SECOND's rounds, which have nothing to do with each other (no
 * pairs): each is resampled by itself, in blocks as long as its dependence asks for. P comes from
 * the difference over its bootstrap standard error. 0 or -ENOMEM. */
int comparison_estimate(struct comparison *comparison, const double *first, size_t first_count,
                        const double *second, size_t second_count, uint64_t seed,
                        struct error *error);

/* The same from replicates, of one resampling, of both and of the difference. */
void comparison_fill(struct comparison *comparison, const struct replicates *first,
                     const struct replicates *second, const struct replicates *difference);

/* Of N comparisons made together, some look different by chance: adjust their p (S. Holm, "A Simple
 * Sequentially Rejective Multiple Test Procedure", 1979). */
void comparison_adjust(struct comparison *comparisons[], size_t n);

/* How the two sides were measured. */
enum comparison_design {
    COMPARISON_SEPARATE_RUNS, /* each in launches of its own */
    COMPARISON_ONE_LAUNCH,    /* likewise, and neither side has several */
    COMPARISON_SAME_ROUNDS,   /* side by side in each round */
};

/* What of an op is compared. */
enum comparison_quantity { COMPARISON_ROUND_TRIP, COMPARISON_COST };

/* What two sides that do the same may differ by, ns, whatever the intervals say: their round trips
 * and costs differ from process to process by a share of BASE_NS, which is the round trip, or,
 * where neither side has several launches, what is compared, of the side that has less of it
 * (measured: doc/METHOD.md); and by NOISE_FLOOR_NS, the null control's, in any case. */
double comparison_floor(enum comparison_design design, enum comparison_quantity quantity,
                        double base_ns, double noise_floor_ns);

/* What a comparison comes to. */
enum comparison_verdict {
    COMPARISON_SAME,   /* within the floor, or not significant */
    COMPARISON_FASTER, /* the second side is */
    COMPARISON_SLOWER,
    COMPARISON_NOT_COMPARABLE, /* was not made */
    COMPARISON_UNKNOWN,        /* of one launch a side, within what launches may differ by */
};

/* The judge: a difference counts where it is larger than FLOOR (ns) and significant, its adjusted p
 * being below 0.05. */
enum comparison_verdict comparison_judge(const struct comparison *comparison, double floor);

#endif
