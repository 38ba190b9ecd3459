#include "output/text.h"

#include <inttypes.h>
#include <math.h>

#include "output/number.h"

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
