#include "run/group.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/mounted_setup.h"

/* The ops that a session leaves out, because it or another one lacks them. */
struct left_out {
    struct series_skip *ops;
    size_t count;
};

void group_name(const struct group *group, size_t number, struct error *error)
{
    const char letter[] = {session_letter(number), '\0'};
    char text[sizeof error->text];

    snprintf(text, sizeof text, "%.20s (%.100s): %.370s",
             group->names[number] ? group->names[number] : letter, group->plans[number].target_text,
             error->text);
    memcpy(error->text, text, sizeof text);
}

/* Use the first session's embedded server for PLAN, too, if it differs only in the client. */
static void share_server(const struct group *group, struct run_plan *plan)
{
    enum transport transport = plan->target.transport;

    if (!group->plans[0].target.self || !group->one_server)
        return;
    plan->target = group->sessions[0].setup.target;
    plan->target.self = false;
    plan->target.transport = transport;
}

/* Calls by messages go to the server of the mount that the first session's calls go through. */
static int share_mount(const struct group *group, struct run_plan *plan, struct error *error)
{
    const struct setup *setup = &group->sessions[0].setup;

    if (!plan->through_mount)
        return 0;
    mounted_setup_target(setup, &plan->target);
    if (plan->mounts_flavor)
        plan->identity.flavor = setup->mount.options.identity.flavor;
    if (!identity_needs_kerberos(&plan->identity) || plan->engine->has_kerberos)
        return 0;
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "the mount's calls are by Kerberos, for which the other side needs "
                     "--versus-engine wire or tirpc");
}

/* Open the next session. Starting an embedded server binds this thread and the server to different
 * processors; all sessions must have the same choice, CPUS. */
static int open_session(struct group *group, const cpu_set_t *cpus, struct error *error)
{
    struct run_plan *plan = &group->plans[group->at];
    struct session *session = &group->sessions[group->at];
    int code = 0;

    if (group->at > 0) {
        share_server(group, plan);
        code = share_mount(group, plan, error);
        if (plan->target.self)
            sched_setaffinity(0, sizeof *cpus, cpus);
    }
    if (code == 0)
        code = session_open(session, plan, error);
    session->clock = group->sessions[0].clock; /* which takes the samples of the rounds */
    return code;
}

static int open_sessions(struct group *group, struct error *error)
{
    cpu_set_t cpus;
    int code = 0;

    sched_getaffinity(0, sizeof cpus, &cpus);
    for (size_t i = 0; i < group->count && code == 0; i++) {
        group->at = i;
        code = open_session(group, &cpus, error);
    }
    return code;
}

int group_unmount(struct group *group, struct error *error)
{
    int code = 0;

    for (size_t i = group->count; i-- > 0;) { /* the first may own the server of all */
        int last = session_unmount(&group->sessions[i], error);

        if (last && group->count > 1)
            group_name(group, i, error);
        code = last ? last : code;
    }
    return code;
}

void group_close(struct group *group)
{
    for (size_t i = group->count; i-- > 0;) { /* in reverse order, as above */
        outcome_free(&group->outcomes[i]);
        session_close(&group->sessions[i]);
        group->sessions[i] = (struct session){.awake = -1};
    }
    rounds_close(&group->rounds);
}

/* Note why session NUMBER leaves out OP. Returns false if no session lacks it. */
static bool note_left_out(const struct group *group, size_t number, const char *op,
                          struct left_out *left_out)
{
    const char *own = series_set_skip_reason(&group->sessions[number].set, op), *others = NULL;
    struct series_skip *skip = &left_out->ops[left_out->count];
    size_t lacks = group->count;

    while (!others && lacks-- > 0)
        others = series_set_skip_reason(&group->sessions[lacks].set, op);
    if (!others)
        return false;
    skip->op = op;
    if (own)
        snprintf(skip->reason, sizeof skip->reason, "%s", own);
    else
        snprintf(skip->reason, sizeof skip->reason, "%c lacks it: %.140s", session_letter(lacks),
                 others);
    left_out->count++;
    return true;
}

/* Remove from the plan of session NUMBER the ops that any has skipped. Returns 0 or -ENOMEM. */
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

static bool have_same_ops(const struct group *group)
{
    const struct series_set *first = &group->sessions[0].set;

    for (size_t i = 1; i < group->count; i++) {
        const struct series_set *set = &group->sessions[i].set;

        if (set->skipped_count != first->skipped_count)
            return false;
        for (size_t j = 0; j < first->skipped_count; j++)
            if (!series_set_skip_reason(set, first->skipped[j].op))
                return false;
    }
    return true;
}

/* Open all sessions again, from the mount on, with the ops that all have. */
static int open_again(struct group *group, struct error *error)
{
    struct left_out left_out[SESSIONS_MAXIMUM] = {{.count = 0}};
    int code = 0;

    for (size_t i = 0; i < group->count && code == 0; i++)
        code = restrict_ops(group, i, &left_out[i]);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory");
    group_close(group);
    if (code == 0)
        code = open_sessions(group, error);
    for (size_t i = 0; i < group->count; i++) {
        struct series_set *set = &group->sessions[i].set;

        free(set->skipped);
        set->skipped = left_out[i].ops;
        set->skipped_count = left_out[i].count;
    }
    return code;
}

/* Use the smallest of all blocks, so that all have the same conditions; blocks that are equal in
 * time have them. */
static int settle_block(struct group *group, struct error *error)
{
    uint32_t least = group->sessions[0].set.block;
    int code = 0;

    if (group->sessions[0].set.equal_in_time)
        return 0;
    for (size_t i = 1; i < group->count; i++)
        if (group->sessions[i].set.block < least)
            least = group->sessions[i].set.block;
    for (size_t i = 0; i < group->count && code == 0; i++)
        if (group->sessions[i].set.block != least)
            code = session_set_block(&group->sessions[i], least, error);
    return code;
}

int group_open(struct group *group, struct error *error)
{
    int code;

    for (size_t i = 0; i < group->count; i++)
        group->sessions[i].awake = -1; /* so that those can be closed that were not opened */
    code = open_sessions(group, error);
    if (code == 0 && !have_same_ops(group))
        code = open_again(group, error);
    return code ? code : settle_block(group, error);
}

int group_measure(struct group *group, struct error *error)
{
    int code =
        sessions_measure(group->sessions, group->count, NULL, &group->rounds, &group->at, error);

    if (group->count > 1 && group->at < group->count && code && code != -EINTR && code != -ENOMEM)
        group_name(group, group->at, error);
    return code;
}
