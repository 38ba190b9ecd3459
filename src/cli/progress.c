#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "measure/clock.h"

enum { UPDATE_INTERVAL_NS = 200 * 1000 * 1000 };

void progress_start(struct progress *progress, bool quiet, size_t rounds, uint64_t maximum_ns,
                    uint64_t calls_per_round)
{
    *progress = (struct progress){.shown = !quiet && isatty(STDERR_FILENO),
                                  .rounds = rounds,
                                  .maximum_ns = maximum_ns,
                                  .calls_per_round = calls_per_round};
}

static void print_line(const struct progress *progress, size_t round, uint64_t now)
{
    double seconds = (double)(now - progress->started_ns) / 1e9;
    double rate = seconds > 0 ? (double)round / seconds : 0;
    double left = (double)progress->maximum_ns / 1e9 - seconds;

    if (progress->rounds) {
        left = rate > 0 ? (double)(progress->rounds - round) / rate : 0;
        fprintf(stderr, "\r\033[K%3.0f %%", 100.0 * (double)round / (double)progress->rounds);
    } else {
        fprintf(stderr, "\r\033[Kround %zu", round);
    }
    fprintf(stderr, "  %.0f calls/s, all ops together  %.0f s left%s",
            rate * (double)progress->calls_per_round, left > 0 ? left : 0,
            progress->rounds ? "" : " at most");
    fflush(stderr);
}

void progress_begin(struct progress *progress)
{
    progress->started_ns = clock_raw_ns();
}

void progress_update(struct progress *progress, size_t round)
{
    uint64_t now;

    if (!progress->shown)
        return;
    now = clock_raw_ns();
    if (now - progress->last_ns < UPDATE_INTERVAL_NS)
        return;
    progress->last_ns = now;
    if (progress->started_ns == 0)
        fprintf(stderr, "\r\033[Kwarming up, round %zu", round);
    else
        print_line(progress, round, now);
}

void progress_end(struct progress *progress)
{
    if (progress->shown && progress->last_ns)
        fprintf(stderr, "\r\033[K");
    progress->shown = false;
}
