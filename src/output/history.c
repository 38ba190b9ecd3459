/* Results over time as text for people, and as JSON. */
#include "output/history.h"

#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/compare.h"
#include "output/json.h"
#include "output/number.h"

/* Is CHANGE among the last results of SERIES that count? */
static bool is_recent(const struct history *history, const struct history_series *series,
                      const struct change *change)
{
    return series->judged && change->at + history->last >= series->count;
}

bool history_has_changed(const struct history *history)
{
    for (size_t i = 0; i < history->series_count; i++) {
        const struct history_series *series = &history->series[i];

        for (size_t j = 0; j < series->changes.count; j++)
            if (is_recent(history, series, &series->changes.list[j]))
                return true;
    }
    return false;
}

bool history_is_enough(const struct history *history)
{
    for (size_t i = 0; i < history->series_count; i++)
        if (history->series[i].judged && history->series[i].count >= history->enough)
            return true;
    return false;
}

bool history_is_shown(const struct history_series *series)
{
    return series->quantity <= RESULT_COST || series->changes.count > 0;
}

/* Of the mean before; NAN where that can't be told from 0. */
static double share_of(const struct change *change)
{
    const struct interval *before = &change->means.first;

    if (before->low <= 0 && 0 <= before->high)
        return NAN;
    return change->means.difference.estimate / fabs(before->estimate);
}

/* Text */

static void print_point(const struct history_point *point, FILE *out)
{
    const struct history_result *result = point->result;
    char bracket[48] = "";

    if (!isnan(point->value.low))
        snprintf(bracket, sizeof bracket, "[%.3f, %.3f]", us(point->value.low),
                 us(point->value.high));
    fprintf(out, "  %-25s  %9.3f  %-18s  %s%s\n", printable(result->start).text,
            us(point->value.estimate), bracket, printable(result->path).text,
            result->verdict == VERDICT_SUSPECT ? " (suspect)" : "");
}

static void print_change(const struct change *change, FILE *out)
{
    const struct comparison *means = &change->means;
    double share = share_of(change);

    fprintf(out, "  -- changed: %.3f before, %.3f after, %+.3f us [%+.3f, %+.3f]",
            us(means->first.estimate), us(means->second.estimate), us(means->difference.estimate),
            us(means->difference.low), us(means->difference.high));
    if (!isnan(share))
        fprintf(out, ", %+.1f %%", 100 * share);
    fprintf(out, ", p %.3f --\n", change->p);
}

static void print_series(const struct history *history, const struct history_series *series,
                         FILE *out)
{
    static const char *const names[RESULT_QUANTITIES] = {"round trip", "cost above null",
                                                         "mean cost above null", "p99 above null"};
    const struct changes *changes = &series->changes;
    size_t next = 0;

    if (!history_is_shown(series))
        return;
    fprintf(out, "\n%s%s%s: %s, %zu results%s\n", printable(series->op).text,
            *series->size ? ", " : "", series->size, names[series->quantity], series->count,
            series->count < history->enough ? ", too few to find a change" : "");
    fprintf(out, "  %-25s  %9s  %-18s  %s\n", "start", "us", "95 %", "file");
    for (size_t i = 0; i < series->count; i++) {
        if (next < changes->count && changes->list[next].at == i)
            print_change(&changes->list[next++], out);
        print_point(&series->points[i], out);
    }
}

static void print_summary(const struct history *history, FILE *out)
{
    size_t changes = 0;

    for (size_t i = 0; i < history->series_count; i++)
        changes += history->series[i].changes.count;
    fprintf(out,
            "\n%s found; a series without any has one in %.2g %% of cases, and %zu results "
            "at least are needed\n",
            counted(changes, "change").text, 100 * history->significance, history->enough);
    if (history->last > 0)
        fprintf(out, "among the last %zu results: %s\n", history->last,
                history_has_changed(history) ? "changed" : "no change found");
}

void history_print(const struct history *history, FILE *out)
{
    const char *settings = "";

    fprintf(out, "%zu results\n", history->result_count);
    for (size_t i = 0; i < history->left_out_count; i++)
        fprintf(out, "left out: %s: %s\n", printable(history->left_out[i].path).text,
                printable(history->left_out[i].reason).text);
    for (size_t i = 0; i < history->series_count; i++) {
        if (strcmp(history->series[i].settings, settings) != 0)
            fprintf(out, "\n%s\n", printable(history->series[i].settings).text);
        settings = history->series[i].settings;
        print_series(history, &history->series[i], out);
    }
    print_summary(history, out);
}

/* JSON */

/* Text that is not UTF-8 is written as it is shown elsewhere. */
static json_t *text_of(const char *text)
{
    json_t *value = json_string(text);

    return value ? value : json_string(printable(text).text);
}

static json_t *change_object(const struct history *history, const struct history_series *series,
                             const struct change *change)
{
    const struct history_result *result = series->points[change->at].result;

    return json_pack("{s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:b}", "at", json_count(change->at),
                     "start", text_of(result->start), "file", text_of(result->path), "p", change->p,
                     "before_ns", json_interval(&change->means.first), "after_ns",
                     json_interval(&change->means.second), "difference_ns",
                     json_interval(&change->means.difference), "share",
                     json_known(share_of(change)), "recent",
                     history->last > 0 && is_recent(history, series, change));
}

static json_t *series_object(const struct history *history, const struct history_series *series)
{
    json_t *points = json_array(), *changes = json_array();

    for (size_t i = 0; i < series->count; i++) {
        const struct history_point *point = &series->points[i];

        json_array_append_new(points,
                              json_pack("{s:o, s:o, s:o}", "start", text_of(point->result->start),
                                        "file", text_of(point->result->path), "value_ns",
                                        json_interval(&point->value)));
    }
    for (size_t i = 0; i < series->changes.count; i++)
        json_array_append_new(changes, change_object(history, series, &series->changes.list[i]));
    return json_pack("{s:o, s:o, s:s, s:s, s:b, s:b, s:o, s:o}", "op", text_of(series->op),
                     "settings", text_of(series->settings), "size", series->size, "value",
                     compare_quantity_key(series->quantity), "judged", series->judged, "enough",
                     series->count >= history->enough, "points", points, "changes", changes);
}

int history_write_json(const void *data, FILE *out)
{
    const struct history *history = data;
    json_t *object = json_begin(RESULT_HISTORY), *results = json_array(), *left_out = json_array(),
           *series = json_array();

    for (size_t i = 0; i < history->result_count; i++)
        json_array_append_new(results, json_pack("{s:o, s:o, s:s}", "file",
                                                 text_of(history->results[i].path), "start",
                                                 text_of(history->results[i].start), "verdict",
                                                 verdict_name(history->results[i].verdict)));
    for (size_t i = 0; i < history->left_out_count; i++)
        json_array_append_new(left_out,
                              json_pack("{s:o, s:o}", "file", text_of(history->left_out[i].path),
                                        "reason", text_of(history->left_out[i].reason)));
    for (size_t i = 0; i < history->series_count; i++)
        json_array_append_new(series, series_object(history, &history->series[i]));
    json_object_set_new(object, "results", results);
    json_object_set_new(object, "left_out", left_out);
    json_object_set_new(object, "significance", json_known(history->significance));
    json_object_set_new(object, "enough_results", json_count(history->enough));
    json_object_set_new(object, "last", history->last ? json_count(history->last) : json_null());
    json_object_set_new(object, "changed_recently",
                        history->last ? json_boolean(history_has_changed(history)) : json_null());
    json_object_set_new(object, "series", series);
    return json_write_object(object, out);
}
