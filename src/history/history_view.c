/* Results over time: their fields, and their view. */
#include <math.h>
#include <string.h>

#include "history/history.h"
#include "output/result/result_fields.h"
#include "output/view/view.h"

#define AT(member)     FIELD_AT(struct history, member)
#define SERIES(member) FIELD_AT(struct history_series, member)
#define RESULT(member) FIELD_AT(struct history_result, member)

bool history_is_shown(const struct history_series *series)
{
    return series->quantity <= RESULT_COST || series->change_count > 0;
}

/* Return the change as a share of the mean before it; NAN if that mean's interval includes 0. */
static double change_share(const void *object, const void *root)
{
    const struct comparison *means = &((const struct change *)object)->means;

    if (means->first.low <= 0 && 0 <= means->first.high)
        return NAN;
    return means->difference.estimate / fabs(means->first.estimate);
}

static const struct field which_fields[] = {
    {"start", FIELD_TEXT, RESULT(start), FIELD_KEY},
    {"file", FIELD_TEXT, RESULT(path), FIELD_KEY},
    {"verdict", FIELD_CHOICE, RESULT(verdict), FIELD_SHOWN, .names = verdict_names},
    FIELD_END,
};

static const struct field where_fields[] = {
    {"at", FIELD_COUNT, FIELD_AT(struct change, at)},
    FIELD_END,
};

static const struct field what_fields[] = {
    {"p", FIELD_QUANTITY, FIELD_AT(struct change, p)},
    {"before_ns", FIELD_INTERVAL, FIELD_AT(struct change, means.first)},
    {"after_ns", FIELD_INTERVAL, FIELD_AT(struct change, means.second)},
    {"difference_ns", FIELD_INTERVAL, FIELD_AT(struct change, means.difference)},
    {"share", FIELD_NUMBER, .number = change_share},
    FIELD_END,
};

static const struct field change_fields[] = {
    {NULL, FIELD_OBJECT, FIELD_AT(struct history_change, change), .fields = where_fields},
    {NULL, FIELD_POINTER, FIELD_TO(struct history_change, result, which_fields)},
    {NULL, FIELD_OBJECT, FIELD_AT(struct history_change, change), .fields = what_fields},
    {"recent", FIELD_FLAG, FIELD_AT(struct history_change, recent)},
    FIELD_END,
};

/* Series */

static const struct field point_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct history_point, result, which_fields)},
    {"value_ns", FIELD_INTERVAL, FIELD_AT(struct history_point, value)},
    {"change", FIELD_POINTER, FIELD_TO(struct history_point, change, change_fields), FIELD_SHOWN},
    FIELD_END,
};

static bool is_shown(const void *object, const void *root)
{
    return history_is_shown(object);
}

/* Number the groups of series with equal settings. Return a series' group, such as "settings 2", or
 * NULL if all series are in one group. */
static const char *group(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct history *history = root;
    const struct history_series *series = history->series;
    size_t number = 0, count = 0;

    for (size_t i = 0; i < history->series_count; i++) {
        count += i == 0 || strcmp(series[i].settings, series[i - 1].settings) != 0;
        number = &series[i] == object ? count : number;
    }
    return count > 1 ? field_print(room, "settings %zu", number) : NULL;
}

static double begins_group(const void *object, const void *root)
{
    const struct history_series *series = object;

    return series == ((const struct history *)root)->series ||
           strcmp(series->settings, series[-1].settings) != 0;
}

static const char *const quantities[] = {"round trip", "cost above null", "mean cost above null",
                                         "p99 above null", NULL};

static const struct field series_fields[] = {
    {"op", FIELD_TEXT, SERIES(op), FIELD_KEY},
    {"settings", FIELD_TEXT, SERIES(settings), FIELD_KEY},
    {"size", FIELD_TEXT, SERIES(size), FIELD_KEY},
    {"value", FIELD_CHOICE, SERIES(quantity), FIELD_KEY, .names = result_quantity_keys},
    {"judged", FIELD_FLAG, SERIES(judged)},
    {"enough", FIELD_FLAG, SERIES(enough)},
    {"points", FIELD_LIST, FIELD_ITEMS(struct history_series, points, count, point_fields)},
    {"changes", FIELD_LIST,
     FIELD_ITEMS(struct history_series, changes, change_count, change_fields)},
    {"shown", FIELD_LIST, FIELD_ITEMS(struct history_series, points, count, point_fields),
     FIELD_SHOWN, .known = is_shown},
    {"quantity", FIELD_CHOICE, SERIES(quantity), FIELD_SHOWN, .names = quantities},
    {"group", FIELD_WORD, .flags = FIELD_SHOWN, .text = group},
    {"begins_group", FIELD_COUNT, .flags = FIELD_SHOWN, .number = begins_group},
    FIELD_END,
};

/* The history */

static double count_changes(const void *object, const void *root)
{
    const struct history *history = object;
    size_t changes = 0;

    for (size_t i = 0; i < history->series_count; i++)
        changes += history->series[i].change_count;
    return (double)changes;
}

static const struct field file_fields[] = {
    {"file", FIELD_TEXT, RESULT(path), FIELD_KEY},
    {"start", FIELD_TEXT, RESULT(start)},
    {"verdict", FIELD_CHOICE, RESULT(verdict), .names = verdict_names},
    FIELD_END,
};

static const struct field left_out_fields[] = {
    {"file", FIELD_TEXT, FIELD_AT(struct history_left_out, path), FIELD_KEY},
    {"reason", FIELD_TEXT, FIELD_AT(struct history_left_out, reason)},
    FIELD_END,
};

static const struct field fields[] = {
    {"results", FIELD_LIST, FIELD_ITEMS(struct history, results, result_count, file_fields)},
    {"left_out", FIELD_LIST,
     FIELD_ITEMS(struct history, left_out, left_out_count, left_out_fields)},
    {"significance", FIELD_QUANTITY, AT(significance)},
    {"enough_results", FIELD_COUNT, AT(enough)},
    {"last", FIELD_COUNT, AT(last), FIELD_OR_NULL},
    {"changed_recently", FIELD_FLAG, AT(changed), FIELD_OR_NULL, FIELD_IF(struct history, last)},
    {"series", FIELD_ARRAY, FIELD_ITEMS(struct history, series, series_count, series_fields)},
    {"changes", FIELD_COUNT, .flags = FIELD_SHOWN, .number = count_changes},
    FIELD_END,
};

static const struct view_line head[] = {
    {"{results#result}"},
    {"left out: {file}: {reason}", .each = "left_out"},
    {"{?{group}: }{settings}", .each = "series", .when = "begins_group"},
    {NULL},
};

static const struct view_column columns[] = {
    {"start", "start"},
    {"value_ns", "us", 0, 3, VIEW_US, .width = 9},
    {"value_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE, 18},
    {"file", "file"},
    {NULL},
};

#define CHANGED                                                                                    \
    "{?(verdict=suspect)(suspect) }changed: from {change.before_ns/1000:3} us "                    \
    "to {change.after_ns/1000:3} us, by {change.difference_ns/1000:+3} us "                        \
    "{change.difference_ns.ci95/1000:+3}{?, {change.share/0.01:+1} %}, p {change.p:3}"

static const struct view_line remarks[] = {
    {CHANGED, .when = "change.difference_ns>0", .tone = TERMINAL_WORSE},
    {CHANGED, .tone = TERMINAL_BETTER},
    {"(suspect)", .when = "verdict=suspect"},
    {NULL},
};

static const struct view_table tables[] = {
    {"series/shown",
     "{op}{?, {size}}: {quantity}, {points#result}{?(!enough), too few to find a "
     "change}{?, {group}}",
     columns, .remarks = remarks},
    {NULL},
};

static const struct view_line notes[] = {
    {""},
    {"{changes#change} found; in a series without changes, one is found by chance in "
     "{significance/0.01} % of cases; at least {enough_results#result} are needed"},
    {"among the last {last} results: {?(changed_recently){!changed}|no change found}",
     .tone = TERMINAL_WORSE},
    {NULL},
};

const struct view view_history = {RESULT_HISTORY, fields, head, tables, notes};
