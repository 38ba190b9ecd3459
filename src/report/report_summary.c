/* Summary of a report in words: the measurement, findings, and doubts. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/result/result_fields.h"
#include "output/view/number.h"
#include "picture/html.h"
#include "report/report_parts.h"

enum { FINDINGS = 3 };

static const struct result_op *op_of(const struct report *report, size_t op)
{
    return result_set_op(report->set, 0, op);
}

/* Print the number of calls, "50,000 calls of each op: ". */
static void print_calls(const struct report *report, size_t file, FILE *out)
{
    double least = INFINITY, most = 0;
    char text[NUMBER_SIZE];

    for (size_t i = 0; i < report->set->op_count; i++) {
        double calls = (double)result_set_op(report->set, file, i)->calls;

        least = fmin(least, calls);
        most = fmax(most, calls);
    }
    html_print(out, "%s", number_grouped(least, text));
    if (most > least)
        html_print(out, " to %s", number_grouped(most, text));
    fputs(" calls of each op: ", out);
}

/* A clause of MEASURED: the load of a result. */
#define LOAD                                                                                       \
    "{?(!config.load)one client with one call at a time|{config.load.clients#client} with "        \
    "{config.load.connections#connection} each and {?(config.load.rate_per_s)up to }"              \
    "{config.load.depth#call} in flight on each{?(config.load.rate_per_s), at "                    \
    "{config.load.rate_per_s:0} calls per second in total, with "                                  \
    "{?(config.load.arrival=poisson)Poisson|evenly spaced} arrivals}}"

static const char measured[] =
    "NFSv3 over {?{target.transport}|?} on {?{target.text}|?} ({?{target.export}|?} of "
    "{?{target.host}|?}), by engine {?{config.engine}|?}, {?(config.wait=spin)spinning for "
    "replies|sleeping until a reply comes}; " LOAD ". {config.rounds#round} of blocks of "
    "{config.block} calls, {?(config.baseline)blocks of each op and of null calls in random "
    "order|without null calls to compare them with}.";

static void print_measured(const struct report *report, size_t index, FILE *out)
{
    const struct view_row row = report_row(report, index);
    char text[FIELD_ROOM];

    report_letter(report, index, "<p>", out);
    print_calls(report, index, out);
    view_expand(&row, measured, text, sizeof text);
    html_print(out, "%s</p>\n", text);
}

static void print_method(const struct report *report, FILE *out)
{
    fputs("<p class=soft>The cost of an op is the median over the rounds of how much longer it "
          "took than a null call in the same round; brackets are 95 % intervals. The difference "
          "leaves out RPC, network and waking up, and conditions of the machine that affect "
          "both calls.</p>\n",
          out);
}

/* Findings. A text begins with a small letter, which becomes a capital if it begins a sentence. */

/* A finding. If FIND is set, it writes the text. Otherwise TEXT, a line of a view, is about one op.
 * This op has the largest value at path MOST among the ops for which the condition WHEN holds. */
struct finding {
    const char *when, *most, *text;
    /* Write the finding's text to ROOM and return it; NULL if the results have no such finding. */
    const char *(*find)(const struct report *report, char room[FIELD_ROOM]);
};

#define TIME(path) "{" path "/1000:3} \u00b5s {" path ".ci95/1000:3}"

static const struct finding costliest = {
    .when = "above_null_ns.distinguishable above_null_ns>0",
    .most = "above_null_ns",
    .text = "the {op} call costs most above null: {!" TIME(
        "above_null_ns") "}, "
                         "{above_null_ns.share/0.01:1} % of its round trip"
                         "{?(model.bytes_ns.low>0|model.server_ns.low>0). Of that, }"
                         "{?(model.bytes_ns.low>0){model.bytes_ns/1000:3} \u00b5s are spent on its "
                         "longer messages"
                         "{?(model.server_ns.low>0), and }}"
                         "{?(model.server_ns.low>0){model.server_ns/1000:3} \u00b5s are the "
                         "server's own work}",
};

static const struct finding rare = {
    .when = "mean_above_null_ns.disagrees mean_above_null_ns.rare_share",
    .most = "mean_above_null_ns.rare",
    .text = "rare slow calls of {op}, {mean_above_null_ns.rare_share/0.01:2g} % of them, add "
            "{mean_above_null_ns.rare/1000:1} \u00b5s to its mean cost, which is "
            "{!" TIME("mean_above_null_ns") "}",
};

/* The path "#" is the number of the op, so this finding is about the last op that has a rate. */
static const struct finding rate = {
    .when = "rate_per_s",
    .most = "#",
    .text = "{?(^config.load)this load|one client with one call at a time} achieves "
            "{!{rate_per_s:,} {op} calls per second}",
};

/* Set ROW to the op that FINDING is about. RESULT is the row of the first file. Returns true, or
 * false if no op meets FINDING's condition. */
static bool find_most(const struct report *report, const struct finding *finding,
                      const struct view_row *result, struct view_row *row)
{
    double most = -INFINITY;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct view_row each = {.fields = op_fields,
                                      .object = op_of(report, i),
                                      .root = result->root,
                                      .number = i,
                                      .outer = result};
        struct view_cell cell;

        view_cell(&each, finding->most, &cell);
        if (cell.type != CELL_NUMBER || cell.number.estimate <= most ||
            !view_holds(&each, finding->when))
            continue;
        most = cell.number.estimate;
        *row = each;
    }
    return most > -INFINITY;
}

static const char *find_errors(const struct report *report, char room[FIELD_ROOM])
{
    uint64_t failed = 0, calls = 0;
    char made[NUMBER_SIZE], lost[NUMBER_SIZE];
    const char *name = NULL;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        calls += op->calls;
        failed += op->failed;
        if (op->error_count > 0)
            name = op->errors[op->error_count - 1].name;
    }
    if (!name)
        return NULL;
    return field_print(room,
                       "of %s calls, " REPORT_BOLD "%s failed" REPORT_BOLD_END
                       ", with %s among the errors; the latencies do not include them",
                       number_grouped((double)calls, made), number_grouped((double)failed, lost),
                       printable(name).text);
}

static const char *find_floor(const struct report *report, char room[FIELD_ROOM])
{
    const struct view_row root = report_row(report, 0);
    const struct result *result = report->set->results[0];
    const struct result_op *op;
    struct view_row row;
    double level;

    if (!result->null_calls || !find_most(report, &costliest, &root, &row))
        return NULL;
    op = row.object;
    level = result_level(result, result->null_calls);
    return field_print(
        room,
        "the floor is the cost of a null call, %.2f \u00b5s: RPC, network and waking up are %.0f "
        "%% of the costliest call%s. Even a server with no work to do would not be faster here",
        us(level), 100 * level / (level + fmax(op->above_null.cost.estimate, 0)),
        report->set->op_count > 2 ? ", and a larger share of calls of the other ops" : "");
}

static const char *find_indistinct(const struct report *report, char room[FIELD_ROOM])
{
    size_t found = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        if (!op->has_above_null || op->above_null.distinguishable)
            continue;
        if (found++ == 0)
            field_print(room, "no significant difference from the null call: ");
        field_append(room, "%s%s", found > 1 ? ", " : "", printable(report->set->ops[i]).text);
    }
    return found ? field_append(room, ", because %s within the noise of the run",
                                found > 1 ? "their costs are" : "its cost is")
                 : NULL;
}

static double tail_of(const struct result_op *op)
{
    return op->latency.p999 / op->latency.p50;
}

/* Return whether FOUND's tail is significantly longer than OTHER's. An op's tail is its p99.9
 * divided by its median. If the tails were equal, about a thousandth of FOUND's calls would take
 * more than OTHER's tail times FOUND's median. An excess of such calls is significant if it is more
 * than DEVIATIONS standard deviations. Its variance is twice the expected number of such calls,
 * because OTHER's tail is uncertain, too. */
static bool has_longer_tail(const struct result_op *found, const struct result_op *other)
{
    enum { DEVIATIONS = 3 };
    double expected = (double)found->timed / 1000;

    return found->histogram &&
           (double)histogram_count_above(found->histogram, tail_of(other) * found->latency.p50) >
               expected + DEVIATIONS * sqrt(2 * fmax(expected, 1));
}

/* Return whether OP's tail may be reported: null's only if there is no other op. */
static bool has_tail(const struct report *report, const struct result_op *op)
{
    return isfinite(tail_of(op)) && (strcmp(op->op, "null") != 0 || report->set->op_count == 1);
}

/* Return the op whose tail is significantly longer than all other ops' tails; NULL if none. */
static const struct result_op *longest_tail(const struct report *report)
{
    const struct result_op *found = NULL;

    for (size_t i = 0; i < report->set->op_count; i++)
        if (has_tail(report, op_of(report, i)) &&
            (!found || tail_of(op_of(report, i)) > tail_of(found)))
            found = op_of(report, i);
    for (size_t i = 0; found && i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        if (op != found && has_tail(report, op) && !has_longer_tail(found, op))
            return NULL;
    }
    return found;
}

static const char *find_tail(const struct report *report, char room[FIELD_ROOM])
{
    const struct result_op *found = longest_tail(report);

    if (!found)
        return NULL;
    return field_print(
        room,
        "the tail is longest for %s: one call in a thousand takes more than " REPORT_BOLD
        "%.1f \u00b5s" REPORT_BOLD_END ", %.1f times the median of %.2f "
        "\u00b5s; the slowest took %.0f \u00b5s",
        printable(found->op).text, us(found->latency.p999), tail_of(found), us(found->latency.p50),
        us(found->latency.maximum));
}

/* Print FINDING as a list item. Returns true, or false if the results have no such finding. */
static bool print_finding(const struct report *report, const struct finding *finding, FILE *out)
{
    const struct view_row result = report_row(report, 0);
    const bool several = report->set->count > 1;
    struct view_row row;
    char text[FIELD_ROOM];

    if (finding->find ? !finding->find(report, text)
                      : !find_most(report, finding, &result, &row) ||
                            !view_expand(&row, finding->text, text, sizeof text))
        return false;
    if (!several)
        text[0] = (char)toupper((unsigned char)text[0]);
    fputs(several ? "<li>In A, " : "<li>", out);
    report_text(text, out);
    fputs(".</li>\n", out);
    return true;
}

/* Print a warning for each result that is suspect or invalid. */
static void print_doubts(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->set->count; i++) {
        enum verdict verdict = report->set->results[i]->validity.verdict;

        if (verdict == VERDICT_OK)
            continue;
        report_letter(report, i, "<p>", out);
        report_verdict(report->set->results[i], out);
        fputs(verdict == VERDICT_SUSPECT
                  ? " Read the doubts below before you rely on these figures.</p>\n"
                  : " Don’t rely on these figures; the reasons are below.</p>\n",
              out);
    }
}

static void print_findings(const struct report *report, FILE *out)
{
    const struct finding findings[] = {
        {.find = find_errors},     costliest,           rare, {.find = find_floor},
        {.find = find_indistinct}, {.find = find_tail}, rate};
    size_t found;

    fputs("<h2>What was found</h2>\n", out);
    print_doubts(report, out);
    fputs("<ol class=findings>\n", out);
    found = report_differences(report, FINDINGS - 1, out);
    for (size_t i = 0; i < sizeof findings / sizeof findings[0] && found < FINDINGS; i++)
        found += print_finding(report, &findings[i], out);
    fputs("</ol>\n", out);
}

#define LETTER_OF_EACH "{?\3{^@}\4}"

/* Lines on doubts, and on facts that readers should know but that leave the verdict unchanged. */
static const struct view_line doubts[] = {
    {LETTER_OF_EACH "{!{name}} ({verdict}): {text}", "validity.reasons"},
    {REPORT_LETTER "the run was cut short: {?{cut_short_by}|?}", .when = "cut_short"},
    {LETTER_OF_EACH "{?{op}|?} was left out: {?{reason}|?}", "skipped"},
    {NULL},
};

static const struct view_line one_launch[] = {
    {REPORT_LETTER
     "The intervals are those of one launch. Results vary more from launch to launch: "
     "to compare servers, use --launches.",
     .when = "!launches>1"},
    {NULL},
};

void report_doubts(const struct report *report, FILE *out)
{
    size_t found = 0;

    html_print(out, "<h2 id=wary%zu>Doubts</h2>\n<ul class=wary>\n", report->number);
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result *result = report->set->results[i];
        const struct view_row row = report_row(report, i);

        page_print_lines(&report_form, doubts, &row, PAGE_HEAD, out);
        if (report->set->files[0]->kind == RESULT_MEASUREMENT)
            page_print_lines(&report_form, one_launch, &row, PAGE_HEAD, out);
        found += result->validity.count + result->cut_short + result->skipped_count;
    }
    if (found == 0)
        fputs(
            "<li>All checks passed: of the clock, of the level over the run, of the processors and "
            "other load on them, and of the calls.</li>\n",
            out);
    fputs("</ul>\n", out);
}

void report_summary(const struct report *report, FILE *out)
{
    fputs("<h2>What was measured</h2>\n", out);
    for (size_t i = 0; i < report->set->count; i++)
        print_measured(report, i, out);
    print_method(report, out);
    print_findings(report, out);
    report_doubts(report, out);
}
