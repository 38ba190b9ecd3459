/* Two sides in several launches. Their differences are taken within each launch, and estimated over
 * the launches. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/versus.h"

struct merging_sides {
    struct versus_result *merged;
    const struct versus_result *launches;
    size_t count;
    /* Room for what is known of one quantity in each launch. */
    struct launch *first, *second, *differences;
};

/* The launch numbered INDEX with VALUE. Its server process is another one if either side's is. */
static struct launch launch_with(const struct merging_sides *merging, size_t index,
                                 const struct interval *value)
{
    const struct result_launch *first = &merging->merged->first->launches[index];
    const struct result_launch *second = &merging->merged->second->launches[index];
    struct launch launch = result_launch_estimate(first, value);

    launch.server = first->server + second->server;
    return launch;
}

static void set_launch(struct merging_sides *merging, size_t index,
                       const struct comparison *comparison)
{
    merging->first[index] = launch_with(merging, index, &comparison->first);
    merging->second[index] = launch_with(merging, index, &comparison->second);
    merging->differences[index] = launch_with(merging, index, &comparison->difference);
}

static void compare(struct merging_sides *merging, struct comparison *comparison)
{
    comparison_of_pairs(comparison, merging->first, merging->second, merging->differences,
                        merging->count);
}

/* The row of OP in LAUNCH, which may also have ops that other launches lack; NULL: it has none. */
static const struct versus_row *row_of(const struct versus_result *launch, const char *op)
{
    for (size_t i = 0; i < launch->count; i++)
        if (strcmp(launch->rows[i].first->op, op) == 0)
            return &launch->rows[i];
    return NULL;
}

static int merge_part(struct merging_sides *merging, struct versus_row *merged,
                      enum versus_quantity quantity)
{
    struct versus_part *part = &merged->parts[quantity];

    part->launches = arena_alloc(&merging->merged->arena, merging->count, sizeof *part->launches);
    part->launch_count = part->launches ? merging->count : 0;
    part->known = part->launches != NULL;
    for (size_t i = 0; i < merging->count && part->known; i++) {
        const struct versus_row *row = row_of(&merging->launches[i], merged->first->op);
        const struct versus_part *own = row ? &row->parts[quantity] : NULL;

        part->known = own && own->known;
        if (!part->known)
            break;
        part->launches[i] = own->comparison.difference;
        set_launch(merging, i, &own->comparison);
    }
    if (part->known)
        compare(merging, &part->comparison);
    return part->launches ? 0 : -ENOMEM;
}

static void merge_control(struct merging_sides *merging)
{
    struct versus_result *merged = merging->merged;

    merged->has_control = true;
    for (size_t i = 0; i < merging->count; i++)
        merged->has_control = merged->has_control && merging->launches[i].has_control;
    for (size_t i = 0; i < merging->count && merged->has_control; i++)
        set_launch(merging, i, &merging->launches[i].null_control);
    if (!merged->has_control)
        return;
    compare(merging, &merged->null_control);
    for (size_t i = 0; i < merging->count; i++)
        set_launch(merging, i, &merging->launches[i].null_control_mean);
    compare(merging, &merged->null_control_mean);
}

static int merge_rows(struct merging_sides *merging)
{
    int code = 0;

    for (size_t i = 0; i < merging->merged->count && code == 0; i++)
        for (enum versus_quantity j = 0; j < VERSUS_QUANTITIES && code == 0; j++)
            code = merge_part(merging, &merging->merged->rows[i], j);
    merge_control(merging);
    return code;
}

int versus_merge(struct versus_result *merged, const struct versus_result *launches, size_t count,
                 const struct result *first, const struct result *second, struct error *error)
{
    struct merging_sides merging = {.merged = merged, .launches = launches, .count = count};
    struct launch *room = calloc(3 * count, sizeof *room);
    int code = room ? 0 : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    *merged = (struct versus_result){.first = first, .second = second, .launch_count = count};
    merging.first = room;
    merging.second = room ? room + count : NULL;
    merging.differences = room ? room + 2 * count : NULL;
    if (code == 0)
        code = versus_pair_up(merged, error);
    if (code == 0 && merge_rows(&merging) != 0)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    free(room);
    return code ? code : versus_judge(merged, error);
}
