/* The comparison of results, as data and in its forms. Filled in by cli/pair.c. */
#ifndef NFSBENCH_OUTPUT_COMPARE_H
#define NFSBENCH_OUTPUT_COMPARE_H

#include <stdio.h>

#include "measure/comparison.h"
#include "output/result_file.h"

enum compare_word {
    COMPARE_SAME,   /* within the noise floor, or not distinguishable */
    COMPARE_FASTER, /* the second file's is */
    COMPARE_SLOWER,
    COMPARE_NOT_COMPARABLE,
};

/* An op in two files. */
struct compare_row {
    const struct result_file_op *first, *second;
    bool above_null; /* what is compared: the cost above null; else the round trip itself */
    struct comparison comparison;
    double share; /* the difference over the first's; NAN where that is 0 */
    double floor; /* the larger of both files' noise floors, ns; 0 without a baseline */
    enum compare_word word;
    const char *reason; /* why it is not comparable; else NULL */
    bool regression;    /* slower by more than the threshold */
};

/* Two files. */
struct compare_pair {
    const struct result_file *first, *second;
    struct compare_row *rows;
    size_t count;
};

struct compare_result {
    struct compare_pair *pairs; /* each further file against the first */
    size_t count;
    double threshold; /* share; infinite: none */
};

/* "faster", "slower", "the same within the noise floor", "not comparable". */
const char *compare_word_name(enum compare_word word);

/* The forms. With COLOUR the text has terminal colours; with HISTOGRAMS it has both files'
 * latencies by powers of two, side by side. */
void compare_print_text(const struct compare_result *result, bool colour, bool histograms,
                        FILE *out);
void compare_print_markdown(const struct compare_result *result, FILE *out);
void compare_print_csv(const struct compare_result *result, FILE *out);

/* One object of the schema "nfsbench-comparison/1". 0 or -ENOMEM or what writing returned. */
int compare_print_json(const struct compare_result *result, FILE *out);

#endif
