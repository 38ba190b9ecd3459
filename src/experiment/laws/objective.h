/* The highest rate that meets a latency objective, found by a search that tolerates noise.
 *
 * A probe shows whether one run at one rate met the objective. Near the threshold the answer is
 * random, and sometimes it is wrong far from the threshold. A bisection that trusted each answer
 * could not recover from a wrong answer. So this search keeps the posterior probability of each
 * rate theta being the threshold, and multiplies it after each probe by the likelihood of the
 * answer (probabilistic bisection: Waeber, Frazier and Henderson, "Bisection Search with Noisy
 * Responses", SIAM J. Control and Optimization 51, 2013). The probability that a probe at rate r
 * meets the objective is
 *
 *     e + (1 - 2 e) / (1 + exp((ln r - ln theta) / s)):
 *
 * the logistic curve of psychometric methods (Watson and Pelli, "QUEST", 1983) with an unknown
 * spread s, which is part of the posterior, and a share e of wrong answers even far from theta. So
 * theta is the rate at which half of the runs meet the objective.
 *
 * The model assumes that latency grows with the rate. At low rates latency may shrink with the
 * rate, because processors sleep and caches grow cold between calls. So a coarse scan comes first,
 * from high rates down to the first two successive rates that meet the objective; the search
 * ignores lower rates. If there are no two such rates, the search ignores the rates below
 * the highest rate that meets the objective.
 *
 * Probes alternate between the posterior's median and its quantiles 0.2 and 0.8, because the median
 * alone does not show how sharp the threshold is. To reach 2 % on a server without noise took 200
 * probes at the median alone and 23 with all three; on a queue whose p99 has 10 % noise, 158 and
 * 31. The search ends when the 95 % credible interval is narrow enough, or after a given number of
 * probes.
 *
 *     objective_begin(&search, &range);
 *     while (!objective_done(&search))
 *         objective_report(&search, rate = objective_next(&search), did the run meet it);
 *         (or objective_skip(&search), if the probe gave no answer)
 *     objective_result(&search, &result); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/statistics/estimate.h"

/* The latency figure that an objective limits. */
enum objective_figure { OBJECTIVE_QUANTILE, OBJECTIVE_MEAN, OBJECTIVE_MAXIMUM };

struct objective {
    enum objective_figure figure;
    double quantile; /* probability of the quantile, such as 0.99, for OBJECTIVE_QUANTILE */
    uint64_t limit_ns;
};

/* Parse "FIGURE<TIME". FIGURE is p50, p90, p99, p999, p9999 (or p99.9, p99.99), mean or max; TIME
 * is above 0 and has a unit. Spaces around "<" are allowed. Returns 0, -EINVAL or -ERANGE. */
int objective_parse(const char *text, struct objective *objective, struct error *error);

/* Return whether a run met OBJECTIVE. VALUE_NS is the run's latency figure; NAN: not met. REACHED
 * is the run's throughput as a share of the offered rate. A share below OBJECTIVE_REACHED does not
 * meet OBJECTIVE, because calls that were not sent have no latency, so the figure is too good. */
bool objective_held(const struct objective *objective, double value_ns, double reached);

#define OBJECTIVE_REACHED 0.98

/* The range of a search, in calls per second above 0. */
struct objective_range {
    double lowest, highest;
    /* The search ends when HIGH of the interval exceeds LOW by at most this share, such as 0.02. */
    double precision;
    size_t probes; /* maximum number of probes */
};

enum { OBJECTIVE_RATES = 512, OBJECTIVE_SPREADS = 5, OBJECTIVE_SCAN = 8 };

enum objective_answer { OBJECTIVE_NO_ANSWER, OBJECTIVE_FAILED, OBJECTIVE_HELD };

struct objective_scanned {
    double rate;
    enum objective_answer answer;
};

/* The share e of wrong answers far from the threshold: one run in twenty. */
#define OBJECTIVE_LAPSES 0.05

struct objective_search {
    /* the searched rates; the end of the scan raises the lowest rate */
    struct objective_range range;
    size_t probes;
    bool scanning;
    struct objective_scanned scan[OBJECTIVE_SCAN]; /* the scan's probes, the highest rate first */
    size_t scanned;
    /* Posterior probability of each threshold and spread. The first threshold represents all
     * thresholds below the range, the last threshold all above it. */
    double posterior[OBJECTIVE_RATES][OBJECTIVE_SPREADS];
};

enum objective_outcome {
    OBJECTIVE_FOUND,
    OBJECTIVE_UNCLEAR,    /* the probes ran out before the interval was narrow enough */
    OBJECTIVE_ALL_HELD,   /* even the highest rate met the objective */
    OBJECTIVE_ALL_FAILED, /* even the lowest rate did not meet the objective */
};

struct objective_result {
    enum objective_outcome outcome;
    /* The rate below which most runs meet the objective, with its 95 % credible interval. LOW is 0
     * if no rate clearly meets the objective; HIGH is INFINITY if no rate clearly fails it. */
    struct interval rate;
    size_t probes;
};

/* Begin SEARCH with a prior that is uniform over the logarithm of the rate. Returns 0, or -EINVAL
 * for an empty range, a precision that is not above 0, or no probes. */
int objective_begin(struct objective_search *search, const struct objective_range *range,
                    struct error *error);

double objective_next(const struct objective_search *search);

/* Record whether a run at RATE met the objective (HELD). Any RATE is allowed. */
void objective_report(struct objective_search *search, double rate, bool held);

/* Record that the probe at objective_next() gave no answer. The probe still counts in PROBES. */
void objective_skip(struct objective_search *search);

/* Return how many calls a probe needs: at least 1000, with ten or more beyond the quantile. */
uint64_t objective_calls(const struct objective *objective);

/* Return whether the search ends: no probes are left; or the scan is over, there were at least
 * OBJECTIVE_PROBES_LEAST probes, and the outcome is not OBJECTIVE_UNCLEAR. */
bool objective_done(const struct objective_search *search);

enum { OBJECTIVE_PROBES_LEAST = 4 };

void objective_result(const struct objective_search *search, struct objective_result *result);

extern const char *const objective_outcome_names[];
