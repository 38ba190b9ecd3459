#include "job/console.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "common/printable.h"
#include "common/signals.h"
#include "common/ticker.h"
#include "measure/clock.h"
#include "output/view/terminal.h"

static struct {
    pthread_mutex_t lock;
    /* time from which the wait for the next line counts, on clock_raw_ns(); 0: none */
    uint64_t last_ns;
    bool shown;   /* a progress line is shown on a terminal */
    size_t lines; /* number of lines that the next progress_replace() may replace */
    char text[PRINTABLE_SIZE];
    struct deadline deadline;
    struct ticker ticker;
} progress_line = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void print_error(const struct error *error)
{
    progress_line.lines = 0;
    fprintf(stderr, "nfsbench: %s\n", printable(error->text).text);
}

void (*error_print)(const struct error *error) = print_error;

volatile sig_atomic_t interrupt_flag;

static void on_signal(int number)
{
    if (interrupt_flag)
        _exit(128 + number);
    __atomic_store_n(&interrupt_flag, 1,
                     __ATOMIC_RELAXED); /* atomic, because other threads read the flag */
}

void interrupt_catch(void)
{
    signals_handle_ending(on_signal);
}

bool interrupt_ended(int code)
{
    return code == -EINTR || interrupt_flag;
}

#define SECOND_NS UINT64_C(1000000000)

/* Return whether a progress line is due at NOW. If it is due, start the wait for the next line. On
 * a terminal, where a line replaces the previous line, the wait is 0.2 s. Elsewhere lines stay, so
 * the wait is 10 s, also for the first line. */
static bool is_due(uint64_t now)
{
    const bool terminal = isatty(STDERR_FILENO);

    if (progress_line.last_ns == 0 && !terminal)
        progress_line.last_ns = now;
    if (now - progress_line.last_ns < (terminal ? SECOND_NS / 5 : 10 * SECOND_NS))
        return false;
    progress_line.last_ns = now;
    return true;
}

/* Times of a run's rounds, on clock_raw_ns(). Another thread reads them, because the run's thread
 * may be waiting for the server. */
static struct {
    /* start of the current round, and duration of the longest complete round; 0: no such round */
    _Atomic uint64_t began_ns, longest_ns;
} round_watch;

static double seconds_since(uint64_t began_ns)
{
    return (double)(clock_raw_ns() - began_ns) / 1e9;
}

/* If the current round has taken more than 1 s and more than 3 times the longest complete round,
 * describe this in TEXT, and return true. */
static bool describe_slow_round(char *text, size_t size)
{
    const double took = round_watch.began_ns ? seconds_since(round_watch.began_ns) : 0;
    const double longest = (double)round_watch.longest_ns / 1e9;

    if (longest <= 0 || took <= 1 || took <= 3 * longest)
        return false;
    snprintf(text, size, "no round has ended for %.0f s; the longest one before took %.2g s", took,
             longest);
    return true;
}

static void watch_rounds(const struct run_progress *progress)
{
    const uint64_t now = clock_raw_ns(), took = now - round_watch.began_ns;

    if (progress->phase || progress->ended || progress->thinks) {
        round_watch.began_ns = round_watch.longest_ns = 0;
        return;
    }
    if (round_watch.began_ns && took > round_watch.longest_ns)
        round_watch.longest_ns = took;
    round_watch.began_ns = now;
}

static const char *time_left(char text[PROGRESS_LEFT_SIZE])
{
    const uint64_t left = deadline_left_ns(&progress_line.deadline);

    text[0] = '\0';
    if (left != DEADLINE_NEVER)
        snprintf(text, PROGRESS_LEFT_SIZE, ", %.0f s left at most", (double)left / 1e9);
    return text;
}

static void show_text(const char *text)
{
    const unsigned columns = terminal_screen(stderr).columns;
    char left[PROGRESS_LEFT_SIZE], line[PRINTABLE_SIZE];

    snprintf(line, sizeof line, "%.*s%s", (int)(sizeof line - sizeof left), text, time_left(left));
    progress_line.shown = columns > 0;
    if (progress_line.shown)
        fprintf(stderr, "\r\033[K%.*s", (int)columns - 1, line);
    else
        fprintf(stderr, "nfsbench: progress: %s\n", line);
    fflush(stderr);
}

void progress_show(const char *format, ...)
{
    va_list arguments;

    pthread_mutex_lock(&progress_line.lock);
    va_start(arguments, format);
    vsnprintf(progress_line.text, sizeof progress_line.text, format, arguments);
    va_end(arguments);
    if (is_due(clock_raw_ns()))
        show_text(progress_line.text);
    pthread_mutex_unlock(&progress_line.lock);
}

/* Renew the line on a terminal, because the time left has changed or a round is slow. */
static void show_again(void *context)
{
    char slow[PRINTABLE_SIZE];

    pthread_mutex_lock(&progress_line.lock);
    if (progress_line.text[0])
        show_text(describe_slow_round(slow, sizeof slow) ? slow : progress_line.text);
    pthread_mutex_unlock(&progress_line.lock);
}

void progress_begin(const struct run_plan *plan)
{
    /* With --over, show no deadline, because a launch's deadline excludes the idle time. */
    progress_line.deadline = plan->over_ns ? (struct deadline){.at_ns = 0} : plan->deadline;
    if (plan->quiet || !isatty(STDERR_FILENO))
        return;
    progress_show("mounting");
    ticker_start(&progress_line.ticker, SECOND_NS / 2, show_again, NULL);
}

void progress_end(void)
{
    ticker_stop(&progress_line.ticker);
    pthread_mutex_lock(&progress_line.lock);
    if (progress_line.shown)
        fprintf(stderr, "\r\033[K");
    progress_line.last_ns = 0;
    progress_line.shown = false;
    progress_line.text[0] = '\0';
    pthread_mutex_unlock(&progress_line.lock);
}

int progress_replace(size_t lines)
{
    const struct terminal_screen screen = terminal_screen(stderr);

    progress_end();
    if (progress_line.lines > 0)
        fprintf(stderr, "\033[%zuA\033[J", progress_line.lines);
    progress_line.lines = lines < screen.rows ? lines : 0;
    return progress_line.lines ? (int)screen.columns - 1 : INT_MAX;
}

static const char *seconds_left(double seconds, char text[PROGRESS_LEFT_SIZE])
{
    if (!(seconds > 0))
        seconds = 0;
    if (seconds < 120)
        snprintf(text, PROGRESS_LEFT_SIZE, "%.0f s left", seconds);
    else
        snprintf(text, PROGRESS_LEFT_SIZE, "%.0f min left", seconds / 60);
    return text;
}

const char *progress_left(uint64_t began_ns, size_t done, size_t planned,
                          char text[PROGRESS_LEFT_SIZE])
{
    const double each = done ? seconds_since(began_ns) / (double)done : 0;

    return seconds_left(each * (double)(planned - done), text);
}

static void show_rounds(const struct run_progress *progress, const char *launch)
{
    const double seconds = seconds_since(progress->began_ns);
    const double rate = seconds > 0 ? (double)progress->round / seconds : 0;
    const double calls = rate * (double)progress->calls_per_round;
    char left[PROGRESS_LEFT_SIZE];

    if (progress->planned)
        progress_show("%s%.0f %%, %.0f calls/s (all ops), %s", launch,
                      100.0 * (double)progress->round / (double)progress->planned, calls,
                      progress_left(progress->began_ns, progress->round, progress->planned, left));
    else
        progress_show("%sround %zu, %.0f calls/s (all ops)", launch, progress->round, calls);
}

static void show_progress(void *context, const struct run_progress *progress)
{
    char launch[64] = "";

    watch_rounds(progress);
    if (progress->launches > 1)
        snprintf(launch, sizeof launch, "launch %u of %u: ", progress->launch + 1,
                 progress->launches);
    if (progress->phase)
        progress_show("%s%s", launch, progress->phase);
    else if (progress->ended)
        progress_show("%sanalysing", launch);
    else if (progress->began_ns == 0)
        progress_show("%swarming up, round %zu", launch, progress->round);
    else
        show_rounds(progress, launch);
}

void progress_print(const char *prefix, const char *line)
{
    progress_line.lines = 0;
    pthread_mutex_lock(&progress_line.lock);
    fprintf(stderr, "%s%s%s\n", progress_line.shown ? "\r\033[K" : "", prefix,
            printable(line).text);
    progress_line.shown = false;
    pthread_mutex_unlock(&progress_line.lock);
}

static void show_line(void *context, const char *line)
{
    progress_print("nfsbench: ", line);
}

const struct run_observer progress_observer = {
    .progress = show_progress, .notice = show_line, .warning = show_line};
