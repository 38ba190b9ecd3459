#include "job/launch_schedule.h"

#include <errno.h>
#include <stdio.h>

#include "job/console.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    JITTER_PARTS = 4, /* a launch begins in the first 1/JITTER_PARTS of its slot */
    TEXT_SIZE = 128,
};

uint64_t launch_schedule_begin_ns(uint64_t over_ns, size_t number, size_t total,
                                  struct random *random)
{
    const uint64_t part_ns = over_ns / total;

    if (number == 0)
        return 0;
    return number * part_ns + random_below_64(random, part_ns / JITTER_PARTS + 1);
}

/* Write NS, rounded up to seconds, to TEXT, as "20 s" or "1 min 20 s". Returns TEXT. */
static const char *describe_time(uint64_t ns, char text[TEXT_SIZE])
{
    const unsigned long long seconds = (ns + SECOND_NS - 1) / SECOND_NS;

    if (seconds < 60)
        snprintf(text, TEXT_SIZE, "%llu s", seconds);
    else
        snprintf(text, TEXT_SIZE, "%llu min %llu s", seconds / 60, seconds % 60);
    return text;
}

static void show_wait(uint64_t left_ns, size_t number, size_t total)
{
    char text[TEXT_SIZE];

    progress_show("launch %zu of %zu begins in %s", number + 1, total,
                  describe_time(left_ns, text));
}

/* If LATE_NS is 1 s or more, print that launch NUMBER (from 0) of TOTAL begins late. */
static void note_late(uint64_t late_ns, size_t number, size_t total)
{
    char text[TEXT_SIZE], line[2 * TEXT_SIZE];

    if (late_ns < SECOND_NS)
        return;
    snprintf(line, sizeof line,
             "launch %zu of %zu begins %s late, because launches take longer than the time between "
             "them (see --over)",
             number + 1, total, describe_time(late_ns, text));
    progress_print("nfsbench: ", line);
}

int launch_schedule_await(uint64_t begins_ns, size_t number, size_t total,
                          const struct run_plan *plan, struct error *error)
{
    uint64_t now = deadline_now_ns();
    int code = 0;

    if (now > begins_ns && !plan->quiet)
        note_late(now - begins_ns, number, total);
    for (; code == 0 && now < begins_ns; now = deadline_now_ns()) {
        const uint64_t left_ns = begins_ns - now;

        if (!plan->quiet)
            show_wait(left_ns, number, total);
        code = deadline_sleep(&plan->deadline, left_ns < SECOND_NS ? left_ns : SECOND_NS);
    }
    if (code == -EINTR)
        return error_set(error, ERROR_FAILED, code, "interrupted");
    if (code)
        return error_set(error, ERROR_FAILED, code,
                         "the time of --over ended before the launch began");
    return 0;
}
