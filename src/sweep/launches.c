#include "sweep/launches.h"

#include "measure/validity.h"

int experiment_merge_launches(void *context, const struct launches_made *made, void **result,
                              struct error *error)
{
    struct experiment_launches *self = context;
    const struct result_file *first = &made->reports[0].file;
    const struct experiment_result *launches[UNITS_MAXIMUM];
    struct experiment_result *merged = &self->run.result;
    int code;

    for (size_t i = 0; i < made->done; i++)
        launches[i] = experiment_of(&made->reports[i].file);
    outcome_fill_origin(&merged->origin, &self->plan->variants[0].plan, made->started,
                        first->result.target.transport);
    if (made->sides[SIDE_SECOND]) {
        merged->first = made->sides[SIDE_FIRST];
        merged->second = made->sides[SIDE_SECOND];
    }
    merged->launches = made->done;
    merged->over_ns = self->plan->variants[0].plan.over_ns;
    merged->units_planned = launches[0]->units_planned * made->planned;
    merged->cut_short_by = made->cut_short_by;
    code = experiment_merge(&self->run, self->plan, launches, made->done, error);
    if (code == 0 && merged->cut_short_by && !made->interrupted)
        validity_doubt_end(&merged->validity, merged->cut_short_by);
    *result = merged;
    return code;
}
