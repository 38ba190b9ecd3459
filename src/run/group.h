/* A group: sessions that are open at the same time and measured in the same rounds. It has one
 * session, two sides of --versus, or variants of an experiment. Session 0 is the reference. */
#pragma once

#include "run/outcome/outcome.h"
#include "run/session.h"

/* Maximum numbers of a group's sessions, and of the connections of all these sessions, because
 * servers limit connections. The callers check both. */
enum { GROUP_SESSIONS_MAXIMUM = 64, GROUP_CONNECTIONS_MAXIMUM = 200 };

struct group {
    size_t count;
    struct run_plan *plans; /* an element for each session, as in all arrays below */
    /* names of the sessions in messages; for an element that is NULL, use session_letters() */
    const char **names;
    struct session *sessions;
    struct measured *measured; /* the data of each session, from which its outcome is made */
    struct outcome *outcomes;
    struct arena arena;
    /* A session uses the server that an earlier session has started, if both have the same target
     * and the same start command or, without one, the same arguments of `self:`. */
    bool one_server;
    /* an op that is missing or fails in a session other than the reference is left out of that
     * session only; false: the op is left out of all sessions */
    bool keeps_others;
    struct rounds rounds; /* the rounds of all sessions' series, which are ordered by session */
    size_t at;            /* index of the session that caused an error; COUNT: no single session */
};

/* Make GROUP with COUNT sessions. The caller has set GROUP's flags and zeroed its other members.
 * Each element of PLANS becomes a copy of PLAN, and may be changed until group_open(). Returns 0,
 * or -ENOMEM with ERROR set. Call group_close() in either case. */
int group_make(struct group *group, size_t count, const struct run_plan *plan, struct error *error);

/* Open the sessions of GROUP and plan their time (run/time_use.h). All sessions use the reference's
 * random seed. An op that the reference or, without KEEPS_OTHERS, any session lacks is left out of
 * all. Returns 0, or a negative errno with ERROR set, which does not name the session. */
int group_open(struct group *group, struct error *error);

/* Measure all sessions of GROUP in the same rounds. Returns what session_measure() returns. If one
 * of several sessions failed, not by -EINTR or -ENOMEM, ERROR names it. */
int group_measure(struct group *group, struct error *error);

/* Unmount all sessions. Returns 0, or a negative errno with ERROR set, which names the session if
 * there are several. If a server does not answer, only one of its sessions waits for it. */
int group_unmount(struct group *group, struct error *error);

/* Unmount the sessions that are still mounted, and release GROUP with its sessions and outcomes. */
void group_close(struct group *group);

/* Prefix ERROR with the name and the target of session NUMBER. */
void group_name(const struct group *group, size_t number, struct error *error);

/* Make the outcomes of all sessions by outcome_fill(), with the same resampling block. CUT_SHORT_BY
 * says why the run ended early (NULL: it didn't). Returns 0, or -ENOMEM with ERROR set. */
int group_fill_outcomes(struct group *group, const char *cut_short_by, struct error *error);
