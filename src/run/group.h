/* Sessions that are open together, and measured in the same rounds: one, or the two sides of
 * --versus and of a trial of a security ladder. */
#pragma once

#include "output/versus.h"
#include "run/outcome.h"
#include "run/session.h"

enum { SIDE_FIRST, SIDE_SECOND, SIDES };

struct group {
    size_t count; /* of sessions */
    struct run_plan plans[SESSIONS_MAXIMUM];
    const char *names[SESSIONS_MAXIMUM]; /* for messages; NULL: A and B */
    struct session sessions[SESSIONS_MAXIMUM];
    bool one_server;      /* self: is the same embedded server for all */
    struct rounds rounds; /* the series of the first session, then those of the next one */
    struct outcome outcomes[SESSIONS_MAXIMUM];
    size_t at; /* the session of an error in group_open(), or in a block; COUNT: no session's */
};

/* Open the sessions of GROUP's plans. All get the same series: an op of a group of ops that one
 * lacks is left out of the others, too. Returns 0, or a negative errno with ERROR set, which does
 * not name the session. Call group_close() in either case. */
int group_open(struct group *group, struct error *error);

/* Measure, as session_measure() does for one session. */
int group_measure(struct group *group, struct error *error);

/* Unmount all. Returns 0, or a negative errno with ERROR set, which names the session. */
int group_unmount(struct group *group, struct error *error);

/* Unmount if that has not been done, and release the sessions and what they resulted in. */
void group_close(struct group *group);

/* Prefix ERROR with the name of session NUMBER. */
void group_name(const struct group *group, size_t number, struct error *error);

/* Fill in the outcomes of all, as outcome_fill() does: they are resampled alike. */
int group_fill_outcomes(struct group *group, const char *cut_short_by, struct error *error);

/* Fill in RESULT from both sides' OUTCOMES, to which it refers; call versus_free() afterwards,
 * after an error, too. Returns 0 or -ENOMEM. */
int versus_compare(struct versus_result *result, const struct outcome outcomes[SIDES],
                   struct error *error);
