/* Two results of the same rounds, and what differs: as data and in its forms. Filled in by
 * run/versus_differences.c. */
#ifndef NFSBENCH_OUTPUT_VERSUS_H
#define NFSBENCH_OUTPUT_VERSUS_H

#include <stdio.h>

#include "measure/comparison.h"
#include "output/compare.h"
#include "output/result.h"

/* A quantity on both sides. */
struct versus_part {
    struct comparison comparison;
    bool judged;  /* P and WORD say something of it: it is one of the comparisons made together */
    double floor; /* what two alike may differ by, ns: a smaller difference is none */
    enum comparison_verdict word;
};

/* An op on both sides. Its round trip is network and cost; the cost, where both sides' models know
 * its parts, bytes, pause and server. */
struct versus_row {
    const struct result_op *first, *second;
    bool has_cost;  /* there is a null call below it, which NETWORK is of */
    bool has_parts; /* BYTES, PAUSE and SERVER are known */
    struct versus_part round_trip, network, above_null, bytes, pause, server;
};

struct versus_result {
    const struct result *first, *second;
    struct versus_row *rows; /* null first, where there is a baseline; without the control */
    size_t count;
    bool has_control;
    struct comparison null_control; /* of both sides, above null: what is no difference */
    double noise_floor_ns;          /* how far its interval reaches from 0; 0 without a baseline */
};

/* Print both sides, each as text_print() does, and what differs. */
void versus_print(const struct versus_result *versus, bool verbose, FILE *out);

/* Write one object (doc/FORMAT.md); DATA is a struct versus_result. 0, or a negative errno. */
int versus_write_json(const void *data, FILE *out);

#endif
