#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"

/* The table of times */

void text_print_rows(const struct result *result, const struct table_column *columns, size_t count,
                     bool (*has)(const struct result_op *op),
                     void (*print)(const struct result_op *op, struct table *table), FILE *out)
{
    struct table table;
    bool begun = false;

    for (size_t i = 0; i < result->op_count; i++) {
        if (!has(&result->ops[i]))
            continue;
        if (!begun) {
            fputc('\n', out);
            table_begin(&table, columns, count, terminal_width(out), out);
            table_headings(&table);
        }
        begun = true;
        print(&result->ops[i], &table);
    }
}

bool text_moves_data(const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (isfinite(result->ops[i].megabytes_per_s))
            return true;
    return false;
}

void text_megabytes_cell(const struct result_op *op, struct table *table)
{
    double rate = op->megabytes_per_s;

    if (isfinite(rate))
        table_cell(table, "%.*f", rate < 100 ? 2 : 0, rate);
    else
        table_cell(table, "-");
}

/* "-" for an op of a mix, whose calls come between others. */
static const char *calls_per_second(const struct result_op *op, char text[NUMBER_SIZE])
{
    return op->rate_per_s > 0 ? number_grouped(op->rate_per_s, text) : "-";
}

/* What is given up first is what can be computed, or looked up in the result file. */
static const struct table_column times_columns[] = {
    {"op", 16, true, 0},     {"calls", 11, false, 0},  {"mean us", 9, false, 0},
    {"p50", 8, false, 0},    {"p90", 8, false, 2},     {"p99", 8, false, 0},
    {"p99.9", 8, false, 1},  {"max", 9, false, 3},     {"calls/s", 10, false, 4},
    {"call B", 7, false, 5}, {"reply B", 7, false, 5}, {"MB/s", 8, false, 4},
};

static void print_times(const struct result_op *op, struct table *table)
{
    const struct result_latency *latency = &op->latency;
    char calls[NUMBER_SIZE], rate[NUMBER_SIZE];

    table_cell(table, "%s", op->op);
    table_cell(table, "%s", number_grouped((double)op->calls, calls));
    table_cell(table, "%.2f", us(latency->mean));
    table_cell(table, "%.2f", us(latency->p50));
    table_cell(table, "%.2f", us(latency->p90));
    table_cell(table, "%.2f", us(latency->p99));
    table_cell(table, "%.2f", us(latency->p999));
    table_cell(table, "%.1f", us(latency->maximum));
    table_cell(table, "%s", calls_per_second(op, rate));
    table_cell(table, "%.0f", op->call_bytes);
    table_cell(table, "%.0f", op->reply_bytes);
    text_megabytes_cell(op, table);
    table_end_row(table, "");
}

static void print_table(const struct result *result, bool verbose, FILE *out)
{
    struct table table;
    size_t columns = sizeof times_columns / sizeof times_columns[0];

    table_begin(&table, times_columns, text_moves_data(result) ? columns : columns - 1,
                terminal_width(out), out);
    fputc('\n', out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (verbose || &result->ops[i] != result->null_control)
            print_times(&result->ops[i], &table);
}

/* The lines below */

static void print_details(const struct result *result, FILE *out)
{
    fputc('\n', out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        fprintf(out, "  %-16s min %.2f us, standard deviation %.2f us%s%s\n", op->op,
                us(op->latency.minimum), us(op->latency.stddev), op->object ? ", on " : "",
                printable(op->object ? op->object : "").text);
        if (op->rate_per_s > 0 && op->role != RESULT_LOCAL)
            fprintf(out, "  %-16s %.1f Mbit/s on the wire, both directions\n", "",
                    result_wire_megabits_per_s(op));
    }
}

static void print_troubles(const struct result_op *op, FILE *out)
{
    if (op->renewals)
        fprintf(out, "  %-16s %s renewed\n", op->op,
                counted(op->renewals, "security context").text);
    if (op->failed == 0 && op->retransmissions == 0 && op->reconnections == 0 && op->unmatched == 0)
        return;
    fprintf(out, "  %-16s", op->op);
    for (size_t i = 0; i < op->error_count; i++)
        fprintf(out, " %s %" PRIu64 " times,", printable(op->errors[i].name).text,
                op->errors[i].count);
    fprintf(out,
            " sent again %" PRIu64 ", reconnected %" PRIu64 ", unmatched replies %" PRIu64 "\n",
            op->retransmissions, op->reconnections, op->unmatched);
}

/* No latency includes the time that a server was away, which must not go unseen. */
static void print_gaps(const struct result_op *op, bool in_percentiles, FILE *out)
{
    enum { SHOWN = 3 };
    char line[200];

    for (size_t i = 0; i < op->gap_count && i < SHOWN; i++) {
        const struct result_gap *gap = &op->gaps[i];

        snprintf(line, sizeof line, "  %-16s gap of %.3f s at %.3f s: %s sent again, in %s", op->op,
                 gap->length_s, gap->at_s, counted(gap->calls, "call").text,
                 in_percentiles ? "the percentiles" : "no percentile (--count-resent)");
        terminal_print_wrapped(line, 4, out);
    }
    if (op->gaps_in_all > SHOWN)
        fprintf(out, "  %-16s and %s\n", op->op,
                counted(op->gaps_in_all - SHOWN, "shorter gap").text);
}

static void print_stalls(const struct result *result, FILE *out)
{
    enum { SHOWN = 5 };
    const uint64_t all = result->stall_count + result->stalls_not_kept;

    for (size_t i = 0; i < result->stall_count && i < SHOWN; i++) {
        const struct result_stall *stall = &result->stalls[i];
        char launch[24] = "";

        if (stall->launch)
            snprintf(launch, sizeof launch, " (launch %u)", stall->launch);
        fprintf(out, "  %-16s no answer for %.3f s at %.1f s%s, %s waited\n",
                printable(stall->series).text, stall->length_s, stall->at_s, launch,
                counted(stall->calls, "call").text);
    }
    if (all > SHOWN)
        fprintf(out, "  and %s; see --json\n", counted(all - SHOWN, "other stall").text);
}

static void print_usage(const struct result *result, FILE *out)
{
    const double *usage = result->usage;
    char line[256], parts[80] = "";

    if (isfinite(usage[COUNTER_USER_NS])) /* not known of another process */
        snprintf(parts, sizeof parts, " (user %.2f, system %.2f)", us(usage[COUNTER_USER_NS]),
                 us(usage[COUNTER_SYSTEM_NS]));
    snprintf(line, sizeof line,
             "  per call, all ops: client CPU %.2f us%s   "
             "context switches %.3f voluntary, %.3f involuntary",
             us(usage[COUNTER_CPU_NS]), parts, usage[COUNTER_VOLUNTARY],
             usage[COUNTER_INVOLUNTARY]);
    fputc('\n', out);
    terminal_print_wrapped(line, 4, out);
}

static void print_reason(const struct validity_reason *reason, FILE *out)
{
    char line[PRINTABLE_SIZE + 128];

    snprintf(line, sizeof line, "    %s (%s): %s", reason->name, verdict_name(reason->verdict),
             printable(reason->text).text);
    terminal_print_wrapped(line, 8, out);
}

static enum terminal_tone tone_of(enum verdict verdict)
{
    return verdict == VERDICT_OK        ? TERMINAL_MUCH_BETTER
           : verdict == VERDICT_SUSPECT ? TERMINAL_DOUBTFUL
                                        : TERMINAL_MUCH_WORSE;
}

void text_print_verdict(const struct validity *validity, FILE *out)
{
    fprintf(out, "  verdict %s%s%s\n", terminal_tone(out, tone_of(validity->verdict)),
            verdict_name(validity->verdict), terminal_tone(out, TERMINAL_PLAIN));
    for (size_t i = 0; i < validity->count; i++)
        print_reason(&validity->reasons[i], out);
}

/* It may be the machine's, the network's or the server's, so it is no part of the verdict. */
static void print_null_change(const struct result_evidence *evidence, FILE *out)
{
    char line[PRINTABLE_SIZE + 256];

    if (!evidence->earlier_start || !(fabs(evidence->null_change) > VALIDITY_LEVEL_SUSPECT))
        return;
    snprintf(line, sizeof line,
             "  null calls take %+.0f %% against this host's earlier result, of %s: the machine, "
             "the network or the server has changed since",
             100 * evidence->null_change, printable(evidence->earlier_start).text);
    terminal_print_wrapped(line, 4, out);
}

void text_print(const struct result *result, bool verbose, FILE *out)
{
    text_print_head(result, verbose, out);
    print_table(result, verbose, out);
    text_print_costs(result, verbose, out);
    text_print_entries(result, out);
    text_print_bandwidth(result, out);
    text_print_levels(result, out);
    if (verbose)
        text_print_spread(result, out);
    text_print_load(result, verbose, out);
    text_print_mounted(result, out);
    if (verbose)
        text_print_ranks(result, out);
    if (verbose)
        print_details(result, out);
    for (size_t i = 0; i < result->op_count; i++)
        print_troubles(&result->ops[i], out);
    for (size_t i = 0; i < result->op_count; i++)
        print_gaps(&result->ops[i], result->config.count_resent, out);
    print_stalls(result, out);
    for (size_t i = 0; i < result->skipped_count; i++)
        fprintf(out, "  %-16s left out: %s\n", printable(result->skipped[i].op).text,
                printable(result->skipped[i].reason).text);
    if (verbose)
        text_print_slowest(result, out);
    text_print_ledger(result, out);
    if (verbose)
        text_print_rates(result, out);
    if (!result->ledger.counted)
        print_usage(result, out);
    if (result->ledger.cut_short_by)
        fprintf(out, "  counting per op was cut short: %s\n",
                printable(result->ledger.cut_short_by).text);
    text_print_verdict(&result->validity, out);
    print_null_change(&result->evidence, out);
}

/* Histograms */

static void print_histogram(const struct result_op *op, FILE *out)
{
    enum { BAR = 40 };
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS], largest = 1;

    histogram_log2(op->histogram, counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        largest = counts[i] > largest ? counts[i] : largest;
    fprintf(out, "\n  %-16s %13s\n", op->op, "calls");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        int bar = (int)ceil(BAR * (double)counts[i] / (double)largest);

        if (counts[i] > 0)
            fprintf(out, "  %9.3f us %13" PRIu64 "  %.*s\n", us(i ? ldexp(1, (int)i) : 0),
                    counts[i], bar, "########################################");
    }
}

void text_print_histograms(const struct result *result, FILE *out)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (&result->ops[i] != result->null_control && result->ops[i].histogram)
            print_histogram(&result->ops[i], out);
}
