#include "output/view/text.h"

#include <inttypes.h>
#include <math.h>

#include "common/printable.h"
#include "output/view/number.h"

enum { BAR = 40 };

struct column {
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS];
    double total;
};

static struct column column_of(const struct histogram *histogram)
{
    struct column column = {.total = 0};

    if (histogram)
        histogram_log2(histogram, column.counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        column.total += (double)column.counts[i];
    return column;
}

static double share(const struct column *column, size_t bucket)
{
    return column->total > 0 ? (double)column->counts[bucket] / column->total : 0;
}

bool text_print_beside(const char *title, const struct text_histogram *histograms, size_t count,
                       FILE *out)
{
    static const char bars[BAR + 1] = "########################################";
    static const int widths[] = {BAR, BAR / 2, BAR / 4};
    const int width = widths[count - 1];
    struct column columns[TEXT_HISTOGRAMS_BESIDE];
    double most[HISTOGRAM_LOG2_BUCKETS] = {0}, largest = 0;

    for (size_t j = 0; j < count; j++) {
        columns[j] = column_of(histograms[j].histogram);
        for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
            most[i] = fmax(most[i], share(&columns[j], i));
    }
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        largest = fmax(largest, most[i]);
    if (largest == 0)
        return false;
    fprintf(out, "\n  %-12s", title);
    for (size_t j = 0; j < count; j++) {
        const int printed = fprintf(out, " %10s", printable(histograms[j].name).text);

        if (j + 1 < count)
            fprintf(out, "%*s", width + 12 - printed, "");
    }
    fputc('\n', out);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        if (most[i] == 0)
            continue;
        fprintf(out, "  %9.3f us", us(i ? ldexp(1, (int)i) : 0));
        for (size_t j = 0; j < count; j++)
            fprintf(out, " %10" PRIu64 " %-*.*s", columns[j].counts[i], j + 1 < count ? width : 0,
                    (int)ceil(width * (share(&columns[j], i) / largest)), bars);
        fputc('\n', out);
    }
    return true;
}

void text_print_histograms(const struct result *result, FILE *out)
{
    struct text_histogram beside[TEXT_HISTOGRAMS_BESIDE];
    size_t count = 0;

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (op != result->null_control && op->histogram)
            beside[count++] = (struct text_histogram){op->op, op->histogram};
        if (count == TEXT_HISTOGRAMS_BESIDE || (count > 0 && i + 1 == result->op_count)) {
            text_print_beside("calls of", beside, count, out);
            count = 0;
        }
    }
}
