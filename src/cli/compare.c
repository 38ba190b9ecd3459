/* nfsbench compare: what differs between results, and is it real? */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "output/compare.h"

enum { FILES_MAXIMUM = 16 };

#define SIGNIFICANT 0.05 /* an adjusted p below is no chance */

/* Round trips differ by as much from process to process, whatever the intervals say. */
#define ROUND_TRIP_FLOOR 0.02

struct compare_settings {
    const char *threshold_text;
    bool histograms, json, csv, markdown, help;
    double threshold;
};

#define MEMBER(member) offsetof(struct compare_settings, member)

static const struct option_entry table[] = {
    {"threshold", 0, OPTION_TEXT, MEMBER(threshold_text), "SHARE",
     "exit with 1 where an op is slower by more than that, such as 5%, and it is no chance"},
    {"histograms", 0, OPTION_FLAG, MEMBER(histograms), NULL,
     "both files' latencies by powers of two, side by side"},
    {"json", 'j', OPTION_FLAG, MEMBER(json), NULL, "as JSON"},
    {"csv", 0, OPTION_FLAG, MEMBER(csv), NULL, "as CSV"},
    {"markdown", 0, OPTION_FLAG, MEMBER(markdown), NULL, "as a Markdown table, for a pull request"},
    {"help", 'h', OPTION_FLAG, MEMBER(help), NULL, "this text"},
    {0},
};

static void print_help(void)
{
    printf(
        "usage: nfsbench compare [options] A.json B.json [C.json ...]\n\n"
        "Each further result against the first, op by op: the difference of the costs above null "
        "with its 95 %%\ninterval, and a word for it. A difference counts where it is no chance "
        "(p below 0.05, adjusted for\nthe number of ops) and larger than the noise floor of both "
        "runs.\n\noptions\n");
    options_help(table, stdout);
    printf("\nexit status: 0, 1 for a regression (--threshold), 2 usage\n");
}

static int parse_threshold(struct compare_settings *settings, struct error *error)
{
    const char *text = settings->threshold_text;
    char *end;

    settings->threshold = INFINITY;
    if (!text)
        return 0;
    settings->threshold = strtod(text, &end) / 100;
    if (end == text || strcmp(end, "%") != 0 || !(settings->threshold >= 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--threshold '%.60s': expected a share such as 5%%", text);
    return 0;
}

/* Judging */

static bool same_text(const struct compare_pair *pair, const char *keys)
{
    const char *first = result_file_text(pair->first->root, keys);
    const char *second = result_file_text(pair->second->root, keys);

    return !first || !second || strcmp(first, second) == 0;
}

static bool same_number(const struct compare_pair *pair, const char *keys)
{
    double first = result_file_number(pair->first->root, keys);
    double second = result_file_number(pair->second->root, keys);

    return isnan(first) || isnan(second) || first == second;
}

/* Why an op of the two files can't be compared; NULL for nothing. */
static const char *reason_against(const struct compare_pair *pair, const struct compare_row *row)
{
    if (!same_text(pair, "target.proto"))
        return "other transport";
    if (!same_text(pair, "clock.name"))
        return "other clock";
    if (!same_text(pair, "config.engine"))
        return "other engine";
    if (!same_text(pair, "config.wait"))
        return "one blocked, the other spun";
    if (strcmp(row->first->op, "read") == 0 && !same_number(pair, "config.read_size"))
        return "other size";
    if (!row->first->above_null != !row->second->above_null)
        return "one has no baseline";
    return NULL;
}

/* How far from 0 the file's control reaches, ns; 0 without one. */
static double noise_floor(const struct result_file *file)
{
    const struct result_file_op *control = result_file_find(file, "null_control");
    const json_t *interval =
        control ? json_object_get(json_object_get(control->object, "above_null_ns"), "ci95") : NULL;

    return fmax(fabs(json_number_value(json_array_get(interval, 0))),
                fabs(json_number_value(json_array_get(interval, 1))));
}

static void judge(struct compare_row *row, double threshold)
{
    const struct comparison *comparison = &row->comparison;
    double difference = comparison->difference.estimate;

    if (!row->above_null)
        row->floor = fmax(row->floor, ROUND_TRIP_FLOOR * comparison->first.estimate);
    row->share =
        comparison->first.estimate != 0 ? difference / fabs(comparison->first.estimate) : NAN;
    if (comparison->adjusted_p >= SIGNIFICANT || fabs(difference) <= row->floor)
        row->word = COMPARE_SAME;
    else
        row->word = difference > 0 ? COMPARE_SLOWER : COMPARE_FASTER;
    row->regression = row->word == COMPARE_SLOWER && row->share > threshold;
}

static int estimate_row(const struct compare_pair *pair, struct compare_row *row,
                        struct error *error)
{
    /* Null itself, and runs without a baseline, have their round trip alone. */
    row->above_null = row->first->above_null && strcmp(row->first->op, "null") != 0;
    row->floor = fmax(noise_floor(pair->first), noise_floor(pair->second));
    row->reason = reason_against(pair, row);
    if (row->reason) {
        row->word = COMPARE_NOT_COMPARABLE;
        return 0;
    }
    return comparison_estimate(
        &row->comparison, row->above_null ? row->first->above_null : row->first->blocks,
        pair->first->rounds, row->above_null ? row->second->above_null : row->second->blocks,
        pair->second->rounds, 1, error);
}

static int estimate_rows(struct compare_pair *pair, double threshold, struct error *error)
{
    struct comparison **comparisons = calloc(pair->count, sizeof *comparisons);
    size_t made = 0;
    int code = 0;

    if (!comparisons)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->count && code == 0; i++) {
        code = estimate_row(pair, &pair->rows[i], error);
        if (pair->rows[i].word != COMPARE_NOT_COMPARABLE)
            comparisons[made++] = &pair->rows[i].comparison;
    }
    if (code == 0) {
        comparison_adjust(comparisons, made);
        for (size_t i = 0; i < pair->count; i++)
            if (pair->rows[i].word != COMPARE_NOT_COMPARABLE)
                judge(&pair->rows[i], threshold);
    }
    free(comparisons);
    return code;
}

/* The ops that both files have, but the control. */
static int pair_up(struct compare_pair *pair, struct error *error)
{
    pair->rows = calloc(pair->first->op_count, sizeof *pair->rows);
    if (!pair->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < pair->first->op_count; i++) {
        const struct result_file_op *first = &pair->first->ops[i];
        const struct result_file_op *second = result_file_find(pair->second, first->op);

        if (second && strcmp(first->op, "null_control") != 0)
            pair->rows[pair->count++] = (struct compare_row){.first = first, .second = second};
    }
    if (pair->count == 0)
        return error_set(error, ERROR_USAGE, -ENOENT, "%.200s and %.200s have no op in common",
                         pair->first->path, pair->second->path);
    return 0;
}

/* The command */

static int print(const struct compare_settings *settings, const struct compare_result *result)
{
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

    if (settings->json && compare_print_json(result, stdout) != 0)
        return -EIO;
    if (settings->csv)
        compare_print_csv(result, stdout);
    if (settings->markdown)
        compare_print_markdown(result, stdout);
    if (!settings->json && !settings->csv && !settings->markdown)
        compare_print_text(result, colour, settings->histograms, stdout);
    return fflush(stdout) == 0 ? 0 : -EIO;
}

/* Open all files, compare each with the first. */
static int compare_files(const struct compare_settings *settings, struct result_file *files,
                         size_t count, struct compare_result *result, struct error *error)
{
    int code = 0;

    for (size_t i = 1; i < count && code == 0; i++) {
        struct compare_pair *pair = &result->pairs[result->count++];

        pair->first = &files[0];
        pair->second = &files[i];
        code = pair_up(pair, error);
        if (code == 0)
            code = estimate_rows(pair, settings->threshold, error);
    }
    if (code == 0 && print(settings, result) != 0)
        code = error_set(error, ERROR_FAILED, -EIO, "writing the comparison: %s", strerror(errno));
    return code;
}

static bool has_regression(const struct compare_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->pairs[i].count; j++)
            if (result->pairs[i].rows[j].regression)
                return true;
    return false;
}

/* *STATUS is the exit status where there was no error: 1 for a regression. */
static int compare(const struct compare_settings *settings, char **paths, size_t count, int *status,
                   struct error *error)
{
    struct result_file files[FILES_MAXIMUM] = {{.path = NULL}};
    struct compare_pair pairs[FILES_MAXIMUM] = {{.first = NULL}};
    struct compare_result result = {.pairs = pairs, .threshold = settings->threshold};
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++)
        code = result_file_open(&files[i], paths[i], error);
    if (code == 0)
        code = compare_files(settings, files, count, &result, error);
    *status = has_regression(&result) ? ERROR_FAILED : 0;
    for (size_t i = 0; i < FILES_MAXIMUM; i++) {
        free(pairs[i].rows);
        result_file_close(&files[i]);
    }
    return code;
}

static int check(const struct compare_settings *settings, int count, struct error *error)
{
    if (count < 2 || count > FILES_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected two to %d results, such as 'before.json after.json'; see "
                         "'nfsbench compare --help'",
                         FILES_MAXIMUM);
    if (settings->json + settings->csv + settings->markdown > 1)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--json, --csv and --markdown are three forms of one thing; give one");
    return 0;
}

int command_compare(int argc, char **argv)
{
    struct compare_settings settings = {.help = false};
    struct error error;
    int first, status = 0, code = options_parse(table, argc, argv, &settings, &first, &error);

    if (code == 0 && settings.help) {
        print_help();
        return 0;
    }
    if (code == 0)
        code = parse_threshold(&settings, &error);
    if (code == 0)
        code = check(&settings, argc - first, &error);
    if (code == 0)
        code = compare(&settings, argv + first, (size_t)(argc - first), &status, &error);
    if (code == 0)
        return status;
    fprintf(stderr, "nfsbench: %s\n", error.text);
    return (int)error.kind;
}
