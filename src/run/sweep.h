/* A sweep: an op under a range of loads or sizes. Each point is tried several times, in a new
 * random order for each pass, so that a drift affects all points equally. A trial is a complete
 * run, from mount to unmount: its plan is the sweep's base with the point's values. Intervals come
 * from the spread between trials. */
#pragma once

#include "common/random.h"
#include "measure/objective.h"
#include "output/sweep.h"
#include "run/plan.h"

/* Plan */

enum sweep_parameter { SWEEP_CLIENTS, SWEEP_DEPTH, SWEEP_SIZE, SWEEP_RATE, SWEEP_PARAMETERS };

/* A member of the plan that a sweep can vary. */
struct sweep_parameter_type {
    const char *name;
    const char *unit;
    bool (*applies)(const struct run_plan *plan); /* NULL: to every plan */
    const char *not_applicable; /* the reason, as the end of a sentence about an op */
};

extern const struct sweep_parameter_type sweep_parameters[SWEEP_PARAMETERS];

/* Set the parameters of PLAN to VALUES, except for those that are 0. */
void sweep_set_values(struct run_plan *plan, const double values[SWEEP_PARAMETERS]);

enum { SWEEP_VALUES_MAXIMUM = 64 };

/* The values of a parameter. */
struct sweep_range {
    double values[SWEEP_VALUES_MAXIMUM]; /* in the order given, each once */
    size_t count;                        /* 0: use the base's value */
    bool percent;                        /* they are shares: 0.5 for 50% */
};

struct sweep_plan {
    struct run_plan base; /* settled, with one op; common to all trials */
    struct sweep_range ranges[SWEEP_PARAMETERS];
    unsigned repeats;           /* trials of each point */
    uint64_t trial_ns;          /* duration of a trial, if the base has no number of calls */
    const char *objective_text; /* find the highest rate that meets it; NULL: try all points */
    struct objective objective; /* OBJECTIVE_TEXT, parsed */
};

/* Does PARAMETER have several values? */
bool sweep_plan_varies(const struct sweep_plan *plan, enum sweep_parameter parameter);

/* Make the settled plan of a trial: the base of PLAN with VALUES (0: the base's) and SEED. Returns
 * 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int sweep_plan_trial(const struct sweep_plan *plan, const double values[SWEEP_PARAMETERS],
                     uint64_t seed, struct run_plan *trial, struct error *error);

/* Trial */

/* What a trial ran on and over. */
struct trial_environment {
    char client_cpus[128], transport[8]; /* "": there was no trial yet */
};

/* What a trial found, of a sweep or of a security ladder. */
struct trial {
    double figures[SWEEP_FIGURES]; /* of a security ladder by enum sec_figure */
    struct validity validity;
    struct trial_environment environment;
    /* Of a sweep's only. */
    double objective_ns; /* the figure that the objective limits; NAN without one */
    double late_ns;      /* the same figure of the sender's lateness; NAN in a closed loop */
    double reached;      /* share of the rate that was reached; NAN in a closed loop */
    uint64_t calls;      /* timed calls */
    bool sender_late;    /* the client contributed to the tail */
    bool unanswered; /* it is invalid for a reason other than a late sender or a rate not reached */
};

/* Run PLAN, and take TRIAL's figures from its last op. OBJECTIVE may be NULL. Returns 0; -ETIME if
 * the rate can't be reached; -EINTR for Ctrl-C; or another error with ERROR set. */
int trial_make(const struct run_plan *plan, const struct objective *objective, struct trial *trial,
               struct error *error);

/* Sweep */

/* Receives the progress of a sweep. */
struct sweep_observer {
    void *context;
    void (*full_rate_begins)(void *context); /* the search for a closed loop's rate begins */
    /* A trial of POINT, or a probe of a search, is done; TRIAL is NULL if its rate can't be
     * reached. */
    void (*trial_done)(void *context, const struct sweep *sweep, const struct sweep_point *point,
                       const struct trial *trial);
};

/* Reasons to doubt trials, and the number of trials that have each. */
struct sweep_doubts {
    /* With the text of the first trial that had it. */
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t trials[VALIDITY_REASONS_MAXIMUM];
    size_t count;
    size_t all; /* number of trials */
};

struct sweep_run {
    const struct sweep_plan *plan;
    const struct sweep_observer *observer;
    struct sweep sweep; /* the result; refers to the other members and to PLAN */
    struct random random;
    struct trial_environment environment; /* the first trial's */
    struct sweep_doubts doubts;
};

/* Run PLAN, and analyse the result. Returns 0, or the error that ended it early (-EINTR for Ctrl-C)
 * with ERROR set; RUN's sweep then has what was measured so far. Call sweep_run_free() in either
 * case. */
int sweep_run(struct sweep_run *run, const struct sweep_plan *plan,
              const struct sweep_observer *observer, struct error *error);
void sweep_run_free(struct sweep_run *run);

/* Analyse SWEEP: the intervals, Little's law and the bottleneck of each point; and the scalability
 * law, the knee and the cost by size of each group of points. Points without trials are removed; an
 * analysis that is impossible is omitted, with the reason. */
void sweep_analyse(struct sweep *sweep);

/* Verdict */

/* Judge SWEEP, after sweep_analyse(), with the DOUBTS noted for its trials. */
void sweep_judge(struct sweep *sweep, const struct sweep_doubts *doubts);

/* What a sweep and a security ladder have in common (trials.c) */

/* The members of a point that its trials fill in, one value of each figure for each. */
struct trials {
    size_t *repeats, *invalid, *order;
    double (*figures)[SWEEP_REPEATS_MAXIMUM];
    struct interval *intervals;
    size_t figure_count;
    size_t difference; /* the figure that may be negative */
    size_t same_work;  /* one that is of the same work at all points; FIGURE_COUNT: none is */
    bool out_of_reach; /* there need not be any */
};

struct trials sweep_trials_of(struct sweep_point *point);

/* Try each of COUNT points REPEATS times, in a new random order for each pass. Returns 0, or the
 * first error of TRY, or -ENOMEM, with ERROR set. */
int trials_pass(struct random *random, size_t count, unsigned repeats,
                int (*try)(void *run, size_t point, struct error *error), void *run,
                struct error *error);

/* Add TRIAL to TRIALS, and what makes it doubtful to DOUBTS. */
void trials_add(const struct trials *trials, const struct trial *trial,
                struct sweep_doubts *doubts);

/* Fill in the intervals, from the figures of all trials. */
void trials_find_intervals(const struct trials *trials);

/* Note the reasons of a trial's VALIDITY, except those that do not matter for several. */
void trials_note_verdict(struct sweep_doubts *doubts, const struct validity *validity);

/* Judge the trials of COUNT points and their DOUBTS, and whether the level of what is the same work
 * has changed, which is WHOSE: "the null calls'". */
void trials_judge(struct validity *validity, const struct trials *points, size_t count,
                  const struct sweep_doubts *doubts, const char *whose);

/* The highest rate that meets an objective (find_max.c) */

/* Search for it according to RUN's plan; the sweep's points become the probes, in their order.
 * Returns 0, or an error with ERROR set. */
int find_max(struct sweep_run *run, struct error *error);

/* What TRIAL says of OBJECTIVE. A late sender makes response times longer. If they meet the
 * objective nevertheless, the answer is certain. If they don't, the cause is unknown, unless they
 * exceed it by more than twice the lateness: a call that was sent late waited for the sender, and
 * for those that were sent together with it, which a server that keeps up handles in less time than
 * they were late. */
enum objective_answer find_max_answer(const struct objective *objective, const struct trial *trial);

/* Set PROBE to PLAN with trials that are long enough for the objective's calls at RATE, but
 * extended to at most 5 s; if PLAN has a number of calls, as many of them as are due in 5 s. */
void find_max_plan(const struct sweep_plan *plan, double rate, struct sweep_plan *probe);

/* In sweep.c: make the plan of a trial of POINT; set POINT's values from the plan of its trial; add
 * TRIAL and its verdict to POINT and RUN. */
int sweep_plan_of_point(struct sweep_run *run, const struct sweep_plan *plan,
                        const struct sweep_point *point, struct run_plan *trial,
                        struct error *error);
void sweep_describe_point(struct sweep_point *point, const struct run_plan *trial);
void sweep_add_trial(struct sweep_run *run, struct sweep_point *point, const struct trial *trial);

/* Is RATE, which the closed loops of PLAN's trials made, known? 0, or with ERROR set: -EINVAL
 * (ERROR_USAGE) for too few calls, -ETIMEDOUT for too little time. */
int sweep_check_full_rate(const struct sweep_plan *plan, double rate, struct error *error);
