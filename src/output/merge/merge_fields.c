/* Merges structures of several launches by a table of fields. */
#include <math.h>
#include <string.h>

#include "output/merge/merging.h"

void *merging_room(struct merging *merging, size_t count, size_t size)
{
    void *made = arena_alloc(&merging->merged->arena, count, size);

    merging->failed = merging->failed || !made;
    return made;
}

static uint64_t sum_of(const struct merging *merging, const struct field *field,
                       const void *const *parts)
{
    uint64_t total = 0;

    for (size_t i = 0; i < merging->count; i++)
        total += field_integer(field, parts[i]);
    return total;
}

/* Add up FIELD's member over all PARTS, divide the sum by DIVISOR, and put it into MERGED. */
static void set_sum(const struct merging *merging, const struct field *field,
                    const void *const *parts, size_t divisor, void *merged)
{
    double total = 0;

    if (field->kind != FIELD_NUMBER) {
        field_set_integer(field, merged, sum_of(merging, field, parts) / divisor);
        return;
    }
    for (size_t i = 0; i < merging->count; i++)
        total += *(const double *)field_in(field, parts[i]);
    *(double *)field_in(field, merged) = total / (double)divisor;
}

static double mean_of_known(const struct merging *merging, const struct field *field,
                            const void *const *parts)
{
    double total = 0;
    size_t known = 0;

    for (size_t i = 0; i < merging->count; i++) {
        double value = *(const double *)field_in(field, parts[i]);

        total += isnan(value) ? 0 : value;
        known += isnan(value) ? 0 : 1;
    }
    return known ? total / (double)known : NAN;
}

static uint64_t least_of(const struct merging *merging, const struct field *field,
                         const void *const *parts)
{
    uint64_t found = field_integer(field, parts[0]);

    for (size_t i = 1; i < merging->count; i++)
        if (field_integer(field, parts[i]) < found)
            found = field_integer(field, parts[i]);
    return found;
}

static double outermost(const struct merging *merging, const struct field *field,
                        const void *const *parts)
{
    double found = *(const double *)field_in(field, parts[0]);

    for (size_t i = 1; i < merging->count; i++) {
        double value = *(const double *)field_in(field, parts[i]);

        found = field->merge == MERGE_LEAST ? fmin(found, value) : fmax(found, value);
    }
    return found;
}

static size_t flags_set(const struct merging *merging, size_t offset, const void *const *parts)
{
    size_t set = 0;

    for (size_t i = 0; i < merging->count; i++)
        if (*((const bool *)parts[i] + offset))
            set++;
    return set;
}

static struct interval estimate_over_launches(const struct merging *merging,
                                              const struct field *field, const void *const *parts)
{
    struct interval merged = {NAN, NAN, NAN};
    size_t known = 0;

    for (size_t i = 0; i < merging->count; i++) {
        const struct interval *own = field_in(field, parts[i]);

        if (isnan(own->estimate) || merging->results[i].launches[0].other_state)
            continue;
        merging->estimates[known++] = result_launch_estimate(&merging->results[i].launches[0], own);
        merged = *own;
    }
    if (known > 1)
        launches_estimate(merging->estimates, known, &merged);
    return merged;
}

/* Return pointers to item INDEX of FIELD's list or array in each of PARTS (INDEX is 0 for a single
 * structure). Returns NULL without memory, or if FIELD is a NULL pointer in one of PARTS. */
static const void **structures(struct merging *merging, const struct field *field,
                               const void *const *parts, size_t index)
{
    const void **found = merging_room(merging, merging->count, sizeof *found);

    for (size_t i = 0; found && i < merging->count; i++) {
        found[i] = field_in(field, parts[i]);
        if (field->kind == FIELD_POINTER || field->kind == FIELD_LIST)
            memcpy(&found[i], found[i], sizeof found[i]);
        if (!found[i])
            return NULL;
        found[i] = (const char *)found[i] + index * field->item;
    }
    return found;
}

static size_t *count_in(const struct field *field, const void *object)
{
    return (size_t *)(void *)((char *)object + field->count);
}

/* Return how many of the first items of FIELD's lists in A and B can be merged. Named items
 * (FIELD_BY_NAME) must have equal names. */
static size_t common_items(const struct field *field, const void *a, const void *b)
{
    size_t common = 0;

    while (common < *count_in(field, a) && common < *count_in(field, b) &&
           (!(field->flags & FIELD_BY_NAME) ||
            strcmp((const char *)field_in(field, a) + common * field->item,
                   (const char *)field_in(field, b) + common * field->item) == 0))
        common++;
    return common;
}

static void merge_structures(struct merging *merging, const struct field *field,
                             const void *const *parts, void *merged)
{
    const bool several = field->kind == FIELD_ARRAY || field->kind == FIELD_LIST;
    char *made = field_in(field, merged);
    size_t count = 1;

    for (size_t i = 0; several && i < merging->count; i++)
        count = *count_in(field, merged) = common_items(field, merged, parts[i]);
    if (field->kind == FIELD_POINTER || field->kind == FIELD_LIST) {
        char *room =
            structures(merging, field, parts, 0) ? merging_room(merging, count, field->item) : NULL;

        memcpy(made, &room, sizeof room);
        made = room;
    }
    for (size_t i = 0; made && i < count; i++, made += field->item) {
        const void **each = structures(merging, field, parts, i);

        if (each)
            merging_fields(merging, field->fields, each, memmove(made, each[0], field->item));
    }
}

static const struct field *find_field(const struct field *fields, const char *key)
{
    while (fields->kind && !(fields->key && strcmp(fields->key, key) == 0))
        fields++;
    return fields->kind ? fields : NULL;
}

static void join_lists(struct merging *merging, const struct field *field, const void *const *parts,
                       void *merged)
{
    const struct field *number = find_field(field->fields, merging->ranks ? "rank" : "launch");
    size_t count = 0;
    char *made, *at;

    for (size_t i = 0; i < merging->count; i++)
        count += *count_in(field, parts[i]);
    made = at = merging_room(merging, count, field->item);
    memcpy(field_in(field, merged), &made, sizeof made);
    *count_in(field, merged) = made ? count : 0;
    for (size_t i = 0; made && i < merging->count; i++) {
        const char *items;

        memcpy(&items, field_in(field, parts[i]), sizeof items);
        for (size_t j = 0; j < *count_in(field, parts[i]); j++, at += field->item) {
            memcpy(at, items + j * field->item, field->item);
            if (number)
                field_set_integer(number, at, i);
        }
    }
}

static void merge_field(struct merging *merging, const struct field *field,
                        const void *const *parts, void *merged)
{
    const size_t at_once = merging->ranks ? merging->count : 1;
    void *member = field_in(field, merged);

    switch (field->merge) {
    case MERGE_FIRST:
        return;
    case MERGE_SUM:
        set_sum(merging, field, parts, 1, merged);
        break;
    case MERGE_TIME:
        set_sum(merging, field, parts, at_once, merged);
        break;
    case MERGE_ROUNDS:
        field_set_integer(field, merged,
                          (merging->ranks ? least_of : sum_of)(merging, field, parts));
        break;
    case MERGE_MEAN:
        *(double *)member = mean_of_known(merging, field, parts);
        break;
    case MERGE_RATE:
        *(double *)member = mean_of_known(merging, field, parts) * (double)at_once;
        break;
    case MERGE_LEAST:
    case MERGE_MOST:
        *(double *)member = outermost(merging, field, parts);
        break;
    case MERGE_ALL:
        *(bool *)member = flags_set(merging, field->offset, parts) == merging->count;
        break;
    case MERGE_ANY:
        *(bool *)member = flags_set(merging, field->offset, parts) > 0;
        break;
    case MERGE_ESTIMATE:
        if (!merging->ranks)
            *(struct interval *)member = estimate_over_launches(merging, field, parts);
        break;
    case MERGE_PARTS:
        merge_structures(merging, field, parts, merged);
        break;
    case MERGE_JOIN:
        join_lists(merging, field, parts, merged);
    }
    if (field->flags & FIELD_SETS_IF)
        *((bool *)merged + field->if_offset) =
            flags_set(merging, field->if_offset, parts) == merging->count;
}

void merging_fields(struct merging *merging, const struct field *fields, const void *const *parts,
                    void *merged)
{
    for (const struct field *field = fields; field->kind && !merging->failed; field++)
        merge_field(merging, field, parts, merged);
}
