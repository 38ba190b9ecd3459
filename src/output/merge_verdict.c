/* The verdict on a result of several launches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/merging.h"

enum { NAMED_MAXIMUM = 10 };

const char *merging_name_launches(const struct merging *merging, const bool *flags, char *buffer,
                                  size_t size)
{
    size_t used = 0, left = 0, named = 0, count = merging->count;

    for (size_t i = 0; i < count; i++)
        left += flags[i];
    if (left > NAMED_MAXIMUM) {
        snprintf(buffer, size, "%zu of %zu launches", left, count);
        return buffer;
    }
    snprintf(buffer, size, "launch%s", left == 1 ? "" : "es");
    for (size_t i = 0; i < count; i++) {
        used = strlen(buffer);
        if (!flags[i])
            continue;
        snprintf(buffer + used, size - used, "%s%zu",
                 named == 0  ? " "
                 : left == 1 ? " and "
                             : ", ",
                 i + 1);
        left--;
        named++;
    }
    return buffer;
}

/* What is judged of all launches together, below. */
static bool is_of_amount(const char *reason)
{
    return strcmp(reason, "too-few-rounds") == 0 || strcmp(reason, "noise-floor-too-high") == 0;
}

static const struct validity_reason *find_reason(const struct validity *validity, const char *name)
{
    for (size_t i = 0; i < validity->count; i++)
        if (strcmp(validity->reasons[i].name, name) == 0)
            return &validity->reasons[i];
    return NULL;
}

/* REASON, of one launch, with all launches that have it, in the words of the worst. */
static void add_reason(struct merging *merging, const struct validity_reason *reason)
{
    struct validity *validity = &merging->merged->validity;
    struct validity_reason *added = &validity->reasons[validity->count];
    const struct validity_reason *loudest = reason;
    bool *flags = calloc(merging->count, sizeof *flags);
    char names[MERGING_LAUNCHES_NAME_SIZE];

    if (find_reason(validity, reason->name) || validity->count == VALIDITY_REASONS_MAXIMUM ||
        !flags) {
        free(flags);
        return;
    }
    for (size_t i = 0; i < merging->count; i++) {
        const struct validity_reason *own =
            find_reason(&merging->results[i].validity, reason->name);

        flags[i] = own != NULL;
        if (own && own->verdict > loudest->verdict)
            loudest = own;
    }
    *added = *loudest;
    snprintf(added->text, sizeof added->text, "%s: %.160s",
             merging_name_launches(merging, flags, names, sizeof names), loudest->text);
    validity->count++;
    if (added->verdict > validity->verdict)
        validity->verdict = added->verdict;
    free(flags);
}

static void judge_together(struct merging *merging)
{
    struct result *merged = merging->merged;
    const struct result_op *control = merged->null_control;
    struct validity_evidence evidence = {.rounds = merged->rounds.done, .warmed_up_steady = true};

    if (control && control->has_above_null && isfinite(control->above_null.cost.low)) {
        evidence.has_control = true;
        evidence.null_ns = merged->null_calls->latency.mean;
        evidence.control_ns = control->above_null.cost.estimate;
        evidence.control_low_ns = control->above_null.cost.low;
        evidence.control_high_ns = control->above_null.cost.high;
    }
    validity_judge(&merged->validity, &evidence);
}

void merge_verdict(struct merging *merging)
{
    judge_together(merging);
    for (size_t i = 0; i < merging->count; i++) {
        const struct validity *own = &merging->results[i].validity;

        for (size_t j = 0; j < own->count; j++)
            if (!is_of_amount(own->reasons[j].name))
                add_reason(merging, &own->reasons[j]);
    }
}
