/* The trials of a security ladder: each has two sides that differ in how their calls are secured;
 * and what all of them say: intervals over the repeats, lines over the sizes, the verdict. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/levels.h"
#include "run/sec_ladder.h"
#include "run/trial.h"

/* The reasons of both sides, each once. */
static void fill_validity(const struct outcome outcomes[SIDES], struct validity *validity)
{
    const struct validity *second = &outcomes[SIDE_SECOND].result.validity;

    *validity = outcomes[SIDE_FIRST].result.validity;
    for (size_t i = 0; i < second->count; i++) {
        const struct validity_reason *reason = &second->reasons[i];
        size_t j = 0;

        while (j < validity->count && strcmp(validity->reasons[j].name, reason->name) != 0)
            j++;
        if (j == validity->count)
            validity_add_reason(validity, reason->verdict, reason->name, "%s", reason->text);
        else if (reason->verdict > validity->reasons[j].verdict)
            validity->reasons[j].verdict = reason->verdict;
    }
    if (second->verdict > validity->verdict)
        validity->verdict = second->verdict;
}

static void fill_trial(const struct trial_run *run, const struct versus_result *compared,
                       struct trial *trial)
{
    const struct versus_row *row = &compared->rows[0];
    const struct usage_figures used = usage_figures(&run->usage[SIDE_SECOND]);
    const struct comparison *round_trip = &row->parts[VERSUS_ROUND_TRIP].comparison;

    for (size_t i = 0; i < CELL_FIGURES; i++)
        trial->figures[i] = NAN;
    trial->figures[CELL_TYPICAL] = round_trip->second.estimate;
    trial->above_ns = round_trip->difference.estimate;
    trial->figures[CELL_CLIENT_CALL] = compared->second->config.spin ? NAN : used.client_call_ns;
    trial->figures[CELL_SERVER_CALL] = used.server_call_ns;
    trial->figures[CELL_RATE] = row->second->rate_per_s;
    trial->figures[CELL_TYPICAL_RATE] =
        compared->second->config.load.depth / round_trip->second.estimate * 1e9;
    trial->figures[CELL_MEAN] = row->second->latency.mean;
    trial->figures[CELL_P50] = row->second->latency.p50;
    trial->figures[CELL_P99] = row->second->latency.p99;
    fill_validity(run->group.outcomes, &trial->validity);
    trial->environment = run->environment;
}

static void set_sides(struct group *group, const struct sec_setting *setting)
{
    struct run_plan *second = &group->plans[SIDE_SECOND];

    second->identity.flavor = setting->flavor;
    if (setting->xprtsec != RPC_XPRTSEC_NONE)
        second->tls.how = setting->xprtsec;
    group->names[SIDE_FIRST] = SEC_BASE;
    group->names[SIDE_SECOND] = setting->name;
    group->one_server = true;
}

/* The only op of a run is never left out: where it fails, the run does. */
static int run_sides(struct trial_run *run, enum sec_failure *failure, struct error *error)
{
    int code = trial_run_make(run, error);

    if (code && code != -ENOMEM && run->group.at == SIDE_SECOND)
        *failure = !run->opened && error->kind == ERROR_UNREACHABLE ? SEC_FAILURE_FLAVOR
                                                                    : SEC_FAILURE_POINT;
    return code;
}

int sec_trial_make(const struct run_plan *plan, const struct sec_setting *setting,
                   struct trial *trial, enum sec_failure *failure, struct error *error)
{
    struct trial_run *run = trial_run_new(plan, SIDES, error);
    struct versus_result compared = {.rows = NULL};
    int code;

    *failure = SEC_FAILURE_ALL;
    if (!run)
        return -ENOMEM;
    set_sides(&run->group, setting);
    code = run_sides(run, failure, error);
    if (code == 0)
        code = versus_compare(&compared, run->group.outcomes, error);
    if (code == 0)
        fill_trial(run, &compared, trial);
    versus_free(&compared);
    trial_run_free(run);
    return code;
}

/* All trials */

/* What is measured by AUTH_SYS is the same work throughout. */
struct trials sec_trials_of(struct experiment_cell *point)
{
    return (struct trials){.repeats = &point->units,
                           .invalid = &point->invalid,
                           .order = point->order,
                           .figures = point->figures,
                           .intervals = point->intervals,
                           .figure_count = CELL_FIGURES,
                           .difference = CELL_COST,
                           .same_work =
                               strcmp(point->variant, SEC_BASE) == 0 ? CELL_TYPICAL : CELL_FIGURES};
}

static bool is_on_line(const struct experiment_cell *point, const struct experiment_cell *first)
{
    return point->setting.size > 0 && point->setting.depth == 1 &&
           strcmp(point->op, first->op) == 0 && strcmp(point->variant, first->variant) == 0;
}

/* The line through the sizes of FIRST's op and flavor. */
static void fit_line(struct experiment_result *ladder, const struct experiment_cell *first)
{
    struct experiment_sizes *sizes = &ladder->sizes[ladder->sizes_count];
    struct piecewise_point points[PIECEWISE_POINTS_MAXIMUM];
    struct error error;
    size_t count = 0;

    for (size_t i = 0; i < ladder->cell_count && count < PIECEWISE_POINTS_MAXIMUM; i++) {
        const struct experiment_cell *point = &ladder->cells[i];

        if (is_on_line(point, first))
            points[count++] =
                (struct piecewise_point){point->setting.size,
                                         {ladder->contrasts[i].differences, point->units},
                                         point->intervals[CELL_TYPICAL].estimate};
    }
    if (count < 2)
        return;
    ladder->sizes_count++;
    *sizes = (struct experiment_sizes){.op = first->op,
                                       .variant = first->variant,
                                       .clients = 1,
                                       .depth = 1,
                                       .basis = SIZES_ABOVE_REFERENCE};
    piecewise_sort(points, count);
    if (piecewise_fit(points, count, ladder->origin.seed, &sizes->cost, &error) == 0)
        sizes->piece_count = sizes->cost.breaks + 1;
    else
        snprintf(sizes->missing, sizeof sizes->missing, "%.250s", error.text);
}

/* Is the point numbered INDEX the first of a line? That of AUTH_SYS would be noise. */
static bool begins_line(const struct experiment_result *ladder, size_t index)
{
    const struct experiment_cell *point = &ladder->cells[index];

    for (size_t i = 0; i < index; i++)
        if (is_on_line(&ladder->cells[i], point))
            return false;
    return is_on_line(point, point) && strcmp(point->variant, SEC_BASE) != 0;
}

/* The point of AUTH_SYS beside that numbered INDEX. */
static size_t base_of(const struct experiment_result *ladder, size_t index)
{
    const struct experiment_cell *point = &ladder->cells[index];

    for (size_t i = 0; i < index; i++) {
        const struct experiment_cell *other = &ladder->cells[i];

        if (strcmp(other->variant, SEC_BASE) == 0 && strcmp(other->op, point->op) == 0 &&
            other->setting.size == point->setting.size &&
            other->setting.depth == point->setting.depth)
            return i;
    }
    return index;
}

static void finish_contrast(struct experiment_result *ladder, size_t index)
{
    struct experiment_contrast *contrast = &ladder->contrasts[index];
    struct comparison *comparison = &contrast->comparison;
    struct interval *above = &comparison->difference;
    struct error ignored;
    double base;

    contrast->first = base_of(ladder, index);
    contrast->second = index;
    contrast->quantity = CONTRAST_ROUND_TRIP;
    *above = (struct interval){NAN, NAN, NAN};
    levels_interval(&(struct repeats){contrast->differences, contrast->units}, ladder->origin.seed,
                    above, &ignored);
    comparison->second = ladder->cells[index].intervals[CELL_TYPICAL];
    base = comparison->second.estimate - above->estimate;
    comparison->first = (struct interval){base, NAN, NAN};
    contrast->ratio = (struct interval){1 + above->estimate / base, 1 + above->low / base,
                                        1 + above->high / base};
    comparison->p = comparison->adjusted_p = comparison_p(above);
}

/* AUTH_SYS is not compared with itself. */
static size_t drop_own(struct experiment_result *ladder)
{
    size_t kept = 0;

    for (size_t i = 0; i < ladder->contrast_count; i++)
        if (ladder->contrasts[i].first != i)
            ladder->contrasts[kept++] = ladder->contrasts[i];
    return kept;
}

void sec_ladder_analyse(struct experiment_result *ladder, const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(ladder->cell_count + 1, sizeof *points);
    size_t count = points ? ladder->cell_count : 0;

    for (size_t i = 0; i < count; i++) {
        points[i] = sec_trials_of(&ladder->cells[i]);
        trials_find_intervals(&points[i], ladder->origin.seed);
        finish_contrast(ladder, i);
    }
    for (size_t i = 0; i < count && ladder->sizes_count < EXPERIMENT_GROUPS_MAXIMUM; i++)
        if (begins_line(ladder, i))
            fit_line(ladder, &ladder->cells[i]);
    ladder->contrast_count = drop_own(ladder);
    experiment_complete(ladder);
    trials_judge(&ladder->validity, points, count, doubts, "AUTH_SYS's");
    free(points);
}
