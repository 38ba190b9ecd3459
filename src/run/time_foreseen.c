/* Estimates from a round trip, before anything is prepared, whether a run's time is too short. */
#include <errno.h>
#include <math.h>

#include "run/load_block.h"
#include "run/setup/setup.h"
#include "run/time_use.h"

/* Numbers of round trips, as counted in runs against the embedded server. */
enum {
    FINDING = 4,        /* finding the test objects, for any op */
    FINDING_READ = 2,   /* in addition for READs: asking for the limits, and the first READ */
    FILLING = 9,        /* making the scratch directory, and the first WRITE */
    ENDING = 4,         /* unmounting and other final calls (CALLS_TO_END in session_time.c) */
    FILLINGS = 3,       /* duration of a block under load, in round trips */
    TRIED_FILLINGS = 4, /* duration of the trial of an op under load, in round trips */
    /* at a rate, if there are several series: additional round trips for each block */
    RESPONSES_AT_RATE = 2,
};

static bool has_closed_load(const struct run_plan *plan)
{
    return run_plan_makes_load(plan) && plan->load.rate == 0;
}

/* Set CALLS to the number of calls of each of PLAN's ops in a round with blocks of BLOCK calls. A
 * mix divides BLOCK among its ops. Returns the number of calls in a block: BLOCK, or more, because
 * each op of a mix has at least one call. */
static uint32_t calls_by_op(const struct run_plan *plan, uint32_t block,
                            uint32_t calls[RUN_PLAN_OPS_MAXIMUM])
{
    if (plan->mix_name)
        return nfs_mix_divide(&plan->mix, block, calls);
    for (size_t i = 0; i < plan->op_count; i++)
        calls[i] = block;
    return block;
}

/* Return an estimate of the number of round trips to prepare CALLS of PLAN's ops and to clear up.
 * Even under load, calls are prepared and cleared one by one. */
static double preparations_of(const struct run_plan *plan, const uint32_t *calls)
{
    double trips = 0;

    for (size_t i = 0; i < plan->op_count; i++)
        trips += calls[i] * (1.0 * (plan->ops[i]->prepare != NULL) + (plan->ops[i]->clear != NULL));
    return trips;
}

static double trips_of(const struct run_plan *plan, const uint32_t *calls)
{
    double trips = preparations_of(plan, calls);

    for (size_t i = 0; i < plan->op_count; i++)
        trips += calls[i];
    return trips;
}

static double rest_of_setup(const struct run_plan *plan, double round_trip_ns)
{
    const bool by_spacing = has_closed_load(plan) && !plan->mix_name;
    const double nulls = plan->no_baseline ? 0 : plan->no_control ? 1 : 2;
    uint32_t calls[RUN_PLAN_OPS_MAXIMUM];
    double trips = FINDING + nulls;

    calls_by_op(plan, 1, calls);
    trips += trips_of(plan, calls);
    if (run_plan_transfers(plan, NFS_TRANSFER_READ))
        trips += FINDING_READ;
    if (run_plan_needs_scratch(plan))
        trips += FILLING;
    if (by_spacing)
        trips += (nulls + (double)plan->op_count) * TRIED_FILLINGS;
    return trips * round_trip_ns;
}

double time_use_round_ns(const struct run_plan *plan, uint32_t block, double round_trip_ns)
{
    uint32_t calls[RUN_PLAN_OPS_MAXIMUM];
    const double nulls = calls_by_op(plan, block, calls);
    const double series = !plan->no_baseline + (plan->mix_name ? 1.0 : (double)plan->op_count);

    if (plan->load.rate > 0)
        return series * (block / plan->load.rate * 1e9 +
                         (series > 1 ? RESPONSES_AT_RATE * round_trip_ns : 0));
    if (run_plan_makes_load(plan))
        return (series * nulls / (double)load_in_flight(&plan->load) +
                preparations_of(plan, calls)) *
               round_trip_ns;
    return ((plan->no_baseline ? 0 : nulls) + trips_of(plan, calls)) * round_trip_ns;
}

/* In a closed loop under load, a mix's block has at least load_block_minimum() calls, because
 * session_time.c does not shorten it. */
double time_use_shortest_round(const struct run_plan *plan, double round_trip_ns, uint32_t *block)
{
    uint32_t calls[RUN_PLAN_OPS_MAXIMUM];

    *block = !has_closed_load(plan) ? calls_by_op(plan, 1, calls)
             : plan->mix_name       ? load_block_minimum(&plan->load)
                                    : (uint32_t)(FILLINGS * load_in_flight(&plan->load));
    return time_use_round_ns(plan, *block, round_trip_ns);
}

/* Estimate the needs of COUNT PLANS. ROUND returns the duration of a plan's shortest round. SETUP
 * is the set-up of the first plan and is already mounted; the other set-ups are not. */
static struct time_needs estimate_needs(const struct setup *setup, const struct run_plan *plans,
                                        size_t count, shortest_round *round, double round_trip_ns)
{
    const double taken_ns = (double)(clock_raw_ns() - setup->began_ns);
    const struct run_share *share = &plans->share;
    struct time_needs needs = {.left_ns = (double)deadline_left_ns(&plans->deadline) + taken_ns,
                               .launches = share->launches ? share->launches : 1,
                               .parts = share->parts ? share->parts : 1,
                               .launches_fixed = share->fixed,
                               .warms_up = !plans->no_warmup};

    for (size_t i = 0; i < count; i++) {
        needs.setup_ns += i == 0 ? taken_ns : (double)setup->mount.mount_ns;
        needs.setup_ns += rest_of_setup(&plans[i], round_trip_ns);
        needs.round_least_ns += round(&plans[i], round_trip_ns, &needs.block);
        needs.end_ns += ENDING * round_trip_ns;
        if (run_plan_needs_scratch(&plans[i]))
            needs.end_ns += FILLING * round_trip_ns;
    }
    needs.block_least = needs.block;
    needs.left_ns -= needs.setup_ns; /* time left after the set-up */
    time_use_reserve(plans, &needs);
    return needs;
}

/* Return the duration of a NULL call of SETUP, ns; 0 if it fails, which a later call reports. */
static double round_trip_of(const struct setup *setup)
{
    const uint64_t began_ns = deadline_now_ns();
    union nfs_result result;
    struct error ignored;

    if (rpc_client_call(setup->clients[SERVICE_NFS], &nfs_procedure_find("null")->rpc, NULL,
                        &result, &ignored) != 0)
        return 0;
    return (double)(deadline_now_ns() - began_ns);
}

/* Can the time of PLAN be foreseen? Not without a deadline or on a mount, nor with think times or
 * --cold, which determine the number of rounds. */
static bool can_foresee(const struct run_plan *plan)
{
    return plan->deadline.at_ns > 0 && !plan->target.mounted && !plan->load.think &&
           !plan->working_set.once;
}

int time_use_foresee(const struct setup *setup, const struct run_plan *plans, size_t count,
                     shortest_round *round, struct error *error)
{
    enum { LOOKS = 3 }; /* maximum number of trial calls; several, because one may be disturbed */
    double round_trip_ns = INFINITY;
    struct time_needs needs;
    struct time_plan plan = {.least_ns = 1};

    if (!can_foresee(plans))
        return 0;
    for (int i = 0; i < LOOKS && plan.least_ns > 0; i++) {
        round_trip_ns = fmin(round_trip_ns, round_trip_of(setup));
        needs = estimate_needs(setup, plans, count, round, round_trip_ns);
        plan = time_use_make(plans, &needs);
    }
    if (plan.least_ns <= 0)
        return 0;
    return time_use_refuse(plans, plan.least_ns - needs.left_ns, plan.block, error);
}
