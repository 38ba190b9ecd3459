/* nfsbench history: results over time, and where they changed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/history.h"
#include "cli/plan.h"
#include "output/result_json.h"
#include "output/terminal.h"
#include "output/view.h"
#include "picture/plot.h"

/* Read the files one by one; files that can't be read are left out. */
static int read_all(struct history *history, const struct history_files *files, const char *wanted,
                    struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < files->count && code == 0; i++) {
        struct result result = {.path = NULL};
        struct error reading;

        if (result_read(&result, files->paths[i], "history", &reading) == 0) {
            result.path = files->paths[i];
            code = history_add(history, &result, wanted, error);
        } else {
            history_leave_out(history, files->paths[i], reading.text);
        }
        result_free(&result);
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

static int print(const struct options *options, const struct history *history, struct error *error)
{
    FILE *text = terminal_begin_text(stdout);

    if (!forms_on_stdout(options->forms))
        view_write_text(&view_history, history, options->verbose, text);
    terminal_end_text(text);
    return forms_write(options->forms, RESULT_HISTORY, history, error);
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

static int show(const struct options *options, const struct history_files *files, int *status,
                struct error *error)
{
    const char *wanted = options->history.op, *path = options->history.output;
    struct plot_output output = {.colour = false};
    struct history *history = malloc(sizeof *history);
    struct error next;
    int code;

    if (!history)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a history");
    code = history_begin(history, files->count, error);
    history->last = options->history.last;
    if (code == 0 && path)
        code = plot_output_for(&output, path, error);
    if (code == 0)
        code = read_all(history, files, wanted, error);
    if (code == 0)
        code = check(history, wanted, error);
    if (code == 0)
        code = history_find_changes(history, error);
    if (code == 0) {
        code = print(options, history, error);
        code = forms_next_error(code, error, draw(history, &output, path, &next), &next);
    }
    if (code == 0)
        code = judge(history, status, error);
    history_free(history);
    free(history);
    return code;
}

static int run(const struct options *options, int *status, struct error *error)
{
    struct history_files files;
    int code = rules_check(options, error);

    if (code)
        return code;
    if (options->word_count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected results or directories of them, such as 'nightly/'; see "
                         "'nfsbench history --help'");
    code = forms_check(options, RESULT_HISTORY, NULL, error);
    if (code)
        return code;
    code = history_files_find(&files, options->words, options->word_count, CHANGES_VALUES, error);
    if (code == 0)
        code = show(options, &files, status, error);
    history_files_free(&files);
    return code;
}

const struct command command_history = {
    .bit = COMMAND_HISTORY,
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
