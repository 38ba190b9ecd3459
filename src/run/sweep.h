/* A sweep: an op under a range of loads or sizes. Each point is tried several times, in an order
 * that is drawn anew for each pass, so that whatever drifts meets all points alike. A trial is a
 * whole run of its own, from mount to unmount: its plan is the sweep's base with the point's values
 * set, and the trials' spread makes the intervals. */
#ifndef NFSBENCH_RUN_SWEEP_H
#define NFSBENCH_RUN_SWEEP_H

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
    bool may_be_share; /* its values may be shares of what a closed loop reaches */
    void (*set)(struct run_plan *plan, double value);
    bool (*applies)(const struct run_plan *plan); /* NULL: to every plan */
    const char *not_applicable; /* why it does not, as the end of a sentence about an op */
};

extern const struct sweep_parameter_type sweep_parameters[SWEEP_PARAMETERS];

enum { SWEEP_VALUES_MAXIMUM = 64, SWEEP_POINTS_MAXIMUM = 1024 };

/* The values of a parameter. */
struct sweep_range {
    double values[SWEEP_VALUES_MAXIMUM]; /* in the order given, each once */
    size_t count;                        /* 0: what the base has */
    bool percent;                        /* they are shares of something, from 0 on: 0.5 for 50% */
};

struct sweep_plan {
    struct run_plan base; /* of one op, settled; what all trials have in common */
    struct sweep_range ranges[SWEEP_PARAMETERS];
    unsigned repeats;           /* trials of each point */
    uint64_t trial_ns;          /* how long one takes, where the base has no number of calls */
    const char *objective_text; /* search the highest rate that holds it; NULL: try all points */
    struct objective objective; /* the same */
};

/* Does PARAMETER have several values? */
bool sweep_plan_varies(const struct sweep_plan *plan, enum sweep_parameter parameter);

/* The plan of a trial: the base of PLAN with VALUES (0: the base's), settled, with SEED. 0, or
 * -EINVAL with ERROR set (ERROR_USAGE). */
int sweep_plan_trial(const struct sweep_plan *plan, const double values[SWEEP_PARAMETERS],
                     uint64_t seed, struct run_plan *trial, struct error *error);

/* Trial */

struct trial {
    double figures[SWEEP_FIGURES];
    double objective_ns; /* the figure that the objective is about; NAN without one */
    double reached;      /* share of the rate; NAN in a closed loop */
    uint64_t calls;      /* that were timed */
    struct validity validity;
    bool invalid;     /* the run's own verdict */
    bool sender_late; /* the tail is partly the client's own */
    bool unanswered;  /* it is invalid for another reason than that, or a rate not reached */
    /* What was measured with; it is reported once. */
    char client_cpus[128], transport[8], kernel[80], cpu[80];
};

/* Make the run of PLAN, and take TRIAL's figures from its last op; OBJECTIVE may be NULL. 0; -ETIME
 * where the rate can't be reached; -EINTR for Ctrl-C; or what ended it, with ERROR set. */
int trial_make(const struct run_plan *plan, const struct objective *objective, struct trial *trial,
               struct error *error);

/* Sweep */

/* Who is shown how a sweep goes on. */
struct sweep_observer {
    void *context;
    void (*full_rate_begins)(void *context); /* that of a closed loop is being found */
    /* A trial of POINT is done, or a probe of a search; TRIAL is NULL where its rate is out of
     * reach. */
    void (*trial_done)(void *context, const struct sweep *sweep, const struct sweep_point *point,
                       const struct trial *trial);
};

/* Reasons to doubt trials, and of how many. */
struct sweep_doubts {
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM]; /* of the first that had it */
    size_t trials[VALIDITY_REASONS_MAXIMUM];
    size_t count;
    size_t all; /* trials */
};

struct sweep_run {
    const struct sweep_plan *plan;
    const struct sweep_observer *observer;
    struct sweep sweep; /* the result; points into the rest, and into PLAN */
    struct random random;
    bool described; /* the first trial has said what is measured with */
    char client_cpus[128], transport[8];
    struct sweep_doubts doubts;
};

/* Measure what PLAN says, and analyse it. 0, or what ended it early (-EINTR for Ctrl-C) with ERROR
 * set; RUN's sweep then has what was measured until then. sweep_run_free() is due in any case. */
int sweep_run(struct sweep_run *run, const struct sweep_plan *plan,
              const struct sweep_observer *observer, struct error *error);
void sweep_run_free(struct sweep_run *run);

/* What SWEEP's points say: intervals, Little's law, the bottleneck of each; the scalability law,
 * the knee and the cost by size of those that belong together. Points that were never tried are
 * taken out; what can't be said is left out, with its reason. */
void sweep_analyse(struct sweep *sweep);

/* Verdict */

/* A trial was judged by VALIDITY: note its reasons, but for those that are none for a sweep. */
void sweep_note_verdict(struct sweep_doubts *doubts, const struct validity *validity);

/* Judge SWEEP, which has been analysed, and whose trials' DOUBTS are noted. */
void sweep_judge(struct sweep *sweep, const struct sweep_doubts *doubts);

/* The highest rate that holds an objective (find_max.c) */

/* Search it, as the plan of RUN says; the sweep's points become the probes, in their order. 0, or
 * what ended it, with ERROR set. */
int find_max(struct sweep_run *run, struct error *error);

/* PROBE becomes PLAN, with trials long enough for the objective's calls at RATE, but no longer than
 * 5 s for that. */
void find_max_plan(const struct sweep_plan *plan, double rate, struct sweep_plan *probe);

/* Of sweep.c: the plan of a trial of POINT by PLAN; what POINT is by the plan of its trial; and
 * TRIAL is one of POINT's, and of those whose verdicts count. */
int sweep_plan_of_point(struct sweep_run *run, const struct sweep_plan *plan,
                        const struct sweep_point *point, struct run_plan *trial,
                        struct error *error);
void sweep_describe_point(struct sweep_point *point, const struct run_plan *trial);
void sweep_add_trial(struct sweep_run *run, struct sweep_point *point, const struct trial *trial);

#endif
