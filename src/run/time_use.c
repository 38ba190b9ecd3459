#include "run/time_use.h"

#include <errno.h>
#include <math.h>

#include "common/counted.h"
#include "run/plan.h"

void time_use_reserve(const struct run_plan *plan, struct time_needs *needs)
{
    const double each_ns = needs->setup_ns + (double)plan->part_ns + needs->end_ns;

    needs->left_ns -= plan->share.followed_by * each_ns;
}

/* The block times in NEEDS assume that calls are sent at LOAD's mean rate. Return NEEDS with these
 * times scaled to a schedule that sends CALLS calls in NS nanoseconds. */
static struct time_needs scale_to_schedule(const struct time_needs *needs, const struct load *load,
                                           double calls, double ns)
{
    const double factor = ns / calls * load->rate / 1e9;
    struct time_needs scaled = *needs;

    scaled.ops_ns *= factor;
    scaled.round_least_ns *= factor;
    scaled.control_ns *= factor;
    scaled.model_ns *= factor;
    return scaled;
}

struct time_plan time_use_make(const struct run_plan *plan, struct time_needs *needs)
{
    const struct load *load = &plan->load;
    const double least_ns = (1 + TIME_PLAN_ROUNDS_LEAST) *
                            fmax(needs->round_least_ns, needs->block_least * needs->ops_ns);
    const double calls = ceil(fmax(fmax(needs->left_ns, least_ns) * load->rate / 1e9, 1));
    struct time_needs unlucky;
    struct time_plan made;

    if (load->rate <= 0)
        return time_plan_make(needs);
    unlucky = scale_to_schedule(needs, load, calls, load_schedule_most_ns(load, calls));
    *needs = scale_to_schedule(needs, load, calls, load_schedule_ns(load, calls));
    made = time_plan_make(needs);
    if (made.least_ns > 0) /* name a time that suffices for most schedules */
        made.least_ns = fmax(made.least_ns, time_plan_make(&unlucky).least_ns);
    return made;
}

int time_use_refuse(const struct run_plan *plan, double lacking_ns, uint32_t block,
                    struct error *error)
{
    const double asked = (double)plan->maximum_ns / 1e9;
    const double least = asked + lacking_ns / 1e9;

    return error_set(error, ERROR_USAGE, -EOVERFLOW,
                     "--max-time: %g s are too short for %d rounds of %s, the fewest with an "
                     "interval; use --max-time %.0fs",
                     asked, TIME_PLAN_ROUNDS_LEAST, counted(block, "call").text, ceil(1.2 * least));
}
