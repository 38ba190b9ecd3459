/* The contrasts of an experiment: within each visit, from its rounds, and then over visits. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/contrast.h"
#include "run/experiment.h"

/* A contrast's units. */
struct contrast_units {
    struct launch first[UNITS_MAXIMUM], second[UNITS_MAXIMUM], differences[UNITS_MAXIMUM];
};

int experiment_make_contrasts(struct experiment_run *run, struct error *error)
{
    struct experiment_result *result = &run->result;
    size_t count = 0;

    run->contrast_of = arena_alloc(&run->arena, result->cell_count, sizeof *run->contrast_of);
    for (size_t i = 0; run->contrast_of && i < run->plan->count; i++)
        for (size_t j = 0; j < run->plan->variants[i].plan.op_count; j++) {
            run->contrast_of[run->first_cell[i] + j] = count;
            count += run->reference[i] != i ? VERSUS_QUANTITIES : 0;
        }
    if (count > CONTRASTS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%zu differences are too many; the maximum is %d", count,
                         CONTRASTS_MAXIMUM);
    result->contrasts = arena_alloc(&run->arena, count, sizeof *result->contrasts);
    run->contrast_units = arena_alloc(&run->arena, count, sizeof *run->contrast_units);
    if (!run->contrast_of || !result->contrasts || !run->contrast_units)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < run->plan->count; i++) {
        const size_t reference = run->first_cell[run->reference[i]];

        for (size_t j = 0; j < run->plan->variants[i].plan.op_count && run->reference[i] != i; j++)
            for (size_t q = 0; q < VERSUS_QUANTITIES; q++)
                result->contrasts[result->contrast_count++] =
                    (struct experiment_contrast){.first = reference + j,
                                                 .second = run->first_cell[i] + j,
                                                 .quantity = (enum versus_quantity)q};
    }
    return 0;
}

/* Within a visit */

static struct launch unit_of(const struct interval *interval)
{
    const double z = 1.96;

    return (struct launch){.estimate = interval->estimate,
                           .within = (interval->high - interval->low) / 2 / z};
}

static void add_unit(struct experiment_contrast *contrast, struct contrast_units *units,
                     const struct comparison *comparison)
{
    const size_t at = contrast->units;

    if (at == UNITS_MAXIMUM || !isfinite(comparison->difference.estimate))
        return;
    contrast->comparison = *comparison;
    units->first[at] = unit_of(&comparison->first);
    units->second[at] = unit_of(&comparison->second);
    units->differences[at] = unit_of(&comparison->difference);
    contrast->differences[at] = units->differences[at].estimate;
    contrast->errors[at] = units->differences[at].within;
    contrast->units++;
}

/* Add what ROW says of an op of variant NUMBER to the contrasts of that. */
static void add_row(struct experiment_run *run, const struct versus_row *row, size_t number)
{
    const struct run_plan *plan = &run->plan->variants[number].plan;

    for (size_t j = 0; j < plan->op_count; j++) {
        const size_t first = run->contrast_of[run->first_cell[number] + j];

        if (strcmp(plan->ops[j]->op, row->first->op) != 0)
            continue;
        for (size_t q = 0; q < VERSUS_QUANTITIES; q++)
            if (row->parts[q].known)
                add_unit(&run->result.contrasts[first + q], &run->contrast_units[first + q],
                         &row->parts[q].comparison);
    }
}

static int add_second(struct experiment_run *run, const struct visit *visit, size_t place,
                      size_t number, struct error *error)
{
    const struct outcome *outcomes = visit->group.outcomes;
    struct versus_result compared = {.rows = NULL};
    int code = versus_compare(&compared, &outcomes[0], &outcomes[place], error);

    for (size_t i = 0; i < compared.count && code == 0; i++)
        add_row(run, &compared.rows[i], number);
    versus_free(&compared);
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

/* Of cells that were never in the same visit. */
static size_t take_units(const struct experiment_cell *cell, enum versus_quantity quantity,
                         struct launch *units)
{
    static const enum cell_figure figures[VERSUS_QUANTITIES] = {[VERSUS_ROUND_TRIP] = CELL_TYPICAL,
                                                                [VERSUS_NETWORK] = CELL_NULL,
                                                                [VERSUS_ABOVE_NULL] = CELL_COST};
    size_t count = 0;

    for (size_t i = 0; i < cell->units && quantity <= VERSUS_ABOVE_NULL; i++)
        if (isfinite(cell->figures[figures[quantity]][i]))
            units[count++] = (struct launch){.estimate = cell->figures[figures[quantity]][i]};
    return count;
}

/* Set CONTRAST to what is to be estimated of MEASURED. False if there is nothing. */
static bool prepare(const struct experiment_run *run, size_t index, struct contrast *contrast)
{
    const struct experiment_contrast *measured = &run->result.contrasts[index];
    const struct experiment_cell *cells = run->result.cells;
    struct contrast_units *units = &run->contrast_units[index];
    size_t first = measured->units, second = measured->units;

    if (measured->units == 0) {
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

static void set_floor(struct contrast *contrast, enum versus_quantity quantity)
{
    static const enum comparison_design designs[] = {
        COMPARISON_SEPARATE_RUNS, COMPARISON_SAME_ROUNDS, COMPARISON_SAME_LAUNCHES};
    const size_t shared = contrast->difference_count;

    contrast->floor = comparison_floor(
        designs[shared < 2 ? shared : 2],
        quantity == VERSUS_ROUND_TRIP ? COMPARISON_ROUND_TRIP : COMPARISON_COST,
        fmin(fabs(contrast->comparison.first.estimate), fabs(contrast->comparison.second.estimate)),
        0);
}

/* What each quantity finds, all of one quantity being a family. */
static void estimate_all(struct experiment_run *run, struct contrast *all, bool *known)
{
    struct contrast *family[CONTRASTS_MAXIMUM];

    for (size_t q = 0; q < VERSUS_QUANTITIES; q++) {
        size_t count = 0;

        for (size_t i = q; i < run->result.contrast_count; i += VERSUS_QUANTITIES) {
            known[i] = prepare(run, i, &all[i]);
            if (known[i])
                family[count++] = &all[i];
        }
        contrasts_estimate(family, count);
        for (size_t i = 0; i < count; i++)
            set_floor(family[i], (enum versus_quantity)q);
    }
}

/* The primary question of the op whose contrasts begin at INDEX: the most specific one, where as
 * many calls are in flight; else null calls wait as much as others. */
static size_t primary_of(const struct experiment_result *result, const bool *known, size_t index)
{
    const struct experiment_contrast *contrast = &result->contrasts[index];
    const struct cell_setting *first = &result->cells[contrast->first].setting,
                              *second = &result->cells[contrast->second].setting;

    if (first->clients != second->clients || first->connections != second->connections ||
        first->depth != second->depth)
        return index + VERSUS_ROUND_TRIP;
    return index + (known[index + VERSUS_SERVER]       ? VERSUS_SERVER
                    : known[index + VERSUS_ABOVE_NULL] ? VERSUS_ABOVE_NULL
                                                       : VERSUS_ROUND_TRIP);
}

/* Keep what is known, and note which contrasts are of the PRIMARY question. */
static void take(struct experiment_result *result, const struct contrast *all, const bool *known,
                 const bool *primary)
{
    size_t kept = 0;

    for (size_t i = 0; i < result->contrast_count; i++) {
        struct experiment_contrast *contrast = &result->contrasts[kept];

        if (!known[i])
            continue;
        *contrast = result->contrasts[i];
        contrast->comparison = all[i].comparison;
        contrast->ratio = comparison_ratio(&contrast->comparison, all[i].difference_count > 0);
        contrast->judged = primary[i];
        contrast->word = all[i].word;
        kept++;
    }
    result->contrast_count = kept;
}

int experiment_judge_contrasts(struct experiment_run *run, struct error *error)
{
    const size_t count = run->result.contrast_count;
    struct contrast *all = calloc(count + 1, sizeof *all);
    struct contrast *family[CONTRASTS_MAXIMUM];
    bool known[CONTRASTS_MAXIMUM] = {false}, primary[CONTRASTS_MAXIMUM] = {false};
    size_t judged = 0;
    int code;

    if (!all)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    estimate_all(run, all, known);
    for (size_t i = 0; i < count; i += VERSUS_QUANTITIES) {
        const size_t at = primary_of(&run->result, known, i);

        primary[at] = known[at];
        if (known[at])
            family[judged++] = &all[at];
    }
    code = contrasts_judge(family, judged, &run->plan->margin, error);
    if (code == 0)
        take(&run->result, all, known, primary);
    free(all);
    return code;
}
