/* The analysis of a sweep's points, one by one and in groups; and the verdict on it, from its
 * trials, from its points together, and from a search's probes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "run/sweep.h"

/* Of a search's probes have no answer. */
#define PROBES_SUSPECT 0.25
#define PROBES_INVALID 0.5

static double in_flight(const struct sweep_setting *setting)
{
    return (double)setting->clients * setting->connections * setting->depth;
}

static struct repeats repeats_of(const struct sweep_point *point, enum sweep_figure figure)
{
    return (struct repeats){point->figures[figure], point->repeats};
}

/* POINT with its RESPONSE: Little's law is about the mean, the knee about a typical call. */
static struct load_point load_point_of(const struct sweep_point *point, enum sweep_figure response)
{
    return (struct load_point){.concurrency = in_flight(&point->setting),
                               .throughput = repeats_of(point, SWEEP_THROUGHPUT),
                               .response_ns = repeats_of(point, response)};
}

/* Points */

static void drop_untried(struct sweep *sweep)
{
    size_t kept = 0;

    for (size_t i = 0; i < sweep->point_count; i++)
        if (sweep->points[i].repeats > 0 || sweep->points[i].out_of_reach) {
            if (kept != i)
                sweep->points[kept] = sweep->points[i];
            kept++;
        }
    sweep->point_count = kept;
}

struct trials sweep_trials_of(struct sweep_point *point)
{
    return (struct trials){.repeats = &point->repeats,
                           .invalid = &point->invalid,
                           .order = point->order,
                           .figures = point->figures,
                           .intervals = point->intervals,
                           .figure_count = SWEEP_FIGURES,
                           .difference = SWEEP_COST,
                           .same_work = SWEEP_NULL,
                           .out_of_reach = point->out_of_reach};
}

static void check_little(struct sweep_point *point)
{
    struct load_point load = load_point_of(point, SWEEP_MEAN);
    struct error ignored;

    if (!isnan(point->intervals[SWEEP_TURN_AROUND].estimate))
        load.turn_around_ns = repeats_of(point, SWEEP_TURN_AROUND);

    point->has_little = point->setting.rate == 0 && point->repeats > 0 &&
                        load_point_little(&load, &point->little, &ignored) == 0;
}

static bool same_but_load(const struct sweep_point *a, const struct sweep_point *b)
{
    return a->setting.size == b->setting.size && (a->setting.rate > 0) == (b->setting.rate > 0);
}

static double load_of(const struct sweep_point *point)
{
    return point->setting.rate > 0 ? point->setting.rate : in_flight(&point->setting);
}

/* The marginal gain from the point with the next smaller load. */
static double gain_of(const struct sweep *sweep, const struct sweep_point *point)
{
    const struct sweep_point *before = NULL;

    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct sweep_point *other = &sweep->points[i];

        if (same_but_load(other, point) && other->repeats > 0 && load_of(other) < load_of(point) &&
            (!before || load_of(other) > load_of(before)))
            before = other;
    }
    if (!before)
        return NAN;
    return bottleneck_gain(load_of(before), before->intervals[SWEEP_THROUGHPUT].estimate,
                           load_of(point), point->intervals[SWEEP_THROUGHPUT].estimate);
}

static void find_bottleneck(const struct sweep *sweep, struct sweep_point *point)
{
    const struct interval *figures = point->intervals;
    struct bottleneck_evidence evidence = {
        .client_cpu = figures[SWEEP_CLIENT_CPU].estimate,
        .client_thread_cpu = figures[SWEEP_CLIENT_THREAD].estimate,
        .server_cpu = figures[SWEEP_SERVER_SHARE].estimate,
        .server_thread_cpu = figures[SWEEP_SERVER_THREAD].estimate,
        .both_cpus = figures[SWEEP_BOTH_CPUS].estimate,
        .in_flight = point->setting.rate > 0 ? NAN : in_flight(&point->setting),
        .link = figures[SWEEP_LINK].estimate,
        .reached = point->setting.rate > 0
                       ? figures[SWEEP_THROUGHPUT].estimate / point->setting.rate
                       : NAN,
        .gain = gain_of(sweep, point)};

    point->bottleneck = point->repeats > 0 ? bottleneck_find(&evidence) : BOTTLENECK_UNKNOWN;
}

/* Groups */

static size_t load_points_of_size(const struct sweep *sweep, uint32_t size,
                                  struct load_point *points)
{
    size_t count = 0;

    for (size_t i = 0; i < sweep->point_count; i++)
        if (sweep->points[i].setting.size == size && sweep->points[i].repeats > 0)
            points[count++] = load_point_of(&sweep->points[i], SWEEP_TYPICAL);
    return count;
}

/* Omit the parameters of a law that does not hold, since they are meaningless. */
static void refuse_law(struct sweep_scaling *scaling)
{
    const struct scalability *law = &scaling->law;

    scaling->has_law = false;
    if (law->denies_growth)
        snprintf(
            scaling->missing, sizeof scaling->missing,
            "the points do not follow the Universal Scalability Law: it has its peak at %.1f in "
            "flight, but the throughput still grew at the end",
            law->peak_concurrency.estimate);
    else
        snprintf(
            scaling->missing, sizeof scaling->missing,
            "the points do not follow the Universal Scalability Law: it is off by %.0f %% at %.0f "
            "in flight, %.0f %% beyond the noise",
            100 * law->residual_largest, law->residual_concurrency, 100 * law->misfit);
}

static void analyse_scaling(struct sweep *sweep, uint32_t size, struct load_point *points)
{
    struct sweep_scaling *scaling = &sweep->scaling[sweep->scaling_count++];
    size_t count = load_points_of_size(sweep, size, points);
    struct error error, ignored;

    *scaling = (struct sweep_scaling){.size = size};
    scaling->has_law = scalability_fit(points, count, &scaling->law, &error) == 0;
    if (!scaling->has_law)
        snprintf(scaling->missing, sizeof scaling->missing, "%.250s", error.text);
    else if (!scaling->law.fits)
        refuse_law(scaling);
    scaling->has_knee = load_point_knee(points, count, &scaling->knee, &ignored) == 0;
}

static bool is_first_of_size(const struct sweep *sweep, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (sweep->points[i].setting.size == sweep->points[index].setting.size)
            return false;
    return true;
}

static bool is_first_of_load(const struct sweep *sweep, size_t index)
{
    const struct sweep_setting *setting = &sweep->points[index].setting;

    for (size_t i = 0; i < index; i++)
        if (sweep->points[i].setting.clients == setting->clients &&
            sweep->points[i].setting.depth == setting->depth)
            return false;
    return true;
}

/* POINT's cost above null if known, otherwise its round trip, to which errors are relative. */
static struct piecewise_point piecewise_point_of(const struct sweep_point *point)
{
    double typical = point->intervals[SWEEP_TYPICAL].estimate;

    if (isnan(point->intervals[SWEEP_COST].estimate))
        return (struct piecewise_point){point->setting.size, repeats_of(point, SWEEP_TYPICAL), 0};
    return (struct piecewise_point){point->setting.size, repeats_of(point, SWEEP_COST), typical};
}

static void analyse_sizes(struct sweep *sweep, const struct sweep_setting *setting)
{
    struct sweep_sizes *sizes = &sweep->sizes[sweep->sizes_count++];
    struct piecewise_point points[PIECEWISE_POINTS_MAXIMUM];
    struct error error;
    size_t count = 0;

    *sizes = (struct sweep_sizes){.clients = setting->clients, .depth = setting->depth};
    for (size_t i = 0; i < sweep->point_count && count < PIECEWISE_POINTS_MAXIMUM; i++) {
        const struct sweep_point *point = &sweep->points[i];

        if (point->repeats > 0 && point->setting.clients == setting->clients &&
            point->setting.depth == setting->depth)
            points[count++] = piecewise_point_of(point);
    }
    sizes->above_null = count > 0 && points[0].scale > 0;
    piecewise_sort(points, count);
    if (piecewise_fit(points, count, &sizes->cost, &error) == 0)
        sizes->piece_count = sizes->cost.breaks + 1;
    else
        snprintf(sizes->missing, sizeof sizes->missing, "%.250s", error.text);
}

static void analyse_groups(struct sweep *sweep)
{
    struct load_point *points = calloc(sweep->point_count + 1, sizeof *points);

    for (size_t i = 0; points && i < sweep->point_count; i++) {
        bool loads = sweep->swept_clients || sweep->swept_depth;

        if (loads && !sweep->swept_rate && is_first_of_size(sweep, i) &&
            sweep->scaling_count < SWEEP_GROUPS_MAXIMUM)
            analyse_scaling(sweep, sweep->points[i].setting.size, points);
        if (sweep->swept_size && !sweep->swept_rate && is_first_of_load(sweep, i) &&
            sweep->sizes_count < SWEEP_GROUPS_MAXIMUM)
            analyse_sizes(sweep, &sweep->points[i].setting);
    }
    free(points);
}

void sweep_analyse(struct sweep *sweep)
{
    drop_untried(sweep);
    for (size_t i = 0; i < sweep->point_count; i++) {
        struct trials trials = sweep_trials_of(&sweep->points[i]);

        trials_find_intervals(&trials);
        check_little(&sweep->points[i]);
    }
    for (size_t i = 0; i < sweep->point_count; i++)
        find_bottleneck(sweep, &sweep->points[i]);
    if (!sweep->objective_text)
        analyse_groups(sweep);
}

/* The verdict */

/* The null calls are the same work throughout. A search has already repeated its invalid trials,
 * and tries no rate several times. */
static void judge_trials(struct validity *validity, struct sweep *sweep,
                         const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(sweep->point_count + 1, sizeof *points);
    size_t count = points && !sweep->objective_text ? sweep->point_count : 0;

    for (size_t i = 0; i < count; i++)
        points[i] = sweep_trials_of(&sweep->points[i]);
    trials_judge(validity, points, count, doubts, "the null calls'");
    free(points);
}

/* Are throughput, latency and turn-around inconsistent? If the turn-around is unknown, fewer calls
 * may be in flight than requested. */
static bool is_off(const struct sweep_point *point)
{
    bool below_counts = !isnan(point->intervals[SWEEP_TURN_AROUND].estimate);

    return point->has_little && (point->little.verdict == LITTLE_ABOVE ||
                                 (below_counts && point->little.verdict == LITTLE_BELOW));
}

static void judge_little(struct validity *validity, const struct sweep *sweep)
{
    const struct sweep_point *worst = NULL;
    size_t off = 0;

    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct sweep_point *point = &sweep->points[i];

        if (!is_off(point))
            continue;
        off++;
        if (!worst ||
            fabs(point->little.discrepancy.estimate) > fabs(worst->little.discrepancy.estimate))
            worst = point;
    }
    if (worst)
        validity_add_reason(validity, VERDICT_SUSPECT, "little",
                            "at %s throughput x latency differs from the calls in flight: "
                            "by %+.1f %% at worst, with %u clients, depth %u",
                            counted(off, "point").text, 100 * worst->little.discrepancy.estimate,
                            worst->setting.clients, worst->setting.depth);
}

static void judge_search(struct validity *validity, const struct sweep *sweep)
{
    const struct sweep_probes *probes = &sweep->probes;
    double unanswered = (double)probes->without_answer / fmax(1, (double)sweep->objective.probes);

    if (!sweep->objective_text)
        return;
    if (unanswered > PROBES_SUSPECT)
        validity_add_reason(
            validity, unanswered > PROBES_INVALID ? VERDICT_INVALID : VERDICT_SUSPECT,
            "probes-without-answer", "%zu of %zu probes gave no answer, even after repetition",
            probes->without_answer, sweep->objective.probes);
    if (sweep->objective.outcome == OBJECTIVE_UNCLEAR)
        validity_add_reason(validity, VERDICT_SUSPECT, "not-narrow",
                            "%zu probes did not determine the rate precisely enough",
                            sweep->objective.probes);
    if (probes->calls_least < probes->calls_wanted)
        validity_add_reason(validity, VERDICT_SUSPECT, "too-few-calls",
                            "a probe had only %llu calls; the objective needs %llu",
                            (unsigned long long)probes->calls_least,
                            (unsigned long long)probes->calls_wanted);
}

void sweep_judge(struct sweep *sweep, const struct sweep_doubts *doubts)
{
    struct validity *validity = &sweep->validity;

    validity->verdict = VERDICT_OK;
    validity->count = 0;
    judge_trials(validity, sweep, doubts);
    judge_little(validity, sweep);
    judge_search(validity, sweep);
}
