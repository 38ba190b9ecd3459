/* The differences between two sides measured in the same rounds. */
#include <errno.h>
#include <stdlib.h>

#include "measure/contrast.h"
#include "run/group.h"

/* What SERIES of SESSION is compared with, of the FIRST one; NULL: nothing. Where only one side is
 * on a mount, their baselines are not. */
static const struct series *pair_of(const struct session *session, const struct run_series *series,
                                    const struct session *first)
{
    for (size_t i = 0; i < first->set.count && series != session->set.control; i++)
        if (first->set.series[i]->role == series->role &&
            strcmp(first->set.series[i]->name, series->name) == 0)
            return &first->measuring.rounds.series[i];
    return NULL;
}

/* One block length for all sessions: the longest that any differences require, within a session and
 * between two. */
static int block_length(const struct group *group, size_t *length, struct error *error)
{
    const struct session *first = &group->sessions[SIDE_FIRST];
    size_t n = group->rounds.done;
    int code = 0;

    *length = 1;
    for (size_t side = 0; side < group->count; side++) {
        const struct session *session = &group->sessions[side];
        const struct series *measured = session->measuring.rounds.series;

        for (size_t i = 0; i < session->set.count && code == 0; i++) {
            const struct run_series *series = session->set.series[i];
            const struct series *pair = side > 0 ? pair_of(session, series, first) : NULL;

            if (!series_role(series)->in_result)
                continue;
            if (series->baseline)
                code = above_null_lengthen(length, &measured[i], &measured[series->baseline->index],
                                           n, error);
            if (code == 0 && pair)
                code = above_null_lengthen(length, &measured[i], pair, n, error);
        }
    }
    return code;
}

int group_fill_outcomes(struct group *group, const char *cut_short_by, struct error *error)
{
    size_t length = 0;
    int code = group->count > 1 ? block_length(group, &length, error) : 0;

    for (size_t i = 0; i < group->count && code == 0; i++) {
        group->sessions[i].measuring.resampling_block = length;
        code = outcome_fill(&group->outcomes[i], &group->sessions[i], cut_short_by, error);
    }
    return code;
}

/* Estimating */

struct work {
    struct versus_result *result;
    const struct costs *first, *second; /* of both sides, with their replicates */
    struct resampling resampling;
    struct paired network, cost, part; /* of the current op; too large for the stack */
    struct error *error;
};

static const struct op_costs *first_costs(const struct work *work, const struct result_op *op)
{
    return &work->first->ops[op - work->result->first->ops];
}

static const struct op_costs *second_costs(const struct work *work, const struct result_op *op)
{
    return &work->second->ops[op - work->result->second->ops];
}

static int estimate_levels(struct work *work, const struct result_op *first,
                           const struct result_op *second)
{
    return paired_levels(&work->network, first_costs(work, first)->series,
                         second_costs(work, second)->series, &work->resampling, work->error);
}

static void compare_part(struct work *work, struct versus_part *part,
                         const struct replicates *first, const struct replicates *second)
{
    part->known = true;
    paired_costs(&work->part, first, second);
    paired_compare(&work->part, &part->comparison);
}

static void estimate_parts(struct work *work, struct versus_row *row)
{
    const struct cost_split *first = &first_costs(work, row->first)->split;
    const struct cost_split *second = &second_costs(work, row->second)->split;

    if (!row->first->has_split || !row->second->has_split)
        return;
    compare_part(work, &row->parts[VERSUS_BYTES], &first->replicates.bytes,
                 &second->replicates.bytes);
    compare_part(work, &row->parts[VERSUS_PAUSE], &first->replicates.pause,
                 &second->replicates.pause);
    compare_part(work, &row->parts[VERSUS_SERVER], &first->replicates.server,
                 &second->replicates.server);
}

static int estimate_mean(struct work *work, const struct result_op *first,
                         const struct result_op *second, struct comparison *comparison)
{
    const struct paired_series a = {first_costs(work, first)->series,
                                    first_costs(work, first->baseline)->series};
    const struct paired_series b = {second_costs(work, second)->series,
                                    second_costs(work, second->baseline)->series};

    comparison->first = first->mean_cost.cost;
    comparison->second = second->mean_cost.cost;
    return paired_mean_costs(&a, &b, &work->resampling, comparison, work->error);
}

/* The round trip is the sum of its parts, so that the printed parts add up. */
static int estimate_cost(struct work *work, struct versus_row *row)
{
    struct versus_part *parts = row->parts;
    int code = estimate_levels(work, row->first->baseline, row->second->baseline);

    if (code)
        return code;
    parts[VERSUS_NETWORK].known = parts[VERSUS_ABOVE_NULL].known = parts[VERSUS_MEAN].known = true;
    paired_compare(&work->network, &parts[VERSUS_NETWORK].comparison);
    paired_costs(&work->cost, &first_costs(work, row->first)->above_null.cost_replicates,
                 &second_costs(work, row->second)->above_null.cost_replicates);
    paired_compare(&work->cost, &parts[VERSUS_ABOVE_NULL].comparison);
    estimate_parts(work, row);
    paired_add(&work->network, &work->cost);
    paired_compare(&work->network, &parts[VERSUS_ROUND_TRIP].comparison);
    return estimate_mean(work, row->first, row->second, &parts[VERSUS_MEAN].comparison);
}

static int estimate_row(struct work *work, struct versus_row *row)
{
    int code;

    row->parts[VERSUS_ROUND_TRIP].known = true;
    if (row->first->has_above_null && row->second->has_above_null &&
        strcmp(row->first->baseline->op, row->second->baseline->op) == 0)
        return estimate_cost(work, row);
    code = estimate_levels(work, row->first, row->second);
    if (code == 0)
        paired_compare(&work->network, &row->parts[VERSUS_ROUND_TRIP].comparison);
    return code;
}

static int estimate_control(struct work *work)
{
    struct versus_result *result = work->result;
    const struct result_op *first = result->first->null_control,
                           *second = result->second->null_control;

    result->has_control = first && second;
    if (!result->has_control)
        return 0;
    paired_costs(&work->part, &first_costs(work, first)->above_null.cost_replicates,
                 &second_costs(work, second)->above_null.cost_replicates);
    paired_compare(&work->part, &result->null_control);
    return estimate_mean(work, first, second, &result->null_control_mean);
}

int versus_compare(struct versus_result *result, const struct outcome *first,
                   const struct outcome *second, struct error *error)
{
    struct work *work = malloc(sizeof *work);
    int code;

    *result = (struct versus_result){.first = &first->result, .second = &second->result};
    code = work ? versus_pair_up(result, error)
                : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    if (code == 0) {
        work->result = result;
        work->first = &first->costs;
        work->second = &second->costs;
        work->resampling = first->costs.resampling;
        work->error = error;
        code = estimate_control(work);
    }
    for (size_t i = 0; i < result->count && code == 0; i++)
        code = estimate_row(work, &result->rows[i]);
    free(work);
    return code ? code : versus_judge(result, error);
}
