#include "output/view/text.h"

#include <inttypes.h>
#include <math.h>

#include "common/printable.h"
#include "output/view/number.h"

enum { LAST_BIN = HISTOGRAM_LOG2_BUCKETS - 1, BIN_TEXT_SIZE = 2 * NUMBER_SIZE + 8, LABEL = 20 };

struct layout {
    const struct text_bins *columns;
    size_t count;
    double totals[TEXT_HISTOGRAMS_MAXIMUM]; /* number of calls per column */
    double largest; /* largest share of a column's calls in one bin, whose bar is the longest */
    int bar;        /* length of the longest bar in characters */
};

static double share(const struct layout *layout, size_t column, size_t bin)
{
    const double total = layout->totals[column];

    return total > 0 ? (double)layout->columns[column].counts[bin] / total : 0;
}

static struct layout layout_of(const struct text_bins *columns, size_t count)
{
    static const int bars[TEXT_HISTOGRAMS_MAXIMUM] = {40, 17, 7};
    struct layout layout = {.columns = columns, .count = count, .bar = bars[count - 1]};

    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i <= LAST_BIN; i++)
            layout.totals[j] += (double)columns[j].counts[i];
        for (size_t i = 0; i <= LAST_BIN; i++)
            layout.largest = fmax(layout.largest, share(&layout, j, i));
    }
    return layout;
}

static bool is_used(const struct layout *layout, size_t bin)
{
    for (size_t j = 0; j < layout->count; j++)
        if (layout->columns[j].counts[bin] > 0)
            return true;
    return false;
}

static void print_bin(const struct layout *layout, const char *label, size_t bin, FILE *out)
{
    static const char bar[] = "########################################";

    fprintf(out, "  %-*s", LABEL, label);
    for (size_t j = 0; j < layout->count; j++)
        fprintf(out, " %10" PRIu64 " %-*.*s", layout->columns[j].counts[bin],
                j + 1 < layout->count ? layout->bar : 0,
                (int)ceil(layout->bar * (share(layout, j, bin) / layout->largest)), bar);
    fputc('\n', out);
}

static void print_used_bins(const struct layout *layout, FILE *out)
{
    char label[BIN_TEXT_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE];
    size_t first = 0, last = LAST_BIN;

    while (first < LAST_BIN && !is_used(layout, first))
        first++;
    while (last > first && (last == LAST_BIN || !is_used(layout, last)))
        last--;
    for (size_t i = first; i <= last && first < LAST_BIN; i++) {
        snprintf(label, sizeof label, "%7s - %7s us", number_us(i ? ldexp(1, (int)i) : 0, 7, low),
                 number_us(ldexp(1, (int)i + 1), 7, high));
        print_bin(layout, label, i, out);
    }
}

bool text_print_bins(const char *title, const struct text_bins *columns, size_t count, FILE *out)
{
    const struct layout layout = layout_of(columns, count);

    if (layout.largest == 0)
        return false;
    fprintf(out, "\n  %-*s", LABEL, title);
    for (size_t j = 0; j < count; j++) {
        const int printed = fprintf(out, " %10s", printable(columns[j].name).text);

        if (j + 1 < count)
            fprintf(out, "%*s", layout.bar + 12 - printed, "");
    }
    fputc('\n', out);
    print_used_bins(&layout, out);
    print_bin(&layout, "overflow", LAST_BIN, out);
    fprintf(out, "  %-*s", LABEL, "total");
    for (size_t j = 0; j < count; j++)
        fprintf(out, " %10.0f %*s", layout.totals[j], j + 1 < count ? layout.bar : 0, "");
    fputc('\n', out);
    return true;
}

bool text_print_side_by_side(const char *title, const struct text_histogram *histograms,
                             size_t count, FILE *out)
{
    struct text_bins columns[TEXT_HISTOGRAMS_MAXIMUM] = {{.name = NULL}};

    for (size_t j = 0; j < count; j++) {
        columns[j].name = histograms[j].name;
        if (histograms[j].histogram)
            histogram_log2(histograms[j].histogram, columns[j].counts);
    }
    return text_print_bins(title, columns, count, out);
}

void text_print_histograms(const struct result *result, FILE *out)
{
    struct text_histogram beside[TEXT_HISTOGRAMS_MAXIMUM];
    size_t count = 0;

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (op != result->null_control && op->histogram)
            beside[count++] = (struct text_histogram){op->op, op->histogram};
        if (count == TEXT_HISTOGRAMS_MAXIMUM || (count > 0 && i + 1 == result->op_count)) {
            text_print_side_by_side("calls of", beside, count, out);
            count = 0;
        }
    }
}
