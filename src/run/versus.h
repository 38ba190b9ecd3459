/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds. */
#ifndef NFSBENCH_RUN_VERSUS_H
#define NFSBENCH_RUN_VERSUS_H

#include "output/versus.h"
#include "run/outcome.h"
#include "run/session.h"

enum { SIDE_FIRST, SIDE_SECOND, SIDES };

/* Two sessions, each whole by itself, and the rounds that they share. */
struct versus {
    struct run_plan plans[SIDES];
    struct session sessions[SIDES];
    bool one_server;      /* self: is the same embedded server for both */
    struct rounds rounds; /* the first's series, then the second's */
    struct block_source sources[SIDES];
    size_t side; /* of the last block: where one fails, it is this one's */
};

/* Open both sessions (versus->plans are there), which then have the same series: ops of a group
 * that one side lacks are left out on the other, too. 0, or a negative errno with ERROR set, which
 * names the side. */
int versus_open(struct versus *versus, struct error *error);

/* Measure, as session_measure() does; what was measured until then is in each session's rounds. */
int versus_measure(struct versus *versus, struct error *error);

/* Release both; unmounts where that is still to be done. */
void versus_close(struct versus *versus);

/* Begin ERROR with the side it is of. */
void versus_name_side(const struct versus *versus, size_t side, struct error *error);

/* Fill RESULT in from both sides' OUTCOMES, which it points into; its rows are to be freed. 0 or
 * -ENOMEM. */
int versus_compare(struct versus_result *result, const struct outcome outcomes[SIDES],
                   struct error *error);

/* The bootstrap's block length that all costs and differences of VERSUS ask for. 0 or -ENOMEM. */
int versus_block_length(const struct versus *versus, size_t *length, struct error *error);

#endif
