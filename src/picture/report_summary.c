/* The summary of a report: what was measured, what was found, what to be wary of, in words. */
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

/* "50,000 calls of each op; " */
static void print_calls(const struct report *report, size_t file, FILE *out)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        double calls = (double)result_set_op(report->set, file, i)->calls;

        least = fmin(least, calls);
        most = fmax(most, calls);
    }
    html_count(out, least);
    if (most > least) {
        fputs(" to ", out);
        html_count(out, most);
    }
    fputs(" calls of each op: ", out);
}

static const char *plural(unsigned count)
{
    return count > 1 ? "s" : "";
}

static void print_load(const struct load *load, FILE *out)
{
    if (load_is_single(load)) {
        fputs("one client with one call at a time", out);
        return;
    }
    html_print(out, "%u client%s with %u connection%s each and ", load->clients,
               plural(load->clients), load->connections, plural(load->connections));
    html_print(out, "%s%u call%s in flight on each", load->rate > 0 ? "up to " : "", load->depth,
               plural(load->depth));
    if (load->rate > 0)
        html_print(out, ", %.0f calls a second in all, by arrivals that are %s", load->rate,
                   load->arrival == ARRIVALS_POISSON ? "a Poisson process" : "evenly spaced");
}

static void print_measured(const struct report *report, size_t index, FILE *out)
{
    const struct result *result = &report->set->results[index];
    const struct result_target *target = &result->target;

    fputs("<p>", out);
    report_letter(report, index, out);
    print_calls(report, index, out);
    html_print(out, "NFSv3 over %s on %s (%s of %s), by engine %s, %s; ",
               report_known(target->transport), report_known(target->text),
               report_known(target->export), report_known(target->host),
               report_known(result->config.engine),
               result->config.spin ? "spinning for replies" : "sleeping until a reply comes");
    print_load(&result->config.load, out);
    html_print(out, ". %zu rounds of blocks of %" PRIu32 " calls, %s.", result->rounds.done,
               result->config.block,
               result->null_calls ? "each op's block in turn with the null call's, in random order"
                                  : "without null calls to compare with");
    fputs("</p>\n", out);
}

static void print_method(const struct report *report, FILE *out)
{
    fputs(
        "<p class=soft>The cost of an op is the median, over the rounds, of how much longer a call "
        "of it took than a null call in the same round; brackets are 95 % intervals. In this way "
        "what RPC, network and waking up cost drops out, and so do the conditions of the "
        "machine.</p>\n",
        out);
}

/* Findings: each function prints one, if the results have it, and says whether it did. */

typedef bool (*finding)(const struct report *report, FILE *out);

/* Begin a finding, whose first letter is given, with the file that it speaks of. */
static void begin(const struct report *report, char letter, FILE *out)
{
    fputs(report->set->count > 1 ? "<li>In A, " : "<li>", out);
    fputc(report->set->count > 1 ? letter : letter - 'a' + 'A', out);
}

static bool find_errors(const struct report *report, FILE *out)
{
    uint64_t failed = 0, calls = 0;
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
    fputs("f ", out);
    html_count(out, (double)calls);
    fputs(" calls, <b>", out);
    html_count(out, (double)failed);
    fputs(" failed</b>", out);
    html_print(out, ", with %s among the errors; they are not part of the latencies.</li>\n", name);
    return true;
}

/* The op that costs most above null, of those whose cost can be told from 0; NULL for none. */
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

/* What the messages' length does, and what is the server's, as far as they can be told from 0. */
static void print_parts(const struct result_op *op, FILE *out)
{
    bool bytes = op->has_split && op->split.bytes.low > 0;
    bool server = op->has_split && op->split.server.low > 0;

    if (bytes || server)
        html_print(out, ". Of that, ");
    if (bytes)
        html_print(out, "%.3f µs go into its longer messages%s", us(op->split.bytes.estimate),
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
    html_print(out, "he %s call costs most above null: ", op->op);
    fputs("<b>", out);
    report_interval(&op->above_null.cost, false, out);
    fputs("</b>", out);
    html_print(out, ", %.1f %% of its round trip", 100 * op->above_null.share);
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
    html_print(out, "are slow calls of %s, %.1g %% of them, ", found->op,
               100 * found->mean_cost.rare_share);
    html_print(out, "add %.1f µs to its cost, which in the mean is ",
               us(found->mean_cost.rare.estimate));
    fputs("<b>", out);
    report_interval(&found->mean_cost.cost, false, out);
    fputs("</b>.</li>\n", out);
    return true;
}

static bool find_floor(const struct report *report, FILE *out)
{
    const struct result *result = &report->set->results[0];
    const struct result_op *op = costliest(report);
    double level;

    if (!result->null_calls || !op)
        return false;
    level = result_level(result, result->null_calls);
    begin(report, 't', out);
    fputs("he floor is the null call's ", out);
    html_print(out, "%.2f µs", us(level));
    html_print(out,
               ": RPC, network and waking up make %.0f %% of the costliest call%s. Even a server "
               "without any work to do would not be faster than that here.",
               100 * level / (level + fmax(op->above_null.cost.estimate, 0)),
               report->set->op_count > 2 ? ", and more of the others" : "");
    fputs("</li>\n", out);
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
            fputs("ot to be told from the null call: ", out);
        }
        html_print(out, "%s%s", found > 1 ? ", " : "", report->set->ops[i]);
    }
    if (found)
        fprintf(out, ", for %s within the noise of the run.</li>\n",
                found > 1 ? "their costs lie" : "its cost lies");
    return found > 0;
}

static double tail_of(const struct result_op *op)
{
    return op->latency.p999 / op->latency.p50;
}

/* Is FOUND's tail longer than OTHER's by more than chance? Where it is not, as many of its calls
 * are beyond OTHER's tail as of OTHER's, one in a thousand: their difference then has a standard
 * deviation of the square root of both counts. */
static bool has_longer_tail(const struct result_op *found, const struct result_op *other)
{
    enum { DEVIATIONS = 3 };
    double expected = (double)found->timed / 1000;

    return found->histogram &&
           (double)histogram_count_above(found->histogram, tail_of(other) * found->latency.p50) >
               expected + DEVIATIONS * sqrt(2 * fmax(expected, 1));
}

/* Null is looked at where there is no other op. */
static bool has_tail(const struct report *report, const struct result_op *op)
{
    return isfinite(tail_of(op)) && (strcmp(op->op, "null") != 0 || report->set->op_count == 1);
}

/* The op whose tail is longest, where that is significant; NULL for none. */
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
    html_print(out, "he tail is longest for %s: one call in a thousand takes more than ",
               found->op);
    fputs("<b>", out);
    html_print(out, "%.1f µs", us(found->latency.p999));
    fputs("</b>", out);
    html_print(out, ", %.1f times the median of %.2f µs; the slowest took %.0f µs.", tail_of(found),
               us(found->latency.p50), us(found->latency.maximum));
    fputs("</li>\n", out);
    return true;
}

static bool find_rate(const struct report *report, FILE *out)
{
    const struct result_op *op = op_of(report, report->set->op_count - 1);
    bool loaded = !load_is_single(&report->set->results[0].config.load);

    if (op->rate_per_s <= 0)
        return false;
    begin(report, loaded ? 't' : 'o', out);
    fputs(loaded ? "hat load gets <b>" : "ne client with one call at a time gets <b>", out);
    html_count(out, op->rate_per_s);
    html_print(out, " calls of %s a second", op->op);
    fputs("</b>.</li>\n", out);
    return true;
}

/* Before the findings: which results not to believe. */
static void print_doubts(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->set->count; i++) {
        enum verdict verdict = report->set->results[i].validity.verdict;

        if (verdict == VERDICT_OK)
            continue;
        fputs("<p>", out);
        report_letter(report, i, out);
        report_verdict(&report->set->results[i], out);
        fputs(verdict == VERDICT_SUSPECT
                  ? " Read below what to be wary of before you rely on these figures.</p>\n"
                  : " Don’t rely on these figures; the reasons stand below.</p>\n",
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

/* What to be wary of */

static size_t print_reasons(const struct report *report, size_t index, FILE *out)
{
    const struct validity *validity = &report->set->results[index].validity;

    for (size_t i = 0; i < validity->count; i++) {
        const struct validity_reason *reason = &validity->reasons[i];

        fputs("<li>", out);
        report_letter(report, index, out);
        fputs("<b>", out);
        html_print(out, "%s", reason->name);
        fputs("</b> ", out);
        html_print(out, "(%s): %s", verdict_name(reason->verdict), reason->text);
        fputs("</li>\n", out);
    }
    return validity->count;
}

/* What is no reason of the verdict, and should be known. */
static size_t print_gaps(const struct report *report, size_t index, FILE *out)
{
    const struct result *result = &report->set->results[index];

    if (result->cut_short) {
        fputs("<li>", out);
        report_letter(report, index, out);
        html_print(out, "the run was cut short: %s", report_known(result->cut_short_by));
        fputs("</li>\n", out);
    }
    for (size_t i = 0; i < result->skipped_count; i++) {
        fputs("<li>", out);
        report_letter(report, index, out);
        html_print(out, "%s was left out: %s", report_known(result->skipped[i].op),
                   report_known(result->skipped[i].reason));
        fputs("</li>\n", out);
    }
    return result->cut_short + result->skipped_count;
}

static void print_wary(const struct report *report, FILE *out)
{
    size_t found = 0;

    fputs("<h2>What to be wary of</h2>\n<ul class=wary>\n", out);
    for (size_t i = 0; i < report->set->count; i++)
        found += print_reasons(report, i, out) + print_gaps(report, i, out);
    if (found == 0)
        fputs("<li>No reason to doubt was found: neither in the clock, the level over the run, the "
              "processors and what else ran on them, nor in the calls themselves.</li>\n",
              out);
    fputs(
        "<li class=soft>Intervals speak of one run. Processes differ from run to run by more than "
        "that: compare servers by several runs of each.</li>\n</ul>\n",
        out);
}

void report_summary(const struct report *report, FILE *out)
{
    fputs("<section id=summary>\n<h2>What was measured</h2>\n", out);
    for (size_t i = 0; i < report->set->count; i++)
        print_measured(report, i, out);
    print_method(report, out);
    print_findings(report, out);
    print_wary(report, out);
    fputs("</section>\n", out);
}
