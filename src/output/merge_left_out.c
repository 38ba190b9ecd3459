/* Ops that not all launches have. An op that fails in one launch is given up there, and no other
 * launch knows of it: the merged result has the ops that all launches measured, and names the
 * others with what became of them. */
#include <stdio.h>
#include <string.h>

#include "output/merging.h"

enum { REASON_SIZE = 800 };

static bool is_everywhere(const struct merging *merging, const char *op)
{
    for (size_t i = 0; i < merging->count; i++)
        if (!result_find(&merging->results[i], op))
            return false;
    return true;
}

static const struct result_skipped *find_skipped(const struct result *result, const char *op)
{
    for (size_t i = 0; i < result->skipped_count; i++)
        if (strcmp(result->skipped[i].op, op) == 0)
            return &result->skipped[i];
    return NULL;
}

/* RESULT's op that corresponds to OTHER of another result; NULL for NULL. */
static const struct result_op *same_op(const struct result *result, const struct result_op *other)
{
    return other ? result_find(result, other->op) : NULL;
}

/* Give OWN, a copy of a launch's result, a list of the ops that all launches have. */
static void keep_common(struct merging *merging, struct result *own)
{
    struct result_op *ops = merging_room(merging, own->op_count, sizeof *ops);
    size_t count = 0;

    for (size_t i = 0; ops && i < own->op_count; i++)
        if (is_everywhere(merging, own->ops[i].op))
            ops[count++] = own->ops[i];
    if (!ops)
        return;
    own->ops = ops;
    own->op_count = count;
    own->null_calls = same_op(own, own->null_calls);
    own->null_control = same_op(own, own->null_control);
    for (size_t i = 0; i < count; i++)
        ops[i].baseline = same_op(own, ops[i].baseline);
}

void merging_keep_common_ops(struct merging *merging)
{
    struct result *own = merging_room(merging, merging->count, sizeof *own);

    for (size_t i = 0; own && i < merging->count; i++) {
        own[i] = merging->results[i];
        keep_common(merging, &own[i]);
    }
    if (own)
        merging->results = own;
}

/* Why an op is left out that not all launches skipped: the first one's reason, with the launches
 * that have one. */
static const char *reason_of(struct merging *merging, const struct result_skipped *skipped)
{
    char names[MERGING_LAUNCHES_NAME_SIZE], reason[REASON_SIZE];
    bool *flags = merging_room(merging, merging->count, sizeof *flags);
    size_t left_out = 0;

    for (size_t i = 0; flags && i < merging->count; i++) {
        flags[i] = find_skipped(&merging->results[i], skipped->op) != NULL;
        left_out += flags[i];
    }
    if (!flags || left_out == merging->count)
        return skipped->reason;
    snprintf(reason, sizeof reason, "%s: %s",
             merging_name_launches(merging, flags, names, sizeof names), skipped->reason);
    return arena_copy(&merging->merged->arena, reason);
}

void merging_list_left_out(struct merging *merging)
{
    struct result *merged = merging->merged;
    size_t most = 0;

    for (size_t i = 0; i < merging->count; i++)
        most += merging->results[i].skipped_count;
    merged->skipped = merging_room(merging, most, sizeof *merged->skipped);
    merged->skipped_count = 0;
    for (size_t i = 0; merged->skipped && i < merging->count; i++)
        for (size_t j = 0; j < merging->results[i].skipped_count; j++) {
            const struct result_skipped *own = &merging->results[i].skipped[j];

            if (!find_skipped(merged, own->op))
                merged->skipped[merged->skipped_count++] =
                    (struct result_skipped){own->op, reason_of(merging, own)};
        }
}
