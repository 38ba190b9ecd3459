/* An experiment: ops by variants of a plan, each measured in several units, at different times. A
 * unit is a visit to a group of variants: they are opened together, measured in the same rounds,
 * and closed. Groups are visited several times, in a new random order for each pass, so that a
 * drift affects all of them equally; intervals come from the spread between units. Variants that
 * would disturb each other are in groups of their own. A sweep, a security ladder, --vary and
 * --versus are its presets. */
#pragma once

#include "common/random.h"
#include "experiment/experiment.h"
#include "sweep/differences.h"

/* Plan */

enum { VARIANT_NAME_SIZE = 240 };

struct variant {
    char name[VARIANT_NAME_SIZE]; /* for messages: "depth=4", "proto=udp", "krb5p" */
    const char *other;            /* what else than load and size it varies; NULL: nothing */
    char room[VARIANT_NAME_SIZE]; /* for OTHER */
    struct run_plan plan;         /* settled */
    double share;                 /* its rate, of that of a closed loop; 0: the plan says it */
    /* Those of the same family, which stand together, may be in the same rounds, and are compared
     * with the first of them. */
    size_t family;
};

struct experiment_plan {
    enum experiment_preset preset;
    struct variant *variants;
    size_t count;
    const char *ops, *varied;      /* as in the result */
    bool is_launch;                /* one of several, whose results will be merged */
    unsigned repeats;              /* visits of each group, at most; */
    bool repeats_fixed;            /* and at least */
    unsigned together;             /* most variants of a group; 0: as many as can be */
    uint64_t unit_ns;              /* a variant's share of the time, without a number of calls */
    const char *objective_text;    /* find the highest rate that meets it; NULL: try all variants */
    struct objective objective;    /* OBJECTIVE_TEXT, parsed */
    struct contrast_margin margin; /* of equivalence */
    bool no_diagnosis;             /* the user wants no trials at the limits */
    /* The time that the trials at the limits have (sweep/diagnosis.h), after the deadline of the
     * variants; 0: none are made. */
    uint64_t diagnosis_ns;
};

/* The time that a unit has where the user gives none for the whole; and that of a search, or where
 * it is not known yet how many there are. */
#define EXPERIMENT_UNIT_NS UINT64_C(600000000)
#define EXPERIMENT_LONG_NS UINT64_C(60000000000)

/* Calls in flight on each connection, unless the user says, of a closed loop that is to reach the
 * highest rate. */
enum { EXPERIMENT_FULL_DEPTH = 64 };

/* Number of a search's probes: as many as there should be time for, and as there must be. Four
 * leave a range of rates whose ends differ by a factor of 1.6. */
enum { EXPERIMENT_PROBES_WANTED = 12, EXPERIMENT_PROBES_LEAST = 4 };

/* Make the settled plan of a unit of VARIANT, whose rounds are to take UNIT_NS (0: what SHARE, as
 * in struct run_plan, leaves them). Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int experiment_unit_plan(const struct experiment_plan *plan, const struct variant *variant,
                         uint64_t unit_ns, struct run_share share, uint64_t seed,
                         struct run_plan *unit, struct error *error);

/* A visit */

/* The time of a visit: its part of what is left, and how long its rounds are to take (0: all of
 * that). */
struct visit_time {
    struct run_share share;
    uint64_t unit_ns;
};

/* What one unit of a cell found. */
struct cell_unit {
    double figures[CELL_FIGURES];
    struct interval within[CELL_FIGURES]; /* as in struct experiment_cell */
    struct validity validity;
    struct link_counts link; /* the emulated one to the server; without frames: none */
    /* Of a probe's only. */
    double objective_ns; /* the figure that the objective limits; NAN without one */
    double late_ns;      /* the same figure of the sender's lateness; NAN in a closed loop */
    double reached;      /* share of the rate that was reached; NAN in a closed loop */
    uint64_t calls;      /* timed calls */
    bool sender_late;    /* the client contributed to the tail */
    bool unanswered; /* it is invalid for a reason other than a late sender or a rate not reached */
};

/* What else a visit to one variant does while its session is open. */
struct visit_hooks {
    void *context;
    void (*begins)(void *context, struct session *session); /* before its rounds; NULL: nothing */
    /* After its rounds, which ended with CODE; likewise. */
    void (*ended)(void *context, struct session *session, int code);
};

struct visit {
    struct group group;
    struct visit_hooks hooks;
    const struct run_plan *asked; /* a plan with the ops of all */
    bool opened;                  /* its sessions were */
    bool lacks_server;            /* which a command failed to start */
    struct visit_use *uses;       /* session by session, of each op */
    struct server_counters *servers;
    cpu_set_t allowed; /* that it began with */
};

/* Prepare a visit to COUNT variants, whose plans are PLAN's, and may be changed. Returns 0, or
 * -ENOMEM with ERROR set; call visit_close() in either case. */
int visit_open(struct visit *visit, size_t count, const struct run_plan *plan, struct error *error);

/* Make it. Returns 0; or a negative errno with ERROR set, after which there are outcomes, too, if
 * there were enough rounds. The group says which variant's fault it was. */
int visit_make(struct visit *visit, struct error *error);

/* Has it outcomes? */
bool visit_is_whole(const struct visit *visit);

/* If VISIT has outcomes, move it to PART, in place of what that was (zeroed: none); else close it.
 */
void visit_set_aside(struct visit *visit, struct visit *part);

/* The variant to blame for VISIT, of COUNT variants, which failed: its place, or COUNT. */
size_t visit_culprit(const struct visit *visit, size_t count);

/* VISIT failed with ERROR. Is the reason that VARIANT can't be had at all, such as a security
 * flavor? That is so if others could be reached, and VARIANT differs in more than its load. */
bool visit_is_refused(const struct visit *visit, const struct variant *variant,
                      const struct error *error);

/* What was found of OP of variant NUMBER, as its plan has it. OBJECTIVE may be NULL. False if that
 * was not measured. */
bool visit_unit(const struct visit *visit, size_t number, size_t op,
                const struct objective *objective, struct cell_unit *unit);

/* Set FIGURES to what RESULT has of OP, and WITHIN to their intervals; all others to NAN. */
void cell_fill_latencies(double figures[CELL_FIGURES], struct interval within[CELL_FIGURES],
                         const struct result *result, const struct result_op *op);

/* Why that was left out; NULL: it was not. */
const char *visit_missing(const struct visit *visit, size_t number, size_t op);

void visit_close(struct visit *visit);

/* The whole */

/* Receives the progress of an experiment. */
struct experiment_observer {
    void *context;
    void (*full_rate_begins)(void *context); /* the search for a closed loop's rate begins */
    /* A visit is done, or a probe of a search, the last of which was CELL. */
    void (*visited)(void *context, const struct experiment_result *result,
                    const struct experiment_cell *cell);
    /* A trial at a limit begins, of WHAT: "other sizes". */
    void (*trying)(void *context, const char *what);
};

/* Reasons to doubt units, and the number of units that have each. */
struct experiment_doubts {
    /* With the text of the first unit that had it. */
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t units[VALIDITY_REASONS_MAXIMUM];
    size_t count;
    size_t all; /* number of units */
};

/* Of each pass over the groups, what the visits to a variant alone said: the sum over groups and
 * ops of log (typical time alone / in company), and the number of these ratios. */
struct experiment_company {
    double sums[UNITS_MAXIMUM];
    size_t ratios[UNITS_MAXIMUM];
};

struct experiment_run {
    const struct experiment_plan *plan;
    const struct experiment_observer *observer;
    struct experiment_result result; /* refers to the other members and to PLAN */
    struct random random;
    struct experiment_doubts doubts;
    struct experiment_company company;
    char client_cpus[128], transport[8]; /* of a visit; "": there was none yet */
    uint64_t kept_ns;                    /* of the time, for the trials at the limits */
    unsigned passes;                     /* visits of each group that there are time for */
    size_t visits_left;                  /* of all groups, with the next one */
    size_t *first_cell;                  /* of each variant, which has one for each op */
    size_t *reference;                   /* of each variant, what it is compared with */
    size_t *reference_cell;              /* of each cell; itself: none */
    size_t *contrast_of; /* of each cell, the first of its contrasts; NULL: there are none */
    struct contrast_units *contrast_units; /* of each contrast */
    bool *given_up;                        /* for each cell: it is not measured any longer */
    struct arena arena;
};

/* Run PLAN, and analyse the result. Returns 0, or the error that ended it early (-EINTR for Ctrl-C)
 * with ERROR set; RUN's result then has what was measured so far. Call experiment_run_free() in
 * either case. RUN is zeroed but for what experiment_leave_out() noted before. */
int experiment_run(struct experiment_run *run, const struct experiment_plan *plan,
                   const struct experiment_observer *observer, struct error *error);
void experiment_run_free(struct experiment_run *run);

/* Make RUN, which is zeroed, of the outcomes of GROUP, two sides, to which its result refers: each
 * op is a cell of each side, of one unit. PLAN has a variant for each side. Returns 0 or -ENOMEM.
 * Call experiment_run_free() in either case. */
int experiment_of_sides(struct experiment_run *run, const struct experiment_plan *plan,
                        const struct group *group, struct error *error);

/* Make RUN of the results of COUNT launches of PLAN, at least one, which must outlive it: what each
 * found is a unit of a cell or contrast. The caller sets the origin of RUN's result and, of two
 * sides, the whole measurements, merged. Returns 0 or -ENOMEM. */
int experiment_merge(struct experiment_run *run, const struct experiment_plan *plan,
                     const struct experiment_result *const launches[], size_t count,
                     struct error *error);

/* Note that what VARIANT names was not measured; with OP (NULL: with any) and so many calls in
 * flight. Of several reasons the first is kept. Returns 0 or -ENOMEM. */
int experiment_leave_out(struct experiment_run *run, const char *variant, const char *op,
                         uint32_t depth, const char *reason, struct error *error);

/* Parts of it */

/* Describe PLAN's experiment, which STARTED then, in RUN's result. */
void experiment_begin(struct experiment_run *run, const struct experiment_plan *plan,
                      time_t started);

/* Add UNIT to CELL, and what makes it doubtful to RUN. */
void experiment_add_unit(struct experiment_run *run, struct experiment_cell *cell,
                         const struct cell_unit *unit);

/* Set what CELL is: number OP of the ops of VARIANT, whose plan is settled. */
void experiment_describe_cell(struct experiment_cell *cell, const struct variant *variant,
                              size_t op);

/* Make a visit to one VARIANT, for that TIME, and set UNIT. Where the server can't be reached, or
 * has been restarted, and PATIENT, it is made again. Returns 0 or a negative errno. */
int experiment_visit_one(struct experiment_run *run, const struct variant *variant,
                         const struct visit_time *time, bool patient, struct cell_unit *unit,
                         struct error *error);

/* Make *VISIT to COUNT of VARIANTS, whose numbers are NUMBERS, for that TIME, as often as a server
 * that was unreachable or restarted may have recovered. PART, which is zeroed, becomes the last
 * earlier visit that has outcomes. The caller closes both. Returns 0, or a negative errno with
 * ERROR set. */
int experiment_visit_patiently(struct experiment_run *run, const struct variant *variants,
                               const size_t *numbers, size_t count, const struct visit_time *time,
                               struct visit *visit, struct visit *part, struct error *error);

/* Make contrasts of RUN's cells with their references, one of each quantity. Returns 0, or a
 * negative errno with ERROR set. */
int experiment_make_contrasts(struct experiment_run *run, struct error *error);

/* Add the differences of one VISIT between its first variant and each other to RUN's contrasts; the
 * variants' numbers are NUMBERS. Returns 0 or -ENOMEM. */
int experiment_add_contrasts(struct experiment_run *run, const struct visit *visit,
                             const size_t *numbers, struct error *error);

/* Add a unit's difference, COMPARISON, of QUANTITY between CELL and its reference; or all of OP.
 * SERVER is as in measure/statistics/launches.h: units that have the same, where not all have, are
 * one. */
void experiment_add_difference(struct experiment_run *run, size_t cell, enum quantity quantity,
                               const struct comparison *comparison, unsigned server);
void experiment_add_differences(struct experiment_run *run, size_t cell,
                                const struct op_differences *op);

/* Estimate and judge RUN's contrasts from their units. Returns 0 or -ENOMEM. */
int experiment_judge_contrasts(struct experiment_run *run, struct error *error);

/* Find the intervals of RESULT's cells from their units. experiment_analyse() does it, too. */
void experiment_find_intervals(struct experiment_result *result);

/* Are A and B of one curve: do they have the same op, variant and size, and both a closed loop or
 * both a rate? */
bool experiment_same_curve(const struct experiment_cell *a, const struct experiment_cell *b);

/* The load of POINT: its rate, or in a closed loop the calls in flight. */
double experiment_load(const struct experiment_cell *point);

/* The marginal gain (bottleneck_gain()) at POINT, from the point of its curve with the next smaller
 * load; NAN: there is none. The intervals of RESULT's cells are known. */
double experiment_gain(const struct experiment_result *result, const struct experiment_cell *point);

/* Find the intervals of RESULT's cells, Little's law and the bottleneck of each; and the
 * scalability law, the knee and the cost by size of each group of them. Cells without units are
 * removed; an analysis that is impossible is omitted, with the reason. */
void experiment_analyse(struct experiment_result *result);

/* Find what limits each of RESULT's cells, which have their levels, and each curve at its limit, of
 * which RESULT has a diagnosis already if trials were made there. Part of experiment_analyse(). */
void experiment_find_limits(struct experiment_result *result);

/* Judge RESULT, after experiment_analyse(), with the DOUBTS noted for its units. */
void experiment_judge(struct experiment_result *result, const struct experiment_doubts *doubts);

/* After COMPANY, a whole visit of pass PASS: if it was to several variants, of which the first may
 * be borrowed, close it, and visit one of them alone, in turn. That is no unit, and its failure is
 * none of the experiment's. With fewer than three passes it is not made, and nothing said; so in a
 * launch of several, unless --repeat asks for as many. Returns 0, or -EINTR with ERROR set. */
int experiment_visit_alone(struct experiment_run *run, struct visit *company, const size_t *numbers,
                           bool borrows, unsigned pass, struct error *error);

/* After experiment_judge(), add the reason "company" to VALIDITY if calls took another time alone.
 * Each pass is one value, since ops of a visit may differ together. Ratios of different variants
 * are pooled: it is a check of the method, and not an estimate for each cell. */
void experiment_judge_company(struct validity *validity, const struct experiment_company *company);

/* Note the reasons of a unit's VALIDITY, except those that do not matter for several. */
void experiment_note_verdict(struct experiment_doubts *doubts, const struct validity *validity);

/* Search for the highest rate that meets the objective of RUN's plan; the result's cells become the
 * probes, in their order. Returns 0, or an error with ERROR set. */
int experiment_search(struct experiment_run *run, struct error *error);

/* What UNIT says of OBJECTIVE. A late sender makes response times longer. If they meet the
 * objective nevertheless, the answer is certain. If they don't, the cause is unknown, unless they
 * exceed it by more than twice the lateness: a call that was sent late waited for the sender, and
 * for those that were sent together with it, which a server that keeps up handles in less time than
 * they were late. */
enum objective_answer experiment_answer(const struct objective *objective,
                                        const struct cell_unit *unit);

/* Make VARIANT's plan that of a probe at RATE, and return its length: enough for OBJECTIVE's calls,
 * but at most a twelfth of the search; if it has a number of calls, as many of them as are due in
 * that time. */
uint64_t experiment_probe_plan(double rate, const struct objective *objective,
                               struct variant *variant);

/* Is RATE, which the closed loops of PLAN's units made, known? 0, or with ERROR set: -EINVAL
 * (ERROR_USAGE) for too few calls, -ETIMEDOUT for too little time. */
int experiment_check_full_rate(const struct experiment_plan *plan, double rate,
                               struct error *error);

/* What a server offers, and so the variants of a security ladder (sec_offer.c) */

struct sec_offer {
    uint32_t flavors[MOUNT_FLAVORS_MAXIMUM]; /* none: any */
    size_t flavor_count;
    uint32_t size_maximum;   /* that it takes in a READ and in a WRITE */
    const char *no_kerberos; /* why it offers none, if that is known */
};

/* Mount by BASE's AUTH_SYS, and look. Returns 0, or a negative errno with ERROR set. */
int sec_offer_ask(struct sec_offer *offer, const struct run_plan *base, struct error *error);

/* How calls are secured: number INDEX of the flavors, from the cheapest on, the first of which is
 * AUTH_SYS; NULL after the last. */
const char *sec_flavor_name(size_t index);

/* Why flavor INDEX can't be tried with a server that has this OFFER; NULL: it can. */
const char *sec_why_not(const struct run_plan *base, const struct sec_offer *offer, size_t index);

/* Secure the calls of PLAN by flavor INDEX. */
void sec_flavor_set(struct run_plan *plan, size_t index);

/* Note in RUN what is left out: flavors that can't be tried, and those of the server that are none
 * of ours. Returns 0 or -ENOMEM. */
int sec_leave_out(struct experiment_run *run, const struct run_plan *base,
                  const struct sec_offer *offer, struct error *error);
