#include "experiment/laws/objective.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/units.h"

struct figure_name {
    const char *name;
    enum objective_figure figure;
    double quantile;
};

static const struct figure_name figure_names[] = {
    {"p50", OBJECTIVE_QUANTILE, 0.5},       {"p90", OBJECTIVE_QUANTILE, 0.9},
    {"p99", OBJECTIVE_QUANTILE, 0.99},      {"p999", OBJECTIVE_QUANTILE, 0.999},
    {"p99.9", OBJECTIVE_QUANTILE, 0.999},   {"p9999", OBJECTIVE_QUANTILE, 0.9999},
    {"p99.99", OBJECTIVE_QUANTILE, 0.9999}, {"mean", OBJECTIVE_MEAN, 0},
    {"max", OBJECTIVE_MAXIMUM, 0},
};

static const struct figure_name *find_figure(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof figure_names / sizeof *figure_names; i++)
        if (strlen(figure_names[i].name) == length &&
            memcmp(figure_names[i].name, name, length) == 0)
            return &figure_names[i];
    return NULL;
}

int objective_parse(const char *text, struct objective *objective, struct error *error)
{
    const char *time = strchr(text, '<');
    size_t length = time ? (size_t)(time - text) : 0;
    const struct figure_name *figure;
    int code;

    while (length > 0 && text[length - 1] == ' ')
        length--;
    figure = find_figure(text, length);
    if (!figure)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "'%s' is not an objective; expected p50, p90, p99, p999, p9999, mean or "
                         "max, '<' and a time, such as 'p99<1ms'",
                         text);
    time++;
    time += strspn(time, " ");
    code = units_parse_time(time, &objective->limit_ns);
    if (code == 0 && objective->limit_ns == 0)
        code = -EINVAL;
    if (code)
        return error_set(
            error, ERROR_USAGE, code,
            "'%s' in the objective '%s' is not a time above 0 with a unit, such as 1ms", time,
            text);
    objective->figure = figure->figure;
    objective->quantile = figure->quantile;
    return 0;
}

bool objective_held(const struct objective *objective, double value_ns, double reached)
{
    return value_ns < (double)objective->limit_ns && reached >= OBJECTIVE_REACHED;
}

uint64_t objective_calls(const struct objective *objective)
{
    enum { LEAST = 1000, BEYOND = 10 };
    double calls =
        objective->figure == OBJECTIVE_QUANTILE ? rint(BEYOND / (1 - objective->quantile)) : LEAST;

    return calls > LEAST ? (uint64_t)calls : LEAST;
}

/* The search. Thresholds are logarithms of rates; spreads are in the same unit. */

static const double spreads[OBJECTIVE_SPREADS] = {0.003, 0.01, 0.03, 0.1, 0.3};

enum { LAST = OBJECTIVE_RATES - 1 };

#define OUTSIDE       0.1 /* distance of the first and last threshold from the range, in ln(rate) */
#define PRIOR_OUTSIDE 0.1 /* prior probability of the first threshold, and of the last */

/* Return the logarithm of the lowest rate that threshold AT represents. AT is 1 to LAST. The lowest
 * rate of LAST is the range's highest rate. */
static double edge(const struct objective_search *search, size_t at)
{
    double low = log(search->range.lowest), high = log(search->range.highest);

    return low + (high - low) * (double)(at - 1) / (LAST - 1);
}

static double threshold(const struct objective_search *search, size_t at)
{
    if (at == 0)
        return edge(search, 1) - OUTSIDE;
    if (at == LAST)
        return edge(search, LAST) + OUTSIDE;
    return (edge(search, at) + edge(search, at + 1)) / 2;
}

static void set_prior(struct objective_search *search)
{
    for (size_t at = 0; at < OBJECTIVE_RATES; at++)
        for (size_t s = 0; s < OBJECTIVE_SPREADS; s++)
            search->posterior[at][s] =
                (at == 0 || at == LAST ? PRIOR_OUTSIDE : (1 - 2 * PRIOR_OUTSIDE) / (LAST - 1)) /
                OBJECTIVE_SPREADS;
}

int objective_begin(struct objective_search *search, const struct objective_range *range,
                    struct error *error)
{
    bool extends = range->lowest > 0 && range->highest > range->lowest && isfinite(range->highest);

    if (!extends || !(range->precision > 0) || range->probes == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "can't search rates from %g to %g with a precision of %g and %zu probes",
                         range->lowest, range->highest, range->precision, range->probes);
    search->range = *range;
    search->probes = search->scanned = 0;
    search->scanning = true;
    set_prior(search);
    return 0;
}

static double posterior(const struct objective_search *search, size_t at)
{
    double sum = 0;

    for (size_t s = 0; s < OBJECTIVE_SPREADS; s++)
        sum += search->posterior[at][s];
    return sum;
}

/* Return quantile Q of the threshold's posterior as a rate; 0: below the range; INFINITY: above. */
static double quantile(const struct objective_search *search, double q)
{
    double below = posterior(search, 0);

    if (q <= below)
        return 0;
    for (size_t at = 1; at < LAST; at++) {
        double here = posterior(search, at);

        if (q <= below + here) {
            double low = edge(search, at), high = edge(search, at + 1);

            return exp(low + (high - low) * (q - below) / here);
        }
        below += here;
    }
    return INFINITY;
}

/* The coarse scan */

/* Return the rate that is AT steps of the scan below the highest rate. */
static double scan_rate(const struct objective_search *search, double at)
{
    double low = log(search->range.lowest), high = log(search->range.highest);

    return exp(high - (high - low) * at / OBJECTIVE_SCAN);
}

static bool two_hold(const struct objective_search *search)
{
    size_t n = search->scanned;

    return n >= 2 && search->scan[n - 1].answer == OBJECTIVE_HELD &&
           search->scan[n - 2].answer == OBJECTIVE_HELD;
}

/* Return how many of the scan's probes the search uses. All are used if the last two rates met the
 * objective, or if no rate met it. Otherwise, the probes down to the highest rate that met it. */
static size_t probes_kept(const struct objective_search *search)
{
    for (size_t i = 0; i < search->scanned && !two_hold(search); i++)
        if (search->scan[i].answer == OBJECTIVE_HELD)
            return i + 1;
    return search->scanned;
}

static void update_posterior(struct objective_search *search, double rate, bool held);

/* End the scan: raise the range's lowest rate to half a step below the lowest rate that is used,
 * and make the posterior anew from the probes that are used. */
static void end_scan(struct objective_search *search)
{
    size_t kept = probes_kept(search);

    search->scanning = false;
    search->range.lowest = fmax(search->range.lowest, scan_rate(search, (double)kept));
    set_prior(search);
    for (size_t i = 0; i < kept; i++)
        if (search->scan[i].answer != OBJECTIVE_NO_ANSWER)
            update_posterior(search, search->scan[i].rate,
                             search->scan[i].answer == OBJECTIVE_HELD);
}

static void note_scanned(struct objective_search *search, double rate, enum objective_answer answer)
{
    search->scan[search->scanned++] = (struct objective_scanned){rate, answer};
    if (search->scanned == OBJECTIVE_SCAN || two_hold(search))
        end_scan(search);
}

double objective_next(const struct objective_search *search)
{
    static const double shares[] = {0.5, 0.2, 0.8};
    double rate = search->scanning ? scan_rate(search, (double)search->scanned + 0.5)
                                   : quantile(search, shares[search->probes % 3]);

    return fmin(fmax(rate, search->range.lowest), search->range.highest);
}

static void update_posterior(struct objective_search *search, double rate, bool held)
{
    double sum = 0;

    for (size_t at = 0; at < OBJECTIVE_RATES; at++) {
        double above = log(rate) - threshold(search, at);

        for (size_t s = 0; s < OBJECTIVE_SPREADS; s++) {
            double holds =
                OBJECTIVE_LAPSES + (1 - 2 * OBJECTIVE_LAPSES) / (1 + exp(above / spreads[s]));

            search->posterior[at][s] *= held ? holds : 1 - holds;
            sum += search->posterior[at][s];
        }
    }
    for (size_t at = 0; at < OBJECTIVE_RATES; at++)
        for (size_t s = 0; s < OBJECTIVE_SPREADS; s++)
            search->posterior[at][s] /= sum;
}

void objective_report(struct objective_search *search, double rate, bool held)
{
    search->probes++;
    update_posterior(search, rate, held);
    if (search->scanning)
        note_scanned(search, rate, held ? OBJECTIVE_HELD : OBJECTIVE_FAILED);
}

void objective_skip(struct objective_search *search)
{
    search->probes++;
    if (search->scanning)
        note_scanned(search, objective_next(search), OBJECTIVE_NO_ANSWER);
}

static enum objective_outcome judge_rate(const struct objective_search *search,
                                         const struct interval *rate)
{
    if (rate->high == 0)
        return OBJECTIVE_ALL_FAILED;
    if (isinf(rate->low))
        return OBJECTIVE_ALL_HELD;
    return rate->high <= rate->low * (1 + search->range.precision) ? OBJECTIVE_FOUND
                                                                   : OBJECTIVE_UNCLEAR;
}

bool objective_done(const struct objective_search *search)
{
    struct objective_result result;

    objective_result(search, &result);
    return search->probes >= search->range.probes ||
           (!search->scanning && search->probes >= OBJECTIVE_PROBES_LEAST &&
            result.outcome != OBJECTIVE_UNCLEAR);
}

void objective_result(const struct objective_search *search, struct objective_result *result)
{
    result->rate = (struct interval){.estimate = quantile(search, 0.5),
                                     .low = quantile(search, 0.025),
                                     .high = quantile(search, 0.975)};
    result->outcome = judge_rate(search, &result->rate);
    result->probes = search->probes;
}

const char *const objective_outcome_names[] = {"found", "unclear", "all-held", "all-failed", NULL};
