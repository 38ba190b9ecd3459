/* Two files, compared: those that are no measurements figure by figure. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "common/memory.h"
#include "output/compare.h"
#include "output/result_file.h"
#include "output/settings.h"

/* The figures of a pair, as they are added. */
struct figures {
    struct compare_pair *pair;
    const char *ops; /* that are compared; NULL: all */
    size_t capacity;
    bool full; /* there was no memory for one */
};

/* Each file is one process, so it is not known how much processes differ. */
static struct compare_row *add(struct figures *figures, const char *of, const char *key,
                               const struct compare_figure *figure)
{
    struct compare_pair *pair = figures->pair;
    struct compare_row row = {.figure = *figure, .key = key, .one_launch = true, .judged = true};

    snprintf(row.of, sizeof row.of, "%s", of);
    if (array_add(&pair->figures, &pair->figure_count, &figures->capacity, 64, &row, sizeof row) ==
        0)
        return &pair->figures[pair->figure_count - 1];
    figures->full = true;
    return NULL;
}

static void note_unmatched(struct compare_pair *pair, size_t first, size_t second)
{
    if (first > 0 || second > 0)
        compare_note(pair, "points without the same in the other: %zu of A, %zu of B", first,
                     second);
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

/* A figure that has intervals. */
static void compare_levels(struct figures *figures, const char *of, const char *key,
                           const struct compare_figure *figure, const struct interval *first,
                           const struct interval *second, double noise)
{
    struct compare_row *row = NULL;

    if (!figure->shown || (!isnan(first->estimate) && !isnan(second->estimate)))
        row = add(figures, of, key, figure);
    if (!row)
        return;
    row->floor = noise;
    comparison_of_intervals(&row->comparison, first, second);
    if (figure->shown)
        leave_open(row, "shown, not judged");
    else if (isnan(row->comparison.difference.low) || isnan(row->comparison.difference.high))
        leave_open(row, "no interval between runs, so no verdict");
}

/* Points of sweeps and of security ladders */

struct point_figure {
    unsigned figure; /* enum sweep_figure, or enum sec_figure */
    struct compare_figure of;
};

static const struct point_figure of_points[] = {
    {SWEEP_THROUGHPUT, {"throughput, calls/s", 1, true, COMPARISON_ROUND_TRIP}},
    {SWEEP_MEAN, {"mean, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {SWEEP_P99, {"p99, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {SWEEP_COST, {"above null, us", 1000, false, COMPARISON_COST}},
};

static const struct point_figure of_sec_points[] = {
    {SEC_RATE, {"throughput, calls/s", 1, true, COMPARISON_ROUND_TRIP}},
    {SEC_ROUND_TRIP, {"round trip, us", 1000, false, COMPARISON_ROUND_TRIP}},
    {SEC_ABOVE, {"above AUTH_SYS, us", 1000, false, COMPARISON_COST}},
};

static const struct sweep_point *find_point(const struct sweep *sweep,
                                            const struct sweep_setting *setting)
{
    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct sweep_setting *own = &sweep->points[i].setting;

        if (own->clients == setting->clients && own->connections == setting->connections &&
            own->depth == setting->depth && own->size == setting->size &&
            own->rate == setting->rate)
            return &sweep->points[i];
    }
    return NULL;
}

/* The trials in which a figure is known; each has a mount of its own. */
static size_t trials_of(const struct repeats *repeats, struct launch trials[SWEEP_REPEATS_MAXIMUM])
{
    size_t count = 0;

    for (size_t i = 0; i < repeats->count; i++)
        if (!isnan(repeats->values[i])) {
            trials[count] = (struct launch){(unsigned)count, repeats->values[i], 0};
            count++;
        }
    return count;
}

static void compare_trials(struct figures *figures, const char *of, const char *key,
                           const struct compare_figure *figure, const struct repeats *first,
                           const struct repeats *second)
{
    struct launch a[SWEEP_REPEATS_MAXIMUM], b[SWEEP_REPEATS_MAXIMUM];
    size_t n = trials_of(first, a), m = trials_of(second, b);
    struct compare_row *row = n && m ? add(figures, of, key, figure) : NULL;

    if (!row || comparison_of_launches(&row->comparison, a, n, b, m))
        return;
    row->comparison.difference.low = row->comparison.difference.high = NAN;
    leave_open(row, "one trial each: no interval, so no verdict");
}

static void name_point(const struct sweep *sweep, const struct sweep_setting *setting,
                       char name[COMPARE_NAME_SIZE])
{
    int length = snprintf(name, COMPARE_NAME_SIZE, "%s, depth %u",
                          counted(setting->clients, "client").text, setting->depth);

    if (setting->rate > 0)
        length +=
            snprintf(name + length, COMPARE_NAME_SIZE - (size_t)length, ", %.6g/s", setting->rate);
    if (sweep->swept_size)
        snprintf(name + length, COMPARE_NAME_SIZE - (size_t)length, ", %u bytes", setting->size);
}

static void add_knees(struct figures *figures, const struct sweep *first,
                      const struct sweep *second)
{
    static const struct compare_figure knee = {"knee, calls in flight", 1, .shown = true};
    char of[COMPARE_NAME_SIZE];

    for (size_t i = 0; i < first->scaling_count; i++)
        for (size_t j = 0; j < second->scaling_count; j++) {
            const struct sweep_scaling *a = &first->scaling[i], *b = &second->scaling[j];

            snprintf(of, sizeof of, "%u bytes", a->size);
            if (a->size == b->size && a->has_knee && b->has_knee && !a->knee.lower_bound &&
                !b->knee.lower_bound)
                compare_levels(figures, first->swept_size ? of : first->op, "knee_concurrency",
                               &knee, &a->knee.concurrency, &b->knee.concurrency, 0);
        }
}

static void compare_points(struct figures *figures, const struct sweep_point *first,
                           const struct sweep_point *second, const char *of)
{
    for (size_t i = 0; i < sizeof of_points / sizeof of_points[0]; i++) {
        const unsigned figure = of_points[i].figure;

        compare_trials(figures, of, sweep_figure_name(figure), &of_points[i].of,
                       &(struct repeats){first->figures[figure], first->repeats},
                       &(struct repeats){second->figures[figure], second->repeats});
    }
}

static void compare_sweeps(struct figures *figures, const struct sweep *first,
                           const struct sweep *second)
{
    static const struct compare_figure highest = {"highest rate, calls/s", 1, .shown = true};
    size_t matched = 0;
    char text[COMPARE_NAME_SIZE];

    for (size_t i = 0; i < first->point_count; i++) {
        const struct sweep_point *point = &first->points[i];
        const struct sweep_point *other = find_point(second, &point->setting);

        matched += other != NULL;
        name_point(first, &point->setting, text);
        if (other)
            compare_points(figures, point, other, text);
    }
    add_knees(figures, first, second);
    if (first->objective_text && second->objective_text &&
        strcmp(first->objective_text, second->objective_text) == 0)
        compare_levels(figures, first->op, "find_max_rate_per_s", &highest, &first->objective.rate,
                       &second->objective.rate, 0);
    note_unmatched(figures->pair, first->point_count - matched, second->point_count - matched);
}

/* Security ladders */

static const struct sec_point *find_sec_point(const struct sec_ladder *ladder,
                                              const struct sec_point *wanted)
{
    for (size_t i = 0; i < ladder->point_count; i++) {
        const struct sec_point *own = &ladder->points[i];

        if (strcmp(own->op, wanted->op) == 0 && strcmp(own->security, wanted->security) == 0 &&
            own->size == wanted->size && own->depth == wanted->depth)
            return own;
    }
    return NULL;
}

/* Under load, the rate; of one call at a time, what it takes. */
static void compare_sec_points(struct figures *figures, const struct sec_point *first,
                               const struct sec_point *second)
{
    char name[SEC_NAME_SIZE], of[COMPARE_NAME_SIZE];

    snprintf(of, sizeof of, "%s, %s, depth %u", sec_point_name(first, name), first->security,
             first->depth);
    for (size_t i = 0; i < sizeof of_sec_points / sizeof of_sec_points[0]; i++) {
        const unsigned figure = of_sec_points[i].figure;

        if ((figure == SEC_RATE) == (first->depth > 1))
            compare_trials(figures, of, sec_figure_name(figure), &of_sec_points[i].of,
                           &(struct repeats){first->figures[figure], first->repeats},
                           &(struct repeats){second->figures[figure], second->repeats});
    }
}

static void compare_sec_ladders(struct figures *figures, const struct sec_ladder *first,
                                const struct sec_ladder *second)
{
    size_t matched = 0;

    for (size_t i = 0; i < first->point_count; i++) {
        const struct sec_point *point = &first->points[i], *other = find_sec_point(second, point);

        matched += other != NULL;
        if (other && is_same_op(figures, point->op, other->op))
            compare_sec_points(figures, point, other);
    }
    note_unmatched(figures->pair, first->point_count - matched, second->point_count - matched);
    if (first->check_in_time != second->check_in_time)
        compare_note(figures->pair, "one of the two was measured with --check-in-time");
}

/* Phases and steps */

static void compare_parts(struct figures *figures, const struct breakdown *first,
                          const struct breakdown *second)
{
    const struct compare_figure whole = {"whole", 1000, false, COMPARISON_ROUND_TRIP};

    for (size_t i = 0; i < first->part_count; i++) {
        const struct breakdown_part *part = &first->parts[i];
        const struct breakdown_part *other = breakdown_find(second, part->key);
        const struct compare_figure step = {part->name, 1000, false, COMPARISON_COST};

        if (other)
            compare_levels(figures, first->op, part->key, &step, &part->ns, &other->ns, 0);
        else
            compare_note(figures->pair, "%.40s: %.80s is in A alone", first->op, part->name);
    }
    for (size_t i = 0; i < second->part_count; i++)
        if (!breakdown_find(first, second->parts[i].key))
            compare_note(figures->pair, "%.40s: %.80s is in B alone", second->op,
                         second->parts[i].name);
    if (first->view)
        compare_levels(figures, first->op, "lifetime_ns", &whole, &first->whole, &second->whole, 0);
}

static void compare_breakdowns(struct figures *figures, const struct result_file *first,
                               const struct result_file *second)
{
    for (size_t i = 0; i < first->breakdown_count; i++)
        for (size_t j = 0; j < second->breakdown_count; j++) {
            const struct breakdown *a = &first->breakdowns[i], *b = &second->breakdowns[j];

            if (is_same_op(figures, a->op, b->op))
                compare_parts(figures, a, b);
        }
}

/* How much two sides differ */

static void compare_rows(struct figures *figures, const struct versus_row *first,
                         const struct versus_row *second)
{
    static const struct {
        enum versus_quantity quantity;
        struct compare_figure of;
    } compared[] = {
        {VERSUS_ROUND_TRIP, {"second less first, us", 1000, false, COMPARISON_COST}},
        {VERSUS_ABOVE_NULL, {"the same above null", 1000, false, COMPARISON_COST}},
        {VERSUS_MEAN, {"the same in the mean", 1000, false, COMPARISON_COST}},
    };

    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++) {
        const enum versus_quantity quantity = compared[i].quantity;
        const struct versus_part *a = &first->parts[quantity], *b = &second->parts[quantity];

        if (a->known && b->known)
            compare_levels(figures, first->first->op, versus_keys[quantity], &compared[i].of,
                           &a->comparison.difference, &b->comparison.difference,
                           fmax(a->floor, b->floor));
    }
}

static void compare_differences(struct figures *figures, const struct versus_result *first,
                                const struct versus_result *second)
{
    for (size_t i = 0; i < first->count; i++)
        for (size_t j = 0; j < second->count; j++)
            if (is_same_op(figures, first->rows[i].first->op, second->rows[j].first->op))
                compare_rows(figures, &first->rows[i], &second->rows[j]);
}

/* The whole */

static const char *op_of(const struct result_file *file)
{
    return file->sweep ? file->sweep->op : file->breakdown_count ? file->breakdowns[0].op : "";
}

static int compare_figures(struct compare_pair *pair, const struct result_file *first,
                           const struct result_file *second,
                           const struct compare_threshold *threshold, const char *ops,
                           struct error *error)
{
    struct figures figures = {.pair = pair, .ops = ops};
    char reason[COMPARE_TEXT_SIZE] = "";

    if (!result_file_has_ops(first))
        settings_note(pair);
    settings_against(pair->first, pair->second, op_of(first), reason, sizeof reason);
    if (first->sweep && strcmp(first->sweep->op, second->sweep->op) != 0)
        snprintf(reason, sizeof reason, "%.60s against %.60s", first->sweep->op, second->sweep->op);
    /* Then figures of the same name are not the same. */
    if (reason[0]) {
        compare_note(pair, "%.60s can't be compared: %.180s", op_of(first), reason);
        return 0;
    }
    if (first->sweep)
        compare_sweeps(&figures, first->sweep, second->sweep);
    if (first->sec_ladder)
        compare_sec_ladders(&figures, first->sec_ladder, second->sec_ladder);
    compare_breakdowns(&figures, first, second);
    compare_differences(&figures, &first->versus, &second->versus);
    return figures.full ? error_set(error, ERROR_FAILED, -ENOMEM, "out of memory")
                        : compare_judge(pair->figures, pair->figure_count, threshold, ops, error);
}

int compare_files(const struct result_file *first, const struct result_file *second,
                  const struct compare_threshold *threshold, const char *ops,
                  struct compare_pair *pairs, size_t *count, struct error *error)
{
    const bool sides = first->kind == RESULT_VERSUS;
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
