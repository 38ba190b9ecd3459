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

static double in_flight(const struct cell_setting *setting)
{
    return (double)setting->clients * setting->connections * setting->depth;
}

static struct repeats repeats_of(const struct experiment_cell *point, enum cell_figure figure)
{
    return (struct repeats){point->figures[figure], point->units};
}

/* POINT with its RESPONSE: Little's law is about the mean, the knee about a typical call. */
static struct load_point load_point_of(const struct experiment_cell *point,
                                       enum cell_figure response)
{
    return (struct load_point){.concurrency = in_flight(&point->setting),
                               .throughput = repeats_of(point, CELL_RATE),
                               .response_ns = repeats_of(point, response)};
}

/* Points */

static void drop_untried(struct experiment_result *sweep)
{
    size_t kept = 0;

    for (size_t i = 0; i < sweep->cell_count; i++)
        if (sweep->cells[i].units > 0 || sweep->cells[i].out_of_reach) {
            if (kept != i)
                sweep->cells[kept] = sweep->cells[i];
            kept++;
        }
    sweep->cell_count = kept;
}

struct trials sweep_trials_of(struct experiment_cell *point)
{
    return (struct trials){.repeats = &point->units,
                           .invalid = &point->invalid,
                           .order = point->order,
                           .figures = point->figures,
                           .intervals = point->intervals,
                           .figure_count = CELL_FIGURES,
                           .difference = CELL_COST,
                           .same_work = CELL_NULL,
                           .out_of_reach = point->out_of_reach};
}

static void check_little(struct experiment_cell *point, uint64_t seed)
{
    struct load_point load = load_point_of(point, CELL_MEAN);
    struct error ignored;

    if (!isnan(point->intervals[CELL_TURN_AROUND].estimate))
        load.turn_around_ns = repeats_of(point, CELL_TURN_AROUND);

    point->has_little = point->setting.rate == 0 && point->units > 0 &&
                        load_point_little(&load, seed, &point->little, &ignored) == 0;
}

static bool same_but_load(const struct experiment_cell *a, const struct experiment_cell *b)
{
    return a->setting.size == b->setting.size && (a->setting.rate > 0) == (b->setting.rate > 0);
}

static double load_of(const struct experiment_cell *point)
{
    return point->setting.rate > 0 ? point->setting.rate : in_flight(&point->setting);
}

/* The marginal gain from the point with the next smaller load. */
static double gain_of(const struct experiment_result *sweep, const struct experiment_cell *point)
{
    const struct experiment_cell *before = NULL;

    for (size_t i = 0; i < sweep->cell_count; i++) {
        const struct experiment_cell *other = &sweep->cells[i];

        if (same_but_load(other, point) && other->units > 0 && load_of(other) < load_of(point) &&
            (!before || load_of(other) > load_of(before)))
            before = other;
    }
    if (!before)
        return NAN;
    return bottleneck_gain(load_of(before), before->intervals[CELL_RATE].estimate, load_of(point),
                           point->intervals[CELL_RATE].estimate);
}

static void find_bottleneck(const struct experiment_result *sweep, struct experiment_cell *point)
{
    const struct interval *figures = point->intervals;
    struct bottleneck_evidence evidence = {
        .client_cpu = figures[CELL_CLIENT_CPU].estimate,
        .client_thread_cpu = figures[CELL_CLIENT_THREAD].estimate,
        .server_cpu = figures[CELL_SERVER_SHARE].estimate,
        .server_thread_cpu = figures[CELL_SERVER_THREAD].estimate,
        .both_cpus = figures[CELL_BOTH_CPUS].estimate,
        .in_flight = point->setting.rate > 0 ? NAN : in_flight(&point->setting),
        .link = figures[CELL_LINK].estimate,
        .reached =
            point->setting.rate > 0 ? figures[CELL_RATE].estimate / point->setting.rate : NAN,
        .gain = gain_of(sweep, point)};

    point->bottleneck = point->units > 0 ? bottleneck_find(&evidence) : BOTTLENECK_UNKNOWN;
}

/* Groups */

static size_t load_points_of_size(const struct experiment_result *sweep, uint32_t size,
                                  struct load_point *points)
{
    size_t count = 0;

    for (size_t i = 0; i < sweep->cell_count; i++)
        if (sweep->cells[i].setting.size == size && sweep->cells[i].units > 0)
            points[count++] = load_point_of(&sweep->cells[i], CELL_TYPICAL);
    return count;
}

/* Omit the parameters of a law that does not hold, since they are meaningless. */
static void refuse_law(struct experiment_scaling *scaling)
{
    scaling->has_law = false;
    snprintf(scaling->missing, sizeof scaling->missing,
             "the points do not follow the Universal Scalability Law: it is off by %.0f %% at %.0f "
             "in flight, %.0f %% beyond the noise",
             100 * scaling->law.residual_largest, scaling->law.residual_concurrency,
             100 * scaling->law.misfit);
}

static void analyse_scaling(struct experiment_result *sweep, uint32_t size,
                            struct load_point *points)
{
    struct experiment_scaling *scaling = &sweep->scaling[sweep->scaling_count++];
    size_t count = load_points_of_size(sweep, size, points);
    struct error error, ignored;

    *scaling = (struct experiment_scaling){.size = size};
    scaling->has_law =
        scalability_fit(points, count, sweep->origin.seed, &scaling->law, &error) == 0;
    if (!scaling->has_law)
        snprintf(scaling->missing, sizeof scaling->missing, "%.250s", error.text);
    else if (!scaling->law.fits)
        refuse_law(scaling);
    scaling->has_knee =
        load_point_knee(points, count, sweep->origin.seed, &scaling->knee, &ignored) == 0;
}

static bool is_first_of_size(const struct experiment_result *sweep, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (sweep->cells[i].setting.size == sweep->cells[index].setting.size)
            return false;
    return true;
}

static bool is_first_of_load(const struct experiment_result *sweep, size_t index)
{
    const struct cell_setting *setting = &sweep->cells[index].setting;

    for (size_t i = 0; i < index; i++)
        if (sweep->cells[i].setting.clients == setting->clients &&
            sweep->cells[i].setting.depth == setting->depth)
            return false;
    return true;
}

/* POINT's cost above null if known, otherwise its round trip, to which errors are relative. */
static struct piecewise_point piecewise_point_of(const struct experiment_cell *point)
{
    double typical = point->intervals[CELL_TYPICAL].estimate;

    if (isnan(point->intervals[CELL_COST].estimate))
        return (struct piecewise_point){point->setting.size, repeats_of(point, CELL_TYPICAL), 0};
    return (struct piecewise_point){point->setting.size, repeats_of(point, CELL_COST), typical};
}

static void analyse_sizes(struct experiment_result *sweep, const struct cell_setting *setting)
{
    struct experiment_sizes *sizes = &sweep->sizes[sweep->sizes_count++];
    struct piecewise_point points[PIECEWISE_POINTS_MAXIMUM];
    struct error error;
    size_t count = 0;

    *sizes = (struct experiment_sizes){
        .op = sweep->ops, .clients = setting->clients, .depth = setting->depth};
    for (size_t i = 0; i < sweep->cell_count && count < PIECEWISE_POINTS_MAXIMUM; i++) {
        const struct experiment_cell *point = &sweep->cells[i];

        if (point->units > 0 && point->setting.clients == setting->clients &&
            point->setting.depth == setting->depth)
            points[count++] = piecewise_point_of(point);
    }
    sizes->basis = count > 0 && points[0].scale > 0 ? SIZES_ABOVE_NULL : SIZES_TYPICAL;
    piecewise_sort(points, count);
    if (piecewise_fit(points, count, sweep->origin.seed, &sizes->cost, &error) == 0)
        sizes->piece_count = sizes->cost.breaks + 1;
    else
        snprintf(sizes->missing, sizeof sizes->missing, "%.250s", error.text);
}

static void analyse_groups(struct experiment_result *sweep)
{
    struct load_point *points = calloc(sweep->cell_count + 1, sizeof *points);

    for (size_t i = 0; points && i < sweep->cell_count; i++) {
        bool loads = sweep->varies_clients || sweep->varies_depth;

        if (loads && !sweep->varies_rate && is_first_of_size(sweep, i) &&
            sweep->scaling_count < EXPERIMENT_GROUPS_MAXIMUM)
            analyse_scaling(sweep, sweep->cells[i].setting.size, points);
        if (sweep->varies_size && !sweep->varies_rate && is_first_of_load(sweep, i) &&
            sweep->sizes_count < EXPERIMENT_GROUPS_MAXIMUM)
            analyse_sizes(sweep, &sweep->cells[i].setting);
    }
    free(points);
}

void sweep_analyse(struct experiment_result *sweep)
{
    drop_untried(sweep);
    for (size_t i = 0; i < sweep->cell_count; i++) {
        struct trials trials = sweep_trials_of(&sweep->cells[i]);

        trials_find_intervals(&trials, sweep->origin.seed);
        check_little(&sweep->cells[i], sweep->origin.seed);
    }
    for (size_t i = 0; i < sweep->cell_count; i++)
        find_bottleneck(sweep, &sweep->cells[i]);
    if (!sweep->objective_text)
        analyse_groups(sweep);
}

/* The verdict */

/* The null calls are the same work throughout. A search has already repeated its invalid trials,
 * and tries no rate several times. */
static void judge_trials(struct validity *validity, struct experiment_result *sweep,
                         const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(sweep->cell_count + 1, sizeof *points);
    size_t count = points && !sweep->objective_text ? sweep->cell_count : 0;

    for (size_t i = 0; i < count; i++)
        points[i] = sweep_trials_of(&sweep->cells[i]);
    trials_judge(validity, points, count, doubts, "the null calls'");
    free(points);
}

/* Are throughput, latency and turn-around inconsistent? If the turn-around is unknown, fewer calls
 * may be in flight than requested. */
static bool is_off(const struct experiment_cell *point)
{
    bool below_counts = !isnan(point->intervals[CELL_TURN_AROUND].estimate);

    return point->has_little && (point->little.verdict == LITTLE_ABOVE ||
                                 (below_counts && point->little.verdict == LITTLE_BELOW));
}

static void judge_little(struct validity *validity, const struct experiment_result *sweep)
{
    const struct experiment_cell *worst = NULL;
    size_t off = 0;

    for (size_t i = 0; i < sweep->cell_count; i++) {
        const struct experiment_cell *point = &sweep->cells[i];

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

static void judge_search(struct validity *validity, const struct experiment_result *sweep)
{
    const struct experiment_probes *probes = &sweep->probes;
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

void sweep_judge(struct experiment_result *sweep, const struct sweep_doubts *doubts)
{
    struct validity *validity = &sweep->validity;

    validity->verdict = VERDICT_OK;
    validity->count = 0;
    judge_trials(validity, sweep, doubts);
    judge_little(validity, sweep);
    judge_search(validity, sweep);
}
