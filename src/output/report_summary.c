/* The summary of a report: what was measured, what was found, what to be wary of, in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/html.h"
#include "output/report_parts.h"

enum { FINDINGS = 3 };

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

static bool is_null(const char *op)
{
    return strcmp(op, "null") == 0;
}

static const struct result_file_op *op_of(const struct report *report, size_t op)
{
    return result_set_op(report->set, 0, op);
}

static double figure(const struct result_file_op *op, const char *keys)
{
    return result_file_number(op->object, keys);
}

/* The median of a series' blocks, ns. */
static double level_of(const struct result_file *file, const struct result_file_op *op)
{
    double *copy = malloc(file->rounds * sizeof *copy), level = NAN;

    if (copy) {
        memcpy(copy, op->blocks, file->rounds * sizeof *copy);
        level = estimate_median(copy, file->rounds);
    }
    free(copy);
    return level;
}

/* What was measured */

/* "50,000 calls of each op; " */
static void print_calls(const struct report *report, size_t file, FILE *out)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        double calls = figure(result_set_op(report->set, file, i), "calls");

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

/* Files of runs without a load have none, and one client. */
static void print_load(const struct result_file *file, FILE *out)
{
    double clients = result_file_number(file->root, "config.clients");
    double connections = result_file_number(file->root, "config.load.connections");
    double depth = result_file_number(file->root, "config.depth");
    double rate = result_file_number(file->root, "config.load.rate_per_s");

    if (isnan(connections)) {
        fputs("one client with one call at a time", out);
        return;
    }
    html_print(out, "%.0f client%s with %.0f connection%s each and ", clients,
               clients > 1 ? "s" : "", connections, connections > 1 ? "s" : "");
    html_print(
        out, isnan(rate) ? "%.0f call%s in flight on each" : "up to %.0f call%s in flight on each",
        depth, depth > 1 ? "s" : "");
    if (!isnan(rate))
        html_print(out, ", %.0f calls a second in all, by arrivals that are %s", rate,
                   strcmp(result_file_text(file->root, "config.load.arrival"), "poisson") == 0
                       ? "a Poisson process"
                       : "evenly spaced");
}

static void print_measured(const struct report *report, size_t index, FILE *out)
{
    const struct result_file *file = &report->set->files[index];
    bool spin = strcmp(report_text(file, "config.wait"), "spin") == 0;
    bool baseline =
        json_is_true(json_object_get(json_object_get(file->root, "config"), "baseline"));
    double block = result_file_number(file->root, "config.block");

    fputs("<p>", out);
    report_letter(report, index, out);
    print_calls(report, index, out);
    html_print(out, "NFSv3 over %s on %s (%s of %s), by engine %s, %s; ",
               strcmp(report_text(file, "target.proto"), "udp") == 0 ? "UDP" : "TCP",
               report_text(file, "target.text"), report_text(file, "target.export"),
               report_text(file, "target.host"), report_text(file, "config.engine"),
               spin ? "spinning for replies" : "sleeping until a reply comes");
    print_load(file, out);
    html_print(out, ". %zu rounds of blocks of %.0f calls, %s.", file->rounds,
               isnan(block) ? 0 : block,
               baseline ? "each op's block in turn with the null call's, in random order"
                        : "without null calls to compare with");
    fputs("</p>\n", out);
}

static void print_method(const struct report *report, FILE *out)
{
    fputs(
        "<p class=soft>The cost of an op is the median, over the rounds, of how much longer a call "
        "of it took than a null call in the same round; brackets are 95 % intervals. In this way "
        "what RPC, network and waking up cost drops out, and so does the weather of the "
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
    double failed = 0, calls = 0;
    const char *name = NULL, *key;
    json_t *count;

    for (size_t i = 0; i < report->set->op_count; i++) {
        json_t *errors = json_object_get(op_of(report, i)->object, "errors");

        calls += figure(op_of(report, i), "calls");
        json_object_foreach(errors, key, count)
        {
            failed += json_number_value(count);
            name = key;
        }
    }
    if (!name)
        return false;
    begin(report, 'o', out);
    fputs("f ", out);
    html_count(out, calls);
    fputs(" calls, <b>", out);
    html_count(out, failed);
    fputs(" failed</b>", out);
    html_print(out, ", with %s among the errors; they are not part of the latencies.</li>\n", name);
    return true;
}

/* The op that costs most above null; NULL without costs. */
static const struct result_file_op *costliest(const struct report *report, struct interval *cost)
{
    const struct result_file_op *found = NULL;
    struct interval other;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_file_op *op = op_of(report, i);

        if (result_file_interval(op->object, "above_null_ns", &other) &&
            (!found || other.estimate > cost->estimate)) {
            found = op;
            *cost = other;
        }
    }
    return found;
}

/* What the messages' length does, if it does anything, and what is the server's. */
static void print_parts(const struct result_file_op *op, FILE *out)
{
    struct interval bytes, server;

    if (!result_file_interval(op->object, "model.bytes_ns", &bytes) ||
        !result_file_interval(op->object, "model.server_ns", &server))
        return;
    html_print(out, ". Of that, ");
    if (bytes.low > 0)
        html_print(out, "%.3f µs go into its longer messages, and ", us(bytes.estimate));
    html_print(out, "%.3f µs are the server's own work", us(server.estimate));
}

static bool find_costliest(const struct report *report, FILE *out)
{
    struct interval cost;
    const struct result_file_op *op = costliest(report, &cost);

    if (!op)
        return false;
    begin(report, 't', out);
    html_print(out, "he %s call costs most above null: ", op->op);
    fputs("<b>", out);
    report_interval(&cost, false, out);
    fputs("</b>", out);
    if (!isnan(figure(op, "above_null_ns.share")))
        html_print(out, ", %.1f %% of its round trip", 100 * figure(op, "above_null_ns.share"));
    print_parts(op, out);
    fputs(".</li>\n", out);
    return true;
}

static bool find_floor(const struct report *report, FILE *out)
{
    const struct result_file *file = &report->set->files[0];
    const struct result_file_op *null_calls = result_file_find(file, "null");
    struct interval cost;
    double level;

    if (!null_calls || !costliest(report, &cost))
        return false;
    level = level_of(file, null_calls);
    begin(report, 't', out);
    fputs("he floor is the null call's ", out);
    html_print(out, "%.2f µs", us(level));
    html_print(out,
               ": RPC, network and waking up make %.0f %% of the costliest call%s. Even a server "
               "without any work to do would not be faster than that here.",
               100 * level / (level + fmax(cost.estimate, 0)),
               report->set->op_count > 2 ? ", and more of the others" : "");
    fputs("</li>\n", out);
    return true;
}

static bool find_indistinct(const struct report *report, FILE *out)
{
    size_t found = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const json_t *above = json_object_get(op_of(report, i)->object, "above_null_ns");

        if (!json_is_false(json_object_get(above, "distinguishable")))
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

static bool find_tail(const struct report *report, FILE *out)
{
    const struct result_file_op *found = NULL;
    double largest = 0;

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct result_file_op *op = op_of(report, i);
        double ratio = figure(op, "latency_ns.p999") / figure(op, "latency_ns.p50");

        if (isfinite(ratio) && ratio > largest &&
            (!is_null(op->op) || report->set->op_count == 1)) {
            largest = ratio;
            found = op;
        }
    }
    if (!found)
        return false;
    begin(report, 't', out);
    html_print(out, "he tail is longest for %s: one call in a thousand takes more than ",
               found->op);
    fputs("<b>", out);
    html_print(out, "%.1f µs", us(figure(found, "latency_ns.p999")));
    fputs("</b>", out);
    html_print(out, ", %.1f times the median of %.2f µs; the slowest took %.0f µs.", largest,
               us(figure(found, "latency_ns.p50")), us(figure(found, "latency_ns.max")));
    fputs("</li>\n", out);
    return true;
}

static bool find_rate(const struct report *report, FILE *out)
{
    const struct result_file_op *op = op_of(report, report->set->op_count - 1);
    bool loaded = !isnan(result_file_number(report->set->files[0].root, "config.load.depth"));
    double rate = figure(op, "rate_per_s");

    if (isnan(rate))
        return false;
    begin(report, loaded ? 't' : 'o', out);
    fputs(loaded ? "hat load gets <b>" : "ne client with one call at a time gets <b>", out);
    html_count(out, rate);
    html_print(out, " calls of %s a second", op->op);
    fputs("</b>.</li>\n", out);
    return true;
}

/* Before the findings: which results not to believe. */
static void print_doubts(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->set->count; i++) {
        const char *verdict = report_text(&report->set->files[i], "validity.verdict");

        if (strcmp(verdict, "ok") == 0)
            continue;
        fputs("<p>", out);
        report_letter(report, i, out);
        report_verdict(&report->set->files[i], out);
        fputs(strcmp(verdict, "suspect") == 0
                  ? " Read below what to be wary of before you rely on these figures.</p>\n"
                  : " Don’t rely on these figures; the reasons stand below.</p>\n",
              out);
    }
}

static void print_findings(const struct report *report, FILE *out)
{
    static const finding findings[] = {find_errors,     find_costliest, find_floor,
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
    const struct result_file *file = &report->set->files[index];
    const json_t *reasons = json_object_get(json_object_get(file->root, "validity"), "reasons");

    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const json_t *reason = json_array_get(reasons, i);
        const char *name = result_file_text(reason, "name"),
                   *text = result_file_text(reason, "text");
        const char *verdict = result_file_text(reason, "verdict");

        fputs("<li>", out);
        report_letter(report, index, out);
        fputs("<b>", out);
        html_print(out, "%s", name ? name : "?");
        fputs("</b> ", out);
        html_print(out, "(%s): %s", verdict ? verdict : "?", text ? text : "?");
        fputs("</li>\n", out);
    }
    return json_array_size(reasons);
}

/* What is no reason of the verdict, and should be known. */
static size_t print_gaps(const struct report *report, size_t index, FILE *out)
{
    const struct result_file *file = &report->set->files[index];
    const json_t *skipped = json_object_get(file->root, "skipped");
    bool cut_short = json_is_true(json_object_get(file->root, "cut_short"));

    if (cut_short) {
        fputs("<li>", out);
        report_letter(report, index, out);
        html_print(out, "the run was cut short: %s", report_text(file, "cut_short_by"));
        fputs("</li>\n", out);
    }
    for (size_t i = 0; i < json_array_size(skipped); i++) {
        const char *op = result_file_text(json_array_get(skipped, i), "op");
        const char *reason = result_file_text(json_array_get(skipped, i), "reason");

        fputs("<li>", out);
        report_letter(report, index, out);
        html_print(out, "%s was left out: %s", op ? op : "?", reason ? reason : "?");
        fputs("</li>\n", out);
    }
    return cut_short + json_array_size(skipped);
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
