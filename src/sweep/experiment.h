/* An experiment measures ops in several variants of a plan, each in several units at different
 * times. A group is a set of variants that are measured in the same rounds. A visit is one
 * measurement of a group: its sessions are opened, measured in the same rounds, and closed. A unit
 * has the figures that one visit yields for one cell (an op of a variant). Each pass measures every
 * group once, in a new random order, so that a drift affects all groups equally. Intervals come
 * from the spread between units or, of a single unit, between its rounds. Variants that would
 * disturb each other are in different groups. A sweep, a security ladder, --vary and --versus are
 * presets. */
#pragma once

#include "common/random.h"
#include "experiment/experiment.h"
#include "sweep/differences.h"

enum { VARIANT_NAME_SIZE = 240 };

struct variant {
    char name[VARIANT_NAME_SIZE]; /* name in messages: "depth=4", "proto=udp", "krb5p" */
    const char *other; /* values of the varied options other than load and size; NULL: none */
    char room[VARIANT_NAME_SIZE]; /* memory for OTHER */
    struct run_plan plan;         /* complete (run_plan_complete()) */
    double share; /* the rate as a share of a closed loop's rate; 0: PLAN has the rate, if any */
    /* number of the variant's family; a family's variants follow each other, may be measured in the
     * same rounds, and are compared with the first variant of the family */
    size_t family;
};

struct experiment_plan {
    enum experiment_preset preset;
    struct variant *variants;
    size_t count;
    const char *ops, *varied; /* OPS and VARIED of the result */
    bool is_launch;     /* this process is one of several launches whose results will be merged */
    unsigned repeats;   /* maximum number of measurements of each group */
    bool repeats_fixed; /* too little time for REPEATS is an error */
    unsigned together;  /* maximum number of variants in a group; 0: the user set no limit */
    uint64_t unit_ns;   /* time of a unit, with its set-up, if there is no number of calls */
    const char *objective_text;    /* objective of a search for the highest rate; NULL: no search */
    struct objective objective;    /* OBJECTIVE_TEXT, parsed */
    struct contrast_margin margin; /* a difference that is certainly smaller is reported as equal */
    bool no_diagnosis;             /* the user wants no trials at the limits */
    /* total time for the trials at the limits, after the variants' deadline; 0: no trials */
    uint64_t diagnosis_ns;
};

/* EXPERIMENT_UNIT_NS: default duration of a unit. EXPERIMENT_LONG_NS: default duration of a search,
 * or of an experiment whose number of units is not known yet. */
#define EXPERIMENT_UNIT_NS UINT64_C(600000000)
#define EXPERIMENT_LONG_NS UINT64_C(60000000000)

/* Default calls in flight on each connection of a closed loop that is to reach the highest rate. */
enum { EXPERIMENT_FULL_DEPTH = 64 };

/* Numbers of probes for which a search should have time (WANTED) and must have time (LEAST). After
 * four probes, the rate is known to a factor of 1.6. */
enum { EXPERIMENT_PROBES_WANTED = 12, EXPERIMENT_PROBES_LEAST = 4 };

/* Make UNIT, the complete plan of a unit of VARIANT with SEED. The unit's rounds take UNIT_NS; 0:
 * the time that follows from SHARE (struct run_plan). Returns what run_plan_complete() returns. */
int experiment_unit_plan(const struct experiment_plan *plan, const struct variant *variant,
                         uint64_t unit_ns, struct run_share share, uint64_t seed,
                         struct run_plan *unit, struct error *error);

/* The time of a visit. SHARE: how the time that is left is divided. UNIT_NS: duration of the
 * visit's rounds; 0: the visit's share of the time. */
struct visit_time {
    struct run_share share;
    uint64_t unit_ns;
};

struct cell_unit {
    double figures[CELL_FIGURES];
    /* interval of each figure, from the unit's rounds; the ends are NAN if there is none */
    struct interval within[CELL_FIGURES];
    struct validity validity;
    struct link_counts link; /* counts of the emulated link; FRAMES is 0 if there is none */
    /* The members below are only used for a probe of a search. */
    double objective_ns; /* latency figure that the objective limits, ns; NAN: no objective */
    double late_ns; /* same figure of the calls' lateness, ns; NAN: no objective, or closed loop */
    double reached; /* share of the requested rate that was reached; NAN in a closed loop */
    uint64_t calls; /* number of timed calls */
    bool sender_late; /* the client's lateness lengthened response times */
    bool unanswered;  /* the unit is invalid, not only by a late sender or an unreached rate */
};

/* Functions that a visit to one variant calls while its session is open. */
struct visit_hooks {
    void *context;
    /* called before the rounds; may be NULL */
    void (*begins)(void *context, struct session *session);
    /* called after the rounds, which returned CODE; may be NULL */
    void (*ended)(void *context, struct session *session, int code);
};

struct visit {
    struct group group;
    struct visit_hooks hooks;
    const struct run_plan *asked; /* plan with the requested ops */
    bool opened;                  /* the sessions were opened */
    bool lacks_server;            /* a command failed to start the server */
    struct visit_use *uses;       /* resource use of each op in each session */
    struct server_counters *servers;
    cpu_set_t allowed; /* processors that the process could use before the visit */
};

/* Prepare a visit to COUNT variants. VISIT's group gets a copy of PLAN for each; the copies may be
 * changed. PLAN must outlive VISIT. Returns 0 or -ENOMEM; call visit_close() in either case. */
int visit_open(struct visit *visit, size_t count, const struct run_plan *plan, struct error *error);

/* Open, measure and unmount VISIT's sessions. Returns 0, or a negative errno with ERROR set; even
 * then VISIT has outcomes if there were enough rounds. AT of VISIT's group is the index of the
 * variant that caused the error, or the number of variants if no single variant did. */
int visit_make(struct visit *visit, struct error *error);

bool visit_has_outcomes(const struct visit *visit);

/* If VISIT has outcomes, close PART (an earlier visit; zeroed: none), and move VISIT to PART.
 * Otherwise close VISIT, and keep PART. */
void visit_keep_outcomes(struct visit *visit, struct visit *part);

/* Return the index of the variant because of which VISIT, to COUNT variants, failed. Return COUNT
 * if no single variant is the cause, or if the cause is the first variant. */
size_t visit_culprit(const struct visit *visit, size_t count);

/* Return true if VISIT failed with ERROR because VARIANT, such as a security flavor, is
 * unavailable: a session did not open, VARIANT differs in more than load and size, and ERROR is
 * ERROR_UNREACHABLE. */
bool visit_is_refused(const struct visit *visit, const struct variant *variant,
                      const struct error *error);

/* Set UNIT from op number OP of variant number NUMBER in VISIT, which has outcomes. OBJECTIVE (may
 * be NULL) selects OBJECTIVE_NS and LATE_NS. Returns whether the op was measured. */
bool visit_unit(const struct visit *visit, size_t number, size_t op,
                const struct objective *objective, struct cell_unit *unit);

/* Set FIGURES to those that follow from RESULT's op OP, and WITHIN to their intervals. All others
 * (of resource use, for example) are NAN. */
void cell_fill_latencies(double figures[CELL_FIGURES], struct interval within[CELL_FIGURES],
                         const struct result *result, const struct result_op *op);

/* Return why op number OP of the variant at index NUMBER was left out; NULL: there is no reason. */
const char *visit_missing(const struct visit *visit, size_t number, size_t op);

void visit_close(struct visit *visit);

struct experiment_observer {
    void *context;
    void (*full_rate_begins)(void *context); /* the measurement of a closed loop's rate begins */
    /* a visit or a probe is complete; CELL is the first cell of the visit's last variant or, in a
     * search, the probe */
    void (*visited)(void *context, const struct experiment_result *result,
                    const struct experiment_cell *cell);
    /* a trial at a limit begins; WHAT names the trial: "other sizes" */
    void (*trying)(void *context, const char *what);
};

/* Reasons to doubt units, with the number of units that have each reason. */
struct experiment_doubts {
    /* each with the text from the first unit that has this reason */
    struct validity_reason reasons[VALIDITY_REASONS_MAXIMUM];
    size_t units[VALIDITY_REASONS_MAXIMUM];
    size_t count;
    size_t all; /* number of units, with and without a reason */
};

/* A ratio is a variant's typical time when measured alone, divided by that in the same rounds as
 * other variants. For each pass, SUMS is the sum of the ratios' logarithms, RATIOS their number. */
struct experiment_interference {
    double sums[UNITS_MAXIMUM];
    size_t ratios[UNITS_MAXIMUM];
};

struct experiment_run {
    const struct experiment_plan *plan;
    const struct experiment_observer *observer;
    struct experiment_result result; /* result, which points to the other members and to PLAN */
    struct random random;
    struct experiment_doubts doubts;
    struct experiment_interference interference;
    /* the client's processors, and the transport, that a visit found; "": no visit yet */
    char client_cpus[128], transport[8];
    uint64_t kept_ns;   /* time reserved for trials at the limits, ns; 0: none, or no deadline */
    unsigned passes;    /* number of passes, which the first visit reduces if time is short */
    size_t visits_left; /* number of visits left, including the next one */
    size_t *first_cell; /* for each variant: index of its first cell (one for each op) */
    size_t *reference; /* for each variant: index of its reference; if it has none, its own index */
    /* for each cell: index of its reference; if it has none, its own index */
    size_t *reference_cell;
    size_t *contrast_of; /* for each cell that has contrasts: index of the first; NULL: none has */
    /* for each contrast: the two levels and the difference of each unit */
    struct contrast_units *contrast_units;
    bool *given_up; /* for each cell: the cell is no longer measured */
    struct arena arena;
};

/* Run PLAN, and analyse the result. Returns 0, or the error that ended the run early (-EINTR after
 * Ctrl-C) with ERROR set; RUN's result then has the earlier measurements. Call
 * experiment_run_free() in either case. RUN must be zeroed, except for the notes of
 * experiment_leave_out(). */
int experiment_run(struct experiment_run *run, const struct experiment_plan *plan,
                   const struct experiment_observer *observer, struct error *error);
void experiment_run_free(struct experiment_run *run);

/* Make RUN, which is zeroed, from the outcomes of GROUP's two sides. GROUP must outlive RUN's
 * result. Each side gets a cell with one unit per common op. PLAN has a variant per side. Returns
 * 0, or a negative errno with ERROR set. Call experiment_run_free() in either case. */
int experiment_of_sides(struct experiment_run *run, const struct experiment_plan *plan,
                        const struct group *group, struct error *error);

/* Make RUN from the results of COUNT launches of PLAN, which must outlive RUN. Each launch yields a
 * unit of each cell and contrast. But if the servers changed between launches, successive launches
 * with the same servers yield only one unit of a cell: their mean. The caller has set the origin of
 * RUN's result and, for two sides, their merged results. Returns 0, or a negative errno with ERROR
 * set. */
int experiment_merge(struct experiment_run *run, const struct experiment_plan *plan,
                     const struct experiment_result *const launches[], size_t count,
                     struct error *error);

/* Note in RUN that OP of VARIANT was not measured with DEPTH calls in flight, for REASON; OP is
 * NULL if no op of VARIANT was measured. If RUN has such a note, it stays. Notes after
 * LEFT_OUT_MAXIMUM are lost. RUN copies VARIANT and REASON, not OP. Returns 0 or -ENOMEM. */
int experiment_leave_out(struct experiment_run *run, const char *variant, const char *op,
                         uint32_t depth, const char *reason, struct error *error);

/* Internal functions */

/* Set RUN's plan and random seed, and describe PLAN's experiment, which began at STARTED. */
void experiment_begin(struct experiment_run *run, const struct experiment_plan *plan,
                      time_t started);

/* Add UNIT to CELL, which has room for it, and count it and its reasons for doubt in RUN. */
void experiment_add_unit(struct experiment_run *run, struct experiment_cell *cell,
                         const struct cell_unit *unit);

/* Set CELL's op, variant and setting from op number OP of VARIANT, whose plan is complete. */
void experiment_describe_cell(struct experiment_cell *cell, const struct variant *variant,
                              size_t op);

/* Make a visit to VARIANT alone in the given TIME, and set UNIT to its first op's figures. If
 * PATIENT, repeat up to twice if the server can't be reached or has restarted. Returns 0 or a
 * negative errno. */
int experiment_visit_one(struct experiment_run *run, const struct variant *variant,
                         const struct visit_time *time, bool patient, struct cell_unit *unit,
                         struct error *error);

/* Make *VISIT, in the given TIME, to the COUNT variants whose indices in VARIANTS are NUMBERS.
 * Repeat the visit up to twice if the server can't be reached or has restarted, but not if a
 * command can't start it or visit_is_refused(). *VISIT is the last try. PART, which the caller has
 * zeroed, becomes the latest earlier try with outcomes, if any. The caller closes both. Returns 0,
 * or a negative errno with ERROR set. */
int experiment_visit_with_retries(struct experiment_run *run, const struct variant *variants,
                                  const size_t *numbers, size_t count,
                                  const struct visit_time *time, struct visit *visit,
                                  struct visit *part, struct error *error);

/* Make the contrasts of RUN's cells with their references, a contrast for each quantity. Returns 0,
 * or a negative errno with ERROR set. */
int experiment_make_contrasts(struct experiment_run *run, struct error *error);

/* If VISIT's first variant is a reference, add to RUN's contrasts, if any, the differences between
 * it and each further variant. NUMBERS are the variants' indices. Returns 0 or -ENOMEM. */
int experiment_add_contrasts(struct experiment_run *run, const struct visit *visit,
                             const size_t *numbers, struct error *error);

/* Add a unit's difference between cell number CELL and its reference to RUN's contrasts: COMPARISON
 * for one QUANTITY, or all known differences of OP (SERVER is then 0). SERVER identifies the server
 * process: units with the same SERVER count as one unit, unless all have the same SERVER
 * (measure/statistics/launches.h). A difference that is not finite is ignored, and so are those
 * after UNITS_MAXIMUM. */
void experiment_add_difference(struct experiment_run *run, size_t cell, enum quantity quantity,
                               const struct comparison *comparison, unsigned server);
void experiment_add_differences(struct experiment_run *run, size_t cell,
                                const struct op_differences *op);

/* Estimate RUN's contrasts, and remove those without an estimate. Judge those of the most specific
 * known quantity and, for two sides, of round trips and mean costs. Returns 0 or -ENOMEM. */
int experiment_judge_contrasts(struct experiment_run *run, struct error *error);

/* Set the intervals of RESULT's cells from their units. experiment_analyse() calls this. */
void experiment_find_intervals(struct experiment_result *result);

/* Return true if A and B are on the same curve: they have the same op, variant and size, and are
 * both closed loops or both at a rate. */
bool experiment_same_curve(const struct experiment_cell *a, const struct experiment_cell *b);

/* Return the load of POINT: its offered rate or, in a closed loop, its calls in flight. */
double experiment_load(const struct experiment_cell *point);

/* Return the share of POINT's offered rate that was reached (1: all of it); closed loop: NAN. */
double experiment_reached(const struct experiment_cell *point);

/* Return the gain (bottleneck_gain()) from the next smaller load of POINT's curve to POINT; NAN if
 * there is no smaller load. RESULT's cells must have intervals. */
double experiment_gain(const struct experiment_result *result, const struct experiment_cell *point);

/* Set the intervals, Little's law and the bottleneck of each of RESULT's cells and, except in a
 * search, the laws of each curve: scalability and knee, cost by size, effect of delay. Cells
 * without units are removed, unless their rate can't be reached. If the scalability or the cost by
 * size can't be fitted, the result says why. */
void experiment_analyse(struct experiment_result *result);

/* Set the bottleneck of each of RESULT's cells, which have intervals, and, for a sweep or --vary of
 * loads, the diagnosis of each curve at its limit. If trials were made, RESULT already has a
 * diagnosis with the trials' results. experiment_analyse() calls this. */
void experiment_find_limits(struct experiment_result *result);

/* After experiment_analyse(), set the verdict on RESULT, with the DOUBTS about its units. */
void experiment_judge(struct experiment_result *result, const struct experiment_doubts *doubts);

/* Measure again, alone, one variant of SHARED, to see whether variants in the same rounds affect
 * each other. SHARED is a complete visit to the variants NUMBERS in pass PASS. Each pass takes the
 * next variant; if BORROWS, the first is left out, because it belongs to another group. The times
 * are used only for this check; failures are ignored. Nothing is measured if SHARED has only one
 * variant or lacked time, or if RUN has fewer than three passes. Otherwise SHARED is closed.
 * Returns 0 or -EINTR. */
int experiment_measure_alone(struct experiment_run *run, struct visit *shared,
                             const size_t *numbers, bool borrows, unsigned pass,
                             struct error *error);

/* After experiment_judge(), add REASON_INTERFERENCE to VALIDITY if typical times alone and in
 * shared rounds certainly differ, and the estimated difference is over 3 %. Each pass yields one
 * value, because the ratios of a visit's ops may vary together. */
void experiment_judge_interference(struct validity *validity,
                                   const struct experiment_interference *interference);

/* Count in DOUBTS a unit and the reasons of its VALIDITY, except reasons with REASON_OF_UNIT. */
void experiment_note_verdict(struct experiment_doubts *doubts, const struct validity *validity);

/* Search for the highest rate that meets the objective of RUN's plan. The probes become the
 * result's cells, in their order. Returns 0, or a negative errno with ERROR set. */
int experiment_search(struct experiment_run *run, struct error *error);

/* Return whether UNIT meets OBJECTIVE; no answer if UNIT is UNANSWERED. If the sender was
 * late, and UNIT does not meet OBJECTIVE, there is no answer either, because lateness makes
 * response times longer. But UNIT fails if the response time exceeds the limit by more than twice
 * the lateness: a late call waited for the sender (its lateness), and then for the calls that were
 * sent with it. A server that keeps up handles those calls in less time than the lateness. */
enum objective_answer experiment_answer(const struct objective *objective,
                                        const struct cell_unit *unit);

/* Change VARIANT's plan, which the caller then completes, to a probe at RATE. Returns the probe's
 * duration, ns: enough for the calls that OBJECTIVE needs, but at most a twelfth of the search, and
 * at least EXPERIMENT_UNIT_NS. The plan's number of calls, if any, is reduced to the calls that are
 * due in the maximum duration (at least 1). */
uint64_t experiment_probe_plan(double rate, const struct objective *objective,
                               struct variant *variant);

/* Check that RATE, the rate of PLAN's closed loop, is known (above 0). Returns 0 or, with ERROR
 * set, -EINVAL (ERROR_USAGE: too few calls) or -ETIMEDOUT (too little time). */
int experiment_check_full_rate(const struct experiment_plan *plan, double rate,
                               struct error *error);

/* The security that a server offers, for the variants of a security ladder (sec_offer.c) */

struct sec_offer {
    /* the offered flavors; FLAVOR_COUNT is 0 if all flavors may be tried */
    uint32_t flavors[MOUNT_FLAVORS_MAXIMUM];
    size_t flavor_count;
    /* the smaller one of the limits of READ and WRITE, bytes; UINT32_MAX: neither is known */
    uint32_t size_maximum;
    const char *no_kerberos; /* set by the caller: why the server has no Kerberos; NULL: unknown */
};

/* Mount BASE's target, and set OFFER except NO_KERBEROS, which the caller sets. Returns 0, or a
 * negative errno with ERROR set. */
int sec_offer_ask(struct sec_offer *offer, const struct run_plan *base, struct error *error);

/* Return the name of flavor INDEX of a ladder; 0 is AUTH_SYS. NULL after the last flavor. */
const char *sec_flavor_name(size_t index);

/* Return why BASE can't be tried with flavor INDEX on a server that makes OFFER; NULL: it can. */
const char *sec_why_not(const struct run_plan *base, const struct sec_offer *offer, size_t index);

void sec_flavor_set(struct run_plan *plan, size_t index);

/* Note in RUN the flavors that are left out: those that can't be tried, and the server's flavors
 * that nfsbench does not know. Returns 0 or -ENOMEM. */
int sec_leave_out(struct experiment_run *run, const struct run_plan *base,
                  const struct sec_offer *offer, struct error *error);
