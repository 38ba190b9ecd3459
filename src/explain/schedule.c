#include "explain/schedule.h"

#include <math.h>
#include <stdio.h>

#include "common/counted.h"
#include "measure/time_plan.h"
#include "measure/warmup.h"

enum { WARMUP_ROUNDS = 2 * WARMUP_WINDOW }; /* a warm-up compares two windows */

#define ROUND_NS 100e6 /* usual maximum of a round's time */

/* Factor for estimated times, because trial calls may have been faster than usual. */
#define MARGIN 1.05

/* Return the number of calls in a block if time is not short. Rounds are kept short, because many
 * rounds show better how results vary. */
static uint32_t usual_block(const struct schedule_times *times)
{
    const double calls = times->call_ns > 0 ? ROUND_NS / times->call_ns : times->block;

    return (uint32_t)fmax(fmin(calls, times->block), times->least);
}

/* Plan as if a round took only SHARE (0 to 1) of its time. */
static struct time_plan plan_share(const struct schedule_times *times, bool warms_up, double share)
{
    const struct time_needs needs = {.left_ns = (double)times->left_ns,
                                     .end_ns = (double)times->end_ns,
                                     .ops_ns = MARGIN * share * times->call_ns,
                                     .beside_ns = MARGIN * share * times->round_ns,
                                     .block = usual_block(times),
                                     .block_least = times->least,
                                     .launches = 1,
                                     .parts = 1,
                                     .warms_up = warms_up};

    return time_plan_make(&needs);
}

bool schedule_make(struct schedule *schedule, const struct schedule_times *times)
{
    struct time_plan plan = plan_share(times, times->warms_up, 1);
    const double whole_ns = plan.whole_ns;
    const bool warms_up = plan.whole_warmup;
    bool compares;

    if (!warms_up)
        plan = plan_share(times, false, 1);
    compares = plan.least_ns <= 0 || times->spare <= 0;
    if (!compares)
        plan = plan_share(times, false, 1 - times->spare);
    *schedule = (struct schedule){
        .block = plan.block,
        .rounds = plan.rounds,
        .warms_up = warms_up,
        .compares = compares,
        .whole_ns = times->spent_ns + (uint64_t)whole_ns,
        .least_ns = plan.least_ns > 0 ? times->spent_ns + (uint64_t)plan.least_ns : 0};
    return plan.least_ns <= 0;
}

bool schedule_is_short(const struct schedule *schedule, const struct schedule_times *times)
{
    return schedule->warms_up != times->warms_up || schedule->block < usual_block(times) ||
           schedule->rounds < TIME_PLAN_ROUNDS || !schedule->compares;
}

const char *schedule_describe(const struct schedule *schedule, const struct schedule_times *times,
                              char text[SCHEDULE_TEXT_SIZE])
{
    const char *warmup = times->warms_up && !schedule->warms_up ? ", without a warm-up" : "";
    const char *comparison =
        schedule->compares ? "" : ", and without the calls that show the cost of observation";

    snprintf(text, SCHEDULE_TEXT_SIZE,
             "--max-time allows %s of %s%s%s; --max-time %.0fs allows all",
             counted(schedule->rounds, "round").text, counted(schedule->block, "call").text, warmup,
             comparison, ceil((double)schedule->whole_ns / 1e9));
    return text;
}

double schedule_of_calls_ns(const struct schedule_times *times, uint64_t calls)
{
    const double rounds = ceil((double)calls / times->block);

    return (double)times->spent_ns + (double)times->end_ns +
           rounds * (times->call_ns * fmin(times->block, (double)calls) + times->round_ns) +
           (times->warms_up ? WARMUP_ROUNDS : 0) * (times->call_ns * times->block);
}

bool schedule_is_check(size_t round)
{
    size_t look = TIME_PLAN_ROUNDS;

    while (look < round)
        look += look / 2;
    return look == round;
}
