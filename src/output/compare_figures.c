/* Results other than measurements, compared figure by figure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "measure/launches.h"
#include "output/compare.h"
#include "output/result_file.h"
#include "output/settings.h"

/* The figures of a pair, as they are added. */
struct figures {
    struct compare_pair *pair;
    size_t room;
};

static struct compare_figure *add(struct figures *figures, const char *of, const char *name,
                                  const char *key, double unit)
{
    struct compare_pair *pair = figures->pair;
    struct compare_figure *figure;

    if (pair->figure_count == figures->room)
        return NULL;
    figure = &pair->figures[pair->figure_count++];
    *figure = (struct compare_figure){.name = name, .key = key, .unit = unit};
    snprintf(figure->of, sizeof figure->of, "%s", of);
    return figure;
}

/* FIGURE is shown, and there is no verdict on it. */
static void leave_open(struct compare_figure *figure, const char *reason)
{
    figure->word = COMPARISON_UNKNOWN;
    figure->reason = reason;
}

static void compare_intervals(struct compare_figure *figure, const struct interval *first,
                              const struct interval *second)
{
    comparison_of_intervals(&figure->comparison, first, second);
    if (isnan(figure->comparison.difference.low) || isnan(figure->comparison.difference.high))
        leave_open(figure, "no interval between runs, so no verdict");
}

static double smaller_of(const struct comparison *comparison)
{
    return fmin(fabs(comparison->first.estimate), fabs(comparison->second.estimate));
}

/* Points of sweeps and of security ladders */

struct point_figure {
    unsigned figure; /* enum sweep_figure, or enum sec_figure */
    const char *name;
    double unit;
    bool more_is_better;
    enum comparison_quantity quantity;
};

enum { FIGURES_OF_POINT = 4, FIGURES_OF_SEC_POINT = 3 };

static const struct point_figure of_points[FIGURES_OF_POINT] = {
    {SWEEP_THROUGHPUT, "throughput, calls/s", 1, true, COMPARISON_ROUND_TRIP},
    {SWEEP_MEAN, "mean, us", 1000, false, COMPARISON_ROUND_TRIP},
    {SWEEP_P99, "p99, us", 1000, false, COMPARISON_ROUND_TRIP},
    {SWEEP_COST, "above null, us", 1000, false, COMPARISON_COST},
};

static const struct point_figure of_sec_points[FIGURES_OF_SEC_POINT] = {
    {SEC_RATE, "throughput, calls/s", 1, true, COMPARISON_ROUND_TRIP},
    {SEC_ROUND_TRIP, "round trip, us", 1000, false, COMPARISON_ROUND_TRIP},
    {SEC_ABOVE, "above AUTH_SYS, us", 1000, false, COMPARISON_COST},
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

/* The least difference that counts. Each file is one process, so it is not known how much processes
 * differ. The share is the same for rates and times. */
static double floor_of(const struct point_figure *type, const struct comparison *comparison)
{
    const double second_ns = 1e9;

    if (type->more_is_better)
        return comparison_floor(COMPARISON_ONE_LAUNCH, type->quantity, second_ns, 0) / second_ns *
               smaller_of(comparison);
    return comparison_floor(COMPARISON_ONE_LAUNCH, type->quantity, smaller_of(comparison), 0);
}

static void compare_trials(struct figures *figures, const struct repeats *first,
                           const struct repeats *second, const struct point_figure *type,
                           const char *key, const char *of)
{
    struct launch a[SWEEP_REPEATS_MAXIMUM], b[SWEEP_REPEATS_MAXIMUM];
    size_t n = trials_of(first, a), m = trials_of(second, b);
    struct compare_figure *figure = n && m ? add(figures, of, type->name, key, type->unit) : NULL;

    if (!figure)
        return;
    figure->more_is_better = type->more_is_better;
    if (!launches_compare(a, n, b, m, &figure->comparison)) {
        figure->comparison.difference.low = figure->comparison.difference.high = NAN;
        leave_open(figure, "one trial each: no interval, so no verdict");
    }
    figure->floor = floor_of(type, &figure->comparison);
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

/* Shown with intervals; more or less of it is neither better nor worse. */
static void add_shown(struct figures *figures, const char *of, const char *name, const char *key,
                      const struct interval *first, const struct interval *second)
{
    struct compare_figure *figure = NULL;

    if (!isnan(first->estimate) && !isnan(second->estimate))
        figure = add(figures, of, name, key, 1);
    if (!figure)
        return;
    compare_intervals(figure, first, second);
    leave_open(figure, "shown, not judged");
}

static void add_knees(struct figures *figures, const struct sweep *first,
                      const struct sweep *second)
{
    char of[COMPARE_NAME_SIZE];

    for (size_t i = 0; i < first->scaling_count; i++)
        for (size_t j = 0; j < second->scaling_count; j++) {
            const struct sweep_scaling *a = &first->scaling[i], *b = &second->scaling[j];

            snprintf(of, sizeof of, "%u bytes", a->size);
            if (a->size == b->size && a->has_knee && b->has_knee)
                add_shown(figures, first->swept_size ? of : first->op, "knee, calls in flight",
                          "knee_concurrency", &a->knee.concurrency, &b->knee.concurrency);
        }
}

static void note(struct compare_pair *pair, const char *text)
{
    if (pair->note_count < COMPARE_NOTES_MAXIMUM)
        snprintf(pair->notes[pair->note_count++], COMPARE_TEXT_SIZE, "%s", text);
}

static void note_unmatched(struct compare_pair *pair, size_t first, size_t second)
{
    char text[COMPARE_NAME_SIZE];

    snprintf(text, sizeof text, "points without the same in the other: %zu of A, %zu of B", first,
             second);
    if (first > 0 || second > 0)
        note(pair, text);
}

static void compare_points(struct figures *figures, const struct sweep_point *first,
                           const struct sweep_point *second, const char *of)
{
    for (size_t i = 0; i < FIGURES_OF_POINT; i++) {
        const unsigned figure = of_points[i].figure;

        compare_trials(figures, &(struct repeats){first->figures[figure], first->repeats},
                       &(struct repeats){second->figures[figure], second->repeats}, &of_points[i],
                       sweep_figure_name(figure), of);
    }
}

static void compare_sweeps(struct figures *figures, const struct sweep *first,
                           const struct sweep *second)
{
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
        add_shown(figures, first->op, "highest rate, calls/s", "find_max_rate_per_s",
                  &first->objective.rate, &second->objective.rate);
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
    for (size_t i = 0; i < FIGURES_OF_SEC_POINT; i++) {
        const unsigned figure = of_sec_points[i].figure;

        if ((figure == SEC_RATE) == (first->depth > 1))
            compare_trials(figures, &(struct repeats){first->figures[figure], first->repeats},
                           &(struct repeats){second->figures[figure], second->repeats},
                           &of_sec_points[i], sec_figure_name(figure), of);
    }
}

static void compare_sec_ladders(struct figures *figures, const struct sec_ladder *first,
                                const struct sec_ladder *second, const char *ops)
{
    size_t matched = 0;

    for (size_t i = 0; i < first->point_count; i++) {
        const struct sec_point *point = &first->points[i], *other = find_sec_point(second, point);

        matched += other != NULL;
        if (other && (!ops || result_names_op(ops, point->op)))
            compare_sec_points(figures, point, other);
    }
    note_unmatched(figures->pair, first->point_count - matched, second->point_count - matched);
    if (first->check_in_time != second->check_in_time)
        note(figures->pair, "one of the two was measured with --check-in-time");
}

/* Phases and steps */

static void compare_part(struct figures *figures, const char *op,
                         const struct breakdown_part *first, const struct breakdown_part *second,
                         enum comparison_quantity quantity)
{
    struct compare_figure *figure = add(figures, op, first->name, first->key, 1000);

    if (!figure)
        return;
    compare_intervals(figure, &first->ns, &second->ns);
    figure->floor =
        comparison_floor(COMPARISON_ONE_LAUNCH, quantity, smaller_of(&figure->comparison), 0);
}

static void note_part(struct figures *figures, const char *op, const struct breakdown_part *part,
                      char side)
{
    char text[COMPARE_TEXT_SIZE];

    snprintf(text, sizeof text, "%.40s: %.80s is in %c alone", op, part->name, side);
    note(figures->pair, text);
}

static void compare_parts(struct figures *figures, const struct breakdown *first,
                          const struct breakdown *second)
{
    const struct breakdown_part whole[] = {
        {.name = "whole", .key = "lifetime_ns", .ns = first->whole},
        {.name = "whole", .key = "lifetime_ns", .ns = second->whole}};

    for (size_t i = 0; i < first->part_count; i++) {
        const struct breakdown_part *part = breakdown_find(second, first->parts[i].key);

        if (part)
            compare_part(figures, first->op, &first->parts[i], part, COMPARISON_COST);
        else
            note_part(figures, first->op, &first->parts[i], 'A');
    }
    for (size_t i = 0; i < second->part_count; i++)
        if (!breakdown_find(first, second->parts[i].key))
            note_part(figures, second->op, &second->parts[i], 'B');
    if (first->view)
        compare_part(figures, first->op, &whole[0], &whole[1], COMPARISON_ROUND_TRIP);
}

static void compare_breakdowns(struct figures *figures, const struct result_file *first,
                               const struct result_file *second, const char *ops)
{
    for (size_t i = 0; i < first->breakdown_count; i++)
        for (size_t j = 0; j < second->breakdown_count; j++) {
            const struct breakdown *a = &first->breakdowns[i], *b = &second->breakdowns[j];

            if (strcmp(a->op, b->op) == 0 && (!ops || result_names_op(ops, a->op)))
                compare_parts(figures, a, b);
        }
}

/* How much two sides differ */

static void compare_differences(struct figures *figures, const struct versus_result *first,
                                const struct versus_result *second, const char *ops)
{
    static const struct {
        enum versus_quantity quantity;
        const char *name;
    } compared[] = {{VERSUS_ROUND_TRIP, "second less first, us"},
                    {VERSUS_ABOVE_NULL, "the same above null"},
                    {VERSUS_MEAN, "the same in the mean"}};

    for (size_t i = 0; i < first->count; i++)
        for (size_t j = 0; j < second->count; j++)
            for (size_t k = 0; k < sizeof compared / sizeof compared[0]; k++) {
                const char *op = first->rows[i].first->op;
                const struct versus_part *a = &first->rows[i].parts[compared[k].quantity];
                const struct versus_part *b = &second->rows[j].parts[compared[k].quantity];
                struct compare_figure *figure = NULL;

                if (strcmp(op, second->rows[j].first->op) == 0 && a->known && b->known &&
                    (!ops || result_names_op(ops, op)))
                    figure =
                        add(figures, op, compared[k].name, versus_keys[compared[k].quantity], 1000);
                if (!figure)
                    continue;
                compare_intervals(figure, &a->comparison.difference, &b->comparison.difference);
                figure->floor =
                    comparison_floor(COMPARISON_ONE_LAUNCH, COMPARISON_COST,
                                     smaller_of(&figure->comparison), fmax(a->floor, b->floor));
            }
}

/* Judging */

static bool is_regression(const struct compare_figure *figure,
                          const struct compare_threshold *threshold)
{
    const struct comparison *comparison = &figure->comparison;
    double difference = fabs(comparison->difference.estimate);
    bool asked = threshold && !(isnan(threshold->share) && isnan(threshold->ns));

    if (!asked || figure->word != COMPARISON_SLOWER)
        return false;
    return (isnan(threshold->share) ||
            difference > threshold->share * fabs(comparison->first.estimate)) &&
           (isnan(threshold->ns) || figure->more_is_better || difference > threshold->ns);
}

static void judge(struct compare_figure *figure, const struct compare_threshold *threshold)
{
    struct comparison comparison = figure->comparison;

    figure->judged = true;
    if (figure->more_is_better)
        comparison.difference.estimate = -comparison.difference.estimate;
    figure->word = comparison_judge(&comparison, figure->floor);
    if (figure->word == COMPARISON_SAME)
        leave_open(figure, "no difference beyond what two processes may differ by");
    figure->regression = is_regression(figure, threshold);
}

/* If the settings rule a comparison out, figures of the same name are not the same. */
static void refuse(struct compare_pair *pair, const char *op, const char *reason)
{
    char text[COMPARE_TEXT_SIZE];

    snprintf(text, sizeof text, "%.60s can't be compared: %.180s", op, reason);
    note(pair, text);
}

static int judge_figures(struct compare_pair *pair, const struct compare_threshold *threshold,
                         struct error *error)
{
    struct comparison **family = calloc(pair->figure_count + 1, sizeof *family);
    size_t count = 0;

    if (!family)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->figure_count; i++) {
        pair->figures[i].ratio = comparison_ratio(&pair->figures[i].comparison, false);
        if (!pair->figures[i].reason)
            family[count++] = &pair->figures[i].comparison;
    }
    comparison_adjust(family, count);
    for (size_t i = 0; i < pair->figure_count; i++)
        if (!pair->figures[i].reason)
            judge(&pair->figures[i], threshold);
    free(family);
    return 0;
}

/* More than any two files have. */
static size_t room_for(const struct result_file *first)
{
    size_t room = first->versus.count * VERSUS_QUANTITIES;

    if (first->sweep)
        room += first->sweep->point_count * FIGURES_OF_POINT + SWEEP_GROUPS_MAXIMUM + 1;
    if (first->sec_ladder)
        room += first->sec_ladder->point_count * FIGURES_OF_SEC_POINT;
    for (size_t i = 0; i < first->breakdown_count; i++)
        room += first->breakdowns[i].part_count + 1;
    return room + 1;
}

static const char *op_of(const struct result_file *file)
{
    return file->sweep ? file->sweep->op : file->breakdown_count ? file->breakdowns[0].op : "";
}

int figures_compare(struct compare_pair *pair, const struct result_file *first,
                    const struct result_file *second, const struct compare_threshold *threshold,
                    const char *ops, struct error *error)
{
    struct figures figures = {.pair = pair, .room = room_for(first)};
    char reason[COMPARE_TEXT_SIZE] = "";

    if (!result_file_has_ops(first))
        settings_note(pair);
    settings_against(pair->first, pair->second, op_of(first), reason, sizeof reason);
    if (first->sweep && strcmp(first->sweep->op, second->sweep->op) != 0)
        snprintf(reason, sizeof reason, "%.60s against %.60s", first->sweep->op, second->sweep->op);
    if (reason[0]) {
        refuse(pair, op_of(first), reason);
        return 0;
    }
    pair->figures = calloc(figures.room, sizeof *pair->figures);
    if (!pair->figures)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (first->sweep)
        compare_sweeps(&figures, first->sweep, second->sweep);
    if (first->sec_ladder)
        compare_sec_ladders(&figures, first->sec_ladder, second->sec_ladder, ops);
    compare_breakdowns(&figures, first, second, ops);
    compare_differences(&figures, &first->versus, &second->versus, ops);
    return judge_figures(pair, threshold, error);
}
