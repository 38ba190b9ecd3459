/* The summary of a report in words: what was measured, what was found, and doubts. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/html.h"
#include "picture/report_parts.h"

enum { FINDINGS = 3 };

static const struct result_op *op_of(const struct report *report, size_t op)
{
    return result_set_op(report->set, 0, op);
}

/* What was measured */

/* "50,000 calls of each op: " */
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

/* Of the result that it is about. */
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
    view_expand(&row, measured, "", "", text, sizeof text);
    html_print(out, "%s</p>\n", text);
}

static void print_method(const struct report *report, FILE *out)
{
    fputs("<p class=soft>The cost of an op is the median over the rounds of how much longer it "
          "took than a null call in the same round; brackets are 95 % intervals. The difference "
          "removes the cost of RPC, network and waking up, and conditions of the machine that "
          "affect both calls.</p>\n",
          out);
}

/* Findings: each function prints one if the results contain it, and returns whether it did. */

typedef bool (*finding)(const struct report *report, FILE *out);

/* Begin a finding with the file that it is about, and with the text's first letter, which is a
 * capital where it is the sentence's. */
static void begin(const struct report *report, char letter, FILE *out)
{
    html_print(out, "<li>%s%c", report->set->count > 1 ? "In A, " : "",
               report->set->count > 1 ? letter : letter - 'a' + 'A');
}

static bool find_errors(const struct report *report, FILE *out)
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
        return false;
    begin(report, 'o', out);
    html_print(out,
               "f %s calls, <b>%s failed</b>, with %s among the errors; the latencies do not "
               "include them.</li>\n",
               number_grouped((double)calls, made), number_grouped((double)failed, lost), name);
    return true;
}

/* Of the ops whose cost differs significantly from 0, the costliest; NULL for none. */
static const struct result_op *costliest(const struct report *report)
{
    const struct result_op *found = NULL;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        if (op->has_above_null && op->above_null.distinguishable &&
            (!found || op->above_null.cost.estimate > found->above_null.cost.estimate))
            found = op;
    }
    return found;
}

/* Print the parts that are significantly above 0: longer messages, and the server's work. */
static void print_parts(const struct result_op *op, FILE *out)
{
    bool bytes = op->has_split && op->split.bytes.low > 0;
    bool server = op->has_split && op->split.server.low > 0;

    if (bytes || server)
        html_print(out, ". Of that, ");
    if (bytes)
        html_print(out, "%.3f µs are spent on its longer messages%s", us(op->split.bytes.estimate),
                   server ? ", and " : "");
    if (server)
        html_print(out, "%.3f µs are the server's own work", us(op->split.server.estimate));
}

static bool find_costliest(const struct report *report, FILE *out)
{
    const struct result_op *op = costliest(report);

    if (!op)
        return false;
    begin(report, 't', out);
    html_print(out, "he %s call costs most above null: <b>", op->op);
    report_interval(&op->above_null.cost, false, out);
    html_print(out, "</b>, %.1f %% of its round trip", 100 * op->above_null.share);
    print_parts(op, out);
    fputs(".</li>\n", out);
    return true;
}

static bool find_rare(const struct report *report, FILE *out)
{
    const struct result_op *found = NULL;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        if (op->has_mean_cost && op->mean_cost.disagrees && op->mean_cost.rare_share > 0 &&
            (!found || op->mean_cost.rare.estimate > found->mean_cost.rare.estimate))
            found = op;
    }
    if (!found)
        return false;
    begin(report, 'r', out);
    html_print(out,
               "are slow calls of %s, %.2g %% of them, add %.1f µs to its mean cost, which is <b>",
               found->op, 100 * found->mean_cost.rare_share, us(found->mean_cost.rare.estimate));
    report_interval(&found->mean_cost.cost, false, out);
    fputs("</b>.</li>\n", out);
    return true;
}

static bool find_floor(const struct report *report, FILE *out)
{
    const struct result *result = report->set->results[0];
    const struct result_op *op = costliest(report);
    double level;

    if (!result->null_calls || !op)
        return false;
    level = result_level(result, result->null_calls);
    begin(report, 't', out);
    html_print(out,
               "he floor is the cost of a null call, %.2f µs: RPC, network and waking up are %.0f "
               "%% of the costliest call%s. Even a server with no work to do would not be faster "
               "here.</li>\n",
               us(level), 100 * level / (level + fmax(op->above_null.cost.estimate, 0)),
               report->set->op_count > 2 ? ", and a larger part of the others" : "");
    return true;
}

static bool find_indistinct(const struct report *report, FILE *out)
{
    size_t found = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_op *op = op_of(report, i);

        if (!op->has_above_null || op->above_null.distinguishable)
            continue;
        if (found++ == 0) {
            begin(report, 'n', out);
            fputs("o significant difference from the null call: ", out);
        }
        html_print(out, "%s%s", found > 1 ? ", " : "", report->set->ops[i]);
    }
    if (found)
        fprintf(out, ", because %s within the noise of the run.</li>\n",
                found > 1 ? "their costs are" : "its cost is");
    return found > 0;
}

static double tail_of(const struct result_op *op)
{
    return op->latency.p999 / op->latency.p50;
}

/* Is FOUND's tail significantly longer than OTHER's? If not, equal numbers of calls of both are
 * beyond OTHER's tail, one in a thousand: the standard deviation of their difference is then the
 * square root of the sum of both counts. */
static bool has_longer_tail(const struct result_op *found, const struct result_op *other)
{
    enum { DEVIATIONS = 3 };
    double expected = (double)found->timed / 1000;

    return found->histogram &&
           (double)histogram_count_above(found->histogram, tail_of(other) * found->latency.p50) >
               expected + DEVIATIONS * sqrt(2 * fmax(expected, 1));
}

/* Null has a finding only if there is no other op. */
static bool has_tail(const struct report *report, const struct result_op *op)
{
    return isfinite(tail_of(op)) && (strcmp(op->op, "null") != 0 || report->set->op_count == 1);
}

/* The op with the longest tail, if that is significant; else NULL. */
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

static bool find_tail(const struct report *report, FILE *out)
{
    const struct result_op *found = longest_tail(report);

    if (!found)
        return false;
    begin(report, 't', out);
    html_print(out,
               "he tail is longest for %s: one call in a thousand takes more than <b>%.1f µs</b>, "
               "%.1f times the median of %.2f µs; the slowest took %.0f µs.</li>\n",
               found->op, us(found->latency.p999), tail_of(found), us(found->latency.p50),
               us(found->latency.maximum));
    return true;
}

static bool find_rate(const struct report *report, FILE *out)
{
    const struct result_op *op = op_of(report, report->set->op_count - 1);
    bool loaded = !load_is_single(&report->set->results[0]->config.load);
    char rate[NUMBER_SIZE];

    if (op->rate_per_s <= 0)
        return false;
    begin(report, loaded ? 't' : 'o', out);
    html_print(out, "%s gets <b>%s %s calls per second</b>.</li>\n",
               loaded ? "hat load" : "ne client with one call at a time",
               number_grouped(op->rate_per_s, rate), op->op);
    return true;
}

/* Print, before the findings, which results are doubtful. */
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
    static const finding findings[] = {find_errors,     find_costliest, find_rare, find_floor,
                                       find_indistinct, find_tail,      find_rate};
    size_t found;

    fputs("<h2>What was found</h2>\n", out);
    print_doubts(report, out);
    fputs("<ol class=findings>\n", out);
    found = report_differences(report, FINDINGS - 1, out);
    for (size_t i = 0; i < sizeof findings / sizeof findings[0] && found < FINDINGS; i++)
        found += findings[i](report, out);
    fputs("</ol>\n", out);
}

/* Doubts */

static size_t print_reasons(const struct report *report, size_t index, FILE *out)
{
    const struct validity *validity = &report->set->results[index]->validity;

    for (size_t i = 0; i < validity->count; i++) {
        const struct validity_reason *reason = &validity->reasons[i];

        report_letter(report, index, "<li>", out);
        html_print(out, "<b>%s</b> (%s): %s</li>\n", reason->name, verdict_name(reason->verdict),
                   reason->text);
    }
    return validity->count;
}

/* Print what the reader should know although it does not change the verdict. */
static size_t print_gaps(const struct report *report, size_t index, FILE *out)
{
    const struct result *result = report->set->results[index];

    if (result->cut_short) {
        report_letter(report, index, "<li>", out);
        html_print(out, "the run was cut short: %s</li>\n", report_known(result->cut_short_by));
    }
    for (size_t i = 0; i < result->skipped_count; i++) {
        report_letter(report, index, "<li>", out);
        html_print(out, "%s was left out: %s</li>\n", report_known(result->skipped[i].op),
                   report_known(result->skipped[i].reason));
    }
    return result->cut_short + result->skipped_count;
}

void report_doubts(const struct report *report, FILE *out)
{
    size_t found = 0;

    fputs("<h2 id=wary>Doubts</h2>\n<ul class=wary>\n", out);
    for (size_t i = 0; i < report->set->count; i++)
        found += print_reasons(report, i, out) + print_gaps(report, i, out);
    if (found == 0)
        fputs("<li>All checks passed: those of the clock, the level over the run, the processors "
              "and the other load on them, and the calls themselves.</li>\n",
              out);
    if (report->set->kind == RESULT_MEASUREMENT)
        fputs("<li class=soft>The intervals are those of one run. Results vary from run to run by "
              "more than that: to compare servers, run each several times.</li>\n",
              out);
    fputs("</ul>\n", out);
}

void report_summary(const struct report *report, FILE *out)
{
    fputs("<section id=summary>\n<h2>What was measured</h2>\n", out);
    for (size_t i = 0; i < report->set->count; i++)
        print_measured(report, i, out);
    print_method(report, out);
    print_findings(report, out);
    report_doubts(report, out);
    fputs("</section>\n", out);
}
