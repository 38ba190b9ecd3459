/* What the trials of a security ladder say: intervals over the repeats, lines over the sizes, and
 * whether to believe them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/sec_ladder.h"

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
    if (piecewise_fit(points, count, ladder->origin.seed, &sizes->cost, &error) == 0)
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

void sec_ladder_analyse(struct sec_ladder *ladder)
{
    for (size_t i = 0; i < ladder->point_count; i++) {
        struct trials trials = sec_trials_of(&ladder->points[i]);

        trials_find_intervals(&trials, ladder->origin.seed);
    }
    for (size_t i = 0; i < ladder->point_count && ladder->line_count < SEC_LINES_MAXIMUM; i++)
        if (begins_line(ladder, i))
            fit_line(ladder, &ladder->points[i]);
}

void sec_ladder_judge(struct sec_ladder *ladder, const struct sweep_doubts *doubts)
{
    struct trials *points = calloc(ladder->point_count + 1, sizeof *points);
    size_t count = points ? ladder->point_count : 0;

    for (size_t i = 0; i < count; i++)
        points[i] = sec_trials_of(&ladder->points[i]);
    trials_judge(&ladder->validity, points, count, doubts, "AUTH_SYS's");
    free(points);
}
