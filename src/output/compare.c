/* A comparison: what its parts are called, and its histograms side by side. */
#include "output/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/printable.h"
#include "output/number.h"

const char *const comparison_verdict_names[] = {
    "no difference seen", "faster", "slower", "not comparable", "equal", "not known", NULL};

const char *const compare_quantity_names[] = {"round trip", "above null", "mean above null",
                                              "p99 above null", NULL};

const char *const compare_quantity_keys[] = {"round_trip", "above_null", "mean_above_null",
                                             "p99_above_null", NULL};

const char *compare_p(const struct comparison *comparison, char room[FIELD_ROOM])
{
    return comparison->adjusted_p < 0.001 ? "<0.001"
                                          : field_print(room, "%.3f", comparison->adjusted_p);
}

void compare_note(struct compare_pair *pair, const char *format, ...)
{
    va_list arguments;

    if (pair->note_count == COMPARE_NOTES_MAXIMUM)
        return;
    va_start(arguments, format);
    vsnprintf(pair->notes[pair->note_count++], COMPARE_TEXT_SIZE, format, arguments);
    va_end(arguments);
}

static bool any_doubtful(const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].validity.verdict != VERDICT_OK || results[i].cut_short)
            return true;
    return false;
}

const char *compare_doubtful_sides(const struct compare_pair *pair)
{
    bool first = any_doubtful(pair->first, pair->first_count);
    bool second = any_doubtful(pair->second, pair->second_count);

    return first && second ? "A and B are" : first ? "A is" : second ? "B is" : NULL;
}

bool compare_is_doubtful(const struct compare_result *result)
{
    for (size_t i = 0; i < result->count; i++)
        if (compare_doubtful_sides(&result->pairs[i]))
            return true;
    return false;
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

/* False where neither side has one, as results that CSV was read from. */
static bool print_histogram(const struct compare_row *row, FILE *out)
{
    uint64_t first[HISTOGRAM_LOG2_BUCKETS], second[HISTOGRAM_LOG2_BUCKETS];
    const uint64_t first_total = count_log2(row->first, first);
    const uint64_t second_total = count_log2(row->second, second);

    if (first_total == 0 && second_total == 0)
        return false;
    fprintf(out, "\n  %-16s %10s %-*s %10s\n", printable(row->first->op).text, "A", BAR, "", "B");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        if (first[i] == 0 && second[i] == 0)
            continue;
        fprintf(out, "  %9.3f us", us(i ? ldexp(1, (int)i) : 0));
        print_bar(first[i], first_total, BAR, out);
        print_bar(second[i], second_total, 0, out);
        fputc('\n', out);
    }
    return true;
}

void compare_print_histograms(const struct compare_result *result, FILE *out)
{
    bool any = false;

    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->pairs[i].count; j++)
            any |= print_histogram(&result->pairs[i].rows[j], out);
    if (!any)
        fputs("\n  no histograms: only measurements' JSON has them\n", out);
}
