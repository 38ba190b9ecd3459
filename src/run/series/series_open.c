/* Opens a set of series: the ops, series for the cost model, and engines that make the calls. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/time_plan.h"
#include "run/series/series.h"
#include "run/witness.h"

enum { MODEL_SERIES = 12 /* approximate number of series for the cost model */ };

static int open_series_engine(struct series_set *set, enum service_kind service,
                              struct error *error)
{
    struct channel_options options = setup_channel_options(set->plan, service);
    struct engine_config config = {.endpoint = setup_endpoint(set->setup, service),
                                   .channel = setup_secure(set->setup, service, &options),
                                   .clock = set->clock,
                                   .load = set->plan->load,
                                   .count_resent = set->plan->count_resent,
                                   .on_mount = set->setup->on_mount};

    config.channel.deadline = set->plan->deadline;
    return set->engines[service]
               ? 0
               : engine_open(&set->engines[service], set->plan->engine, &config, error);
}

/* Is there time for a trial call of each series for the cost model? NULL and the ops of SET have
 * been tried. The time to measure these series is planned later. */
static bool has_time_for_model(const struct series_set *set)
{
    const double call_ns = (double)set->tried_ns / fmax(1, (double)set->tried);

    return set->plan->deadline.at_ns == 0 || call_ns * MODEL_SERIES * TIME_SHARE_MODEL_TRIALS <=
                                                 (double)deadline_left_ns(&set->plan->deadline);
}

int series_set_open(struct series_set *set, struct setup *setup, const struct clock *clock,
                    struct error *error)
{
    int code;

    *set = (struct series_set){
        .plan = setup->plan, .setup = setup, .clock = clock, .mix_ops = setup->plan->mix};
    /* an element for each op, and one for a baseline that is not an op */
    set->skipped = calloc(set->plan->op_count + 1, sizeof *set->skipped);
    if (!set->skipped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the series");
    /* On a mount, the engine itself tries the ops, so it is opened first. */
    code = set->plan->target.mounted ? open_series_engine(set, SERVICE_NFS, error) : 0;
    if (code == 0)
        code = series_add_ops(set, error);
    set->model_untried = !has_time_for_model(set);
    if (code == 0 && !set->model_untried)
        code = series_add_model(set, error);
    if (code == 0 && !set->model_untried)
        code = witness_open(set, error);
    for (size_t i = 0; i < set->count && code == 0; i++)
        code = open_series_engine(set, set->series[i]->service, error);
    setup_lift_deadline(setup);
    return setup_note_time(set->plan, code, error);
}

void series_set_close(struct series_set *set)
{
    for (size_t i = 0; i < SERVICES; i++)
        engine_close(set->engines[i]);
    engine_close(set->local_engine);
    witness_close(set->witness);
    while (set->count > 0)
        series_set_drop_last(set);
    free(set->series);
    free(set->skipped);
    memset(set, 0, sizeof *set);
}
