#include "measure/time_plan.h"

#include <math.h>

/* number of rounds in two windows: the warm-up can't end earlier (measure/warmup.h) */
enum { WARMUP_ROUNDS = 10 };

static double parts_of(const struct time_needs *needs, const struct time_plan *plan)
{
    return (double)plan->launches * needs->parts;
}

static double round_of(const struct time_needs *needs, const struct time_plan *plan)
{
    const double block = plan->block, of_model = fmax(1, floor(block / TIME_PLAN_MODEL_DIVISOR));

    return fmax(block * needs->ops_ns, needs->round_least_ns) + needs->beside_ns +
           (plan->control ? block * needs->control_ns : 0) +
           (plan->model ? of_model * needs->model_ns : 0);
}

static double warmup_rounds(const struct time_needs *needs, const struct time_plan *plan)
{
    return !needs->warms_up ? 0 : plan->whole_warmup ? WARMUP_ROUNDS : 1;
}

static double end_of(const struct time_needs *needs, const struct time_plan *plan)
{
    return needs->end_ns + (plan->ledger ? needs->ledger_ns : 0);
}

static double further_setups(const struct time_needs *needs, const struct time_plan *plan)
{
    return (parts_of(needs, plan) - 1) * needs->setup_ns;
}

static double total_of(const struct time_needs *needs, const struct time_plan *plan, double rounds)
{
    const double all = warmup_rounds(needs, plan) + rounds;

    return further_setups(needs, plan) +
           parts_of(needs, plan) * (all * round_of(needs, plan) + end_of(needs, plan));
}

static bool plan_fits(const struct time_needs *needs, const struct time_plan *plan)
{
    const bool sets_up_too_long =
        plan->launches > 1 && further_setups(needs, plan) > needs->left_ns / TIME_SHARE_SETUPS;

    return !sets_up_too_long && total_of(needs, plan, TIME_PLAN_ROUNDS) <= needs->left_ns;
}

/* Return the next smaller number of launches. It is never two, because Student's t for two launches
 * is 6.5 times as large as for many. */
static unsigned fewer_launches(unsigned launches)
{
    return launches > 10 ? launches / 2 : launches > 5 ? 5 : launches > 3 ? 3 : 1;
}

/* Set the plan's block to the largest number of calls that fits, or to BLOCK_LEAST. */
static void shorten_block(const struct time_needs *needs, struct time_plan *plan)
{
    uint32_t low = needs->block_least, high = plan->block;

    while (low < high) {
        plan->block = low + (high - low + 1) / 2;
        if (plan_fits(needs, plan))
            low = plan->block;
        else
            high = plan->block - 1;
    }
    plan->block = low;
}

static void give_up_parts(const struct time_needs *needs, struct time_plan *plan)
{
    if (!plan_fits(needs, plan))
        plan->whole_warmup = false;
    if (!plan_fits(needs, plan))
        plan->model = false;
    if (!plan_fits(needs, plan)) {
        plan->control = false;
        plan->ledger =
            plan->ledger &&
            parts_of(needs, plan) * needs->ledger_ns * TIME_SHARE_LEDGER_KEPT <= needs->left_ns;
    }
    while (!plan_fits(needs, plan) && plan->launches > 1 && !needs->launches_fixed)
        plan->launches = fewer_launches(plan->launches);
    if (!plan_fits(needs, plan) && plan->block > needs->block_least)
        shorten_block(needs, plan);
}

/* Divide the time that is left, less that of further set-ups, evenly among the runs of all
 * launches. Set the times and the number of rounds of each run. */
static void divide_time(const struct time_needs *needs, struct time_plan *plan)
{
    const double rounds = warmup_rounds(needs, plan);
    double for_rounds;

    plan->round_ns = round_of(needs, plan);
    plan->share_ns =
        fmax(0, (needs->left_ns - further_setups(needs, plan)) / parts_of(needs, plan));
    plan->warmup_ns = rounds * plan->round_ns;
    if (plan->whole_warmup)
        plan->warmup_ns = fmax(plan->warmup_ns, plan->share_ns / TIME_SHARE_WARMUP);
    for_rounds = plan->share_ns - rounds * plan->round_ns - end_of(needs, plan);
    plan->rounds = plan->round_ns > 0
                       ? (unsigned)fmin(fmax(0, for_rounds / plan->round_ns), UINT32_MAX)
                       : UINT32_MAX;
}

struct time_plan time_plan_make(const struct time_needs *needs)
{
    struct time_plan plan = {.launches = needs->launches,
                             .block = needs->block,
                             .whole_warmup = needs->warms_up,
                             .model = needs->model_ns > 0,
                             .control = needs->control_ns > 0,
                             .ledger = needs->ledger_ns > 0};

    plan.whole_ns = total_of(needs, &plan, TIME_PLAN_ROUNDS);
    give_up_parts(needs, &plan);
    divide_time(needs, &plan);
    if (plan.rounds < TIME_PLAN_ROUNDS_LEAST)
        plan.least_ns = total_of(needs, &plan, TIME_PLAN_ROUNDS_LEAST);
    return plan;
}

bool time_plan_is_complete(const struct time_plan *plan, const struct time_needs *needs)
{
    return plan->launches == needs->launches && plan->block == needs->block &&
           plan->whole_warmup == needs->warms_up && plan->model == (needs->model_ns > 0) &&
           plan->control == (needs->control_ns > 0) && plan->ledger == (needs->ledger_ns > 0);
}
