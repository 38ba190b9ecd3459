/* The command 'nfsbench compare': differences between results, and whether they are significant. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"
#include "compare/compare.h"
#include "job/command.h"
#include "job/option_values.h"
#include "output/form/file.h"
#include "output/result/result_file.h"

enum { FILES_MAXIMUM = 64, PARTS_MAXIMUM = 8 };

/* exit status of a gate that cannot decide; enum error_kind has no such value */
enum { STATUS_UNDECIDED = 4 };

static const char *threshold_text;

static void set_defaults(struct options *options)
{
    threshold_text = NULL;
}

static const struct option_entry own_options[] = {
    {"threshold", 0, OPTION_TEXT, SECTION_OWN, OPTION_SETS(threshold_text), .value = "SIZE",
     .help = "exit with status 1 if an op other than null is slower by more than SIZE, such as 5%, "
             "100ns, or 5%,100ns (both), and the difference is significant, or with 4 if the "
             "comparison can't tell"},
    {"op", 0, OPTION_TEXT, SECTION_OWN, OPTION_SHARES(ops), .value = "OP[,...]",
     .help = "compare only these ops (default: all); --threshold then applies to null, too"},
    {"output", 'o', OPTION_FILE, SECTION_PRINTED, OPTION_SHARES(output), .value = "FILE",
     .help = "also write an HTML page with two characters side by side to FILE; - means standard "
             "output",
     .acts = true},
    {NULL},
};

static int parse_part(const char *text, struct compare_threshold *threshold)
{
    char *end;
    double value = strtod(text, &end);
    uint64_t ns;

    if (end != text && strcmp(end, "%") == 0 && value >= 0 && isnan(threshold->share)) {
        threshold->share = value / 100;
        return 0;
    }
    if (units_parse_time(text, &ns) != 0 || strcmp(text, "0") == 0 || !isnan(threshold->ns))
        return -EINVAL;
    threshold->ns = (double)ns;
    return 0;
}

static int parse_threshold(struct compare_threshold *threshold, struct error *error)
{
    char word[40];
    int code = 0;

    *threshold = (struct compare_threshold){NAN, NAN};
    for (const char *at = threshold_text; code == 0 && at;)
        code = parse_part(option_word(&at, word, sizeof word), threshold);
    if (code == 0)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--threshold '%.60s': expected a share such as 5%%, a time such as 100ns, or "
                     "both, separated by a comma",
                     threshold_text);
}

/* The command */

static void print_comparison(const struct options *options, const void *result, FILE *out)
{
    view_write_text(&view_comparison, result, options->verbose, out);
    if (options->histograms)
        compare_print_histograms(result, out);
}

static bool has_groups(const struct options *options)
{
    return options->words_after_dashes > 0 && options->words_after_dashes < options->word_count;
}

/* The files that were read. RESULTS has the files' results as an array, for groups. */
struct compared {
    struct result_file *files;
    struct result *results;
    size_t count;
};

static int check_kinds(const struct options *options, const struct compared *compared,
                       struct error *error)
{
    const struct result_file *first = &compared->files[0];

    for (size_t i = 1; i < compared->count; i++)
        if (!result_files_fit(first, &compared->files[i]))
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "%.200s is %s, and %.200s %s: expected results of one kind",
                             options->words[0], result_file_name(first), options->words[i],
                             result_file_name(&compared->files[i]));
    if (first->kind != RESULT_MEASUREMENT && has_groups(options))
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "groups are for measurements, and %.200s is %s; compare two results without --",
            options->words[0], result_file_name(first));
    return 0;
}

static void judge_rows(struct compare_gate *gate, const struct compare_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gate->judged += rows[i].gated && !rows[i].typical;
        gate->undecided += rows[i].undecided;
        gate->failed = gate->failed || rows[i].regression;
    }
}

static void judge_gate(struct compare_result *result)
{
    result->gate.doubtful = compare_is_doubtful(result);
    for (size_t i = 0; i < result->count; i++) {
        const struct compare_pair *pair = &result->pairs[i];

        judge_rows(&result->gate, pair->rows, pair->row_count);
        judge_rows(&result->gate, pair->figures, pair->figure_count);
    }
    result->gate.passed =
        !result->gate.failed && result->gate.judged > 0 && result->gate.undecided == 0;
}

/* Print on standard error the doubts about the results and, if standard output has another form
 * than text, the result of the gate. */
static void report_gate(const struct options *options, const struct compare_result *result)
{
    view_print_lines(&view_comparison, compare_doubt_lines, result, false, stderr);
    if (forms_on_stdout(options->forms))
        view_print_lines(&view_comparison, compare_gate_lines, result, false, stderr);
}

/* Return the part of FILE with the same key as PART and a kind that can be compared with PART's;
 * NULL if there is none. */
static const struct result_file *part_like(const struct result_file *file,
                                           const struct result_file *part)
{
    for (size_t i = 0; i < file->part_count; i++)
        if (strcmp(file->parts[i].key, part->key) == 0 && result_files_fit(&file->parts[i], part))
            return &file->parts[i];
    return NULL;
}

static bool has_finding(const struct result_file *file, const char *name)
{
    for (size_t i = 0; i < file->finding_count; i++)
        if (strcmp(file->findings[i].name, name) == 0)
            return true;
    return false;
}

/* Add to RESULT the findings of FILE that OTHER looked for but lacks. IS_NEW: FILE is the second
 * survey, not the first. */
static void add_findings(struct compare_result *result, const struct result_file *file,
                         const struct result_file *other, bool is_new)
{
    for (size_t i = 0; i < file->finding_count; i++) {
        const struct result_finding *finding = &file->findings[i];

        if (result_names_op(other->looked_for, finding->name) &&
            !has_finding(other, finding->name) && result->finding_count < COMPARE_FINDINGS_MAXIMUM)
            result->findings[result->finding_count++] =
                (struct compare_finding){finding->name, finding->text, is_new};
    }
}

/* Compare two files. If they consist of parts, compare the parts that both files have, and add the
 * findings that only one file has. */
static int compare_two(const struct options *options, const struct result_file *first,
                       const struct result_file *second, struct compare_result *result,
                       struct error *error)
{
    int code = 0;

    if (first->part_count == 0)
        return compare_files(first, second, &result->threshold, options->ops, result->pairs,
                             &result->count, error);
    for (size_t i = 0; i < first->part_count && code == 0; i++) {
        const struct result_file *like = part_like(second, &first->parts[i]);

        if (like)
            code = compare_files(&first->parts[i], like, &result->threshold, options->ops,
                                 result->pairs, &result->count, error);
    }
    add_findings(result, first, second, false);
    add_findings(result, second, first, true);
    return code;
}

static int compare_all(const struct options *options, const struct compared *compared,
                       struct compare_result *result, struct error *error)
{
    const size_t first = compared->count - options->words_after_dashes;
    int code = 0;

    if (has_groups(options)) {
        code = replicates_check(first, options->words_after_dashes, error);
        if (code)
            return code;
        result->pairs[result->count++] =
            (struct compare_pair){.first = compared->results,
                                  .first_count = first,
                                  .second = &compared->results[first],
                                  .second_count = options->words_after_dashes};
        return pair_compare(result->pairs, &result->threshold, options->ops, error);
    }
    for (size_t i = 1; i < compared->count && code == 0; i++)
        code = compare_two(options, &compared->files[0], &compared->files[i], result, error);
    return code;
}

static int status_of(const struct compare_gate *gate)
{
    if (gate->judged == 0)
        return ERROR_USAGE;
    return gate->failed ? ERROR_FAILED : gate->passed ? 0 : STATUS_UNDECIDED;
}

static int compare_pairs(const struct options *options, const struct compared *compared,
                         struct compare_result *result, int *status, struct error *error)
{
    int code = compare_all(options, compared, result, error);

    result->gate.asked = threshold_text != NULL;
    if (code)
        return code;
    judge_gate(result);
    code = forms_show(options, RESULT_COMPARISON, result, print_comparison, error);
    if (code || !result->gate.asked)
        return code;
    report_gate(options, result);
    *status = status_of(&result->gate);
    return 0;
}

static int read_files(const struct options *options, struct compared *compared, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < options->word_count && code == 0; i++) {
        code = result_file_read(&compared->files[i], options->words[i], "compare", error);
        compared->results[i] = compared->files[i].result;
        compared->count++;
    }
    return code ? code : check_kinds(options, compared, error);
}

/* Show two FILES next to each other, because their kind has no values to compare. */
static int show_pair(const struct options *options, const struct result_file *files,
                     struct error *error)
{
    const struct result_reading *reading = files->reading;
    const char *page = options->output;
    struct error next;
    int code = 0;

    if (!page || strcmp(page, "-") != 0)
        code = reading->write_pair(files, stdout);
    if (fflush(stdout) != 0)
        code = error_set(error, ERROR_FAILED, -EIO, "writing the comparison: %s",
                         error_of_write(-errno));
    return forms_next_error(
        code, error,
        page ? file_write(reading->write_pair_page, files, "--output", page, &next) : 0, &next);
}

static int compare_pair(const struct options *options, const struct compared *compared,
                        struct error *error)
{
    if (compared->count != 2 || threshold_text || forms_are_wanted(options->forms))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s can be compared only two at a time, as text or as a page (--output), "
                         "and without --threshold",
                         compared->files->reading->plural);
    return show_pair(options, compared->files, error);
}

static void release(struct compared *compared, struct compare_result *result)
{
    for (size_t i = 0; i < result->count; i++) {
        free(result->pairs[i].rows);
        free(result->pairs[i].figures);
    }
    for (size_t i = 0; i < compared->count; i++)
        result_file_free(&compared->files[i]);
    free(result->pairs);
    free(compared->results);
    free(compared->files);
}

/* Compare the files. With --threshold, set *STATUS to the exit status of the gate. */
static int compare(const struct options *options, const struct compare_threshold *threshold,
                   int *status, struct error *error)
{
    struct compared compared = {.files = calloc(FILES_MAXIMUM, sizeof *compared.files),
                                .results = calloc(FILES_MAXIMUM, sizeof *compared.results)};
    struct compare_result result = {
        .pairs = calloc((size_t)PARTS_MAXIMUM * FILES_MAXIMUM, sizeof *result.pairs),
        .threshold = *threshold};
    int code = compared.files && compared.results && result.pairs
                   ? read_files(options, &compared, error)
                   : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    if (code == 0 && compared.files[0].reading->write_pair) {
        code = compare_pair(options, &compared, error);
    } else if (code == 0 && options->output) {
        code = error_set(
            error, ERROR_USAGE, -EINVAL,
            "--output: a comparison of %s can't be written as a page; see 'nfsbench report'",
            compared.files[0].reading->plural);
    } else if (code == 0) {
        code = compare_pairs(options, &compared, &result, status, error);
    }
    release(&compared, &result);
    return code;
}

static int run_compare(const struct options *options, int *status, struct error *error)
{
    struct compare_threshold threshold;
    int code = parse_threshold(&threshold, error);

    if (code == 0 && (options->word_count < 2 || options->word_count > FILES_MAXIMUM))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected two to %d results, such as 'before.json after.json'; see "
                         "'nfsbench compare --help'",
                         FILES_MAXIMUM);
    if (code == 0)
        code = forms_check(options, RESULT_COMPARISON, NULL, error);
    return code ? code : compare(options, &threshold, status, error);
}

static const struct view *const views[] = {&view_comparison, NULL};

const struct command command_compare = {
    .purpose = PURPOSE_KEEP,
    .words = WORDS_FILES,
    .groups = GROUP_FORMS | GROUP_HISTOGRAMS,
    .own = own_options,
    .own_title = "comparison",
    .set_defaults = set_defaults,
    .views = views,
    .name = "compare",
    .usage = "nfsbench compare [options] A.json B.json [C.json ...]\n"
             "       nfsbench compare [options] A*.json -- B*.json",
    .summary = "show differences between results, and whether they are significant",
    .about = "Compares each further result (a JSON file) with the first or, if -- separates them, "
             "two groups of results. The first line says whether the path (machine, kernel, "
             "network, RPC) changed between them, by the null calls and by the cost of bytes. For "
             "each op, the table has the difference of the cost above null and of the server's "
             "part with 95 % intervals, and the judgement: slower, faster or no difference seen. "
             "Mean costs, which include rare slow calls, and the p99 are judged, too. If the path "
             "changed, costs are shown and only the server's part is judged. A difference counts "
             "if it is significant (p below 0.05 by Welch's test on the launches, in groups on the "
             "results, adjusted for the number of ops) and larger than both noise floors. A group "
             "has three results or more. If each side has only one launch, the variation between "
             "launches is unknown, and only differences far beyond the usual variation count.",
    .status = "0 compared; with --threshold: 1 an op is slower by more than the threshold, 4 that "
              "is not known of an op, 2 no op could be compared; 2 usage.",
    .examples = "  nfsbench compare yesterday.json today.json --threshold 5%,100ns\n"
                "  nfsbench compare before-*.json -- after-*.json\n"
                "  nfsbench compare one-server.json other-server.json -o both.html\n",
    .run = run_compare,
};
