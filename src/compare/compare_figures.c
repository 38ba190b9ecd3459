/* Compares two files. Files other than measurements are compared figure by figure. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "compare/compare.h"
#include "experiment/experiment.h"
#include "output/result/result_file.h"
#include "output/result/settings.h"

/* The figures of a pair while they are added. */
struct figures {
    struct compare_pair *pair;
    const char *ops; /* ops to compare; NULL for all */
    /* at least one side was one process, so the variation between processes is not known */
    bool one_launch;
    size_t capacity;
    bool full; /* a figure was lost because memory ran out */
};

static struct compare_row *add_figure(struct figures *figures, const char *of, const char *key,
                                      const struct compare_figure *figure)
{
    struct compare_pair *pair = figures->pair;
    struct compare_row row = {
        .figure = *figure, .key = key, .one_launch = figures->one_launch, .judged = true};

    snprintf(row.of, sizeof row.of, "%s", of);
    if (array_add(&pair->figures, &pair->figure_count, &figures->capacity, &row, sizeof row) == 0)
        return &pair->figures[pair->figure_count - 1];
    figures->full = true;
    return NULL;
}

static bool is_same_op(const struct figures *figures, const char *first, const char *second)
{
    return strcmp(first, second) == 0 && (!figures->ops || result_names_op(figures->ops, first));
}

static void leave_open(struct compare_row *row, const char *reason)
{
    row->judged = false;
    compare_leave_open(row, reason);
}

/* Compare a figure that has an interval on each side. NOISE is the floor of the difference, ns. */
static void compare_levels(struct figures *figures, const char *of, const char *key,
                           const struct compare_figure *figure, const struct interval *first,
                           const struct interval *second, double noise)
{
    struct compare_row *row = NULL;

    if (!figure->shown || (!isnan(first->estimate) && !isnan(second->estimate)))
        row = add_figure(figures, of, key, figure);
    if (!row)
        return;
    row->floor = noise;
    comparison_of_intervals(&row->comparison, first, second);
    if (figure->shown)
        leave_open(row, "a figure for information only");
    else if (isnan(row->comparison.difference.low) || isnan(row->comparison.difference.high))
        leave_open(row, "no interval over several runs");
}

/* Cells of experiments */

enum at_load { ALONE = 1, LOADED = 2, OPEN_LOOP = 4, ANY = ALONE | LOADED | OPEN_LOOP };

static enum at_load load_of(const struct cell_setting *setting)
{
    return setting->rate > 0                                              ? OPEN_LOOP
           : setting->clients * setting->connections * setting->depth > 1 ? LOADED
                                                                          : ALONE;
}

/* The compared figures of cells. The typical time is compared only for one call in flight, because
 * with more calls the typical rate says the same. */
static const struct {
    enum cell_figure figure;
    unsigned loads; /* set of enum at_load: loads at which the figure is compared */
    struct compare_figure of;
} of_cells[] = {
    {CELL_TYPICAL_RATE, LOADED, {"typical rate, calls/s", 1, true, COMPARISON_ROUND_TRIP}},
    {CELL_TYPICAL, ALONE, {"typical, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {CELL_RATE, ANY, {"mean rate, calls/s", 1, true, COMPARISON_ROUND_TRIP}},
    {CELL_MEAN, OPEN_LOOP, {"mean, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {CELL_P99, ANY, {"p99, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {CELL_COST, ANY, {"above null, us", 1000, false, COMPARISON_COST}},
};

/* Store the known VALUES in UNITS, as independent units. Returns the number of units. */
static size_t units_of(const double *values, size_t count, struct launch units[UNITS_MAXIMUM])
{
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            units[known] = (struct launch){(unsigned)known, values[i], 0};
            known++;
        }
    return known;
}

static void compare_units(struct figures *figures, const char *of, const char *key,
                          const struct compare_figure *figure, const struct repeats *first,
                          const struct repeats *second)
{
    struct launch a[UNITS_MAXIMUM], b[UNITS_MAXIMUM];
    size_t n = units_of(first->values, first->count, a);
    size_t m = units_of(second->values, second->count, b);
    struct compare_row *row = n && m ? add_figure(figures, of, key, figure) : NULL;

    if (!row || comparison_of_launches(&row->comparison, a, n, b, m))
        return;
    row->comparison.difference.low = row->comparison.difference.high = NAN;
    leave_open(row, "one trial on each side, so no interval");
}

static void compare_two_cells(struct figures *figures, const char *of,
                              const struct experiment_cell *first,
                              const struct experiment_cell *second)
{
    static const struct compare_figure above = {"above reference, us", 1000, false,
                                                COMPARISON_COST};

    for (size_t i = 0; i < sizeof of_cells / sizeof of_cells[0]; i++) {
        const enum cell_figure figure = of_cells[i].figure;

        if (of_cells[i].loads & load_of(&first->setting))
            compare_units(figures, of, cell_figure_name(figure), &of_cells[i].of,
                          &(struct repeats){first->figures[figure], first->units},
                          &(struct repeats){second->figures[figure], second->units});
    }
    if (first->against && second->against)
        compare_units(figures, of, "above_reference_ns", &above,
                      &(struct repeats){first->against->differences, first->against->units},
                      &(struct repeats){second->against->differences, second->against->units});
}

static void compare_cells(struct figures *figures, const struct experiment_result *first,
                          const struct experiment_result *second)
{
    size_t matched = 0;
    char of[FIELD_ROOM];

    for (size_t i = 0; i < first->cell_count; i++) {
        const struct experiment_cell *cell = &first->cells[i],
                                     *other = experiment_find_cell(second, cell);

        matched += other != NULL;
        if (other && is_same_op(figures, cell->op, other->op))
            compare_two_cells(figures, cell_label(first, cell, true, of), cell, other);
    }
    if (matched < first->cell_count || matched < second->cell_count)
        compare_note(figures->pair, "points that only one side has: %zu of A, %zu of B",
                     first->cell_count - matched, second->cell_count - matched);
}

static void compare_knees(struct figures *figures, const struct experiment_result *first,
                          const struct experiment_result *second)
{
    static const struct compare_figure knee = {"knee, calls in flight", 1, .shown = true};
    char of[COMPARE_NAME_SIZE];

    for (size_t i = 0; i < first->scaling_count; i++)
        for (size_t j = 0; j < second->scaling_count; j++) {
            const struct experiment_scaling *a = &first->scaling[i], *b = &second->scaling[j];

            if (first->varies_size)
                snprintf(of, sizeof of, "%.40s, %u bytes", a->op, a->size);
            else
                snprintf(of, sizeof of, "%.40s", a->op);
            if (is_same_op(figures, a->op, b->op) && same_text(a->variant, b->variant) &&
                a->size == b->size && a->has_knee && b->has_knee && !a->knee.lower_bound &&
                !b->knee.lower_bound)
                compare_levels(figures, of, "knee_concurrency", &knee, &a->knee.concurrency,
                               &b->knee.concurrency, 0);
        }
}

static bool have_common_op(const struct experiment_result *first,
                           const struct experiment_result *second)
{
    for (size_t i = 0; i < first->cell_count; i++)
        for (size_t j = 0; j < second->cell_count; j++)
            if (strcmp(first->cells[i].op, second->cells[j].op) == 0)
                return true;
    return false;
}

static void compare_experiments(struct figures *figures, const struct experiment_result *first,
                                const struct experiment_result *second)
{
    static const struct compare_figure highest = {"highest rate, calls/s", 1, .shown = true};

    compare_cells(figures, first, second);
    compare_knees(figures, first, second);
    if (first->objective_text && second->objective_text &&
        strcmp(first->objective_text, second->objective_text) == 0)
        compare_levels(figures, first->ops, "find_max_rate_per_s", &highest, &first->objective.rate,
                       &second->objective.rate, 0);
    if (first->check_in_time != second->check_in_time)
        compare_note(figures->pair, "only one side was measured with --check-in-time");
}

static void compare_parts(struct figures *figures, const struct breakdown *first,
                          const struct breakdown *second)
{
    const struct compare_figure whole = {"whole", 1000, false, COMPARISON_ROUND_TRIP};

    for (size_t i = 0; i < first->part_count; i++) {
        const struct breakdown_part *part = &first->parts[i];
        const struct breakdown_part *other = breakdown_find(second, part->key);
        const struct compare_figure step = {part->name, 1000, false, COMPARISON_COST};

        if (other)
            compare_levels(figures, first->name, part->key, &step, &part->ns, &other->ns, 0);
        else
            compare_note(figures->pair, "%.40s: only A has %.80s", first->name, part->name);
    }
    for (size_t i = 0; i < second->part_count; i++)
        if (!breakdown_find(first, second->parts[i].key))
            compare_note(figures->pair, "%.40s: only B has %.80s", second->name,
                         second->parts[i].name);
    if (first->view)
        compare_levels(figures, first->name, "lifetime_ns", &whole, &first->whole, &second->whole,
                       0);
}

static void compare_breakdowns(struct figures *figures, const struct result_file *first,
                               const struct result_file *second)
{
    for (size_t i = 0; i < first->breakdown_count; i++)
        for (size_t j = 0; j < second->breakdown_count; j++) {
            const struct breakdown *a = &first->breakdowns[i], *b = &second->breakdowns[j];

            if (is_same_op(figures, a->op, b->op) && strcmp(a->name, b->name) == 0)
                compare_parts(figures, a, b);
        }
}

static void compare_contrasts(struct figures *figures, const struct experiment_result *first,
                              const struct experiment_result *second)
{
    static const struct compare_figure of[QUANTITIES] = {
        [QUANTITY_ROUND_TRIP] = {"second less first, us", 1000, false, COMPARISON_COST},
        [QUANTITY_ABOVE_NULL] = {"the same above null", 1000, false, COMPARISON_COST},
        [QUANTITY_MEAN] = {"the same in the mean", 1000, false, COMPARISON_COST},
    };

    for (size_t i = 0; i < first->contrast_count; i++)
        for (size_t j = 0; j < second->contrast_count; j++) {
            const struct experiment_contrast *a = &first->contrasts[i], *b = &second->contrasts[j];
            const char *op = first->cells[a->second].op;

            if (a->quantity == b->quantity && of[a->quantity].name &&
                strcmp(op, "null_control") != 0 &&
                is_same_op(figures, op, second->cells[b->second].op))
                compare_levels(figures, op, quantity_keys[a->quantity], &of[a->quantity],
                               &a->comparison.difference, &b->comparison.difference,
                               fmax(a->floor, b->floor));
        }
}

/* Files */

static const char *op_of(const struct result_file *file)
{
    return file->breakdown_count ? file->breakdowns[0].op : experiment_of(file) ? "experiment" : "";
}

static int compare_figures(struct compare_pair *pair, const struct result_file *first,
                           const struct result_file *second,
                           const struct compare_threshold *threshold, const char *ops,
                           struct error *error)
{
    const struct experiment_result *a = experiment_of(first), *b = experiment_of(second);
    struct figures figures = {
        .pair = pair, .ops = ops, .one_launch = !a || !a->launches || !b->launches};
    char reason[COMPARE_TEXT_SIZE] = "";

    if (!result_file_has_ops(first))
        compare_note_settings(pair);
    settings_find_difference(pair->first, pair->second, op_of(first), reason, sizeof reason);
    if (a && !have_common_op(a, b))
        snprintf(reason, sizeof reason, "%.60s against %.60s", a->ops, b->ops);
    /* with different settings, figures of the same name have different meanings */
    if (reason[0]) {
        compare_note(pair, "%.60s can't be compared: %.180s", op_of(first), reason);
        return 0;
    }
    if (first->has_sides)
        compare_contrasts(&figures, a, b);
    else if (a)
        compare_experiments(&figures, a, b);
    compare_breakdowns(&figures, first, second);
    return figures.full ? error_set(error, ERROR_FAILED, -ENOMEM, "out of memory")
                        : compare_judge(pair->figures, pair->figure_count, threshold, ops, error);
}

int compare_files(const struct result_file *first, const struct result_file *second,
                  const struct compare_threshold *threshold, const char *ops,
                  struct compare_pair *pairs, size_t *count, struct error *error)
{
    const bool sides = first->has_sides;
    int code = 0;

    for (int i = 0; i <= sides && code == 0; i++) {
        struct compare_pair *pair = &pairs[(*count)++];

        *pair = (struct compare_pair){.kind = first->kind,
                                      .first = i ? &first->second : &first->result,
                                      .second = i ? &second->second : &second->result,
                                      .first_count = 1,
                                      .second_count = 1};
        if (result_file_has_ops(first))
            code = pair_compare(pair, threshold, ops, error);
        if (code == 0 && i == sides && first->kind != RESULT_MEASUREMENT)
            code = compare_figures(pair, first, second, threshold, ops, error);
    }
    return code;
}
