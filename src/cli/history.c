/* nfsbench history: results over time, and where they changed. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command_line.h"
#include "common/error.h"
#include "common/memory.h"
#include "job/plan.h"
#include "output/result/history.h"
#include "output/result/result.h"
#include "output/result/result_json.h"
#include "output/result/settings.h"
#include "output/view/fields.h"
#include "output/view/view.h"
#include "picture/plot.h"

/* The series: which results belong together */

static int out_of_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a history");
}

/* Make HISTORY empty, with room for all files that there may be. 0 or -ENOMEM; release its arena
 * after either. */
static int history_begin(struct history *history, struct error *error)
{
    const size_t room = CHANGES_VALUES;

    memset(history, 0, sizeof *history);
    history->room = room;
    history->results = arena_alloc(&history->arena, room, sizeof *history->results);
    history->left_out = arena_alloc(&history->arena, room, sizeof *history->left_out);
    return history->results && history->left_out ? 0 : out_of_memory(error);
}

static const char *copy(struct history *history, const char *text)
{
    char room[FIELD_ROOM];

    return arena_copy(&history->arena, field_utf8(text, room));
}

/* Record that the file PATH is left out, and why. */
static void history_leave_out(struct history *history, const char *path, const char *reason)
{
    struct history_left_out *left_out = &history->left_out[history->left_out_count++];
    const char *copied = copy(history, reason);

    left_out->path = copy(history, path);
    left_out->reason = copied ? copied : "out of memory";
}

/* The settings as text. Results with different texts are in different series. */

static const char *known(const char *text)
{
    return text ? text : "?";
}

static const char *describe_settings(struct history *history, const struct result *result)
{
    char text[1200];

    return arena_copy(&history->arena, settings_of_series(result, NULL, text, sizeof text));
}

/* What distinguishes series of OP only. Older files do not say the size of WRITE; the length of its
 * calls does. */
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

/* The series that SOUGHT describes or, if there is none, a new one after the last with the same
 * settings. NULL if there is no room. */
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

/* Insert POINT in order of time. */
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

/* Why RESULT can't be used; NULL if it can. */
static const char *reason_against(const struct history *history, const struct result *result)
{
    if (!result->start || result->started == 0)
        return "it does not say when it started";
    if (result->validity.verdict == VERDICT_INVALID)
        return "its verdict is invalid";
    for (size_t i = 0; i < history->result_count; i++) {
        const struct history_result *other = &history->results[i];

        if (other->started == result->started && other->seed == result->seed &&
            strcmp(other->target, known(result->target.text)) == 0)
            return "another file has the same run";
    }
    return NULL;
}

/* Add those of RESULT's ops that WANTED names (separated by commas; NULL: all) to the series of
 * their settings. A result that is invalid, that does not say when it started, or that was added
 * before is left out. 0, -E2BIG (ERROR_USAGE) for too many series, or -ENOMEM. */
static int history_add(struct history *history, const struct result *result, const char *wanted,
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
    *entry =
        (struct history_result){.path = copy(history, result->path),
                                .start = arena_copy(&history->arena, result->start),
                                .target = arena_copy(&history->arena, known(result->target.text)),
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

#define SIGNIFICANCE 0.05 /* of all series together, divided among them (Bonferroni) */

/* The number of series that are long enough to have a change. */
static double significance_of_each(const struct history *history)
{
    size_t series = 0;

    for (size_t i = 0; i < history->series_count; i++)
        series += history->series[i].judged && history->series[i].count >= 2 * CHANGES_LEAST;
    return fmax(SIGNIFICANCE / (series > 0 ? (double)series : 1), 1.0 / (CHANGES_PERMUTATIONS + 1));
}

/* What was found in SERIES: its changes, and the points that begin with them. */
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

/* Find the changes of all series. 0 or -ENOMEM. */
static int history_find_changes(struct history *history, struct error *error)
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

/* The command */

/* Files */

/* Add the file PATH; one that can't be read is left out, and so is, where only REGULAR files are
 * taken, another: reading a FIFO in a directory would wait for a writer. */
static int read_file(struct history *history, const char *path, bool regular, const char *wanted,
                     struct error *error)
{
    struct result result = {.path = NULL};
    struct error reading;
    struct stat status;
    int code = 0;

    if (history->result_count + history->left_out_count == history->room)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "more than %zu files; give fewer of them, such as those of this year",
                         history->room);
    if (regular && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        history_leave_out(history, path, "it is no regular file");
    } else if (result_read(&result, path, "history", &reading) == 0) {
        result.path = path;
        code = history_add(history, &result, wanted, error);
    } else {
        history_leave_out(history, path, reading.text);
    }
    result_free(&result);
    return code;
}

static int ends_in_json(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

/* Add the files in the directory PATH whose names end in .json, in the order of these names; its
 * subdirectories are not searched. */
static int read_directory(struct history *history, const char *path, const char *wanted,
                          struct error *error)
{
    struct dirent **entries;
    int found = scandir(path, &entries, ends_in_json, alphasort), code = 0;

    if (found < 0)
        return error_set(error, ERROR_USAGE, -errno, "reading the directory %.200s: %s", path,
                         strerror(errno));
    for (int i = 0; i < found; i++) {
        char name[PATH_MAX + 300];

        snprintf(name, sizeof name, "%.*s/%s", PATH_MAX, path, entries[i]->d_name);
        if (code == 0)
            code = read_file(history, name, true, wanted, error);
        free(entries[i]);
    }
    free(entries);
    return code;
}

static int read_all(struct history *history, const struct options *options, struct error *error)
{
    struct stat status;
    int code = 0;

    for (size_t i = 0; i < options->word_count && code == 0; i++) {
        const char *path = options->words[i];
        bool directory = stat(path, &status) == 0 && S_ISDIR(status.st_mode);

        code = directory ? read_directory(history, path, options->ops, error)
                         : read_file(history, path, false, options->ops, error);
    }
    return code;
}

/* Refuse results that make no history, naming the first file that was left out. */
static int check(const struct history *history, const char *wanted, struct error *error)
{
    const char *few =
        history->result_count ? "one result is not a history" : "there is no result to show";

    if (history->result_count < 2 && history->left_out_count > 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%s; %zu left out, the first because %.300s",
                         few, history->left_out_count, history->left_out[0].reason);
    if (history->result_count < 2)
        return error_set(error, ERROR_USAGE, -ENOENT, "%s; give more of them, or a directory", few);
    if (history->series_count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "no result has the op '%.100s'",
                         wanted ? wanted : "");
    return 0;
}

/* Draw the picture, if it is wanted. */
static int draw(const struct history *history, const struct plot_output *output, const char *path,
                struct error *error)
{
    struct bytes picture = {0};
    int code = path ? plot_history(history, output, &picture, error) : 0;

    if (code == 0 && path)
        code = plot_write(&picture, path, error);
    free(picture.data);
    return code;
}

/* Is a series long enough to have a change? */
static bool is_enough(const struct history *history)
{
    for (size_t i = 0; i < history->series_count; i++)
        if (history->series[i].judged && history->series[i].enough)
            return true;
    return false;
}

/* Has something changed? If there are too few results to find a change, the answer is an error, and
 * not "no". */
static int judge(const struct history *history, int *status, struct error *error)
{
    if (history->last == 0)
        return 0;
    if (!is_enough(history))
        return error_set(error, ERROR_USAGE, -ENODATA,
                         "--last: no op has the %zu results yet that are needed to find a change",
                         history->enough);
    *status = history->changed ? ERROR_FAILED : 0;
    return 0;
}

static int show(const struct options *options, int *status, struct error *error)
{
    const char *wanted = options->ops, *path = options->output;
    struct plot_output output = {.colour = false};
    struct history *history = malloc(sizeof *history);
    struct error next;
    int code;

    if (!history)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a history");
    code = history_begin(history, error);
    history->last = options->last;
    if (code == 0 && path)
        code = plot_output_for(&output, path, error);
    if (code == 0)
        code = read_all(history, options, error);
    if (code == 0)
        code = check(history, wanted, error);
    if (code == 0)
        code = history_find_changes(history, error);
    if (code == 0) {
        code = forms_show(options, RESULT_HISTORY, history, NULL, error);
        code = forms_next_error(code, error, draw(history, &output, path, &next), &next);
    }
    if (code == 0)
        code = judge(history, status, error);
    arena_free(&history->arena);
    free(history);
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    int code = rules_check(options, error);

    if (code)
        return code;
    if (options->word_count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected results or directories of them, such as 'nightly/'; see "
                         "'nfsbench history --help'");
    code = forms_check(options, RESULT_HISTORY, NULL, error);
    return code ? code : show(options, status, error);
}

static const struct view *const views[] = {&view_history, NULL};

const struct command command_history = {
    .purpose = PURPOSE_KEEP,
    .words = WORDS_FILES,
    .groups = COMMAND_HISTORY | GROUP_FORMS,
    .views = views,
    .name = "history",
    .usage = "nfsbench history [options] FILE|DIRECTORY ...",
    .summary = "show results over time, and where they changed",
    .about = "Orders results by start time and finds, for each op, where its level changed. Each "
             "result counts as one value, however many rounds it has, because launches of the same "
             "program differ from each other, too. Results with different settings form separate "
             "series. At most 5 % of histories without a change are reported to have one. A change "
             "is found with the third result after it at the earliest.",
    .status =
        "0, 1 a change among the last N results (--last), 2 usage, or too few results to find one.",
    .examples = "  nfsbench history nightly/ --last 7\n",
    .run = run,
};
