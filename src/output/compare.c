/* A comparison as text for people: its files and its table. */
#include "output/compare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"

/* Text */

const char *const comparison_verdict_names[] = {
    "the same within the noise floor", "faster", "slower", "not comparable", "not known", NULL};

const char *comparison_verdict_name(enum comparison_verdict word)
{
    return comparison_verdict_names[word];
}

const char *compare_quantity_name(enum result_quantity quantity)
{
    static const char *const names[RESULT_QUANTITIES] = {"round trip", "above null",
                                                         "mean above null", "p99 above null"};

    return names[quantity];
}

const char *compare_quantity_key(enum result_quantity quantity)
{
    static const char *const keys[RESULT_QUANTITIES] = {"round_trip", "above_null",
                                                        "mean_above_null", "p99_above_null"};

    return keys[quantity];
}

const char *compare_quantity_phrase(enum result_quantity quantity)
{
    static const char *const phrases[RESULT_QUANTITIES] = {
        [RESULT_MEAN_COST] = "in the mean", [RESULT_P99_COST] = "at p99"};

    return phrases[quantity];
}

const struct compare_row *compare_further_alone(const struct compare_row *row, size_t number)
{
    const struct compare_row *further = row->further[number];
    enum comparison_verdict word = further ? further->word : COMPARISON_SAME;

    if ((word != COMPARISON_SLOWER && word != COMPARISON_FASTER) || word == row->word)
        return NULL;
    return further;
}

bool compare_is_regression(const struct compare_row *row)
{
    bool found = row->regression;

    for (size_t i = 0; i < COMPARE_FURTHER; i++)
        found = found || (row->further[i] && row->further[i]->regression);
    return found;
}

size_t compare_first_count(const struct compare_pair *pair)
{
    return pair->first_count ? pair->first_count : 1;
}

size_t compare_second_count(const struct compare_pair *pair)
{
    return pair->second_count ? pair->second_count : 1;
}

/* A file with another kind of result than a measurement. */
static void print_other_file(char letter, enum result_kind kind, const struct result *result,
                             FILE *out)
{
    char line[4 * PRINTABLE_SIZE + 256];

    snprintf(line, sizeof line, "%c  %s: %s on %s over %s, %s, verdict %s", letter,
             printable(result->path).text, result_kind_name(kind),
             printable(result->target.text).text, printable(result->target.transport).text,
             printable(result->start).text, verdict_name(result->validity.verdict));
    terminal_print_wrapped(line, 3, out);
}

static void print_file(char letter, const struct result *result, FILE *out)
{
    size_t launches = result->launch_count ? result->launch_count : 1;
    char line[6 * PRINTABLE_SIZE + 256];

    snprintf(line, sizeof line, "%c  %s: %s over %s, engine %s, %s, %s, %s, %s, verdict %s", letter,
             printable(result->path).text, printable(result->target.text).text,
             printable(result->target.transport).text, printable(result->config.engine).text,
             printable(result->clock.name).text, counted(launches, "launch").text,
             counted(result->rounds.done, "round").text, printable(result->start).text,
             verdict_name(result->validity.verdict));
    terminal_print_wrapped(line, 3, out);
}

static void print_files(const struct compare_pair *pair, FILE *out)
{
    bool other = pair->kind != RESULT_MEASUREMENT && pair->kind != RESULT_VERSUS;

    if (other) {
        print_other_file('A', pair->kind, pair->first, out);
        print_other_file('B', pair->kind, pair->second, out);
    }
    for (size_t i = 0; i < compare_first_count(pair) && !other; i++)
        print_file('A', &pair->first[i], out);
    for (size_t i = 0; i < compare_second_count(pair) && !other; i++)
        print_file('B', &pair->second[i], out);
    for (size_t i = 0; i < pair->note_count; i++)
        fprintf(out, "   note: %s\n", printable(pair->notes[i]).text);
}

/* Doubts */

static size_t print_doubt(const struct result *result, const char *prefix, FILE *out)
{
    const struct validity *validity = &result->validity;

    if (validity->verdict == VERDICT_OK && !result->cut_short)
        return 0;
    fprintf(out, "%s%s is %s", prefix, printable(result->path).text,
            result->cut_short ? "cut short" : verdict_name(validity->verdict));
    if (result->cut_short && validity->verdict != VERDICT_OK)
        fprintf(out, " and %s", verdict_name(validity->verdict));
    if (validity->verdict != VERDICT_OK && validity->count > 0)
        fprintf(out, ": %s", printable(validity->reasons[0].text).text);
    else if (result->cut_short_by)
        fprintf(out, ": %s", printable(result->cut_short_by).text);
    fputc('\n', out);
    return 1;
}

/* The doubts about the second side of PAIR and, with FIRST, those about the first. */
static size_t print_pair_doubts(const struct compare_pair *pair, bool first, const char *prefix,
                                FILE *out)
{
    size_t count = 0;

    for (size_t i = 0; first && i < compare_first_count(pair); i++)
        count += print_doubt(&pair->first[i], prefix, out);
    for (size_t i = 0; i < compare_second_count(pair); i++)
        count += print_doubt(&pair->second[i], prefix, out);
    return count;
}

size_t compare_print_doubts(const struct compare_result *result, const char *prefix, FILE *out)
{
    size_t count = 0;

    for (size_t i = 0; i < result->count; i++)
        count += print_pair_doubts(&result->pairs[i], i == 0, prefix, out);
    return count;
}

/* The table */

bool compare_share_is_known(const struct compare_row *row)
{
    return !isnan(row->share) && estimate_excludes_0(&row->comparison.first);
}

/* By the size of the difference: strong above the threshold. */
static enum terminal_tone tone_of(const struct compare_row *row,
                                  const struct compare_threshold *threshold)
{
    bool large = row->regression || (!isnan(row->share) && fabs(row->share) > threshold->share);

    if (row->word == COMPARISON_SLOWER)
        return large ? TERMINAL_MUCH_WORSE : TERMINAL_WORSE;
    if (row->word == COMPARISON_FASTER)
        return large ? TERMINAL_MUCH_BETTER : TERMINAL_BETTER;
    return TERMINAL_FAINT;
}

enum { REMARK_SIZE = PRINTABLE_SIZE + 128 };

/* "slower; B is 1.08 times A [1.05, 1.11]"; or why there is no word. */
static void describe(const struct compare_row *row, const char *doubtful, enum terminal_tone tone,
                     FILE *out, char remark[REMARK_SIZE])
{
    bool differs = row->word == COMPARISON_SLOWER || row->word == COMPARISON_FASTER;
    const struct interval *ratio = &row->ratio;
    int length = snprintf(remark, REMARK_SIZE, "%s%s%s", terminal_tone(out, tone),
                          comparison_verdict_name(row->word), terminal_tone(out, TERMINAL_PLAIN));

    if (differs && doubtful)
        length += snprintf(remark + length, REMARK_SIZE - (size_t)length,
                           ", but in doubt, as %s doubtful", doubtful);
    if (row->word == COMPARISON_NOT_COMPARABLE)
        snprintf(remark + length, REMARK_SIZE - (size_t)length, ": %s",
                 printable(row->reason).text);
    else if (!isnan(ratio->estimate))
        snprintf(remark + length, REMARK_SIZE - (size_t)length, "; B is %.3g times A [%.3g, %.3g]",
                 ratio->estimate, ratio->low, ratio->high);
}

static const struct table_column row_columns[] = {
    {"op", 16, true, 0},       {"A mean us", 9, false, 4}, {"B mean us", 9, false, 4},
    {"compared", 15, true, 3}, {"A us", 9, false, 0},      {"B us", 9, false, 0},
    {"B - A us", 8, false, 0}, {"95 %", 18, true, 0},      {"of A", 9, false, 2},
    {"p", 7, false, 1},
};

static void print_figures(const struct compare_row *row, struct table *table)
{
    const struct comparison *comparison = &row->comparison;
    char bracket[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%s", compare_quantity_name(row->compared));
    table_cell(table, "%.3f", us(comparison->first.estimate));
    table_cell(table, "%.3f", us(comparison->second.estimate));
    table_cell(table, "%+.3f", us(comparison->difference.estimate));
    table_cell(table, "%s", number_interval(&comparison->difference, 1000, 3, true, bracket));
    if (compare_share_is_known(row))
        table_cell(table, "%+.1f %%", 100 * row->share);
    else
        table_cell(table, "-");
    table_cell(table, comparison->adjusted_p < 0.001 ? "<0.001" : "%.3f", comparison->adjusted_p);
}

static void print_row(const struct compare_row *row, const char *doubtful, enum terminal_tone tone,
                      struct table *table)
{
    const char *phrase = compare_quantity_phrase(row->compared);
    char remark[REMARK_SIZE];

    describe(row, doubtful, tone, table->out, remark);
    table_cell(table, "%s%s", phrase ? "  " : "", phrase ? phrase : printable(row->first->op).text);
    table_cell(table, "%.2f", us(row->first->latency.mean));
    table_cell(table, "%.2f", us(row->second->latency.mean));
    if (row->word != COMPARISON_NOT_COMPARABLE)
        print_figures(row, table);
    table_end_row(table, remark);
}

/* What differences speak of, and what of that is not known. */
static void print_basis(const struct compare_pair *pair, FILE *out)
{
    const struct compare_row *judged = NULL;

    for (size_t i = 0; i < pair->count && !judged; i++)
        if (pair->rows[i].word != COMPARISON_NOT_COMPARABLE)
            judged = &pair->rows[i];
    if (!judged)
        return;
    fputc('\n', out);
    if (judged->one_launch)
        terminal_print_wrapped(
            "  one launch a side: what differs from launch to launch is not known. A word is said "
            "only of what is beyond 60 % of a cost and 200 ns, or 20 % of a round trip; measure "
            "each side with --launches",
            2, out);
    else if (judged->first_launches == 1 || judged->second_launches == 1)
        fprintf(out,
                "  one launch of %c: its launches are taken to differ as those of the other side\n"
                "  do (%zu of A, %zu of B)\n",
                judged->first_launches == 1 ? 'A' : 'B', judged->first_launches,
                judged->second_launches);
    else
        fprintf(out, "  by Welch's test on the launches, %zu of A and %zu of B\n",
                judged->first_launches, judged->second_launches);
}

/* What each side has of its local directory's rate. */
static void print_of_local(const struct compare_pair *pair, FILE *out)
{
    bool begun = false;

    for (size_t i = 0; i < pair->count; i++) {
        const struct result_op *first = pair->rows[i].first, *second = pair->rows[i].second;
        char brackets[2][NUMBER_INTERVAL_SIZE];

        if (!first->has_of_local || !second->has_of_local)
            continue;
        if (!begun)
            fputs("\n  rate, of that of the local directory\n", out);
        begun = true;
        fprintf(out, "  %-16s A %.3f %s   B %.3f %s\n", printable(first->op).text,
                first->of_local.estimate,
                number_interval(&first->of_local, 1, 3, false, brackets[0]),
                second->of_local.estimate,
                number_interval(&second->of_local, 1, 3, false, brackets[1]));
    }
}

/* Histograms */

enum { BAR = 20 };

/* An op's counts by powers of two of ns. Returns their sum. */
static uint64_t count_log2(const struct result_op *op, uint64_t counts[HISTOGRAM_LOG2_BUCKETS])
{
    uint64_t total = 0;

    memset(counts, 0, HISTOGRAM_LOG2_BUCKETS * sizeof counts[0]);
    if (op->histogram)
        histogram_log2(op->histogram, counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        total += counts[i];
    return total;
}

/* A count and its bar, padded to WIDTH. */
static void print_bar(uint64_t count, uint64_t total, int width, FILE *out)
{
    int length = total > 0 ? (int)ceil(BAR * (double)count / (double)total) : 0;

    fprintf(out, " %10" PRIu64 " %-*.*s", count, width, length, "####################");
}

static void print_histograms(const struct compare_row *row, FILE *out)
{
    uint64_t first[HISTOGRAM_LOG2_BUCKETS], second[HISTOGRAM_LOG2_BUCKETS];
    const uint64_t first_total = count_log2(row->first, first);
    const uint64_t second_total = count_log2(row->second, second);

    fprintf(out, "\n  %-16s %10s %-*s %10s\n", printable(row->first->op).text, "A", BAR, "", "B");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        if (first[i] == 0 && second[i] == 0)
            continue;
        fprintf(out, "  %9.3f us", us(i ? ldexp(1, (int)i) : 0));
        print_bar(first[i], first_total, BAR, out);
        print_bar(second[i], second_total, 0, out);
        fputc('\n', out);
    }
}

/* The ledger, and what the kernel counted of a mount */

static double value_of(const struct ledger_entry *entry, enum counter counter)
{
    return entry ? entry->values[counter] : NAN;
}

static double per_call(const struct result_op *op, uint64_t count)
{
    return op->calls ? (double)count / (double)op->calls : 0;
}

/* What changed from one side to the other; rows in which nothing did are left out. */
struct changes {
    FILE *out;
    bool any;        /* the heading is printed */
    const char *row; /* its name, until that is printed */
};

static void end_changes(const struct changes *changes)
{
    if (!changes->row)
        fputc('\n', changes->out);
}

static void print_change(struct changes *changes, const char *name, double first, double second)
{
    if (isnan(first) || isnan(second) || fabs(second - first) < 0.01)
        return;
    if (!changes->any)
        fputs("\n  per call, what changed\n", changes->out);
    changes->any = true;
    if (changes->row)
        fprintf(changes->out, "  %-16s", printable(changes->row).text);
    changes->row = NULL;
    fprintf(changes->out, "  %s %.2f -> %.2f", name, first, second);
}

static void print_ledger_row(const struct compare_row *row, struct changes *changes)
{
    static const struct {
        enum counter counter;
        bool server;
        const char *name;
        double unit;
    } figures[] = {{COUNTER_CPU_NS, false, "client CPU us", 1000},
                   {COUNTER_CPU_NS, true, "server CPU us", 1000},
                   {COUNTER_VOLUNTARY, false, "client switches", 1},
                   {COUNTER_VOLUNTARY, true, "server switches", 1},
                   {COUNTER_INTERRUPTS, false, "interrupts", 1},
                   {COUNTER_NET_RX, false, "NET_RX", 1}};

    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        bool server = figures[i].server;
        double first =
            value_of(server ? row->first->server : row->first->client, figures[i].counter) /
            figures[i].unit;
        double second =
            value_of(server ? row->second->server : row->second->client, figures[i].counter) /
            figures[i].unit;

        print_change(changes, figures[i].name, first, second);
    }
}

/* The means per call that /proc/self/mountstats says. */
static void print_mounted_row(const struct compare_row *row, struct changes *changes)
{
    const struct result_op *a = row->first, *b = row->second;

    print_change(changes, "RPCs", a->mounted->rpcs, b->mounted->rpcs);
    print_change(changes, "queue us", us(a->mounted->queue_ns), us(b->mounted->queue_ns));
    print_change(changes, "RTT us", us(a->mounted->rtt_ns), us(b->mounted->rtt_ns));
    print_change(changes, "execute us", us(a->mounted->execute_ns), us(b->mounted->execute_ns));
    print_change(changes, "sent again", per_call(a, a->retransmissions),
                 per_call(b, b->retransmissions));
    print_change(changes, "timeouts", per_call(a, a->mounted->timeouts),
                 per_call(b, b->mounted->timeouts));
    print_change(changes, "bytes", a->call_bytes + a->reply_bytes, b->call_bytes + b->reply_bytes);
    print_change(changes, "backlog", a->mounted->backlog, b->mounted->backlog);
}

/* Those that are not an op's own, but the mount's. */
static void print_mounts(const struct compare_pair *pair, struct changes *changes)
{
    const struct result_mounted *a = pair->count ? pair->rows[0].first->mounted : NULL;
    const struct result_mounted *b = pair->count ? pair->rows[0].second->mounted : NULL;

    if (!a || !b)
        return;
    changes->row = "(the mount)";
    print_change(changes, "connections", (double)a->connections, (double)b->connections);
    print_change(changes, "slots", (double)a->slots, (double)b->slots);
    end_changes(changes);
}

static void print_counted_rows(const struct compare_pair *pair, FILE *out)
{
    struct changes changes = {.out = out};

    for (size_t i = 0; i < pair->count; i++) {
        const struct compare_row *row = &pair->rows[i];

        changes.row = row->first->op;
        print_ledger_row(row, &changes);
        if (row->first->mounted && row->second->mounted)
            print_mounted_row(row, &changes);
        end_changes(&changes);
    }
    print_mounts(pair, &changes);
}

static void print_rows(const struct compare_pair *pair, const struct compare_threshold *threshold,
                       bool histograms, FILE *out)
{
    struct table table;

    fputc('\n', out);
    table_begin(&table, row_columns, sizeof row_columns / sizeof row_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < pair->count; i++) {
        const struct compare_row *row = &pair->rows[i], *further;

        print_row(row, compare_doubtful_sides(pair), tone_of(row, threshold), &table);
        for (size_t j = 0; j < COMPARE_FURTHER; j++)
            if ((further = compare_further_alone(row, j)))
                print_row(further, compare_doubtful_sides(pair), tone_of(further, threshold),
                          &table);
    }
    print_basis(pair, out);
    print_counted_rows(pair, out);
    print_of_local(pair, out);
    for (size_t i = 0; histograms && i < pair->count; i++)
        print_histograms(&pair->rows[i], out);
}

static void print_pair(const struct compare_pair *pair, const struct compare_threshold *threshold,
                       bool histograms, FILE *out)
{
    print_files(pair, out);
    print_pair_doubts(pair, true, "   doubtful: ", out);
    if (pair->count > 0)
        print_rows(pair, threshold, histograms, out);
    figures_print(pair, out);
}

void compare_print(const struct compare_result *result, bool histograms, FILE *out)
{
    for (size_t i = 0; i < result->count; i++) {
        if (i > 0)
            fputc('\n', out);
        print_pair(&result->pairs[i], &result->threshold, histograms, out);
    }
    if (result->gate.asked)
        fputc('\n', out);
    compare_print_gate(result, "  ", out);
}
