/* Makes the plan of a measurement from a command line, and refuses impossible combinations. */
#pragma once

#include "job/options.h"

/* Make PLAN, which points into OPTIONS. Returns 0, or a negative errno with ERROR set
 * (ERROR_USAGE). */
int plan_make(struct run_plan *plan, const struct options *options, struct error *error);

/* Make PLAN for a command that makes its own calls. The target is the only word of OPTIONS. The
 * set-up is that of a measurement of PROCEDURES, a text for ops_parse(). Returns as plan_make(). */
int plan_make_set_up(struct run_plan *plan, const struct options *options, char *procedures,
                     struct error *error);

/* Return the time to wait for a reply over TRANSPORT according to OPTIONS, ns. */
uint64_t plan_timeout_ns(const struct options *options, enum transport transport);

/* Return the time limit of a measurement with OPTIONS, ns. If --max-time is given, it is the limit.
 * Otherwise the limit is USUAL_NS or, if that is less, --over / LAUNCH_SCHEDULE_IDLE_PARTS. */
uint64_t plan_time_ns(const struct options *options, uint64_t usual_ns);

/* Let PLAN's embedded server accept all flavors. For Kerberos it then needs a keytab. */
void plan_offer_kerberos(struct run_plan *plan);

/* Make the plan of the SECOND side: a copy of FIRST with the changes of --versus, without FIRST's
 * local files and server_start. For another target, FIRST's server_pid and server_command are left
 * out, too, and the engine is chosen again from OPTIONS. If FIRST's target is on a mount and only
 * SECOND's engine is not for mounts, through_mount is set. Without --versus, zero SECOND, so that
 * its target_text is NULL. Returns as plan_make(). */
int plan_make_second(struct run_plan *second, const struct run_plan *first,
                     const struct options *options, struct error *error);

/* Make the plans of both sides, as plan_make() and plan_make_second() do. If the op is mix:FILE and
 * FILE is a JSON object, the plan_file() of the command that has one makes the first plan instead.
 * Returns as plan_make(). */
int plan_make_any(struct run_plan plans[SIDES], const struct options *options, struct error *error);

/* Add to PLAN the ops in TEXT: names of ops and groups, separated by commas; or set PLAN's mix and
 * ops if TEXT names a mix. Upper and lower case are equal, except in a mix. Returns 0, or a
 * negative errno with ERROR set (ERROR_USAGE). */
int ops_parse(struct run_plan *plan, const char *text, struct error *error);

/* Use the ops of PLAN's mix, called NAME, and leave out the cost model. Returns as ops_parse(). */
int ops_take_mix(struct run_plan *plan, const char *name, struct error *error);

/* Check the relations between the given OPTIONS (struct option_relation). The command line does
 * this before a command waits for anything. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int rules_check_pairs(const struct options *options, struct error *error);

/* Check OPTIONS of a command that measures, and PLAN. The caller has set PLAN's target, ops, number
 * of calls, engine and transport. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int rules_check_plan(const struct options *options, const struct run_plan *plan,
                     struct error *error);

/* Return whether NAME is invalid for a scratch directory. NULL is valid: a name is chosen. */
bool rules_is_bad_name(const char *name);

/* Does --sec or --versus sec=FLAVOR ask for Kerberos? --sec-ladder does not count. */
bool rules_has_kerberos(const struct options *options);

/* Check OPTIONS of a command without a plan. Returns as rules_check_plan(). */
int rules_check(const struct options *options, struct error *error);

/* A rule for commands that take any of GROUPS (GROUP_ALL: all commands). If WHEN is true, the rule
 * is broken. */
struct rule {
    unsigned groups;
    bool when;
    const char *message; /* the error */
    /* Returns true for engines to suggest: "--engine wire or tirpc" is appended to MESSAGE. NULL:
     * nothing is appended. */
    bool (*engines)(const struct engine_type *engine);
};

/* Check COUNT RULES in turn; the first that is broken sets ERROR. Returns as rules_check(). */
int rules_apply(const struct rule *rules, size_t count, const struct options *options,
                struct error *error);

/* rules_are_given() returns whether any of the options NAMES, separated by '|', was given;
 * rules_others_given() returns whether any option that is not in NAMES was given. */
bool rules_are_given(const struct options *options, const char *names);
bool rules_others_given(const struct options *options, const char *names);
