#include "run/group.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cpu.h"

/* The ops that a session leaves out, because this or another session lacks them. */
struct left_out {
    struct series_skip *ops;
    size_t count;
};

void group_name(const struct group *group, size_t number, struct error *error)
{
    const struct session_letters letters = session_letters(number);
    char text[sizeof error->text];

    snprintf(text, sizeof text, "%.90s (%.70s): %.340s",
             group->names[number] ? group->names[number] : letters.text,
             group->plans[number].target_text, error->text);
    memcpy(error->text, text, sizeof text);
}

/* Does PLAN need a server that is started in the same way as OWNER's? */
static bool could_share(const struct run_plan *owner, const struct run_plan *plan)
{
    if (strcmp(owner->target_text, plan->target_text) != 0)
        return false;
    if (owner->server_start)
        return plan->server_start && strcmp(owner->server_start, plan->server_start) == 0;
    return owner->target.self && strcmp(owner->server_arguments, plan->server_arguments) == 0;
}

/* If GROUP has ONE_SERVER, and an earlier session has started PLAN's server, let PLAN use it. */
static void share_server(const struct group *group, struct run_plan *plan)
{
    const enum transport transport = plan->target.transport;
    size_t owner = 0;

    while (owner < group->at && !could_share(&group->plans[owner], plan))
        owner++;
    if (owner == group->at || !group->one_server)
        return;
    plan->target = group->sessions[owner].setup.target;
    plan->target.self = false;
    plan->server_runs = true;
    plan->target.transport = transport;
}

/* If PLAN's THROUGH_MOUNT is set, let PLAN use the server of the first session's mount and, with
 * MOUNTS_FLAVOR, the mount's security flavor. Fails if PLAN then needs Kerberos, but PLAN's engine
 * does not support Kerberos. */
static int share_mount(const struct group *group, struct run_plan *plan, struct error *error)
{
    const struct setup *setup = &group->sessions[0].setup;

    if (!plan->through_mount)
        return 0;
    setup->plan->engine->mount->target(setup, &plan->target);
    if (plan->mounts_flavor)
        plan->identity.flavor = setup->mount.options.identity.flavor;
    if (!identity_needs_kerberos(&plan->identity) || plan->engine->has_kerberos)
        return 0;
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "the mount uses Kerberos, so the other side must use it, too: give --versus "
                     "engine=wire, or another engine with Kerberos");
}

/* Estimate whether the time is enough for session AT, which is mounted, and the sessions after it.
 * If not, fail, and set GROUP's AT to COUNT, because no single session is the cause. */
static int foresee_time(struct group *group, struct error *error)
{
    const size_t at = group->at;
    int code = time_use_foresee(&group->sessions[at].setup, &group->plans[at], group->count - at,
                                time_use_shortest_round, error);

    group->at = code ? group->count : at;
    return code;
}

/* Open session AT. CPUS are the processors that this thread could use before any session was
 * opened. If session AT starts a server, this thread is first allowed to use CPUS again. Otherwise
 * the server would inherit this thread's binding, which an earlier embedded server has caused. */
static int open_session(struct group *group, const cpu_set_t *cpus, struct error *error)
{
    struct run_plan *plan = &group->plans[group->at];
    struct session *session = &group->sessions[group->at];
    int code = 0;

    if (group->at > 0) {
        share_server(group, plan);
        code = share_mount(group, plan, error);
        plan->seed = group->plans[0].seed;
        plan->ops_optional = group->keeps_others && !plan->strict;
        cpu_allow_set(plan->target.self || plan->server_start ? cpus : &session[-1].unbound);
    }
    if (code == 0)
        code = session_reach(session, plan, error);
    if (code == 0)
        code = foresee_time(group, error);
    if (code == 0)
        code = session_prepare(session, error);
    session->clock = group->sessions[0].clock; /* one clock for all samples of the rounds */
    return code;
}

static int open_sessions(struct group *group, struct error *error)
{
    const cpu_set_t cpus = cpu_allowed_set();
    int code = 0;

    for (size_t i = 0; i < group->count && code == 0; i++) {
        group->at = i;
        code = open_session(group, &cpus, error);
    }
    return code;
}

/* If ONE's server has failed, or ONE's scratch is lost, note that in the other sessions on the same
 * server. UNMOUNTED is false if unmounting ONE failed. The other sessions on the server are then
 * marked as not mounted, so that they don't try to unmount. */
static void share_fate(struct group *group, const struct setup *one, bool unmounted)
{
    for (size_t i = 0; i < group->count; i++) {
        struct setup *setup = &group->sessions[i].setup;

        if (setup == one || !setup_has_same_server(setup, one))
            continue;
        setup->healthy = setup->healthy && one->healthy;
        setup->mounted = setup->mounted && unmounted;
        setup->scratch_is_lost = setup->scratch_is_lost || one->scratch_is_lost;
    }
}

int group_unmount(struct group *group, struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < group->count; i++)
        share_fate(group, &group->sessions[i].setup, true);
    for (size_t i = group->count; i-- > 0;) { /* an earlier session may own the server */
        int last = session_unmount(&group->sessions[i], error);

        share_fate(group, &group->sessions[i].setup, last == 0);
        if (last && group->count > 1)
            group_name(group, i, error);
        code = last ? last : code;
    }
    return code;
}

static void close_sessions(struct group *group)
{
    struct error ignored;

    group_unmount(group, &ignored);
    for (size_t i = group->count; i-- > 0;) { /* in the order of group_unmount() */
        outcome_free(&group->outcomes[i]);
        measured_free(&group->measured[i]);
        session_close(&group->sessions[i]);
        group->sessions[i] = (struct session){.awake = -1};
    }
    rounds_close(&group->rounds);
}

int group_make(struct group *group, size_t count, const struct run_plan *plan, struct error *error)
{
    group->plans = arena_alloc(&group->arena, count, sizeof *group->plans);
    group->names = arena_alloc(&group->arena, count, sizeof *group->names);
    group->sessions = arena_alloc(&group->arena, count, sizeof *group->sessions);
    group->measured = arena_alloc(&group->arena, count, sizeof *group->measured);
    group->outcomes = arena_alloc(&group->arena, count, sizeof *group->outcomes);
    if (!group->plans || !group->names || !group->sessions || !group->measured || !group->outcomes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu sessions", count);
    group->count = count;
    for (size_t i = 0; i < count; i++) {
        group->plans[i] = *plan;
        group->sessions[i].awake = -1; /* a session that was not opened can then be closed */
    }
    return 0;
}

void group_close(struct group *group)
{
    close_sessions(group);
    arena_free(&group->arena);
    *group = (struct group){.count = 0};
}

/* Return why session NUMBER leaves out OP, or NULL if it doesn't. *LACKS becomes the number of the
 * session that lacks OP: NUMBER or another session. */
static const struct series_skip *why_left_out(const struct group *group, size_t number,
                                              const char *op, size_t *lacks)
{
    const struct series_skip *own = series_set_find_skip(&group->sessions[number].set, op);
    const struct series_skip *others = NULL;

    *lacks = own ? number : group->keeps_others ? 1 : group->count;
    while (!own && !others && (*lacks)-- > 0)
        others = series_set_find_skip(&group->sessions[*lacks].set, op);
    return own ? own : others;
}

/* Add OP to LEFT_OUT if session NUMBER leaves OP out. Returns whether it does. */
static bool note_left_out(const struct group *group, size_t number, const char *op,
                          struct left_out *left_out)
{
    struct series_skip *skip = &left_out->ops[left_out->count];
    size_t lacks;
    const struct series_skip *why = why_left_out(group, number, op, &lacks);

    if (!why)
        return false;
    skip->op = op;
    skip->doubted = why->doubted;
    if (lacks == number)
        snprintf(skip->reason, sizeof skip->reason, "%s", why->reason);
    else
        snprintf(skip->reason, sizeof skip->reason, "%s lacks it: %.140s",
                 session_letters(lacks).text, why->reason);
    left_out->count++;
    return true;
}

/* Remove from session NUMBER's plan the ops that the session leaves out, and store them in LEFT_OUT
 * with the reasons. Returns 0 or -ENOMEM. */
static int restrict_ops(struct group *group, size_t number, struct left_out *left_out)
{
    struct run_plan *plan = &group->plans[number];
    size_t kept = 0;

    *left_out = (struct left_out){.ops = calloc(plan->op_count + 1, sizeof *left_out->ops)};
    if (!left_out->ops)
        return -ENOMEM;
    for (size_t i = 0; i < plan->op_count; i++) {
        if (note_left_out(group, number, plan->ops[i]->op, left_out)) {
            nfs_mix_remove(&plan->mix, plan->ops[i]->op);
            continue;
        }
        plan->ops[kept] = plan->ops[i];
        plan->from_group[kept++] = plan->from_group[i];
    }
    plan->op_count = kept;
    return 0;
}

static bool some_are_left_out(const struct group *group)
{
    size_t lacks;

    for (size_t i = 0; i < group->count; i++)
        for (size_t j = 0; j < group->sessions[i].set.count; j++) {
            const struct run_series *series = group->sessions[i].set.series[j];

            if (series_role(series)->is_op && why_left_out(group, i, series->name, &lacks))
                return true;
        }
    return false;
}

static int open_again(struct group *group, struct error *error)
{
    struct left_out *left_out = calloc(group->count, sizeof *left_out);
    int code = left_out ? 0 : -ENOMEM;

    for (size_t i = 0; i < group->count && code == 0; i++)
        code = restrict_ops(group, i, &left_out[i]);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory");
    close_sessions(group);
    if (code == 0)
        code = open_sessions(group, error);
    for (size_t i = 0; i < group->count && left_out; i++) {
        struct series_set *set = &group->sessions[i].set;

        free(set->skipped);
        set->skipped = left_out[i].ops;
        set->skipped_count = left_out[i].count;
    }
    free(left_out);
    return code;
}

/* Set the blocks of all sessions to the same number of calls: that of the smallest block of all
 * sessions if their loads (calls in flight and rates) are equal, else that of the largest block.
 * Do nothing if blocks have equal durations, or if the loads differ and the plan has no number of
 * calls. */
static int settle_block(struct group *group, struct error *error)
{
    const struct series_set *first = &group->sessions[0].set;
    uint32_t block = first->block;
    bool alike = true;
    int code = 0;

    for (size_t i = 1; i < group->count; i++) {
        const struct load *load = &group->plans[i].load, *other = &group->plans[0].load;

        alike = alike && load_in_flight(load) == load_in_flight(other) &&
                fabs(load->rate - other->rate) <= 0;
    }
    if (first->equal_in_time || (!alike && group->plans[0].calls == 0))
        return 0;
    for (size_t i = 1; i < group->count; i++)
        if ((group->sessions[i].set.block < block) == alike)
            block = group->sessions[i].set.block;
    for (size_t i = 0; i < group->count && code == 0; i++)
        if (group->sessions[i].set.block != block)
            code = session_set_block(&group->sessions[i], block, error);
    return code;
}

int group_open(struct group *group, struct error *error)
{
    int code = open_sessions(group, error);

    if (code == 0 && some_are_left_out(group))
        code = open_again(group, error);
    if (code == 0)
        code = settle_block(group, error);
    group->at = code ? group->at : group->count;
    return code ? code : sessions_plan_time(group->sessions, group->count, error);
}

int group_measure(struct group *group, struct error *error)
{
    int code =
        sessions_measure(group->sessions, group->count, NULL, &group->rounds, &group->at, error);

    if (group->count > 1 && group->at < group->count && code && code != -EINTR && code != -ENOMEM)
        group_name(group, group->at, error);
    return code;
}

/* Return the series in FIRST, the first session's data, with the role and name of SERIES; NULL if
 * there is none, or if SERIES is the control. */
static const struct series *pair_of(const struct measured_series *series,
                                    const struct measured *first)
{
    for (size_t i = 0; i < first->count && series->role != SERIES_CONTROL; i++)
        if (first->series[i].role == series->role &&
            strcmp(first->series[i].name, series->name) == 0)
            return first->series[i].samples;
    return NULL;
}

/* Set *LENGTH to the resampling block for all sessions, in rounds: the longest block that any
 * difference needs. The differences are those between a series and its baseline, and those between
 * a series and its pair in the first session. */
static int find_resampling_block(const struct group *group, size_t *length, struct error *error)
{
    struct resampling resampling = {.n = group->rounds.done, .block = 1};
    int code = 0;

    for (size_t side = 0; side < group->count; side++) {
        const struct measured *measured = &group->measured[side];

        for (size_t i = 0; i < measured->count && code == 0; i++) {
            const struct measured_series *series = &measured->series[i];
            const struct series *pair =
                side > 0 ? pair_of(series, &group->measured[SIDE_FIRST]) : NULL;

            if (!series_roles[series->role].in_result)
                continue;
            if (series->baseline)
                code = above_null_lengthen(&resampling, series->samples, series->baseline->samples,
                                           error);
            if (code == 0 && pair)
                code = above_null_lengthen(&resampling, series->samples, pair, error);
        }
    }
    *length = resampling.block;
    return code;
}

int group_fill_outcomes(struct group *group, const char *cut_short_by, struct error *error)
{
    struct outcome_request request = {.cut_short_by = cut_short_by};
    int code = 0;

    for (size_t i = 0; i < group->count && code == 0; i++)
        code = measured_take(&group->measured[i], &group->sessions[i], error);
    if (code == 0 && group->count > 1)
        code = find_resampling_block(group, &request.resampling_block, error);
    for (size_t i = 0; i < group->count && code == 0; i++)
        code = outcome_fill(&group->outcomes[i], &group->measured[i], &request, error);
    return code;
}
