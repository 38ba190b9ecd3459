/* nfsbench compare: what differs between results, and is it real? */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/error_print.h"
#include "cli/options.h"
#include "cli/pair.h"
#include "output/compare.h"

enum { FILES_MAXIMUM = 16 };

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
        code = pair_compare(pair, settings->threshold, error);
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
    error_print(&error);
    return (int)error.kind;
}
