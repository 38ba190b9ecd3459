/* Series of results with the same settings, and their changes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "history/history.h"
#include "output/result/settings.h"
#include "output/view/fields.h"

static int out_of_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a history");
}

int history_begin(struct history *history, struct error *error)
{
    const size_t room = CHANGES_VALUES;

    memset(history, 0, sizeof *history);
    history->room = room;
    history->results = arena_alloc(&history->arena, room, sizeof *history->results);
    history->left_out = arena_alloc(&history->arena, room, sizeof *history->left_out);
    return history->results && history->left_out ? 0 : out_of_memory(error);
}

static const char *copy_text(struct history *history, const char *text)
{
    char room[FIELD_ROOM];

    return arena_copy(&history->arena, field_utf8(text, room));
}

void history_leave_out(struct history *history, const char *path, const char *reason)
{
    struct history_left_out *left_out = &history->left_out[history->left_out_count++];
    const char *copied = copy_text(history, reason);

    left_out->path = copy_text(history, path);
    left_out->reason = copied ? copied : "out of memory";
}

static const char *text_or_unknown(const char *text)
{
    return text ? text : "?";
}

/* Texts that describe settings. Results with different texts are in different series. */

static const char *describe_settings(struct history *history, const struct result *result)
{
    char text[1200];

    return arena_copy(&history->arena, settings_of_series(result, NULL, text, sizeof text));
}

/* Return OP's settings that not all ops have, as text. In older files the size of WRITE is missing,
 * so the length of a call replaces it. */
static const char *describe_size(struct history *history, const struct result *result,
                                 const struct result_op *op)
{
    char text[400];

    settings_of_series(result, op->op, text, sizeof text);
    if (!*text && strcmp(op->op, "write") == 0 && op->call_bytes > 0)
        snprintf(text, sizeof text, "calls of %.0f bytes", op->call_bytes);
    return arena_copy(&history->arena, text);
}

/* Series */

/* Return the series with SOUGHT's settings, op, size and quantity. If there is none, insert it
 * after the last series with the same settings; its POINTS are NULL if there is no memory for them.
 * Returns NULL if there are already HISTORY_SERIES other series. */
static struct history_series *find_series(struct history *history,
                                          const struct history_series *sought)
{
    size_t place = history->series_count;

    for (size_t i = 0; i < history->series_count; i++) {
        struct history_series *series = &history->series[i];

        if (strcmp(series->settings, sought->settings) != 0)
            continue;
        place = i + 1;
        if (strcmp(series->op, sought->op) == 0 && strcmp(series->size, sought->size) == 0 &&
            series->quantity == sought->quantity)
            return series;
    }
    if (history->series_count == HISTORY_SERIES)
        return NULL;
    memmove(&history->series[place + 1], &history->series[place],
            (history->series_count++ - place) * sizeof history->series[0]);
    history->series[place] = *sought;
    history->series[place].points =
        arena_alloc(&history->arena, history->room, sizeof(struct history_point));
    return &history->series[place];
}

static bool is_earlier(const struct history_result *a, const struct history_result *b)
{
    return a->started != b->started ? a->started < b->started : strcmp(a->path, b->path) < 0;
}

static void insert_point(struct history_series *series, struct history_point point)
{
    size_t i = series->count++;

    for (; i > 0 && is_earlier(point.result, series->points[i - 1].result); i--)
        series->points[i] = series->points[i - 1];
    series->points[i] = point;
}

static int add_value(struct history *history, const struct history_series *sought,
                     const struct interval *value, struct error *error)
{
    struct history_point point = {&history->results[history->result_count - 1], *value, NULL};
    struct history_series *series;

    if (!isfinite(value->estimate))
        return 0;
    series = sought->op && sought->size ? find_series(history, sought) : NULL;
    if (!series && history->series_count == HISTORY_SERIES)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "more than %d combinations of ops and settings; give fewer files, or --op",
                         HISTORY_SERIES);
    if (!series || !series->points)
        return out_of_memory(error);
    insert_point(series, point);
    return 0;
}

static int add_op(struct history *history, const struct result *result, const struct result_op *op,
                  bool named, const struct history_series *common, struct error *error)
{
    const struct interval level = {result_level(result, op), NAN, NAN};
    struct history_series sought = *common;
    int code;

    sought.op = arena_copy(&history->arena, op->op);
    sought.size = describe_size(history, result, op);
    sought.quantity = op->has_above_null ? RESULT_COST : RESULT_ROUND_TRIP;
    sought.judged = named || (op->role != RESULT_NULL && op->role != RESULT_LOCAL);
    code = add_value(history, &sought, op->has_above_null ? &op->above_null.cost : &level, error);
    sought.quantity = RESULT_MEAN_COST;
    if (code == 0 && op->has_mean_cost)
        code = add_value(history, &sought, &op->mean_cost.cost, error);
    sought.quantity = RESULT_P99_COST;
    if (code == 0 && op->has_p99_cost)
        code = add_value(history, &sought, &op->p99_cost, error);
    return code;
}

/* Return the reason why RESULT is left out, or NULL if it is used. */
static const char *reason_against(const struct history *history, const struct result *result)
{
    if (!result->start || result->started == 0)
        return "the result has no start time";
    if (result->validity.verdict == VERDICT_INVALID)
        return "the result's verdict is invalid";
    for (size_t i = 0; i < history->result_count; i++) {
        const struct history_result *other = &history->results[i];

        if (other->started == result->started && other->seed == result->seed &&
            strcmp(other->target, text_or_unknown(result->target.text)) == 0)
            return "another file has the same run";
    }
    return NULL;
}

int history_add(struct history *history, const struct result *result, const char *wanted,
                struct error *error)
{
    const char *reason = reason_against(history, result);
    struct history_series common = {.settings = NULL};
    struct history_result *entry;
    int code = 0;

    if (reason) {
        history_leave_out(history, result->path, reason);
        return 0;
    }
    entry = &history->results[history->result_count++];
    *entry = (struct history_result){
        .path = copy_text(history, result->path),
        .start = arena_copy(&history->arena, result->start),
        .target = arena_copy(&history->arena, text_or_unknown(result->target.text)),
        .started = result->started,
        .seed = result->seed,
        .verdict = result->validity.verdict};
    common.settings = describe_settings(history, result);
    if (!entry->path || !entry->start || !entry->target || !common.settings)
        return out_of_memory(error);
    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        const struct result_op *op = &result->ops[i];
        bool named = result_names_op(wanted, op->op);

        if (op->role != RESULT_NULL_CONTROL && (named || !wanted))
            code = add_op(history, result, op, named, &common, error);
    }
    return code;
}

/* Changes */

/* significance level of all series together, which is divided by their number (Bonferroni) */
#define SIGNIFICANCE 0.05

/* Return the significance level of each series: SIGNIFICANCE divided by the number of judged series
 * that are long enough to have a change; at least the smallest p-value of a permutation test. */
static double significance_of_each(const struct history *history)
{
    size_t series = 0;

    for (size_t i = 0; i < history->series_count; i++)
        series += history->series[i].judged && history->series[i].count >= 2 * CHANGES_LEAST;
    return fmax(SIGNIFICANCE / (series > 0 ? (double)series : 1), 1.0 / (CHANGES_PERMUTATIONS + 1));
}

/* Store the changes FOUND in SERIES, link each to the first point after it, and update CHANGED. */
static int take_changes(struct history *history, struct history_series *series,
                        const struct changes *found, struct error *error)
{
    series->changes = arena_alloc(&history->arena, found->count, sizeof *series->changes);
    if (!series->changes)
        return out_of_memory(error);
    series->change_count = found->count;
    for (size_t i = 0; i < found->count; i++) {
        struct history_change *change = &series->changes[i];
        struct history_point *point = &series->points[found->list[i].at];

        change->change = found->list[i];
        change->result = point->result;
        change->recent = history->last > 0 && series->judged &&
                         change->change.at + history->last >= series->count;
        history->changed = history->changed || change->recent;
        point->change = change;
    }
    return 0;
}

static int find_in(struct history *history, struct history_series *series, double *values,
                   struct error *error)
{
    struct changes found = {.count = 0};
    int code;

    series->enough = series->count >= history->enough;
    for (size_t i = 0; i < series->count; i++)
        values[i] = series->points[i].value.estimate;
    code = changes_find(values, series->count, history->significance, 1, &found, error);
    return code || found.count == 0 ? code : take_changes(history, series, &found, error);
}

int history_find_changes(struct history *history, struct error *error)
{
    double *values = calloc(history->room, sizeof *values);
    int code = values ? 0 : out_of_memory(error);

    history->significance = significance_of_each(history);
    history->enough = changes_enough(history->significance);
    for (size_t i = 0; i < history->series_count && code == 0; i++)
        code = find_in(history, &history->series[i], values, error);
    free(values);
    return code;
}
