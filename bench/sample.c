/* Measure the time for recording a sample (two clock readings, a subtraction and a store, as in
 * engine wire). Also measure the time for adding a sample to a histogram, as between rounds: by a
 * call for each sample, and by a call for all samples of a block.
 * usage: sample [REPEATS]  (default: 9) */
#include <string.h>

#include "bench.h"
#include "measure/histogram.h"

enum { SAMPLES = 1000000, KEPT = 100, BLOCK = 2000, REPEATS_MAXIMUM = 100 };

static uint64_t ticks[KEPT];

static double recording(const struct clock *clock)
{
    uint64_t begin = clock_raw_ns();

    for (int i = 0; i < SAMPLES; i++) {
        uint64_t started = clock->start();

        ticks[i % KEPT] = clock->stop() - started;
        __asm__ volatile("" : : "r"(ticks) : "memory");
    }
    return (double)(clock_raw_ns() - begin) / SAMPLES;
}

static double histogram(struct histogram *histogram)
{
    uint64_t begin = clock_raw_ns();

    for (int i = 0; i < SAMPLES; i++)
        histogram_record(histogram, 9000 + (double)(i % 5000));
    return (double)(clock_raw_ns() - begin) / SAMPLES;
}

static double histogram_by_blocks(struct histogram *histogram)
{
    static double values[BLOCK];
    uint64_t begin;

    for (int i = 0; i < BLOCK; i++)
        values[i] = 9000 + (double)(i % 5000);
    begin = clock_raw_ns();
    for (int i = 0; i < SAMPLES; i += BLOCK)
        histogram_record_all(histogram, values, BLOCK);
    return (double)(clock_raw_ns() - begin) / SAMPLES;
}

static void print_row(const char *name, double *values, size_t n)
{
    double median = estimate_median(values, n);

    printf("  %-34s %6.1f ns  [%.1f, %.1f]\n", name, median, values[0], values[n - 1]);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"tsc", "monotonic", "monotonic-raw"};
    unsigned repeats = bench_count(argc, argv, 1, 9);
    struct histogram *kept = calloc(1, sizeof *kept);
    double values[REPEATS_MAXIMUM];

    if (!kept || repeats < 1 || repeats > REPEATS_MAXIMUM) {
        fprintf(stderr, "usage: %s [REPEATS]\n", argv[0]);
        return 2;
    }
    printf("a sample, median [lowest, highest]\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct clock clock;
        struct error error;

        if (clock_open(&clock, names[i], &error) != 0)
            continue;
        for (unsigned j = 0; j < repeats; j++)
            values[j] = recording(&clock);
        print_row(names[i], values, repeats);
    }
    for (unsigned j = 0; j < repeats; j++)
        values[j] = histogram(kept);
    print_row("into the histogram (between rounds)", values, repeats);
    for (unsigned j = 0; j < repeats; j++)
        values[j] = histogram_by_blocks(kept);
    print_row("the same by blocks of 2000", values, repeats);
    free(kept);
    return 0;
}
