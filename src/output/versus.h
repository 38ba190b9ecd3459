/* Two results of the same rounds, and what differs: as data and in its forms. Filled in by
 * run/versus_differences.c; of several launches, by versus_merge(). */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "common/memory.h"
#include "measure/contrast.h"
#include "output/compare.h"
#include "output/result.h"
#include "output/view.h"

/* What is compared of an op: its round trip, which is network and cost; the cost, which is bytes,
 * pause and server; and the cost in the mean, which rare slow calls are part of. */
enum versus_quantity {
    VERSUS_ROUND_TRIP,
    VERSUS_NETWORK, /* the null calls below it */
    VERSUS_ABOVE_NULL,
    VERSUS_BYTES,
    VERSUS_PAUSE,
    VERSUS_SERVER,
    VERSUS_MEAN,
    VERSUS_QUANTITIES,
};

/* For programs: "round_trip", "mean_above_null"; NULL after the last. */
extern const char *const versus_keys[];

/* A quantity on both sides. */
struct versus_part {
    bool known; /* without a baseline there is the round trip only, and without the sides' models
                   the cost's parts are not known */
    struct comparison comparison;
    struct interval *launches; /* the difference within each launch */
    size_t launch_count;       /* 0: there are none */
    bool judged;               /* the following say something of it */
    double floor;              /* what two alike may differ by, ns: a smaller difference is none */
    enum comparison_verdict word;
    struct interval ratio; /* the second over the first; NAN where the first can't be told from 0 */
};

/* An op on both sides. */
struct versus_row {
    const struct result_op *first, *second;
    struct versus_part parts[VERSUS_QUANTITIES];
};

struct versus_result {
    const struct result *first, *second;
    struct versus_row *rows; /* null first, where there is a baseline; without the control */
    size_t count;
    bool has_control;
    /* Of both sides, above null, typical and in the mean: what is no difference. */
    struct comparison null_control, null_control_mean;
    size_t launch_count; /* that differences are taken in; 0: in the rounds of one process */
    struct arena arena;  /* of the rows */
};

/* Make a row of RESULT for each op that both its sides have, in the order of the first; where
 * only one side is on a mount, their baselines differ and have none. 0 or -ENOMEM. */
int versus_pair_up(struct versus_result *result, struct error *error);

/* Judge what was estimated: each op's round trip, the server's part of its cost (or the cost), and
 * its mean cost, all together by Holm's procedure. 0 or -ENOMEM. */
int versus_judge(struct versus_result *result, struct error *error);

/* Make MERGED of COUNT launches (at least 1) that versus_read_root() read, with FIRST and SECOND,
 * the merged results of their sides: a difference is the mean of the launches' differences. 0 or
 * -ENOMEM, with ERROR set; versus_free() is due after both. */
int versus_merge(struct versus_result *merged, const struct versus_result *launches, size_t count,
                 const struct result *first, const struct result *second, struct error *error);

void versus_free(struct versus_result *result);

extern const struct view view_versus;

/* Print both sides as measurements, and what differs. */
void versus_print(const struct versus_result *versus, bool verbose, FILE *out);

/* Read ROOT, the JSON of a file, which PATH names in messages: its sides into FIRST and SECOND, and
 * the differences, judged as they were, into VERSUS. 0, or a negative errno with ERROR set as by
 * result_read(); then there is nothing to release. */
int versus_read_root(struct versus_result *versus, struct result *first, struct result *second,
                     const json_t *root, const char *path, struct error *error);
