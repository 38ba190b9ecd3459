/* Turning the words and options of a command line into the plan of a measurement, and refusing
 * combinations that make no sense. */
#pragma once

#include "job/options.h"

/* Make PLAN from OPTIONS; it points into them. 0, or -EINVAL with ERROR set (ERROR_USAGE).
 */
int plan_make(struct run_plan *plan, const struct options *options, struct error *error);

/* Make the PLAN of a command that makes calls of its own on a target, the only word of OPTIONS, and
 * whose set-up is that of a measurement of PROCEDURES. Returns as plan_make(). */
int plan_make_set_up(struct run_plan *plan, const struct options *options, char *procedures,
                     struct error *error);

/* How long OPTIONS wait for a reply over TRANSPORT, ns. */
uint64_t plan_timeout_ns(const struct options *options, enum transport transport);

/* What OPTIONS give a measurement: --max-time or, without it, USUAL_NS, but no more than launches
 * may take that are spread over a time (job/launch_schedule.h). */
uint64_t plan_time_ns(const struct options *options, uint64_t usual_ns);

/* Have the embedded server of PLAN offer Kerberos, too, for which it needs a keytab. */
void plan_offer_kerberos(struct run_plan *plan);

/* Make the plan of the second side: FIRST's, except for what --versus changes. Without --versus
 * there is none, and SECOND's target_text is NULL. Returns as plan_make(). */
int plan_make_second(struct run_plan *second, const struct run_plan *first,
                     const struct options *options, struct error *error);

/* Make PLANS as plan_make() and plan_make_second() do, also where the op is mix:FILE with a FILE
 * that a command reads (struct command's plan_file). */
int plan_make_any(struct run_plan plans[SIDES], const struct options *options, struct error *error);

/* Parse TEXT, the word that names the ops, into PLAN's: single ones and groups with commas between,
 * or a mix; in capitals or small letters. 0, or a negative errno with ERROR set (ERROR_USAGE). */
int ops_parse(struct run_plan *plan, const char *text, struct error *error);

/* Make PLAN's mix, which NAME names, its ops. Returns as ops_parse(). */
int ops_take_mix(struct run_plan *plan, const char *name, struct error *error);

/* The rules (rules.c): which options can be combined, in one table for all commands. */

/* Check which of the OPTIONS that are given need or exclude each other, as their entries say. The
 * command line does so for each command, before anything is waited for. 0, or -EINVAL with ERROR
 * set (ERROR_USAGE). */
int rules_check_pairs(const struct options *options, struct error *error);

/* Check the OPTIONS of a command that measures, and the PLAN that is being made from them, whose
 * target, ops, number of calls, engine and transport are set. 0, or -EINVAL with ERROR set
 * (ERROR_USAGE).
 */
int rules_check_plan(const struct options *options, const struct run_plan *plan,
                     struct error *error);

/* Can no scratch directory be called NAME? NULL: it chooses its own. */
bool rules_is_bad_name(const char *name);

/* Does Kerberos protect the calls of one side at least? */
bool rules_has_kerberos(const struct options *options);

/* Check OPTIONS of any other command. */
int rules_check(const struct options *options, struct error *error);

/* A rule of commands that take one of GROUPS (GROUP_ALL: any command), which is broken WHEN that is
 * so. */
struct rule {
    unsigned groups;
    bool when;
    const char *message; /* the error */
    /* MESSAGE ends with the engines for which this holds, as in "use --engine wire". NULL: it is
     * whole. */
    bool (*engines)(const struct engine_type *engine);
};

/* Check the COUNT rules in turn. Returns as rules_check(). */
int rules_apply(const struct rule *rules, size_t count, const struct options *options,
                struct error *error);

/* Is an option given whose name is one of NAMES, with '|' between; or one that is none of them? */
bool rules_are_given(const struct options *options, const char *names);
bool rules_others_given(const struct options *options, const char *names);
