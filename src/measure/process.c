#include "measure/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/system_clock.h"

enum { INODES_MAXIMUM = 64, TCP_LISTEN = 0x0A, TCP_CLOSE = 0x07 /* state of a bound UDP socket */ };

struct inodes {
    unsigned long values[INODES_MAXIMUM];
    size_t count;
};

/* Append to INODES the inodes of the sockets in TABLE of /proc/net that are on PORT in state
 * WAITING. The lines are "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt
 * uid timeout inode ...", with addresses and state in hexadecimal. */
static void collect_inodes(const char *table, uint16_t port, unsigned waiting,
                           struct inodes *inodes)
{
    FILE *file = fopen(table, "re");
    char line[512];

    while (file && inodes->count < INODES_MAXIMUM && fgets(line, sizeof line, file)) {
        unsigned local, state;
        unsigned long inode;

        if (sscanf(line,
                   " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*d %lu",
                   &local, &state, &inode) == 3 &&
            local == port && state == waiting && inode != 0)
            inodes->values[inodes->count++] = inode;
    }
    if (file)
        fclose(file);
}

static bool is_among(const char *link, const struct inodes *inodes)
{
    unsigned long inode;

    if (sscanf(link, "socket:[%lu]", &inode) != 1)
        return false;
    for (size_t i = 0; i < inodes->count; i++)
        if (inodes->values[i] == inode)
            return true;
    return false;
}

static bool holds_socket(const char *pid, const struct inodes *inodes)
{
    char path[512], link[64];
    struct dirent *entry;
    bool found = false;
    DIR *descriptors;

    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    descriptors = opendir(path);
    while (descriptors && !found && (entry = readdir(descriptors))) {
        ssize_t length;

        snprintf(path, sizeof path, "/proc/%.20s/fd/%.250s", pid, entry->d_name);
        length = readlink(path, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        found = is_among(link, inodes);
    }
    if (descriptors)
        closedir(descriptors);
    return found;
}

pid_t process_of_port(uint16_t port, bool udp)
{
    struct inodes inodes = {.count = 0};
    struct dirent *entry;
    pid_t pid = 0;
    DIR *processes;

    collect_inodes(udp ? "/proc/net/udp" : "/proc/net/tcp", port, udp ? TCP_CLOSE : TCP_LISTEN,
                   &inodes);
    collect_inodes(udp ? "/proc/net/udp6" : "/proc/net/tcp6", port, udp ? TCP_CLOSE : TCP_LISTEN,
                   &inodes);
    processes = inodes.count ? opendir("/proc") : NULL;
    while (processes && pid == 0 && (entry = readdir(processes)))
        if (isdigit((unsigned char)entry->d_name[0]) && holds_socket(entry->d_name, &inodes))
            pid = (pid_t)strtol(entry->d_name, NULL, 10);
    if (processes)
        closedir(processes);
    return pid;
}

bool process_exists(pid_t pid)
{
    return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

const char *process_allowed_cpus(pid_t pid, char *buffer, size_t size)
{
    static const char key[] = "Cpus_allowed_list:";
    char path[64], line[1024];
    FILE *file;

    buffer[0] = '\0';
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0) {
            const char *list = line + sizeof key - 1;

            list += strspn(list, " \t");
            snprintf(buffer, size, "%.*s", (int)strcspn(list, "\n"), list);
        }
    if (file)
        fclose(file);
    return buffer;
}

unsigned process_allowed_count(pid_t pid)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    return sched_getaffinity(pid, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 0;
}

bool process_each_thread(pid_t pid, void (*take)(pid_t pid, pid_t thread, void *context),
                         void *context)
{
    const pid_t process = pid ? pid : getpid();
    struct dirent *entry;
    char path[64];
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    threads = opendir(path);
    if (!threads)
        return false;
    while ((entry = readdir(threads)))
        if (isdigit((unsigned char)entry->d_name[0]))
            take(process, (pid_t)strtol(entry->d_name, NULL, 10), context);
    closedir(threads);
    return true;
}

/* Add the processors on which THREAD may run to the set CONTEXT. */
static void add_allowed(pid_t pid, pid_t thread, void *context)
{
    cpu_set_t *all = context, set;

    CPU_ZERO(&set);
    if (sched_getaffinity(thread, sizeof set, &set) == 0)
        CPU_OR(all, all, &set);
}

bool process_is_bound(pid_t pid, unsigned cpu)
{
    cpu_set_t all;

    CPU_ZERO(&all);
    return process_each_thread(pid, add_allowed, &all) && CPU_ISSET(cpu, &all) &&
           CPU_COUNT(&all) == 1;
}

FILE *process_open(pid_t pid, pid_t thread, const char *file)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/%.20s", (int)pid, (int)thread, file);
    return fopen(path, "re");
}

struct process_times process_parse_times(FILE *schedstat)
{
    struct process_times times;

    if (fscanf(schedstat, "%lf %lf", &times.ran_ns, &times.waited_ns) != 2)
        times = (struct process_times){NAN, NAN};
    return times;
}

bool process_thread_times(pid_t pid, pid_t thread, struct process_times *times)
{
    FILE *file = process_open(pid, thread, "schedstat");

    if (!file)
        return false;
    *times = process_parse_times(file);
    fclose(file);
    return true;
}

struct busiest {
    unsigned long ticks; /* processor time of the thread, clock ticks */
    int cpu;             /* processor on which the thread last ran; -1: no thread could be read */
};

/* Read utime, stime and processor: fields 14, 15 and 39 of a thread's stat file. Parsing starts
 * after the program's name, which may contain any character. */
static struct busiest read_stat(pid_t pid, pid_t thread)
{
    FILE *file = process_open(pid, thread, "stat");
    unsigned long user, system;
    const char *rest;
    char line[1024];
    int cpu;

    rest = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    if (!rest ||
        sscanf(rest + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u "
               "%*u %*d %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %d",
               &user, &system, &cpu) != 3)
        return (struct busiest){.cpu = -1};
    return (struct busiest){user + system, cpu};
}

static void find_busiest(pid_t pid, pid_t thread, void *context)
{
    struct busiest *busiest = context, own = read_stat(pid, thread);

    if (own.cpu >= 0 && (busiest->cpu < 0 || own.ticks > busiest->ticks))
        *busiest = own;
}

int process_busiest_cpu(pid_t pid)
{
    struct busiest busiest = {.cpu = -1};

    process_each_thread(pid, find_busiest, &busiest);
    return busiest.cpu;
}

void busy_open(struct busy *busy, pid_t pid)
{
    busy->pid = pid;
    busy->count = 0;
}

static struct process_times thread_times(const struct busy *busy, pid_t id)
{
    struct process_times times = {NAN, NAN};

    if (busy->pid == 0 && id == gettid())
        times.ran_ns = (double)system_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    else if (!process_thread_times(busy->pid ? busy->pid : getpid(), id, &times))
        times = (struct process_times){NAN, NAN};
    return times;
}

/* Return the entry of thread ID, which is added if it is missing; NULL if the table is full. */
static struct busy_thread *find_thread(struct busy *busy, pid_t id)
{
    for (size_t i = 0; i < busy->count; i++)
        if (busy->threads[i].id == id)
            return &busy->threads[i];
    if (busy->count == BUSY_THREADS_MAXIMUM)
        return NULL;
    busy->threads[busy->count] = (struct busy_thread){.id = id};
    return &busy->threads[busy->count++];
}

static void begin_thread(pid_t pid, pid_t id, void *context)
{
    struct busy *busy = context;
    struct busy_thread *thread = find_thread(busy, id);

    if (thread)
        thread->before = thread_times(busy, id);
}

void busy_begin(struct busy *busy)
{
    for (size_t i = 0; i < busy->count; i++)
        busy->threads[i].before = (struct process_times){NAN, NAN};
    process_each_thread(busy->pid, begin_thread, busy);
}

void busy_end(struct busy *busy)
{
    for (size_t i = 0; i < busy->count; i++) {
        struct busy_thread *thread = &busy->threads[i];
        const struct process_times none = {NAN, NAN};
        struct process_times now =
            isnan(thread->before.ran_ns) ? none : thread_times(busy, thread->id);

        /* if the thread has ended, the difference is NAN, which fmax() ignores */
        thread->used.ran_ns += fmax(now.ran_ns - thread->before.ran_ns, 0);
        thread->used.waited_ns += fmax(now.waited_ns - thread->before.waited_ns, 0);
    }
}

double busy_total_ns(const struct busy *busy)
{
    double sum = 0;

    for (size_t i = 0; i < busy->count; i++)
        sum += busy->threads[i].used.ran_ns;
    return busy->count ? sum : NAN;
}

double busy_waited_ns(const struct busy *busy)
{
    double sum = 0;

    for (size_t i = 0; i < busy->count; i++)
        sum += busy->threads[i].used.waited_ns;
    return busy->count ? sum : NAN;
}

double busy_maximum_ns(const struct busy *busy)
{
    double most = NAN;

    for (size_t i = 0; i < busy->count; i++)
        most = fmax(most, busy->threads[i].used.ran_ns); /* fmax() ignores NAN */
    return most;
}

int busy_last_cpu(const struct busy *busy)
{
    const struct busy_thread *busiest = busy->threads;

    for (size_t i = 1; i < busy->count; i++)
        if (busy->threads[i].used.ran_ns > busiest->used.ran_ns)
            busiest = &busy->threads[i];
    return busy->count ? read_stat(busy->pid, busiest->id).cpu : -1;
}
