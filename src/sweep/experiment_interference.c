/* Whether variants in the same rounds affect each other. If a processor's clock or idle state
 * follows its load, a call may take another time with other variants than alone. So after each
 * visit to several variants, one of them is measured alone, for a short time, if the experiment has
 * at least PASSES_LEAST passes and the visit did not lack time. */
#include <errno.h>
#include <math.h>

#include "measure/statistics/launches.h"
#include "sweep/experiment.h"

#define INTERFERENCE_SUSPECT 0.03 /* a larger relative change of a call's time is suspect */

enum {
    PASSES_LEAST = 3,
    ROUNDS_LEAST = 20,
    SHARE = 20 /* the variant that is measured alone gets 1/SHARE of the group's time and calls */
};

/* Shorten the plan of ALONE, the variant at index PLACE in VISIT. If the plan has a number of
 * calls, reduce it to 1/SHARE of the group's calls, but not below ROUNDS_LEAST blocks. If blocks
 * are equal in calls, they keep their size in VISIT, because calls in shorter blocks take another
 * time. Returns the time for ALONE's rounds, ns: 1/SHARE of the group's time, but not less than
 * ALONE's own blocks took in ROUNDS_LEAST rounds of VISIT. */
static uint64_t shorten_plan(struct variant *alone, const struct visit *visit, size_t place)
{
    const struct series_set *set = &visit->group.sessions[place].set;
    const struct time_plan *time = &visit->group.sessions[place].time.plan;
    const struct rounds *rounds = &visit->group.sessions[place].measuring.rounds;
    const double calls = (double)alone->plan.calls, block = set->block;
    double own_ns = 0;

    if (!set->equal_in_time)
        alone->plan.block = set->block;
    alone->plan.calls = (uint64_t)fmin(
        calls, fmax(calls * (double)visit->group.count / SHARE, block * ROUNDS_LEAST));
    for (size_t i = 0; i < rounds->series_count; i++)
        own_ns += (double)rounds->series[i].elapsed_ns / fmax(1, (double)rounds->done);
    return (uint64_t)fmax(time->share_ns / SHARE, own_ns * ROUNDS_LEAST);
}

/* Return true if VISIT omitted nothing for lack of time. */
static bool has_time(const struct visit *visit)
{
    const struct time_use *time = &visit->group.sessions[0].time;

    return time->rounds_end_ns == 0 || time_plan_is_complete(&time->plan, &time->needs);
}

/* Set LEVELS[i], for the first OPS ops of the variant at index PLACE in VISIT, to the typical time
 * of a call of op i, ns; NAN if unknown. */
static void find_levels(const struct visit *visit, size_t place, size_t ops, double *levels)
{
    struct cell_unit unit;

    for (size_t i = 0; i < ops; i++)
        levels[i] = visit_unit(visit, place, i, NULL, &unit) ? unit.figures[CELL_TYPICAL] : NAN;
}

int experiment_measure_alone(struct experiment_run *run, struct visit *shared,
                             const size_t *numbers, bool borrows, unsigned pass,
                             struct error *error)
{
    const size_t place = borrows + pass % (shared->group.count - borrows);
    struct variant alone = run->plan->variants[numbers[place]];
    double beside[RUN_PLAN_OPS_MAXIMUM], levels[RUN_PLAN_OPS_MAXIMUM];
    const size_t ops = alone.plan.op_count;
    struct visit visit;
    uint64_t unit_ns;
    int code;

    if (run->passes < PASSES_LEAST || shared->group.count == 1 || !has_time(shared))
        return 0;
    find_levels(shared, place, ops, beside);
    unit_ns = shorten_plan(&alone, shared, place);
    visit_close(shared);
    code = visit_open(&visit, 1, &alone.plan, error);
    if (code == 0)
        code = experiment_unit_plan(run->plan, &alone, unit_ns, (struct run_share){.launches = 1},
                                    random_next(&run->random) | 1, visit.group.plans, error);
    if (code == 0) {
        visit.group.names[0] = alone.name;
        visit.group.plans[0].no_control = true;
        code = visit_make(&visit, error);
    }
    if (code == 0)
        find_levels(&visit, 0, ops, levels);
    for (size_t i = 0; i < ops && code == 0; i++)
        if (levels[i] > 0 && beside[i] > 0) {
            run->interference.sums[pass] += log(levels[i] / beside[i]);
            run->interference.ratios[pass]++;
        }
    visit_close(&visit);
    return code == -EINTR ? code : 0;
}

void experiment_judge_interference(struct validity *validity,
                                   const struct experiment_interference *interference)
{
    struct launch passes[UNITS_MAXIMUM];
    struct interval change;
    size_t count = 0;

    for (size_t i = 0; i < UNITS_MAXIMUM; i++)
        if (interference->ratios[i] > 0)
            passes[count++] = (struct launch){.estimate = interference->sums[i] /
                                                          (double)interference->ratios[i]};
    if (count < PASSES_LEAST)
        return;
    launches_estimate(passes, count, &change);
    if (estimate_excludes_0(&change) && fabs(expm1(change.estimate)) > INTERFERENCE_SUSPECT)
        validity_add_reason(
            validity, VERDICT_SUSPECT, REASON_INTERFERENCE,
            "the time of a call measured alone differs by %+.1f %% from that in shared rounds (95 "
            "%%: %+.1f to %+.1f %%, %zu passes), so the points affect each other; use --group 1",
            100 * expm1(change.estimate), 100 * expm1(change.low), 100 * expm1(change.high), count);
}
