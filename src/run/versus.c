/* Both sides of a comparison in one run: set-up and rounds. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/mounted_setup.h"
#include "run/versus.h"

/* The ops that a side leaves out, because it or the other side lacks them. */
struct left_out {
    struct series_skip *ops;
    size_t count;
};

void versus_name_side(const struct versus *versus, size_t side, struct error *error)
{
    const char letter[] = {session_letter(side), '\0'};
    char text[sizeof error->text];

    snprintf(text, sizeof text, "%.20s (%.100s): %.370s",
             versus->names[side] ? versus->names[side] : letter, versus->plans[side].target_text,
             error->text);
    memcpy(error->text, text, sizeof text);
}

/* Use the same embedded server for both sides, if they differ only in the client. */
static void share_server(struct versus *versus)
{
    struct run_plan *second = &versus->plans[SIDE_SECOND];
    enum transport transport = second->target.transport;

    if (!versus->plans[SIDE_FIRST].target.self || !versus->one_server)
        return;
    second->target = versus->sessions[SIDE_FIRST].setup.target;
    second->target.self = false;
    second->target.transport = transport;
}

/* Calls by messages go to the server of the mount that the first side's calls go through. */
static int share_mount(struct versus *versus, struct error *error)
{
    const struct setup *setup = &versus->sessions[SIDE_FIRST].setup;
    struct run_plan *second = &versus->plans[SIDE_SECOND];

    if (!second->through_mount)
        return 0;
    mounted_setup_target(setup, &second->target);
    if (second->mounts_flavor)
        second->identity.flavor = setup->mount.options.identity.flavor;
    if (!identity_needs_kerberos(&second->identity) || second->engine->has_kerberos)
        return 0;
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "the mount's calls are by Kerberos, for which the other side needs "
                     "--versus-engine wire or tirpc");
}

static int open_sides(struct versus *versus, struct error *error)
{
    struct session *sessions = versus->sessions;
    cpu_set_t cpus;
    size_t side = SIDE_FIRST;
    int code;

    /* Starting an embedded server binds this thread and the server to different processors; both
     * sides must have the same choice. */
    sched_getaffinity(0, sizeof cpus, &cpus);
    code = session_open(&sessions[side], &versus->plans[side], error);
    if (code == 0) {
        side = SIDE_SECOND;
        share_server(versus);
        code = share_mount(versus, error);
        if (versus->plans[side].target.self)
            sched_setaffinity(0, sizeof cpus, &cpus);
        if (code == 0)
            code = session_open(&sessions[side], &versus->plans[side], error);
    }
    versus->side = side;
    /* Both sides use the first one's clock, which takes the samples of the rounds. */
    sessions[SIDE_SECOND].clock = sessions[SIDE_FIRST].clock;
    return code;
}

void versus_close(struct versus *versus)
{
    for (size_t i = SIDES; i-- > 0;) { /* in reverse order: the first may own both's server */
        session_close(&versus->sessions[i]);
        versus->sessions[i] = (struct session){.awake = -1};
    }
    rounds_close(&versus->rounds);
}

/* Note why SIDE leaves out OP. Returns false if neither side lacks it. */
static bool note_left_out(const struct versus *versus, size_t side, const char *op,
                          struct left_out *left_out)
{
    const char *own = series_set_skip_reason(&versus->sessions[side].set, op);
    const char *others = series_set_skip_reason(&versus->sessions[!side].set, op);
    struct series_skip *skip = &left_out->ops[left_out->count];

    if (!own && !others)
        return false;
    skip->op = op;
    if (own)
        snprintf(skip->reason, sizeof skip->reason, "%s", own);
    else
        snprintf(skip->reason, sizeof skip->reason, "%c lacks it: %.140s", session_letter(!side),
                 others);
    left_out->count++;
    return true;
}

/* Remove from SIDE's plan the ops that either side has skipped. Returns 0 or -ENOMEM. */
static int restrict_ops(struct versus *versus, size_t side, struct left_out *left_out)
{
    struct run_plan *plan = &versus->plans[side];
    size_t kept = 0;

    *left_out = (struct left_out){.ops = calloc(plan->op_count + 1, sizeof *left_out->ops)};
    if (!left_out->ops)
        return -ENOMEM;
    for (size_t i = 0; i < plan->op_count; i++) {
        if (note_left_out(versus, side, plan->ops[i]->op, left_out)) {
            nfs_mix_remove(&plan->mix, plan->ops[i]->op);
            continue;
        }
        plan->ops[kept] = plan->ops[i];
        plan->from_group[kept++] = plan->from_group[i];
    }
    plan->op_count = kept;
    return 0;
}

static bool have_same_ops(const struct series_set *a, const struct series_set *b)
{
    for (size_t i = 0; i < a->skipped_count; i++)
        if (!series_set_skip_reason(b, a->skipped[i].op))
            return false;
    return a->skipped_count == b->skipped_count;
}

/* Open both sessions again, from the mount on, with the ops that both sides have. */
static int open_again(struct versus *versus, struct error *error)
{
    struct left_out left_out[SIDES] = {{.count = 0}, {.count = 0}};
    int code = 0;

    for (size_t side = 0; side < SIDES && code == 0; side++)
        code = restrict_ops(versus, side, &left_out[side]);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory");
    versus_close(versus);
    if (code == 0)
        code = open_sides(versus, error);
    for (size_t side = 0; side < SIDES; side++) {
        struct series_set *set = &versus->sessions[side].set;

        free(set->skipped);
        set->skipped = left_out[side].ops;
        set->skipped_count = left_out[side].count;
    }
    return code;
}

/* Use the smaller of the two sides' blocks, so that both have the same conditions. */
static int settle_block(struct versus *versus, struct error *error)
{
    struct session *sessions = versus->sessions;
    uint32_t first = sessions[SIDE_FIRST].set.block, second = sessions[SIDE_SECOND].set.block;
    int code = 0;

    for (size_t side = 0; side < SIDES && first != second && code == 0; side++)
        code = session_set_block(&sessions[side], first < second ? first : second, error);
    return code;
}

int versus_open(struct versus *versus, struct error *error)
{
    int code;

    for (size_t i = 0; i < SIDES; i++)
        versus->sessions[i].awake =
            -1; /* so that versus_close() works on sessions that were not opened */
    code = open_sides(versus, error);
    if (code == 0 &&
        !have_same_ops(&versus->sessions[SIDE_FIRST].set, &versus->sessions[SIDE_SECOND].set))
        code = open_again(versus, error);
    return code ? code : settle_block(versus, error);
}

int versus_measure(struct versus *versus, struct error *error)
{
    int code = sessions_measure(versus->sessions, SIDES, &versus->rounds, &versus->side, error);

    if (versus->side < SIDES && code && code != -EINTR && code != -ENOMEM)
        versus_name_side(versus, versus->side, error);
    return code;
}
