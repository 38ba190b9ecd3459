/* The trials of a security ladder: each has two sides that differ in how their calls are secured;
 * and what all of them say: intervals over the repeats, lines over the sizes, the verdict. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

    trial->figures[SEC_ROUND_TRIP] = round_trip->second.estimate;
    trial->figures[SEC_ABOVE] = round_trip->difference.estimate;
    trial->figures[SEC_CLIENT_CPU] = compared->second->config.spin ? NAN : used.client_call_ns;
    trial->figures[SEC_SERVER_CPU] = used.server_call_ns;
    trial->figures[SEC_RATE] = row->second->rate_per_s;
    trial->figures[SEC_RATE_SHARE] = row->second->rate_per_s / row->first->rate_per_s;
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
struct trials sec_trials_of(struct sec_point *point)
{
    return (struct trials){.repeats = &point->repeats,
                           .invalid = &point->invalid,
                           .order = point->order,
                           .figures = point->figures,
                           .intervals = point->intervals,
                           .figure_count = SEC_FIGURES,
                           .difference = SEC_ABOVE,
                           .same_work = strcmp(point->security, SEC_BASE) == 0 ? SEC_ROUND_TRIP
                                                                               : SEC_FIGURES};
}

static bool is_on_line(const struct sec_point *point, const struct sec_point *first)
{
    return point->size > 0 && point->depth == 1 && strcmp(point->op, first->op) == 0 &&
           strcmp(point->security, first->security) == 0;
}

/* The line through the sizes of FIRST's op and flavor. */
static void fit_line(struct sec_ladder *ladder, const struct sec_point *first)
{
    struct sec_line *line = &ladder->lines[ladder->line_count];
    struct piecewise_point points[PIECEWISE_POINTS_MAXIMUM];
    struct sweep_sizes *sizes = &line->sizes;
    struct error error;
    size_t count = 0;

    for (size_t i = 0; i < ladder->point_count && count < PIECEWISE_POINTS_MAXIMUM; i++) {
        const struct sec_point *point = &ladder->points[i];

        if (is_on_line(point, first))
            points[count++] = (struct piecewise_point){point->size,
                                                       {point->figures[SEC_ABOVE], point->repeats},
                                                       point->intervals[SEC_ROUND_TRIP].estimate};
    }
    if (count < 2)
        return;
    ladder->line_count++;
    *line = (struct sec_line){
        .op = first->op, .security = first->security, .sizes = {.clients = 1, .depth = 1}};
    piecewise_sort(points, count);
    if (piecewise_fit(points, count, &sizes->cost, &error) == 0)
        sizes->piece_count = sizes->cost.breaks + 1;
    else
        snprintf(sizes->missing, sizeof sizes->missing, "%.250s", error.text);
}

/* Is the point numbered INDEX the first of a line? That of AUTH_SYS would be noise. */
static bool begins_line(const struct sec_ladder *ladder, size_t index)
{
    const struct sec_point *point = &ladder->points[index];

    for (size_t i = 0; i < index; i++)
        if (is_on_line(&ladder->points[i], point))
            return false;
    return is_on_line(point, point) && strcmp(point->security, SEC_BASE) != 0;
}

void sec_ladder_analyse(struct sec_ladder *ladder, const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(ladder->point_count + 1, sizeof *points);
    size_t count = points ? ladder->point_count : 0;

    for (size_t i = 0; i < count; i++) {
        points[i] = sec_trials_of(&ladder->points[i]);
        trials_find_intervals(&points[i]);
    }
    for (size_t i = 0; i < count && ladder->line_count < SEC_LINES_MAXIMUM; i++)
        if (begins_line(ladder, i))
            fit_line(ladder, &ladder->points[i]);
    trials_judge(&ladder->validity, points, count, doubts, "AUTH_SYS's");
    free(points);
}
