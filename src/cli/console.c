#include "cli/console.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "common/printable.h"
#include "measure/clock.h"

/* Errors */

void error_print(const struct error *error)
{
    fprintf(stderr, "nfsbench: %s\n", printable(error->text).text);
}

/* Ctrl-C */

volatile sig_atomic_t interrupt_flag;

static void on_signal(int number)
{
    if (interrupt_flag)
        _exit(128 + number);
    __atomic_store_n(&interrupt_flag, 1, __ATOMIC_RELAXED); /* threads read it */
}

void interrupt_catch(void)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART */

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

bool interrupt_ended(int code)
{
    return code == -EINTR || interrupt_flag;
}

/* Progress */

enum { UPDATE_INTERVAL_NS = 200 * 1000 * 1000 };

static void print_line(const struct run_progress *progress, uint64_t now)
{
    double seconds = (double)(now - progress->began_ns) / 1e9;
    double rate = seconds > 0 ? (double)progress->round / seconds : 0;
    double left = (double)progress->maximum_ns / 1e9 - seconds;

    if (progress->planned) {
        left = rate > 0 ? (double)(progress->planned - progress->round) / rate : 0;
        fprintf(stderr, "%3.0f %%", 100.0 * (double)progress->round / (double)progress->planned);
    } else {
        fprintf(stderr, "round %zu", progress->round);
    }
    fprintf(stderr, "  %.0f calls/s, all ops together  %.0f s left%s",
            rate * (double)progress->calls_per_round, left > 0 ? left : 0,
            progress->planned ? "" : " at most");
    fflush(stderr);
}

static void show_progress(void *context, const struct run_progress *progress)
{
    static uint64_t last_ns; /* when the current line was printed; 0: there is no line */
    uint64_t now = clock_raw_ns();

    if (!isatty(STDERR_FILENO) || (!progress->ended && now - last_ns < UPDATE_INTERVAL_NS))
        return;
    if (!progress->ended || last_ns)
        fprintf(stderr, "\r\033[K");
    if (!progress->ended && progress->launches > 1)
        fprintf(stderr, "launch %u of %u  ", progress->launch + 1, progress->launches);
    if (!progress->ended && progress->began_ns == 0)
        fprintf(stderr, "warming up, round %zu", progress->round);
    else if (!progress->ended)
        print_line(progress, now);
    last_ns = progress->ended ? 0 : now;
}

static void show_line(void *context, const char *line)
{
    fprintf(stderr, "nfsbench: %s\n", printable(line).text);
}

const struct run_observer progress_observer = {
    .progress = show_progress, .notice = show_line, .warning = show_line};
