/* Makes the plan of a measurement from a command line, and refuses impossible combinations. */
#pragma once

#include "job/options.h"

/* Make PLAN, which points into OPTIONS. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int plan_make(struct run_plan *plan, const struct options *options, struct error *error);

/* Make the PLAN of a command that makes its own calls on a target, which is the only word of
 * OPTIONS. Its set-up is that of a measurement of PROCEDURES. Returns as plan_make(). */
int plan_make_set_up(struct run_plan *plan, const struct options *options, char *procedures,
                     struct error *error);

/* Return the time to wait for a reply over TRANSPORT according to OPTIONS, ns. */
uint64_t plan_timeout_ns(const struct options *options, enum transport transport);

/* Return the time that OPTIONS give a measurement, ns: --max-time or, without it, USUAL_NS, but no
 * more than the maximum of launches that are spread over a time (job/launch_schedule.h). */
uint64_t plan_time_ns(const struct options *options, uint64_t usual_ns);

/* Have the embedded server of PLAN offer Kerberos, too. The server then needs a keytab. */
void plan_offer_kerberos(struct run_plan *plan);

/* Make the plan of the SECOND side: that of FIRST, with the changes of --versus. Without --versus,
 * SECOND's target_text is NULL. Returns as plan_make(). */
int plan_make_second(struct run_plan *second, const struct run_plan *first,
                     const struct options *options, struct error *error);

/* Make PLANS as plan_make() and plan_make_second() do, also for an op mix:FILE whose FILE a command
 * reads (struct command's plan_file). Returns as plan_make(). */
int plan_make_any(struct run_plan plans[SIDES], const struct options *options, struct error *error);

/* Parse TEXT, which names the ops, into PLAN's ops: ops and groups separated by commas, or a mix;
 * upper or lower case. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int ops_parse(struct run_plan *plan, const char *text, struct error *error);

/* Set PLAN's ops to those of PLAN's mix, whose name is NAME. Returns as ops_parse(). */
int ops_take_mix(struct run_plan *plan, const char *name, struct error *error);

/* Check the relations of the given OPTIONS that their entries name. The command line calls this for
 * each command before it waits for anything. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int rules_check_pairs(const struct options *options, struct error *error);

/* Check the OPTIONS of a command that measures, and its PLAN, whose target, ops, number of calls,
 * engine and transport have been set. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int rules_check_plan(const struct options *options, const struct run_plan *plan,
                     struct error *error);

/* Is NAME impossible as the name of a scratch directory? NULL is possible: the name is chosen. */
bool rules_is_bad_name(const char *name);

/* Does Kerberos protect the calls of any side? */
bool rules_has_kerberos(const struct options *options);

/* Check OPTIONS of a command that does not measure. Returns as rules_check_plan(). */
int rules_check(const struct options *options, struct error *error);

/* A rule for commands that take one of GROUPS (GROUP_ALL: any), broken if WHEN is true. */
struct rule {
    unsigned groups;
    bool when;
    const char *message; /* the error */
    /* Selects engines whose names are added to MESSAGE, as in "use --engine wire". May be NULL. */
    bool (*engines)(const struct engine_type *engine);
};

/* Check COUNT RULES in turn. Returns as rules_check(). */
int rules_apply(const struct rule *rules, size_t count, const struct options *options,
                struct error *error);

/* Was any option in NAMES (separated by '|') given? Was any other option given? */
bool rules_are_given(const struct options *options, const char *names);
bool rules_others_given(const struct options *options, const char *names);
