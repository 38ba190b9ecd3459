/* What limits the cells of an experiment, and each curve at its limit. */
#include <math.h>
#include <string.h>

#include "experiment/load_use.h"
#include "measure/arrivals.h"
#include "nfs/procedures/procedures.h"
#include "sweep/experiment.h"

/* A cell with at least this share of the throughput at a curve's limit is limited by the same
 * resource, because a resource's use is proportional to the throughput (utilisation law: Lazowska
 * et al., "Quantitative System Performance", 1984, section 3.2). */
static const double at_limit = 0.95;

bool experiment_same_curve(const struct experiment_cell *a, const struct experiment_cell *b)
{
    return cells_differ_in_load_only(a, b) && (a->setting.rate > 0) == (b->setting.rate > 0);
}

double experiment_load(const struct experiment_cell *point)
{
    return point->setting.rate > 0 ? point->setting.rate : cell_in_flight(&point->setting);
}

static double level_of(const struct experiment_cell *cell, enum cell_figure figure)
{
    return cell ? cell->intervals[figure].estimate : NAN;
}

static bool fails_objective(const struct experiment_result *result,
                            const struct experiment_cell *cell)
{
    return result->objective_text && cell->answer == OBJECTIVE_FAILED;
}

/* Return the typical time of CELL's calls; in an open loop, the median response time. */
static double response_of(const struct experiment_cell *cell)
{
    return level_of(cell, cell && cell->setting.rate > 0 ? CELL_P50 : CELL_TYPICAL);
}

struct curve {
    const struct experiment_cell *before; /* the cell with the next smaller load; NULL: none */
    const struct experiment_cell *least;  /* the cell with the smallest load */
    double response_least_ns;
};

static struct curve curve_of(const struct experiment_result *result,
                             const struct experiment_cell *cell)
{
    struct curve curve = {.response_least_ns = NAN};

    for (size_t i = 0; i < result->cell_count; i++) {
        const struct experiment_cell *other = &result->cells[i];

        if (!experiment_same_curve(other, cell) || other->units == 0)
            continue;
        if (experiment_load(other) < experiment_load(cell) &&
            (!curve.before || experiment_load(other) > experiment_load(curve.before)))
            curve.before = other;
        if (!curve.least || experiment_load(other) < experiment_load(curve.least))
            curve.least = other;
        curve.response_least_ns = fmin(curve.response_least_ns, response_of(other));
    }
    return curve;
}

/* Return the throughput in bytes/s: for WRITE, of the file data; for other ops, of all bytes that
 * the client's interface received or, if these are unknown, of the file data. */
static double bytes_per_s(const struct experiment_cell *cell, bool is_write)
{
    const double received = level_of(cell, CELL_RATE) * level_of(cell, CELL_BYTES);

    return is_write || isnan(received) ? 1e6 * level_of(cell, CELL_MEGABYTES) : received;
}

double experiment_reached(const struct experiment_cell *point)
{
    const double rate = point->setting.rate, sent = level_of(point, CELL_RATE) / rate;
    const double answered =
        arrivals_share_answered(rate, cell_in_flight(&point->setting), level_of(point, CELL_P50));

    if (rate == 0)
        return NAN;
    return answered < sent ? answered : sent;
}

double experiment_gain(const struct experiment_result *result, const struct experiment_cell *point)
{
    const struct experiment_cell *before = curve_of(result, point).before;

    return before ? bottleneck_gain(experiment_load(before), level_of(before, CELL_RATE),
                                    experiment_load(point), level_of(point, CELL_RATE))
                  : NAN;
}

static void add_load(const struct experiment_result *result, const struct experiment_cell *cell,
                     struct bottleneck_evidence *evidence)
{
    const struct curve curve = curve_of(result, cell);
    const struct cell_setting *setting = &cell->setting;
    const bool open_loop = setting->rate > 0;

    evidence->in_flight = open_loop ? NAN : cell_in_flight(setting);
    evidence->connections = (double)setting->clients * setting->connections;
    evidence->reached = experiment_reached(cell);
    evidence->gain = experiment_gain(result, cell);
    evidence->response_ns = response_of(cell);
    evidence->response_least_ns = curve.response_least_ns;
    evidence->response_spread_ns =
        level_of(curve.least, CELL_P99) - level_of(curve.least, CELL_P50);
    evidence->null_least_ns = level_of(curve.least, CELL_NULL);
    evidence->fails_objective = fails_objective(result, cell);
}

static struct bottleneck_evidence evidence_of(const struct experiment_result *result,
                                              const struct experiment_cell *cell,
                                              const struct bottleneck_trials *trials)
{
    const struct nfs_procedure *procedure = nfs_procedure_find(cell->op);
    const bool is_write = procedure && procedure->transfer == NFS_TRANSFER_WRITE;
    struct bottleneck_evidence evidence;
    double figures[CELL_FIGURES];

    for (enum cell_figure i = 0; i < CELL_FIGURES; i++)
        figures[i] = level_of(cell, i);
    evidence = load_evidence(figures);
    evidence.moves_data = procedure && procedure->transfer != NFS_TRANSFER_NONE;
    evidence.is_write = evidence.sends_most = is_write;
    evidence.is_stable =
        is_write ? strcmp(cell->op, "write") != 0 : strcmp(cell->op, "commit") == 0;
    evidence.bytes_per_s = bytes_per_s(cell, is_write);
    evidence.trials = *trials;
    add_load(result, cell, &evidence);
    return evidence;
}

/* Curves */

/* Return the cell at the limit of FIRST's curve: the cell with the most calls in flight or the
 * highest rate. If cells of the curve failed the objective of a search, it is the one of these
 * cells with the highest rate. */
static struct experiment_cell *limit_of(const struct experiment_result *result,
                                        const struct experiment_cell *first)
{
    struct experiment_cell *limit = NULL;
    bool failed = false;

    for (size_t i = 0; i < result->cell_count; i++) {
        struct experiment_cell *cell = &result->cells[i];
        const bool fails = fails_objective(result, cell);

        if (!experiment_same_curve(cell, first) || cell->units == 0 || (failed && !fails))
            continue;
        if (!limit || fails > failed || experiment_load(cell) > experiment_load(limit))
            limit = cell;
        failed = fails;
    }
    return limit;
}

/* Return the diagnosis of FIRST's curve; NULL: it has none yet. */
static struct experiment_diagnosis *find_diagnosis(struct experiment_result *result,
                                                   const struct experiment_cell *first)
{
    for (size_t i = 0; i < result->diagnosis_count; i++) {
        struct experiment_diagnosis *diagnosis = &result->diagnoses[i];

        if (same_text(diagnosis->op, first->op) && same_text(diagnosis->variant, first->variant) &&
            diagnosis->at.size == first->setting.size)
            return diagnosis;
    }
    return NULL;
}

/* Return the cell where the trials of DIAGNOSIS were made. If that cell has no units, remove the
 * trials' results, and return the cell at the limit of FIRST's curve. */
static struct experiment_cell *place_of(const struct experiment_result *result,
                                        struct experiment_diagnosis *diagnosis,
                                        const struct experiment_cell *first)
{
    const struct experiment_cell like = {
        .op = diagnosis->op, .variant = diagnosis->variant, .setting = diagnosis->at};
    const struct experiment_cell *tried = experiment_find_cell(result, &like);

    if (tried && tried->units > 0)
        return &result->cells[tried - result->cells];
    diagnosis->trials = BOTTLENECK_NO_TRIALS;
    return limit_of(result, first);
}

/* Set the bottleneck of AT to LIMIT. If LIMIT is a busy resource, set LIMIT also in the cells of
 * AT's curve that have nearly AT's throughput and whose bottleneck is unknown or the round trip. */
static void name_limit(const struct experiment_result *result, struct experiment_cell *at,
                       enum bottleneck limit)
{
    const bool saturates =
        limit != BOTTLENECK_UNKNOWN && limit != BOTTLENECK_NONE && limit != BOTTLENECK_ROUND_TRIP;

    for (size_t i = 0; saturates && i < result->cell_count; i++) {
        struct experiment_cell *cell = &result->cells[i];
        const bool open =
            cell->bottleneck == BOTTLENECK_UNKNOWN || cell->bottleneck == BOTTLENECK_ROUND_TRIP;

        if (experiment_same_curve(cell, at) && cell->units > 0 && open &&
            level_of(cell, CELL_RATE) >= at_limit * level_of(at, CELL_RATE))
            cell->bottleneck = limit;
    }
    at->bottleneck = limit;
}

static void diagnose_curve(struct experiment_result *result, const struct experiment_cell *first)
{
    struct experiment_diagnosis *diagnosis = find_diagnosis(result, first);
    struct experiment_cell *at =
        diagnosis ? place_of(result, diagnosis, first) : limit_of(result, first);
    struct bottleneck_evidence evidence;

    if (!at || (!diagnosis && result->diagnosis_count == EXPERIMENT_GROUPS_MAXIMUM))
        return;
    if (!diagnosis) {
        diagnosis = &result->diagnoses[result->diagnosis_count++];
        *diagnosis = (struct experiment_diagnosis){
            .op = first->op, .variant = first->variant, .trials = BOTTLENECK_NO_TRIALS};
    }
    diagnosis->at = at->setting;
    evidence = evidence_of(result, at, &diagnosis->trials);
    bottleneck_judge(&evidence, &diagnosis->answer);
    name_limit(result, at, diagnosis->answer.limit);
}

static bool begins_curve(const struct experiment_result *result, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (cells_differ_in_load_only(&result->cells[i], &result->cells[index]))
            return false;
    return true;
}

void experiment_find_limits(struct experiment_result *result)
{
    const bool loads = result->varies_clients || result->varies_depth || result->varies_rate;
    const struct bottleneck_trials none = BOTTLENECK_NO_TRIALS;

    for (size_t i = 0; i < result->cell_count; i++) {
        struct experiment_cell *cell = &result->cells[i];
        const struct bottleneck_evidence evidence = evidence_of(result, cell, &none);

        cell->bottleneck = cell->units > 0 ? bottleneck_find(&evidence) : BOTTLENECK_UNKNOWN;
    }
    for (size_t i = 0; i < result->cell_count; i++)
        if ((result->preset == PRESET_SWEEP || (result->preset == PRESET_VARY && loads)) &&
            begins_curve(result, i))
            diagnose_curve(result, &result->cells[i]);
}
