/* Which trials an op, a size and a load have, and how long the trials take. */
#include "sweep/diagnosis.h"

#include <math.h>

/* Which trials */

/* Return another size, bytes: four times SIZE, but at most MOST, the server's limit (0: none). If
 * SIZE is not small, or MOST allows no larger size, return a quarter of SIZE. 0: no other size. */
static uint32_t other_size(uint32_t size, uint32_t most)
{
    enum { FACTOR = 4, SMALL = 8192 };
    const uint32_t larger = most && most < size * FACTOR ? most : size * FACTOR;

    return size <= SMALL && larger > size ? larger : size / FACTOR;
}

static bool change_size(const struct nfs_size_limits *limits, struct run_plan *plan)
{
    const enum nfs_transfer transfer = plan->ops[0]->transfer;

    if (transfer == NFS_TRANSFER_NONE)
        return false;
    plan->read_size =
        other_size(plan->read_size, transfer == NFS_TRANSFER_READ ? limits->reads : limits->writes);
    return plan->read_size > 0;
}

/* Return the factor for the number of connections, a divisor of DEPTH above 1: the largest up to 4
 * or, if there is none, the smallest above 4. 0: DEPTH has no such divisor. */
static unsigned connection_factor(unsigned depth)
{
    enum { WANTED = 4 };
    unsigned factor = WANTED;

    while (factor > 1 && depth % factor != 0)
        factor--;
    if (factor == 1)
        for (factor = WANTED + 1; factor < depth && depth % factor != 0;)
            factor++;
    return factor <= depth ? factor : 0;
}

static bool change_connections(struct run_plan *plan)
{
    const unsigned factor = connection_factor(plan->load.depth);

    if (factor == 0 ||
        plan->load.clients * plan->load.connections * factor > GROUP_CONNECTIONS_MAXIMUM)
        return false;
    plan->load_request.connections = plan->load.connections * factor;
    plan->load_request.depth = plan->load.depth / factor;
    return true;
}

static bool change_stability(struct run_plan *plan)
{
    const struct nfs_procedure *unstable = nfs_procedure_find("write");

    if (plan->ops[0]->transfer != NFS_TRANSFER_WRITE || plan->ops[0] == unstable)
        return false;
    plan->ops[0] = unstable;
    return true;
}

bool diagnosis_change(enum diagnosis_trial trial, const struct nfs_size_limits *limits,
                      struct run_plan *plan)
{
    struct error ignored;
    bool changed = true;

    if (trial == TRIAL_SIZE)
        changed = change_size(limits, plan);
    else if (trial == TRIAL_CONNECTIONS)
        changed = change_connections(plan);
    else if (trial == TRIAL_UNSTABLE)
        changed = change_stability(plan);
    return changed && run_plan_complete(plan, &ignored) == 0;
}

int diagnosis_make_closed(const struct variant *variant, struct run_plan *plan, struct error *error)
{
    *plan = variant->plan;
    if (plan->load_request.rate > 0 && plan->load_request.depth == 0)
        plan->load_request.depth = EXPERIMENT_FULL_DEPTH;
    plan->load_request.rate = 0;
    plan->calls = 0;
    plan->no_baseline = plan->no_control = true;
    return run_plan_complete(plan, error);
}

/* Time */

static bool same_curve(const struct variant *a, const struct variant *b)
{
    return same_text(a->other, b->other) && (a->plan.ops[0]->transfer == NFS_TRANSFER_NONE ||
                                             a->plan.read_size == b->plan.read_size);
}

/* Return the usual duration of all trials of a curve that has VARIANT at its limit, ns. */
static uint64_t time_of_curve(const struct variant *variant)
{
    enum { IN_FLIGHT_MOST = 64 };
    const struct nfs_size_limits unknown = {0};
    const uint64_t in_flight = load_in_flight(&variant->plan.load);
    const uint64_t visit_ns =
        DIAGNOSIS_VISIT_NS +
        (in_flight < IN_FLIGHT_MOST ? in_flight : IN_FLIGHT_MOST) * DIAGNOSIS_IN_FLIGHT_NS;
    uint64_t ns = visit_ns + DIAGNOSIS_PAUSE_NS; /* the unchanged load */
    struct error ignored;
    struct run_plan plan;

    for (enum diagnosis_trial i = TRIAL_UNSTABLE; i < DIAGNOSIS_TRIALS; i++)
        if (diagnosis_make_closed(variant, &plan, &ignored) == 0 &&
            diagnosis_change(i, &unknown, &plan))
            ns += 2 * visit_ns;
    return ns;
}

static double load_of(const struct variant *variant)
{
    const double rate = variant->plan.load_request.rate;

    return variant->share > 0 ? variant->share
           : rate > 0         ? rate
                              : (double)load_in_flight(&variant->plan.load);
}

uint64_t diagnosis_time(const struct experiment_plan *plan)
{
    uint64_t ns = 0;

    if (plan->objective_text)
        return time_of_curve(&plan->variants[0]);
    for (size_t i = 0; i < plan->count; i++) {
        const struct variant *variant = &plan->variants[i], *limit = variant;
        bool first = true, several = false;

        for (size_t j = 0; j < plan->count; j++) {
            const struct variant *other = &plan->variants[j];

            if (!same_curve(variant, other))
                continue;
            first &= j >= i;
            if (load_of(other) > load_of(limit))
                limit = other;
            several |= fabs(load_of(other) - load_of(variant)) > 0;
        }
        if (first && several)
            ns += time_of_curve(limit);
    }
    return ns;
}

bool diagnosis_give_up_time(struct experiment_run *run)
{
    if (run->kept_ns == 0 || run->doubts.all > 0)
        return false;
    for (size_t i = 0; i < run->plan->count; i++)
        run->plan->variants[i].plan.deadline.at_ns += run->kept_ns;
    run->kept_ns = 0;
    return true;
}
