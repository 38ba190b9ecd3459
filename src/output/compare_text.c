/* A comparison as text for people. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "measure/histogram.h"
#include "output/compare.h"

const char *compare_word_name(enum compare_word word)
{
    static const char *const names[] = {"the same within the noise floor", "faster", "slower",
                                        "not comparable"};

    return names[word];
}

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

static void print_file(char letter, const struct result_file *file, FILE *out)
{
    const json_t *root = file->root;

    fprintf(out, "%c  %s: %s over %s, engine %s, %s, %zu rounds, %s, verdict %s\n", letter,
            file->path, result_file_text(root, "target.text"),
            result_file_text(root, "target.proto"), result_file_text(root, "config.engine"),
            result_file_text(root, "clock.name"), file->rounds, result_file_text(root, "start"),
            result_file_text(root, "validity.verdict"));
}

static bool differs(const struct compare_pair *pair, const char *keys)
{
    const char *first = result_file_text(pair->first->root, keys);
    const char *second = result_file_text(pair->second->root, keys);

    return first && second && strcmp(first, second) != 0;
}

/* What may explain a difference and is no reason not to look at it. */
static void print_notes(const struct compare_pair *pair, FILE *out)
{
    static const struct {
        const char *keys, *text;
    } notes[] = {{"target.text", "the targets differ"},
                 {"host.cpu", "the clients' processors differ"},
                 {"host.kernel", "the clients' kernels differ"},
                 {"tool.version", "the versions of nfsbench differ"},
                 {"config.client_cpus", "the clients ran on other processors"}};

    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        if (differs(pair, notes[i].keys))
            fprintf(out, "   note: %s\n", notes[i].text);
}

/* By the size of the difference: bold above the threshold. */
static const char *colour_of(const struct compare_row *row, double threshold)
{
    bool large = !isnan(row->share) && fabs(row->share) > threshold;

    if (row->word == COMPARE_SLOWER)
        return large ? "\033[1;31m" : "\033[31m";
    if (row->word == COMPARE_FASTER)
        return large ? "\033[1;32m" : "\033[32m";
    return "\033[2m";
}

static void print_row(const struct compare_row *row, double threshold, bool colour, FILE *out)
{
    const struct comparison *comparison = &row->comparison;
    char bracket[48], share[16] = "", p[16];

    fprintf(out, "  %-16s %9.2f %9.2f", row->first->op,
            us(result_file_number(row->first->object, "latency_ns.mean")),
            us(result_file_number(row->second->object, "latency_ns.mean")));
    if (row->word == COMPARE_NOT_COMPARABLE) {
        fprintf(out, "   %s: %s\n", compare_word_name(row->word), row->reason);
        return;
    }
    snprintf(bracket, sizeof bracket, "[%+.3f, %+.3f]", us(comparison->difference.low),
             us(comparison->difference.high));
    snprintf(p, sizeof p, comparison->adjusted_p < 0.001 ? "<0.001" : "%.3f",
             comparison->adjusted_p);
    if (!isnan(row->share))
        snprintf(share, sizeof share, "%+.1f %%", 100 * row->share);
    fprintf(out, "  %-10s %9.3f %9.3f  %+8.3f %-18s %9s %7s  %s%s%s\n",
            row->above_null ? "above null" : "round trip", us(comparison->first.estimate),
            us(comparison->second.estimate), us(comparison->difference.estimate), bracket, share, p,
            colour ? colour_of(row, threshold) : "", compare_word_name(row->word),
            colour ? "\033[0m" : "");
}

/* Histograms */

enum { BAR = 24 };

/* An op's counts by powers of two of ns. */
static void read_log2(const struct result_file_op *op, double counts[HISTOGRAM_LOG2_BUCKETS])
{
    memset(counts, 0, HISTOGRAM_LOG2_BUCKETS * sizeof counts[0]);
    for (size_t i = 0; i < op->bucket_count; i++) {
        int bucket = op->buckets[i].low >= 2 ? ilogb(op->buckets[i].low) : 0;

        if (bucket < HISTOGRAM_LOG2_BUCKETS)
            counts[bucket] += op->buckets[i].count;
    }
}

/* A count and its bar, padded to WIDTH. */
static void print_bar(double count, double total, int width, FILE *out)
{
    int length = total > 0 ? (int)ceil(BAR * count / total) : 0;

    fprintf(out, " %10.0f %-*.*s", count, width, length, "########################");
}

static void print_histograms(const struct compare_row *row, FILE *out)
{
    double first[HISTOGRAM_LOG2_BUCKETS], second[HISTOGRAM_LOG2_BUCKETS];

    read_log2(row->first, first);
    read_log2(row->second, second);
    fprintf(out, "\n  %-16s %10s %-*s %10s\n", row->first->op, "A", BAR, "", "B");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        if (first[i] == 0 && second[i] == 0)
            continue;
        fprintf(out, "  %9.3f us", us(i ? ldexp(1, (int)i) : 0));
        print_bar(first[i], row->first->timed, BAR, out);
        print_bar(second[i], row->second->timed, 0, out);
        fputc('\n', out);
    }
}

/* The ledger */

static void print_ledger_row(const struct compare_row *row, FILE *out)
{
    static const struct {
        const char *keys, *name;
        double unit;
    } figures[] = {{"ledger.client.cpu_ns", "client CPU us", 1000},
                   {"ledger.server.cpu_ns", "server CPU us", 1000},
                   {"ledger.client.voluntary_switches", "client switches", 1},
                   {"ledger.server.voluntary_switches", "server switches", 1},
                   {"ledger.client.interrupts", "interrupts", 1},
                   {"ledger.client.net_rx", "NET_RX", 1}};

    fprintf(out, "  %-16s", row->first->op);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        double first = result_file_number(row->first->object, figures[i].keys) / figures[i].unit;
        double second = result_file_number(row->second->object, figures[i].keys) / figures[i].unit;

        if (!isnan(first) && !isnan(second) && fabs(second - first) >= 0.01)
            fprintf(out, "  %s %.2f -> %.2f", figures[i].name, first, second);
    }
    fputc('\n', out);
}

static void print_pair(const struct compare_pair *pair, double threshold, bool colour,
                       bool histograms, FILE *out)
{
    print_file('A', pair->first, out);
    print_file('B', pair->second, out);
    print_notes(pair, out);
    fprintf(out, "\n  %-16s %9s %9s  %-10s %9s %9s  %8s %-18s %9s %7s\n", "op", "A mean us",
            "B mean us", "compared", "A us", "B us", "B - A us", "95 %", "of A", "p");
    for (size_t i = 0; i < pair->count; i++)
        print_row(&pair->rows[i], threshold, colour, out);
    fputs("\n  per call, what changed\n", out);
    for (size_t i = 0; i < pair->count; i++)
        print_ledger_row(&pair->rows[i], out);
    for (size_t i = 0; histograms && i < pair->count; i++)
        print_histograms(&pair->rows[i], out);
}

void compare_print_text(const struct compare_result *result, bool colour, bool histograms,
                        FILE *out)
{
    for (size_t i = 0; i < result->count; i++) {
        if (i > 0)
            fputc('\n', out);
        print_pair(&result->pairs[i], result->threshold, colour, histograms, out);
    }
}
