/* The highest rate that holds a latency objective, found by a search that knows that it measures
 * noise.
 *
 * A probe says whether the objective held in one run at one rate. Near the threshold that is a toss
 * of a coin, and now and then a run is wrong far from it. A bisection that believes each answer
 * never comes back from a wrong one. So this one keeps a belief instead: for each rate theta, how
 * likely it is that theta is the threshold, and multiplies it after each probe by the likelihood of
 * the answer (probabilistic bisection: Waeber, Frazier and Henderson, "Bisection Search with Noisy
 * Responses", SIAM J. Control and Optimization 51, 2013). How often a probe at rate r holds is
 *
 *     e + (1 - 2 e) / (1 + exp((ln r - ln theta) / s)):
 *
 * the logistic curve of psychometric methods (Watson and Pelli, "QUEST", 1983), of an unknown
 * spread s, over which the belief extends, too, and with a share e of answers that mean nothing. So
 * theta is the rate at which the objective holds in half of the runs.
 *
 * The belief takes for granted that higher rates are slower. Below some rate the reverse can be so:
 * between two calls processors sleep, and caches cool. So a coarse scan goes first, from the
 * highest rate down to the first two in a row that hold, and the search begins there: what lies
 * below is neither looked at nor believed. A single rate that holds serves where there are no two
 * in a row.
 *
 * Probes are made at the belief's median and at its quantiles 0.2 and 0.8 in turn. The median alone
 * shows where the threshold is, but not how sharp it is: with it, a search on a server without any
 * noise took 200 probes to be sure within 2 %, with the three, 23; on a queue whose p99 has 10 %
 * noise, 158 and 31. The search ends when 95 % of the belief lie close together, or after a number
 * of probes.
 *
 *     objective_begin(&search, &range);
 *     while (!objective_done(&search))
 *         objective_report(&search, rate = objective_next(&search), did it hold at that rate);
 *         (or objective_skip(&search), where the probe gave no answer)
 *     objective_result(&search, &result);
 */
#ifndef NFSBENCH_MEASURE_OBJECTIVE_H
#define NFSBENCH_MEASURE_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/estimate.h"

/* What of the latencies is looked at. */
enum objective_figure { OBJECTIVE_QUANTILE, OBJECTIVE_MEAN, OBJECTIVE_MAXIMUM };

struct objective {
    enum objective_figure figure;
    double quantile; /* of OBJECTIVE_QUANTILE: 0.99 */
    uint64_t limit_ns;
};

/* Read "FIGURE<TIME": FIGURE is p50, p90, p99, p999, p9999 (p99.9 and p99.99 are the same), mean or
 * max; TIME is over 0 and has its unit. Spaces may stand around the "<". 0, -EINVAL or -ERANGE. */
int objective_parse(const char *text, struct objective *objective, struct error *error);

/* Did a run hold the objective whose latencies' figure is VALUE_NS? Never where it is NAN, nor
 * where the run REACHED less of its offered rate (as a share) than OBJECTIVE_REACHED: what was not
 * sent has no latency, and would flatter the others. */
bool objective_held(const struct objective *objective, double value_ns, double reached);

#define OBJECTIVE_REACHED 0.98

/* Rates between which to search, over 0. */
struct objective_range {
    double lowest, highest;
    double precision; /* end when the interval's ends differ by this share: 0.02 */
    size_t probes;    /* at most */
};

enum { OBJECTIVE_RATES = 512, OBJECTIVE_SPREADS = 5, OBJECTIVE_SCAN = 8 };

enum objective_answer { OBJECTIVE_NO_ANSWER, OBJECTIVE_FAILED, OBJECTIVE_HELD };

/* A probe of the scan. */
struct objective_scanned {
    double rate;
    enum objective_answer answer;
};

/* The answers that mean nothing, e: a run in twenty that something disturbed. */
#define OBJECTIVE_LAPSES 0.05

struct objective_search {
    struct objective_range range; /* when the scan is over, what is left of it */
    size_t probes;
    bool scanning;
    struct objective_scanned scan[OBJECTIVE_SCAN]; /* the highest rate first */
    size_t scanned;
    /* Of each threshold and spread. The first and the last threshold stand for those outside the
     * range. */
    double belief[OBJECTIVE_RATES][OBJECTIVE_SPREADS];
};

enum objective_outcome {
    OBJECTIVE_FOUND,
    OBJECTIVE_UNCLEAR,    /* the probes ran out before the interval was narrow */
    OBJECTIVE_ALL_HELD,   /* even the highest rate holds it */
    OBJECTIVE_ALL_FAILED, /* even the lowest rate does not */
};

struct objective_result {
    enum objective_outcome outcome;
    /* The rate below which the objective holds in most runs, with the highest that clearly holds
     * (0 if there is none) and the lowest that clearly fails (INFINITY if there is none); between
     * them lie 95 % of the belief. */
    struct interval rate;
    size_t probes;
};

/* Begin: every rate is as likely as any other, by its logarithm. 0, or -EINVAL for a range without
 * extent, a precision not over 0, or no probes. */
int objective_begin(struct objective_search *search, const struct objective_range *range,
                    struct error *error);

/* The rate to probe next. */
double objective_next(const struct objective_search *search);

/* The objective HELD at RATE, over 0, or not, in one run; RATE need not be the one asked for. */
void objective_report(struct objective_search *search, double rate, bool held);

/* The probe at objective_next() gave no answer. It counts as one of the range's PROBES. */
void objective_skip(struct objective_search *search);

/* How many calls a probe of OBJECTIVE is to have: ten of them beyond a quantile, and 1000 at
 * least. */
uint64_t objective_calls(const struct objective *objective);

/* Is the interval narrow, or is this the last probe? Not before OBJECTIVE_PROBES_LEAST. */
bool objective_done(const struct objective_search *search);

enum { OBJECTIVE_PROBES_LEAST = 4 };

/* What is known by now. */
void objective_result(const struct objective_search *search, struct objective_result *result);

/* "found", "unclear", "all-held", "all-failed" */
const char *objective_outcome_name(enum objective_outcome outcome);

#endif
