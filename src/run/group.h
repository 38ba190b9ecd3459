/* Sessions that are open together, and measured in the same rounds: one, the two sides of --versus,
 * or the variants of an experiment. The first is the reference. */
#pragma once

#include "run/outcome/outcome.h"
#include "run/session.h"

/* The most sessions that a group should have, and connections: servers close them beyond a limit.
 */
enum { GROUP_SESSIONS_MAXIMUM = 64, GROUP_CONNECTIONS_MAXIMUM = 200 };

struct group {
    size_t count;           /* of sessions */
    struct run_plan *plans; /* of each session, as the next are */
    const char **names;     /* for messages; NULL: A and B */
    struct session *sessions;
    struct measured *measured; /* what each session has measured; its result is of that */
    struct outcome *outcomes;
    struct arena arena; /* of these */
    bool one_server;    /* those with the same target self: and arguments for it, or the same target
                           and command to start it, have one server, that of the first of them */
    /* An op that a session lacks, or that fails in it, is left out of that one only; but of all if
     * it is the reference. Else it is left out of all. */
    bool keeps_others;
    struct rounds rounds; /* the series of the first session, then those of the next one */
    size_t at; /* the session of an error in group_open(), or in a block; COUNT: no session's, but
                  of all, such as too little time */
};

/* Make GROUP, which is zeroed but for its flags, of COUNT sessions; their plans are PLAN's, and may
 * be changed until group_open(). Returns 0, or -ENOMEM with ERROR set. Call group_close() in either
 * case. */
int group_make(struct group *group, size_t count, const struct run_plan *plan, struct error *error);

/* Open the sessions, and plan their time (run/time_use.h). They draw the same numbers, the
 * reference's. Unless it keeps others, all get the same series: an op of a group of ops that one
 * lacks is left out of the others, too. Returns 0, or a negative errno with ERROR set, which does
 * not name the session. */
int group_open(struct group *group, struct error *error);

/* Measure, as session_measure() does for one session. */
int group_measure(struct group *group, struct error *error);

/* Unmount all. Returns 0, or a negative errno with ERROR set, which names the session. Those on a
 * server that does not answer take as long together as one would. */
int group_unmount(struct group *group, struct error *error);

/* Unmount if that has not been done, and release the sessions, what they resulted in, and GROUP's
 * members. */
void group_close(struct group *group);

/* Prefix ERROR with the name of session NUMBER. */
void group_name(const struct group *group, size_t number, struct error *error);

/* Fill in the outcomes of all, as outcome_fill() does: they are resampled alike. */
int group_fill_outcomes(struct group *group, const char *cut_short_by, struct error *error);
