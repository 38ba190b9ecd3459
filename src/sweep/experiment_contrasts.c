/* The contrasts of an experiment: within each visit, from its rounds, and then over visits. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/statistics/contrast.h"
#include "sweep/experiment.h"

struct contrast_units {
    struct launch first[UNITS_MAXIMUM], second[UNITS_MAXIMUM], differences[UNITS_MAXIMUM];
};

int experiment_make_contrasts(struct experiment_run *run, struct error *error)
{
    struct experiment_result *result = &run->result;
    size_t count = 0;

    run->contrast_of = arena_alloc(&run->arena, result->cell_count, sizeof *run->contrast_of);
    for (size_t i = 0; run->contrast_of && i < result->cell_count; i++) {
        run->contrast_of[i] = count;
        count += run->reference_cell[i] != i ? QUANTITIES : 0;
    }
    if (count > CONTRASTS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%zu differences are too many; the maximum is %d", count,
                         CONTRASTS_MAXIMUM);
    result->contrasts = arena_alloc(&run->arena, count, sizeof *result->contrasts);
    run->contrast_units = arena_alloc(&run->arena, count, sizeof *run->contrast_units);
    if (!run->contrast_of || !result->contrasts || !run->contrast_units)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < result->cell_count; i++)
        for (size_t q = 0; q < QUANTITIES && run->reference_cell[i] != i; q++)
            result->contrasts[result->contrast_count++] = (struct experiment_contrast){
                .first = run->reference_cell[i], .second = i, .quantity = (enum quantity)q};
    return 0;
}

/* Within one visit */

static struct launch unit_of(const struct interval *interval, unsigned server)
{
    const double z = 1.96;

    return (struct launch){.server = server,
                           .estimate = interval->estimate,
                           .within = (interval->high - interval->low) / 2 / z};
}

void experiment_add_difference(struct experiment_run *run, size_t cell, enum quantity quantity,
                               const struct comparison *comparison, unsigned server)
{
    struct experiment_contrast *contrast =
        &run->result.contrasts[run->contrast_of[cell] + quantity];
    struct contrast_units *units = &run->contrast_units[run->contrast_of[cell] + quantity];
    const size_t at = contrast->units;

    if (at == UNITS_MAXIMUM || !isfinite(comparison->difference.estimate))
        return;
    contrast->comparison = *comparison;
    units->first[at] = unit_of(&comparison->first, server);
    units->second[at] = unit_of(&comparison->second, server);
    units->differences[at] = unit_of(&comparison->difference, server);
    contrast->differences[at] = units->differences[at].estimate;
    contrast->errors[at] = units->differences[at].within;
    contrast->units++;
}

void experiment_add_differences(struct experiment_run *run, size_t cell,
                                const struct op_differences *op)
{
    for (enum quantity q = 0; q < QUANTITIES; q++)
        if (op->known[q])
            experiment_add_difference(run, cell, q, &op->of[q], 0);
}

/* Add to RUN the differences between VISIT's first variant and variant NUMBER, which is at index
 * PLACE in VISIT. */
static int add_second(struct experiment_run *run, const struct visit *visit, size_t place,
                      size_t number, struct error *error)
{
    const struct run_plan *plan = &run->plan->variants[number].plan;
    const struct outcome *outcomes = visit->group.outcomes;
    struct differences differences;
    int code = group_compare(&differences, &outcomes[0], &outcomes[place], error);

    for (size_t i = 0; i < differences.count && code == 0; i++)
        for (size_t j = 0; j < plan->op_count; j++)
            if (strcmp(plan->ops[j]->op, differences.ops[i].first->op) == 0)
                experiment_add_differences(run, run->first_cell[number] + j, &differences.ops[i]);
    free(differences.ops);
    return code;
}

int experiment_add_contrasts(struct experiment_run *run, const struct visit *visit,
                             const size_t *numbers, struct error *error)
{
    int code = 0;

    if (!run->contrast_of || numbers[0] != run->reference[numbers[0]])
        return 0;
    for (size_t i = 1; i < visit->group.count && code == 0; i++)
        if (visit->group.outcomes[i].result.op_count > 0)
            code = add_second(run, visit, i, numbers[i], error);
    return code;
}

/* Over visits */

/* Return true if the two cells whose contrasts begin at INDEX ever shared rounds. */
static bool shared_rounds(const struct experiment_result *result, size_t index)
{
    bool shared = false;

    for (size_t q = 0; q < QUANTITIES; q++)
        shared |= result->contrasts[index + q].units > 0;
    return shared;
}

/* Set UNITS to the figures of QUANTITY in CELL, for a contrast of cells that share no rounds.
 * Returns the number of figures; 0 for a quantity that is not a figure of cells. */
static size_t take_units(const struct experiment_cell *cell, enum quantity quantity,
                         struct launch *units)
{
    static const enum cell_figure figures[QUANTITIES] = {[QUANTITY_ROUND_TRIP] = CELL_TYPICAL,
                                                         [QUANTITY_NETWORK] = CELL_NULL,
                                                         [QUANTITY_ABOVE_NULL] = CELL_COST};
    size_t count = 0;

    for (size_t i = 0; i < cell->units && quantity <= QUANTITY_ABOVE_NULL; i++)
        if (isfinite(cell->figures[figures[quantity]][i]))
            units[count++] = (struct launch){.estimate = cell->figures[figures[quantity]][i]};
    return count;
}

struct estimates {
    struct contrast *of;
    bool *known;   /* the contrast has an estimate */
    bool *primary; /* the contrast is judged */
};

/* Set CONTRAST to the data of contrast INDEX. Returns whether both cells have data. */
static bool prepare_contrast(const struct experiment_run *run, size_t index,
                             struct contrast *contrast)
{
    const struct experiment_contrast *measured = &run->result.contrasts[index];
    const struct experiment_cell *cells = run->result.cells;
    struct contrast_units *units = &run->contrast_units[index];
    size_t first = measured->units, second = measured->units;

    if (!shared_rounds(&run->result, index - measured->quantity)) {
        first = take_units(&cells[measured->first], measured->quantity, units->first);
        second = take_units(&cells[measured->second], measured->quantity, units->second);
    }
    *contrast = (struct contrast){.first = units->first,
                                  .second = units->second,
                                  .differences = units->differences,
                                  .first_count = first,
                                  .second_count = second,
                                  .difference_count = measured->units,
                                  .comparison = measured->comparison};
    return first > 0 && second > 0;
}

/* Estimate all contrasts, those of one quantity together, because quantities differ in spread. */
static void estimate_all(const struct experiment_run *run, struct estimates *estimates)
{
    struct contrast *family[CONTRASTS_MAXIMUM];

    for (enum quantity q = 0; q < QUANTITIES; q++) {
        size_t count = 0;

        for (size_t i = q; i < run->result.contrast_count; i += QUANTITIES) {
            estimates->known[i] = prepare_contrast(run, i, &estimates->of[i]);
            if (estimates->known[i])
                family[count++] = &estimates->of[i];
        }
        contrasts_estimate(family, count);
    }
}

static bool is_of_control(const struct experiment_result *result, size_t index)
{
    return strcmp(result->cells[result->contrasts[index].second].op, "null_control") == 0;
}

/* Return the largest absolute end of the null controls' intervals of QUANTITY; 0: no controls. */
static double noise_of(const struct experiment_result *result, const struct estimates *estimates,
                       enum quantity quantity)
{
    double noise = 0;

    for (size_t i = quantity; i < result->contrast_count; i += QUANTITIES) {
        const struct interval *difference = &estimates->of[i].comparison.difference;

        if (estimates->known[i] && is_of_control(result, i))
            noise = fmax(noise, fmax(fabs(difference->low), fabs(difference->high)));
    }
    return noise;
}

/* Return the noise floor of contrast INDEX, ns: how much two identical cells may differ. */
static double floor_of(const struct experiment_result *result, const struct estimates *estimates,
                       size_t index)
{
    static const enum comparison_design designs[] = {
        COMPARISON_SEPARATE_RUNS, COMPARISON_SAME_ROUNDS, COMPARISON_SAME_LAUNCHES};
    const enum quantity quantity = (enum quantity)(index % QUANTITIES);
    const size_t round_trip = index - quantity, shared = estimates->of[index].difference_count;
    const struct comparison *base =
        &estimates->of[estimates->known[round_trip] ? round_trip : index].comparison;

    return comparison_floor(
        designs[shared < 2 ? shared : 2],
        quantity == QUANTITY_ROUND_TRIP ? COMPARISON_ROUND_TRIP : COMPARISON_COST,
        fmin(fabs(base->first.estimate), fabs(base->second.estimate)),
        noise_of(result, estimates,
                 quantity == QUANTITY_MEAN ? QUANTITY_MEAN : QUANTITY_ABOVE_NULL));
}

/* Return the most specific known quantity of the two cells whose contrasts begin at INDEX. If the
 * cells differ in clients, connections or depth, return the round trip: null calls wait in queues
 * as long as other calls, so a cost above null would not show this wait. */
static enum quantity most_specific(const struct experiment_result *result, const bool *known,
                                   size_t index)
{
    const struct experiment_contrast *contrast = &result->contrasts[index];
    const struct cell_setting *first = &result->cells[contrast->first].setting,
                              *second = &result->cells[contrast->second].setting;

    if (first->clients != second->clients || first->connections != second->connections ||
        first->depth != second->depth)
        return QUANTITY_ROUND_TRIP;
    return known[index + QUANTITY_SERVER]       ? QUANTITY_SERVER
           : known[index + QUANTITY_ABOVE_NULL] ? QUANTITY_ABOVE_NULL
                                                : QUANTITY_ROUND_TRIP;
}

/* Return true if contrast INDEX is judged: it is known, it is not of null controls, and its
 * quantity is the most specific one or, for two sides, also the round trip or the mean cost. */
static bool is_primary(const struct experiment_result *result, const bool *known, size_t index)
{
    const enum quantity quantity = (enum quantity)(index % QUANTITIES);

    if (!known[index] || is_of_control(result, index))
        return false;
    return quantity == most_specific(result, known, index - quantity) ||
           (result->preset == PRESET_VERSUS &&
            (quantity == QUANTITY_ROUND_TRIP || quantity == QUANTITY_MEAN));
}

/* Copy the known ESTIMATES to RESULT's contrasts, and remove the other contrasts. */
static void keep_known(struct experiment_result *result, const struct estimates *estimates)
{
    size_t kept = 0;

    for (size_t i = 0; i < result->contrast_count; i++) {
        struct experiment_contrast *contrast = &result->contrasts[kept];

        if (!estimates->known[i])
            continue;
        *contrast = result->contrasts[i];
        contrast->comparison = estimates->of[i].comparison;
        contrast->floor = estimates->of[i].floor;
        contrast->ratio =
            comparison_ratio(&contrast->comparison, estimates->of[i].difference_count > 0);
        contrast->judged = estimates->primary[i];
        contrast->word = estimates->of[i].word;
        kept++;
    }
    result->contrast_count = kept;
}

/* Return true if PART, a part of a cost, is below 0 by more than twice the half-width of its
 * interval. One half-width would not be enough: an experiment has many parts, and one part in 40 is
 * below 0 by more than one half-width by chance. */
static bool is_far_below_0(const struct interval *part)
{
    return part->high + (part->high - part->low) / 2 < 0;
}

/* Return true if the part of a cost that contrast INDEX compares is far below 0 in either cell. */
static bool is_impossible(const struct estimates *estimates, size_t index)
{
    const struct comparison *comparison = &estimates->of[index].comparison;

    return estimates->known[index] &&
           (is_far_below_0(&comparison->first) || is_far_below_0(&comparison->second));
}

/* If a part of a cost is far below 0, the cost model has failed, so make all parts of this cost
 * unknown. If the run is one of several launches, it keeps all parts, because otherwise the mean
 * over launches would be too large. */
static void forget_failed_parts(const struct experiment_run *run, struct estimates *estimates)
{
    const struct experiment_result *result = &run->result;
    static const enum quantity parts[] = {QUANTITY_BYTES, QUANTITY_PAUSE, QUANTITY_SERVER};
    const size_t count = sizeof parts / sizeof parts[0];

    if (run->plan->is_launch)
        return;
    for (size_t first = 0; first < result->contrast_count; first += QUANTITIES) {
        bool failed = false;

        for (size_t i = 0; i < count; i++)
            failed |= is_impossible(estimates, first + parts[i]);
        for (size_t i = 0; i < count && failed; i++)
            estimates->known[first + parts[i]] = false;
    }
}

static int judge_all(struct experiment_run *run, struct estimates *estimates, struct error *error)
{
    struct contrast *family[CONTRASTS_MAXIMUM];
    size_t judged = 0;

    estimate_all(run, estimates);
    forget_failed_parts(run, estimates);
    for (size_t i = 0; i < run->result.contrast_count; i++) {
        estimates->primary[i] = is_primary(&run->result, estimates->known, i);
        if (!estimates->known[i])
            continue;
        estimates->of[i].floor = floor_of(&run->result, estimates, i);
        if (estimates->primary[i])
            family[judged++] = &estimates->of[i];
    }
    return contrasts_judge(family, judged, &run->plan->margin, error);
}

int experiment_judge_contrasts(struct experiment_run *run, struct error *error)
{
    bool known[CONTRASTS_MAXIMUM] = {false}, primary[CONTRASTS_MAXIMUM] = {false};
    struct estimates estimates = {calloc(run->result.contrast_count + 1, sizeof *estimates.of),
                                  known, primary};
    int code = estimates.of ? judge_all(run, &estimates, error)
                            : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    if (code == 0)
        keep_known(&run->result, &estimates);
    free(estimates.of);
    return code;
}
