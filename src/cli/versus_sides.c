/* Both sides of a comparison in one run, from mount to the first call. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/series.h"
#include "cli/versus.h"

/* An op that one side does without since the other lacks it. */
struct left_out {
    struct session_skip ops[SIDES][SETTINGS_OPS_MAXIMUM];
    size_t count[SIDES];
};

void versus_name_side(const struct versus *versus, size_t side, struct error *error)
{
    char text[sizeof error->text];

    snprintf(text, sizeof text, "%c (%.100s): %.390s", side == SIDE_FIRST ? 'A' : 'B',
             versus->settings[side].target_text, error->text);
    memcpy(error->text, text, sizeof text);
}

/* The same embedded server for both sides, where they differ in how they call it. */
static void share_server(struct versus *versus)
{
    struct settings *second = &versus->settings[SIDE_SECOND];
    enum transport transport = second->target.transport;

    if (!versus->settings[SIDE_FIRST].target.self || second->versus)
        return;
    second->target = versus->sessions[SIDE_FIRST].target;
    second->target.self = false;
    second->target.transport = transport;
}

static int open_sides(struct versus *versus, struct error *error)
{
    struct session *sessions = versus->sessions;
    cpu_set_t cpus;
    size_t side = SIDE_FIRST;
    int code;

    /* An embedded server binds this thread to a processor and itself to another; so would the
     * second, if it were not for the one that it finds this thread on. */
    sched_getaffinity(0, sizeof cpus, &cpus);
    code = session_open(&sessions[side], &versus->settings[side], error);
    if (code == 0) {
        side = SIDE_SECOND;
        share_server(versus);
        if (versus->settings[side].target.self)
            sched_setaffinity(0, sizeof cpus, &cpus);
        code = session_open(&sessions[side], &versus->settings[side], error);
    }
    if (code)
        versus_name_side(versus, side, error);
    /* One clock for both: the rounds' samples are taken by the first's. */
    sessions[SIDE_SECOND].clock = sessions[SIDE_FIRST].clock;
    return code;
}

void versus_close(struct versus *versus)
{
    for (size_t i = SIDES; i-- > 0;) { /* the first may have the server of both */
        session_close(&versus->sessions[i]);
        versus->sessions[i] = (struct session){.awake = -1};
    }
}

static const char *skip_reason(const struct session *session, const char *op)
{
    for (size_t i = 0; i < session->skipped_count; i++)
        if (strcmp(session->skipped[i].op, op) == 0)
            return session->skipped[i].reason;
    return NULL;
}

/* Note why SIDE is to do without OP; false where it need not. */
static bool note_left_out(const struct versus *versus, size_t side, const char *op,
                          struct left_out *left_out)
{
    const char *own = skip_reason(&versus->sessions[side], op);
    const char *others = skip_reason(&versus->sessions[!side], op);
    struct session_skip *skip = &left_out->ops[side][left_out->count[side]];

    if (!own && !others)
        return false;
    skip->op = op;
    if (own)
        snprintf(skip->reason, sizeof skip->reason, "%s", own);
    else
        snprintf(skip->reason, sizeof skip->reason, "%c lacks it: %.140s",
                 side == SIDE_FIRST ? 'B' : 'A', others);
    left_out->count[side]++;
    return true;
}

/* Take out of SIDE's settings what either side has skipped. */
static void restrict_ops(struct versus *versus, size_t side, struct left_out *left_out)
{
    struct settings *settings = &versus->settings[side];
    size_t kept = 0;

    for (size_t i = 0; i < settings->op_count; i++) {
        if (note_left_out(versus, side, settings->ops[i]->op, left_out))
            continue;
        settings->ops[kept] = settings->ops[i];
        settings->from_group[kept++] = settings->from_group[i];
    }
    settings->op_count = kept;
}

static bool have_same_ops(const struct session *a, const struct session *b)
{
    for (size_t i = 0; i < a->skipped_count; i++)
        if (!skip_reason(b, a->skipped[i].op))
            return false;
    return a->skipped_count == b->skipped_count;
}

/* With the ops that both have: again from the mount on, so that each session is whole as ever. */
static int open_again(struct versus *versus, struct error *error)
{
    struct left_out *left_out = calloc(1, sizeof *left_out);
    int code;

    if (!left_out)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t side = 0; side < SIDES; side++)
        restrict_ops(versus, side, left_out);
    versus_close(versus);
    code = open_sides(versus, error);
    for (size_t side = 0; side < SIDES; side++) {
        struct session *session = &versus->sessions[side];

        memcpy(session->skipped, left_out->ops[side], sizeof session->skipped);
        session->skipped_count = left_out->count[side];
    }
    free(left_out);
    return code;
}

/* The smaller of both sides' blocks: both shall see the same conditions. */
static int settle_block(struct versus *versus, struct error *error)
{
    struct session *sessions = versus->sessions;
    uint32_t first = sessions[SIDE_FIRST].block, second = sessions[SIDE_SECOND].block;
    int code = 0;

    for (size_t side = 0; side < SIDES && first != second && code == 0; side++)
        code = series_set_block(&sessions[side], first < second ? first : second, error);
    return code;
}

int versus_open(struct versus *versus, struct error *error)
{
    int code;

    for (size_t i = 0; i < SIDES; i++)
        versus->sessions[i].awake = -1; /* so that what was never opened may be closed */
    code = open_sides(versus, error);
    if (code == 0 && !have_same_ops(&versus->sessions[SIDE_FIRST], &versus->sessions[SIDE_SECOND]))
        code = open_again(versus, error);
    return code ? code : settle_block(versus, error);
}
