/* nfsbench history: results over time, and their changes. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "history/history.h"
#include "job/command.h"
#include "job/plan.h"
#include "output/result/result_json.h"

static uint32_t last; /* --last: number of latest results in which changes count; 0: not given */

static const struct option_entry own_options[] = {
    {"last", 0, OPTION_NUMBER, SECTION_OWN, OPTION_SETS(last), .value = "N",
     .help = "exit with status 1 if an op became slower or faster within its last N results, 3 or "
             "more, since a change needs three results after it",
     .minimum = CHANGES_LEAST, .maximum = CHANGES_VALUES},
    {"op", 0, OPTION_TEXT, SECTION_OWN, OPTION_SHARES(ops), .value = "OP[,...]",
     .help = "show only these ops (default: all)"},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OPTION_SHARES(output), .value = "FILE",
     .help =
         "also draw the results and their changes to FILE, whose name ends in .svg, .png or .pdf",
     .acts = true},
    {NULL},
};

/* From the file PATH, add the ops that WANTED names (NULL: all). A file that can't be read is left
 * out. If REGULAR, special files are left out, because reading a FIFO would wait for a writer. */
static int read_file(struct history *history, const char *path, bool regular, const char *wanted,
                     struct error *error)
{
    struct result result = {.path = NULL};
    struct error reading;
    struct stat status;
    int code = 0;

    if (history->result_count + history->left_out_count == history->room)
        return error_set(error, ERROR_USAGE, -E2BIG,
                         "more than %zu files; give fewer, such as those of this year",
                         history->room);
    if (regular && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        history_leave_out(history, path, "the file is not a regular file");
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

/* Add the files in the directory PATH whose names end in .json, in the order of their names.
 * Subdirectories are not searched. */
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

static int check_results(const struct history *history, const char *wanted, struct error *error)
{
    const char *few = history->result_count
                          ? "a history needs two results, and only one can be used"
                          : "a history needs two results, and none can be used";

    if (history->result_count < 2 && history->left_out_count > 0)
        return error_set(error, ERROR_USAGE, -ENOENT,
                         "%s; %zu files were left out, the first one because %.300s", few,
                         history->left_out_count, history->left_out[0].reason);
    if (history->result_count < 2)
        return error_set(error, ERROR_USAGE, -ENOENT, "%s; give more results, or a directory", few);
    if (history->series_count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "no result has the op '%.100s'",
                         wanted ? wanted : "");
    return 0;
}

/* Draw HISTORY as a picture and write it to the file PATH, unless PATH is NULL. */
static int draw_picture(const struct history *history, const struct plot_output *output,
                        const char *path, struct error *error)
{
    struct bytes picture = {0};
    int code = path ? history_draw(history, output, &picture, error) : 0;

    if (code == 0 && path)
        code = plot_write(&picture, path, error);
    free(picture.data);
    return code;
}

static bool is_enough(const struct history *history)
{
    for (size_t i = 0; i < history->series_count; i++)
        if (history->series[i].judged && history->series[i].enough)
            return true;
    return false;
}

/* Without --last, do nothing. With --last, set *STATUS to ERROR_FAILED if a change counts, else to
 * 0; fail if no judged series has enough results for a change to be found. */
static int set_status(const struct history *history, int *status, struct error *error)
{
    if (history->last == 0)
        return 0;
    if (!is_enough(history))
        return error_set(error, ERROR_USAGE, -ENODATA,
                         "--last: no op has the %zu results yet that a change needs",
                         history->enough);
    *status = history->changed ? ERROR_FAILED : 0;
    return 0;
}

static int show_history(const struct options *options, int *status, struct error *error)
{
    const char *wanted = options->ops, *path = options->output;
    struct plot_output output = {.colour = false};
    struct history *history = malloc(sizeof *history);
    struct error next;
    int code;

    if (!history)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a history");
    code = history_begin(history, error);
    history->last = last;
    if (code == 0 && path)
        code = plot_output_for(&output, path, error);
    if (code == 0)
        code = read_all(history, options, error);
    if (code == 0)
        code = check_results(history, wanted, error);
    if (code == 0)
        code = history_find_changes(history, error);
    if (code == 0) {
        code = forms_show(options, RESULT_HISTORY, history, NULL, error);
        code = forms_next_error(code, error, draw_picture(history, &output, path, &next), &next);
    }
    if (code == 0)
        code = set_status(history, status, error);
    arena_free(&history->arena);
    free(history);
    return code;
}

static int run_history(const struct options *options, int *status, struct error *error)
{
    int code = rules_check(options, error);

    if (code)
        return code;
    if (options->word_count == 0)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected results or directories of them, such as 'nightly/'; see "
                         "'nfsbench history --help'");
    code = forms_check(options, RESULT_HISTORY, NULL, error);
    return code ? code : show_history(options, status, error);
}

static const struct view *const views[] = {&view_history, NULL};

const struct command command_history = {
    .purpose = PURPOSE_KEEP,
    .words = WORDS_FILES,
    .groups = GROUP_FORMS,
    .own = own_options,
    .own_title = "results over time",
    .views = views,
    .name = "history",
    .usage = "nfsbench history [options] FILE|DIRECTORY ...",
    .summary = "show results over time, and where they changed",
    .about = "Orders results by start time and finds, for each op, where its level changed. Each "
             "result counts as one value, regardless of its rounds, because launches of the same "
             "program differ, too. Results with different settings form separate series. At most 5 "
             "% of histories without a change are reported with one. A change is found at the "
             "earliest with the third result after it.",
    .status = "0 shown; 1 a change among the last N results (--last); 2 usage, or too few results "
              "to find a change.",
    .examples = "  nfsbench history nightly/ --last 7\n",
    .run = run_history,
};
