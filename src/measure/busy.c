#include "measure/busy.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/system_clock.h"

void busy_open(struct busy *busy, pid_t pid)
{
    busy->pid = pid;
    busy->count = 0;
}

/* The processor time of thread ID so far, ns; NAN if it can't be read. */
static double thread_ns(const struct busy *busy, pid_t id)
{
    char path[64];
    double ns = NAN;
    FILE *times;

    if (busy->pid == 0 && id == gettid())
        return (double)system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat",
             (int)(busy->pid ? busy->pid : getpid()), (int)id);
    times = fopen(path, "re");
    if (times && fscanf(times, "%lf", &ns) != 1)
        ns = NAN;
    if (times)
        fclose(times);
    return ns;
}

/* Find the entry of thread ID, or add one. NULL if the table is full. */
static struct busy_thread *find(struct busy *busy, pid_t id)
{
    for (size_t i = 0; i < busy->count; i++)
        if (busy->threads[i].id == id)
            return &busy->threads[i];
    if (busy->count == BUSY_THREADS_MAXIMUM)
        return NULL;
    busy->threads[busy->count] = (struct busy_thread){.id = id};
    return &busy->threads[busy->count++];
}

void busy_begin(struct busy *busy)
{
    char path[64];
    struct dirent *entry;
    DIR *threads;

    for (size_t i = 0; i < busy->count; i++)
        busy->threads[i].before_ns = NAN;
    snprintf(path, sizeof path, "/proc/%d/task", (int)(busy->pid ? busy->pid : getpid()));
    threads = opendir(path);
    while (threads && (entry = readdir(threads))) {
        pid_t id =
            isdigit((unsigned char)entry->d_name[0]) ? (pid_t)strtol(entry->d_name, NULL, 10) : 0;
        struct busy_thread *thread = id ? find(busy, id) : NULL;

        if (thread)
            thread->before_ns = thread_ns(busy, id);
    }
    if (threads)
        closedir(threads);
}

void busy_end(struct busy *busy)
{
    for (size_t i = 0; i < busy->count; i++) {
        struct busy_thread *thread = &busy->threads[i];
        double used =
            isnan(thread->before_ns) ? NAN : thread_ns(busy, thread->id) - thread->before_ns;

        if (used > 0) /* false (NAN) for a thread that has ended */
            thread->busy_ns += used;
    }
}

double busy_total_ns(const struct busy *busy)
{
    double sum = 0;

    for (size_t i = 0; i < busy->count; i++)
        sum += busy->threads[i].busy_ns;
    return busy->count ? sum : NAN;
}

double busy_maximum_ns(const struct busy *busy)
{
    double most = NAN;

    for (size_t i = 0; i < busy->count; i++)
        most = fmax(most, busy->threads[i].busy_ns); /* fmax() ignores NAN */
    return most;
}
