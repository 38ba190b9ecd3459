/* The verdicts on two sides of the same rounds. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "output/versus.h"

const char *const versus_keys[] = {"round_trip", "network", "above_null",      "bytes",
                                   "pause",      "server",  "mean_above_null", NULL};

int versus_pair_up(struct versus_result *result, struct error *error)
{
    result->rows = arena_alloc(&result->arena, result->first->op_count, sizeof *result->rows);
    if (!result->rows)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < result->first->op_count; i++) {
        const struct result_op *first = &result->first->ops[i],
                               *second = result_find(result->second, first->op);

        if (first != result->first->null_control && second)
            result->rows[result->count++] = (struct versus_row){.first = first, .second = second};
    }
    return 0;
}

void versus_free(struct versus_result *result)
{
    arena_free(&result->arena);
    result->rows = NULL;
    result->count = 0;
}

/* The parts of a cost are judged by what remains of it for the server, if that is known. */
static bool is_judged(const struct versus_row *row, enum versus_quantity quantity)
{
    switch (quantity) {
    case VERSUS_ROUND_TRIP:
    case VERSUS_SERVER:
    case VERSUS_MEAN:
        return row->parts[quantity].known;
    case VERSUS_ABOVE_NULL:
        return row->parts[quantity].known && !row->parts[VERSUS_SERVER].known;
    default:
        return false;
    }
}

/* How far the control's difference reaches from 0. */
static double noise_of(const struct versus_result *result, enum versus_quantity quantity)
{
    const struct interval *difference = quantity == VERSUS_MEAN
                                            ? &result->null_control_mean.difference
                                            : &result->null_control.difference;

    return result->has_control ? fmax(fabs(difference->low), fabs(difference->high)) : 0;
}

static double floor_of(const struct versus_result *result, const struct versus_row *row,
                       enum versus_quantity quantity)
{
    return comparison_floor(
        result->launch_count > 1 ? COMPARISON_SAME_LAUNCHES : COMPARISON_SAME_ROUNDS,
        quantity == VERSUS_ROUND_TRIP ? COMPARISON_ROUND_TRIP : COMPARISON_COST,
        row->parts[VERSUS_ROUND_TRIP].comparison.first.estimate, noise_of(result, quantity));
}

static struct versus_part *part_at(struct versus_result *result, size_t index)
{
    return &result->rows[index / VERSUS_QUANTITIES].parts[index % VERSUS_QUANTITIES];
}

int versus_judge(struct versus_result *result, struct error *error)
{
    const size_t most = VERSUS_QUANTITIES * result->count;
    struct comparison **family = arena_alloc(&result->arena, most, sizeof(struct comparison *));
    size_t count = 0;

    if (!family)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (size_t i = 0; i < most; i++) {
        const struct versus_row *row = &result->rows[i / VERSUS_QUANTITIES];
        const enum versus_quantity quantity = i % VERSUS_QUANTITIES;
        struct versus_part *part = part_at(result, i);

        part->judged = is_judged(row, quantity);
        if (!part->judged)
            continue;
        part->floor = floor_of(result, row, quantity);
        part->ratio = comparison_ratio(&part->comparison, true);
        family[count++] = &part->comparison;
    }
    comparison_adjust(family, count);
    for (size_t i = 0; i < most; i++)
        if (part_at(result, i)->judged)
            part_at(result, i)->word =
                comparison_judge(&part_at(result, i)->comparison, part_at(result, i)->floor);
    return 0;
}

void versus_find_equal(struct versus_result *result, const struct contrast_margin *margin)
{
    const double less = 1.645 / 1.96;

    for (size_t i = 0; i < VERSUS_QUANTITIES * result->count; i++) {
        struct versus_part *part = part_at(result, i);
        const struct interval *wide = &part->comparison.difference;
        const struct interval narrow = {wide->estimate,
                                        wide->estimate - less * (wide->estimate - wide->low),
                                        wide->estimate + less * (wide->high - wide->estimate)};

        if (part->judged && comparison_is_equal(&part->comparison, &narrow, margin))
            part->word = COMPARISON_EQUAL;
    }
}
