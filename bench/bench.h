#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cpu.h"
#include "common/error.h"
#include "measure/clock.h"
#include "measure/statistics/estimate.h"

/* Print ERROR, and end the program with ERROR's kind (1 if it has none) as exit status. */
static inline void bench_fail(const struct error *error)
{
    fprintf(stderr, "%s\n", error->text);
    exit(error->kind ? (int)error->kind : 1);
}

/* Return the number in ARGV[INDEX], or OTHERWISE if there are fewer arguments. */
static inline unsigned bench_count(int argc, char **argv, int index, unsigned otherwise)
{
    return argc > index ? (unsigned)strtoul(argv[index], NULL, 10) : otherwise;
}

/* Sort the N VALUES. Print NAME and their median, lowest and highest: "1.012 [1.003, 1.019]". */
static inline void bench_print_ratio(const char *name, double *values, size_t n)
{
    double median = estimate_median(values, n);

    printf("  %-34s %6.3f  [%.3f, %.3f]\n", name, median, values[0], values[n - 1]);
}
