#include "explain/schedule.h"

#include <math.h>
#include <stdio.h>

#include "common/counted.h"
#include "measure/warmup.h"

enum { WARMUP_ROUNDS = 2 * WARMUP_WINDOW }; /* at least: two windows are compared */

#define ROUND_NS 100e6 /* a round should not take longer */

/* Room for what the times of calls that were tried do not show. */
#define MARGIN 1.05

static double rounds_ns(const struct schedule_times *times, double rounds, uint32_t block,
                        bool compares)
{
    const double round = times->call_ns * block + times->round_ns;

    return MARGIN * rounds * round * (compares ? 1 : 1 - times->spare);
}

/* The calls in a block where there is time enough: a round is so short that many of them show how
 * the parts vary. */
static uint32_t usual_block(const struct schedule_times *times)
{
    const double calls = times->call_ns > 0 ? ROUND_NS / times->call_ns : times->block;

    return (uint32_t)fmax(fmin(calls, times->block), times->least);
}

/* All rounds that are wanted, in blocks of BLOCK calls. */
static double wanted_ns(const struct schedule_times *times, uint32_t block, bool warms_up)
{
    return rounds_ns(times, SCHEDULE_ROUNDS_WANTED + (warms_up ? WARMUP_ROUNDS : 0), block, true);
}

/* The longest blocks with which all rounds that are wanted fit into ROOM_NS, without a warm-up. */
static uint32_t longest_block(const struct schedule_times *times, double room_ns)
{
    const double round = room_ns / (MARGIN * SCHEDULE_ROUNDS_WANTED) - times->round_ns;
    const double calls = times->call_ns > 0 ? round / times->call_ns : times->block;

    return (uint32_t)fmax(fmin(calls, usual_block(times)), times->least);
}

/* The number of rounds that fit into ROOM_NS. */
static size_t rounds_in(const struct schedule_times *times, const struct schedule *schedule,
                        double room_ns)
{
    const double round = rounds_ns(times, 1, schedule->block, schedule->compares);

    return round > 0 ? (size_t)fmin(room_ns / round, UINT32_MAX) : UINT32_MAX;
}

bool schedule_make(struct schedule *schedule, const struct schedule_times *times)
{
    const double around_ns = (double)times->spent_ns + (double)times->end_ns;
    double room_ns = fmax((double)times->left_ns - (double)times->end_ns, 0);

    *schedule = (struct schedule){
        .block = usual_block(times), .warms_up = times->warms_up, .compares = true};
    schedule->whole_ns = (uint64_t)(around_ns + wanted_ns(times, schedule->block, times->warms_up));
    schedule->least_ns = (uint64_t)(around_ns + rounds_ns(times, SCHEDULE_ROUNDS_LEAST,
                                                          times->least, times->spare <= 0));
    if (wanted_ns(times, schedule->block, times->warms_up) > room_ns) {
        schedule->warms_up = false;
        schedule->block = longest_block(times, room_ns);
    }
    if (rounds_in(times, schedule, room_ns) < SCHEDULE_ROUNDS_LEAST)
        schedule->compares = times->spare <= 0;
    if (schedule->warms_up)
        room_ns -= rounds_ns(times, WARMUP_ROUNDS, schedule->block, true);
    schedule->rounds = rounds_in(times, schedule, room_ns);
    return schedule->rounds >= SCHEDULE_ROUNDS_LEAST;
}

bool schedule_is_short(const struct schedule *schedule, const struct schedule_times *times)
{
    return schedule->warms_up != times->warms_up || schedule->block < usual_block(times) ||
           schedule->rounds < SCHEDULE_ROUNDS_WANTED || !schedule->compares;
}

const char *schedule_describe(const struct schedule *schedule, const struct schedule_times *times,
                              char text[SCHEDULE_TEXT_SIZE])
{
    const char *warmup = times->warms_up && !schedule->warms_up ? ", without a warm-up" : "";
    const char *comparison =
        schedule->compares ? "" : ", without calls that show what observing a call costs";

    snprintf(text, SCHEDULE_TEXT_SIZE,
             "there is time for %s of %s%s%s; --max-time %.0fs gives time for all",
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

bool schedule_is_look(size_t round)
{
    size_t look = SCHEDULE_ROUNDS_WANTED;

    while (look < round)
        look += look / 2;
    return look == round;
}
