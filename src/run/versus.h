/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds. */
#pragma once

#include "output/versus.h"
#include "run/outcome.h"
#include "run/session.h"

enum { SIDE_FIRST, SIDE_SECOND, SIDES };

/* Two complete sessions, and the rounds that they share. */
struct versus {
    struct run_plan plans[SIDES];
    const char *names[SIDES]; /* for messages; NULL: A and B */
    struct session sessions[SIDES];
    bool one_server;      /* self: is the same embedded server for both */
    struct rounds rounds; /* the series of the first side, then those of the second */
    size_t side;          /* of an error in versus_open(), or in a block; SIDES: of none */
};

/* Open both sessions, from VERSUS' plans. Both get the same series: an op of a group that one side
 * lacks is left out on the other, too. Returns 0, or a negative errno with ERROR set, which does
 * not name the side. */
int versus_open(struct versus *versus, struct error *error);

/* Measure, as session_measure() does for one session. */
int versus_measure(struct versus *versus, struct error *error);

/* Unmount if that has not been done, and release both sessions. */
void versus_close(struct versus *versus);

/* Prefix ERROR with the name of SIDE. */
void versus_name_side(const struct versus *versus, size_t side, struct error *error);

/* Fill in the OUTCOMES of both sides, as outcome_fill() does: both are resampled alike. Release
 * them with outcome_free(), after an error, too. */
int versus_fill_outcomes(struct versus *versus, struct outcome outcomes[SIDES],
                         const char *cut_short_by, struct error *error);

/* Fill in RESULT from both sides' OUTCOMES, to which it refers; call versus_free() afterwards,
 * after an error, too. Returns 0 or -ENOMEM. */
int versus_compare(struct versus_result *result, const struct outcome outcomes[SIDES],
                   struct error *error);
