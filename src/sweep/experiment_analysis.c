/* The analysis of an experiment's cells: of each cell, and of cells that differ in load (clients,
 * depth), in size or in delay. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/laws/jackknife.h"
#include "sweep/experiment.h"

enum { LINKS_MAXIMUM = 64 };
#define FIGURE_MOST 1e15

static struct repeats repeats_of(const struct experiment_cell *point, enum cell_figure figure)
{
    return (struct repeats){point->figures[figure], point->units};
}

/* Return POINT as a load point with the response time RESPONSE, CELL_MEAN or CELL_TYPICAL. */
static struct load_point load_point_of(const struct experiment_cell *point,
                                       enum cell_figure response)
{
    return (struct load_point){.concurrency = cell_in_flight(&point->setting),
                               .throughput = repeats_of(point, CELL_RATE),
                               .response_ns = repeats_of(point, response)};
}

/* Cells */

/* Remove the cells that have no units, except cells whose rate can't be reached. No contrast refers
 * to a removed cell. */
static int drop_untried(struct experiment_result *result)
{
    size_t *places = calloc(result->cell_count + 1, sizeof *places), kept = 0;

    if (!places)
        return -ENOMEM;
    for (size_t i = 0; i < result->cell_count; i++) {
        places[i] = kept;
        if (result->cells[i].units == 0 && !result->cells[i].out_of_reach)
            continue;
        if (kept != i)
            result->cells[kept] = result->cells[i];
        kept++;
    }
    for (size_t i = 0; i < result->contrast_count; i++) {
        result->contrasts[i].first = places[result->contrasts[i].first];
        result->contrasts[i].second = places[result->contrasts[i].second];
    }
    result->cell_count = kept;
    free(places);
    return 0;
}

/* Set CELL's intervals from the spread of its units. If CELL has only one unit, the intervals come
 * from the spread of that unit's rounds. */
static void find_intervals(struct experiment_cell *cell)
{
    struct error ignored;

    for (enum cell_figure i = 0; i < CELL_FIGURES; i++) {
        const struct repeats units = repeats_of(cell, i);
        struct interval *interval = &cell->intervals[i];

        *interval = (struct interval){NAN, NAN, NAN};
        if (units.count > 0 && !isnan(units.values[0]))
            jackknife_level(&units, i == CELL_COST, interval, &ignored);
        if (cell->units == 1)
            *interval =
                (struct interval){interval->estimate, cell->within[i].low, cell->within[i].high};
        if (i != CELL_COST && interval->low < 0)
            interval->low = 0;
        /* the interval of two units that are far apart is useless */
        if (interval->high > FIGURE_MOST)
            interval->low = interval->high = NAN;
    }
}

void experiment_find_intervals(struct experiment_result *result)
{
    for (size_t i = 0; i < result->cell_count; i++)
        find_intervals(&result->cells[i]);
}

static void check_little(struct experiment_cell *point)
{
    struct load_point load = load_point_of(point, CELL_MEAN);
    struct error ignored;

    if (!isnan(point->intervals[CELL_TURN_AROUND].estimate))
        load.turn_around_ns = repeats_of(point, CELL_TURN_AROUND);

    point->has_little = point->setting.rate == 0 && point->units > 0 &&
                        load_point_little(&load, &point->little, &ignored) == 0;
}

static bool are_alike(const struct experiment_cell *a, const struct experiment_cell *b)
{
    return strcmp(a->op, b->op) == 0 && same_text(a->variant, b->variant);
}

/* Groups */

static size_t load_points_of(const struct experiment_result *result,
                             const struct experiment_cell *first, struct load_point *points)
{
    size_t count = 0;

    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].units > 0 && cells_differ_in_load_only(&result->cells[i], first))
            points[count++] = load_point_of(&result->cells[i], CELL_TYPICAL);
    return count;
}

static void refuse_law(struct experiment_scaling *scaling)
{
    const struct scalability *law = &scaling->law;

    scaling->has_law = false;
    snprintf(scaling->missing, sizeof scaling->missing,
             "the points do not follow the Universal Scalability Law, which differs by %.0f %% at "
             "%.0f in flight, %.0f %% beyond the noise%s",
             100 * law->residual_largest, law->residual_concurrency, 100 * law->misfit,
             law->denies_growth ? ", and has its peak where the throughput still grew" : "");
}

static void analyse_scaling(struct experiment_result *result, const struct experiment_cell *first,
                            struct load_point *points)
{
    struct experiment_scaling *scaling = &result->scaling[result->scaling_count];
    size_t count = load_points_of(result, first, points);
    struct error error, ignored;

    if (result->preset == PRESET_VARY &&
        load_point_concurrencies(points, count) < SCALABILITY_CONCURRENCIES_LEAST)
        return;
    result->scaling_count++;
    *scaling = (struct experiment_scaling){
        .op = first->op, .variant = first->variant, .size = first->setting.size};
    scaling->has_law = scalability_fit(points, count, &scaling->law, &error) == 0;
    if (!scaling->has_law)
        snprintf(scaling->missing, sizeof scaling->missing, "%.250s", error.text);
    else if (!scaling->law.fits)
        refuse_law(scaling);
    scaling->has_knee = load_point_knee(points, count, &scaling->knee, &ignored) == 0;
}

static bool same_but_size(const struct experiment_cell *a, const struct experiment_cell *b)
{
    return are_alike(a, b) && a->setting.clients == b->setting.clients &&
           a->setting.depth == b->setting.depth;
}

/* Set POINT to CELL's size and cost, and SIZES' basis to the kind of cost. Usually this is the cost
 * above null or, if that cost is unknown, the typical time. In a security ladder, it is the cost
 * above AUTH_SYS. POINT's scale makes a fit judge distances from the line relative to the typical
 * time. Returns false if no cost is known. */
static bool piecewise_point_of(const struct experiment_result *result,
                               const struct experiment_cell *cell, struct experiment_sizes *sizes,
                               struct piecewise_point *point)
{
    const struct experiment_contrast *contrast = cell->against;

    *point = (struct piecewise_point){cell->setting.size, repeats_of(cell, CELL_COST),
                                      cell->intervals[CELL_TYPICAL].estimate};
    sizes->basis = SIZES_ABOVE_NULL;
    if (result->preset == PRESET_SEC_LADDER) {
        if (!contrast || contrast->units == 0)
            return false;
        point->cost = (struct repeats){contrast->differences, contrast->units};
        sizes->basis = SIZES_ABOVE_REFERENCE;
    } else if (isnan(cell->intervals[CELL_COST].estimate)) {
        point->cost = repeats_of(cell, CELL_TYPICAL);
        point->scale = 0;
        sizes->basis = SIZES_TYPICAL;
    }
    return cell->units > 0;
}

/* Return the least number of sizes for which a line, or the reason for its absence, is reported. */
static size_t sizes_least(const struct experiment_result *result)
{
    return result->preset == PRESET_SWEEP        ? 0
           : result->preset == PRESET_SEC_LADDER ? 2
                                                 : PIECEWISE_POINTS_LEAST;
}

static void analyse_sizes(struct experiment_result *result, const struct experiment_cell *first)
{
    struct experiment_sizes *sizes = &result->sizes[result->sizes_count];
    struct piecewise_point points[PIECEWISE_POINTS_MAXIMUM];
    struct error error;
    size_t count = 0;

    *sizes = (struct experiment_sizes){.op = first->op,
                                       .variant = first->variant,
                                       .clients = first->setting.clients,
                                       .depth = first->setting.depth};
    for (size_t i = 0; i < result->cell_count && count < PIECEWISE_POINTS_MAXIMUM; i++)
        if (same_but_size(&result->cells[i], first) &&
            piecewise_point_of(result, &result->cells[i], sizes, &points[count]))
            count++;
    if (count < sizes_least(result))
        return;
    result->sizes_count++;
    estimate_sort_by_first(points, count, sizeof *points);
    if (piecewise_fit(points, count, &sizes->cost, &error) == 0)
        sizes->piece_count = sizes->cost.breaks + 1;
    else
        snprintf(sizes->missing, sizeof sizes->missing, "%.250s", error.text);
}

/* Return true if A and B may differ only in their variants and in the delay to the server. */
static bool same_but_delay(const struct experiment_cell *a, const struct experiment_cell *b)
{
    const struct cell_setting *first = &a->setting, *second = &b->setting;

    return strcmp(a->op, b->op) == 0 && a->has_link == b->has_link &&
           a->link.rate == b->link.rate && first->clients == second->clients &&
           first->connections == second->connections && first->depth == second->depth &&
           first->size == second->size && first->rate == second->rate;
}

/* Analyse the effect of delay on the typical time and the typical rate (the mean rate depends on
 * other load of the machine). Nothing is reported if two cells have the same delay, because these
 * cells differ in another option. */
static void analyse_delay(struct experiment_result *result, const struct experiment_cell *first)
{
    struct experiment_delay *delay = &result->delays[result->delay_count];
    struct delay_point points[LINKS_MAXIMUM];
    struct error ignored;
    size_t count = 0;

    *delay = (struct experiment_delay){.op = first->op, .setting = first->setting};
    for (size_t i = 0; i < result->cell_count && count < LINKS_MAXIMUM; i++) {
        const struct experiment_cell *cell = &result->cells[i];

        if (same_but_delay(cell, first) && cell->units > 0)
            points[count++] =
                (struct delay_point){cell->link.latency_ns, repeats_of(cell, CELL_TYPICAL),
                                     repeats_of(cell, CELL_TYPICAL_RATE)};
    }
    if (delay_fit(&delay->effect, points, count, &ignored) == 0)
        result->delay_count++;
}

/* Return the lowest index of a cell that SAME finds equal to cell INDEX. If no earlier cell is
 * equal, this is INDEX. */
static size_t first_of(const struct experiment_result *result, size_t index,
                       bool (*same)(const struct experiment_cell *, const struct experiment_cell *))
{
    size_t i = 0;

    while (!same(&result->cells[i], &result->cells[index]))
        i++;
    return i;
}

static void analyse_groups(struct experiment_result *result)
{
    const bool loads = (result->varies_clients || result->varies_depth) && !result->varies_rate;
    struct load_point *points = calloc(result->cell_count + 1, sizeof *points);

    for (size_t i = 0; points && i < result->cell_count; i++) {
        if (loads && first_of(result, i, cells_differ_in_load_only) == i &&
            result->preset != PRESET_SEC_LADDER &&
            result->scaling_count < EXPERIMENT_GROUPS_MAXIMUM)
            analyse_scaling(result, &result->cells[i], points);
        if (result->varies_size && !result->varies_rate && result->cells[i].setting.size > 0 &&
            first_of(result, i, same_but_size) == i &&
            result->sizes_count < EXPERIMENT_GROUPS_MAXIMUM)
            analyse_sizes(result, &result->cells[i]);
        if (result->cells[i].has_link && result->cells[i].setting.rate == 0 &&
            first_of(result, i, same_but_delay) == i &&
            result->delay_count < EXPERIMENT_GROUPS_MAXIMUM)
            analyse_delay(result, &result->cells[i]);
    }
    free(points);
}

void experiment_analyse(struct experiment_result *result)
{
    if (drop_untried(result) != 0)
        return;
    experiment_complete(result);
    experiment_find_intervals(result);
    for (size_t i = 0; i < result->cell_count; i++)
        check_little(&result->cells[i]);
    experiment_find_limits(result);
    if (!result->objective_text)
        analyse_groups(result);
}
