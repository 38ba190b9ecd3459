/* The search for the highest rate that meets an objective: its probes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "run/sweep.h"

enum {
    PROBES = 60,
    TRIES = 3,  /* of a probe without an answer */
    SILENT = 6, /* probes in succession without one, with which the search ends */
};

#define PROBE_NS_MAXIMUM 5e9 /* unless --max-time is longer */

/* Search from 0.1 % to 120 % of a closed loop's rate, to 2 %. */
static const double lowest_share = 0.001, highest_share = 1.2, search_precision = 0.02;

/* The calls that are due in NS at RATE: 1 at least, MAXIMUM at most. */
static uint64_t calls_in(double rate, double ns, uint64_t maximum)
{
    return (uint64_t)fmax(1, fmin(rate * ns / 1e9, (double)maximum));
}

void find_max_plan(const struct sweep_plan *plan, double rate, struct sweep_plan *probe)
{
    const double spare = 1.1; /* arrivals are random */
    double calls = spare * (double)objective_calls(&plan->objective);
    double wanted = fmin(calls / rate * 1e9, PROBE_NS_MAXIMUM);

    *probe = *plan;
    if (plan->base.calls)
        probe->base.calls = calls_in(rate, PROBE_NS_MAXIMUM, plan->base.calls);
    else if (wanted > (double)probe->trial_ns)
        probe->trial_ns = (uint64_t)wanted;
}

static void note_calls(struct experiment_probes *probes, uint64_t calls)
{
    if (calls < probes->calls_least || probes->calls_least == 0)
        probes->calls_least = calls;
}

enum objective_answer find_max_answer(const struct objective *objective, const struct trial *trial)
{
    bool held = objective_held(objective, trial->objective_ns, trial->reached);
    bool certain = trial->objective_ns - 2 * trial->late_ns > (double)objective->limit_ns;

    if (trial->unanswered || (!held && trial->sender_late && !certain))
        return OBJECTIVE_NO_ANSWER;
    return held ? OBJECTIVE_HELD : OBJECTIVE_FAILED;
}

/* Make one trial of POINT. A rate that can't be reached does not meet the objective. */
static int try_probe(struct sweep_run *run, const struct sweep_plan *plan,
                     struct experiment_cell *point, struct error *error)
{
    const struct objective *objective = &run->plan->objective;
    struct run_plan trial_plan;
    struct trial trial;
    int code = sweep_plan_of_point(run, plan, point, &trial_plan, error);

    if (code)
        return code;
    code = trial_make(&trial_plan, objective, &trial, error);
    point->out_of_reach = code == -ETIME;
    if (code && code != -ETIME)
        return code;
    sweep_describe_point(point, &trial_plan);
    point->answer = OBJECTIVE_FAILED;
    if (code == 0) {
        sweep_add_trial(run, point, &trial);
        note_calls(&run->sweep.probes, trial.calls);
        point->answer = find_max_answer(objective, &trial);
    }
    run->sweep.units_done++;
    run->observer->trial_done(run->observer->context, &run->sweep, point, code ? NULL : &trial);
    return 0;
}

static int probe(struct sweep_run *run, struct experiment_cell *point, struct error *error)
{
    struct experiment_probes *probes = &run->sweep.probes;
    struct sweep_plan plan;
    int code;

    find_max_plan(run->plan, point->setting.rate, &plan);
    code = try_probe(run, &plan, point, error);
    for (int i = 1; i < TRIES && code == 0 && point->answer == OBJECTIVE_NO_ANSWER; i++) {
        probes->repeated++;
        run->sweep.units_planned++;
        point->units = point->invalid = 0;
        code = try_probe(run, &plan, point, error);
    }
    probes->without_answer += code == 0 && point->answer == OBJECTIVE_NO_ANSWER;
    return code;
}

static int search_maximum(struct sweep_run *run, struct objective_search *search,
                          struct error *error)
{
    struct experiment_result *sweep = &run->sweep;
    struct objective_range range = {.lowest = fmax(1, sweep->full_rate * lowest_share),
                                    .highest = sweep->full_rate * highest_share,
                                    .precision = search_precision,
                                    .probes = PROBES};
    size_t silent = 0;
    int code = objective_begin(search, &range, error);

    sweep->units_planned = PROBES; /* at most, and those that are repeated */
    sweep->probes.calls_wanted = objective_calls(&run->plan->objective);
    while (code == 0 && silent < SILENT && !objective_done(search)) {
        struct experiment_cell *point = &sweep->cells[sweep->cell_count];

        point->setting.rate = floor(objective_next(search));
        code = probe(run, point, error);
        if (code)
            break;
        silent = point->answer == OBJECTIVE_NO_ANSWER ? silent + 1 : 0;
        if (silent > 0)
            objective_skip(search);
        else
            objective_report(search, point->setting.rate, point->answer == OBJECTIVE_HELD);
        sweep->cell_count++;
    }
    if (sweep->cell_count > 0)
        objective_result(search, &sweep->objective);
    return code;
}

int find_max(struct sweep_run *run, struct error *error)
{
    struct objective_search *search = calloc(1, sizeof *search);
    int code;

    run->sweep.cells = calloc(PROBES, sizeof *run->sweep.cells);
    code = search && run->sweep.cells ? search_maximum(run, search, error)
                                      : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    free(search);
    return code;
}
