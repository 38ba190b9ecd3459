#include "common/deadline.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "common/system_clock.h"

/* Maximum sleep between checks of the stop flag, ns, because another thread may get the signal. */
#define LOOK_NS UINT64_C(50000000)

static uint64_t raw_ns(void)
{
    return system_clock_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t (*deadline_clock)(void) = raw_ns;

bool deadline_is_over(const struct deadline *deadline)
{
    return deadline_is_stopped(deadline) || deadline_left_ns(deadline) == 0;
}

uint64_t deadline_left_ns(const struct deadline *deadline)
{
    uint64_t now;

    if (deadline->at_ns == 0)
        return DEADLINE_NEVER;
    now = deadline_now_ns();
    return now < deadline->at_ns ? deadline->at_ns - now : 0;
}

uint64_t deadline_at_most(const struct deadline *deadline, uint64_t limit_ns)
{
    const uint64_t left = deadline_left_ns(deadline);

    return left < limit_ns ? left : limit_ns;
}

struct deadline deadline_within(const struct deadline *deadline, uint64_t ns)
{
    const uint64_t at_ns = deadline_now_ns() + ns;
    struct deadline sooner = deadline ? *deadline : (struct deadline){.at_ns = 0};

    if (sooner.at_ns == 0 || at_ns < sooner.at_ns)
        sooner.at_ns = at_ns;
    return sooner;
}

struct deadline deadline_part(const struct deadline *deadline, unsigned parts)
{
    return deadline->at_ns ? deadline_within(deadline, deadline_left_ns(deadline) / parts)
                           : *deadline;
}

void deadline_pause(uint64_t ns)
{
    const struct timespec pause = system_clock_timespec(ns);

    nanosleep(&pause, NULL);
}

int deadline_sleep(const struct deadline *deadline, uint64_t ns)
{
    const uint64_t until = deadline_now_ns() + ns;
    uint64_t now = deadline_now_ns();

    while (now < until && !deadline_is_over(deadline)) {
        uint64_t look = deadline_at_most(deadline, until - now);

        deadline_pause(look < LOOK_NS ? look : LOOK_NS);
        now = deadline_now_ns();
    }
    return now >= until ? 0 : deadline_is_stopped(deadline) ? -EINTR : -ETIME;
}
