#include "cli/launch_look.h"

#include <math.h>

#include "output/result_merge.h"

/* Less would give some launches too few rounds, as others' work delays them, and would save little
 * beside the time that a process takes to start. */
#define ROUNDS_NS_LEAST 2e8

void launch_look_at(struct launch_look *look, const struct result *results, size_t count)
{
    const struct result_plan *plan;
    struct result merged;
    struct error ignored;

    if (result_merge(&merged, results, count, count, &ignored) != 0)
        return; /* the report says why */
    look->precise = look->precise && merged.config.precision_reached;
    plan = result_longest_plan(&merged);
    if (plan && (!look->has_plan || plan->launches.seconds > look->plan.launches.seconds)) {
        look->has_plan = true;
        look->plan = *plan;
    }
    result_free(&merged);
}

size_t launch_look_further(const struct launch_look *look, size_t total, uint64_t spent_ns,
                           uint64_t left_ns, uint64_t *rounds_ns)
{
    const struct launches_plan *plan = look->has_plan ? &look->plan.launches : NULL;
    double each_ns = (double)spent_ns / (double)total;

    if (plan) {
        each_ns = 1e9 * plan->seconds / (double)(plan->servers * plan->clients);
        *rounds_ns = (uint64_t)fmax(1e9 * look->plan.rounds_seconds, ROUNDS_NS_LEAST);
    }
    return (size_t)fmin((double)launches_further(total, plan), (double)left_ns / each_ns);
}
