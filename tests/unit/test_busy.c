/* Processor time in intervals, of the calling thread, another thread and another process. The tests
 * compare processor times with each other, never with elapsed time, so that other load does not
 * matter. */
#include "test.h"

#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

#include "common/system_clock.h"
#include "measure/process.h"

#define USED_NS 20e6

/* Maximum difference, ns, between the processor time of a process and that of its only thread. With
 * ThreadSanitizer, the process has another thread at first. */
#ifdef __SANITIZE_THREAD__
#define OTHER_THREADS_NS 1e6
#else
#define OTHER_THREADS_NS 0
#endif

static void use_processor(void)
{
    uint64_t end = system_clock_ns(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)USED_NS;

    while (system_clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
}

/* Wait until thread ID of process PID sleeps. While a thread runs, /proc may not yet report its
 * latest processor time. Fails after 10 s or more. */
static void wait_until_asleep(pid_t pid, pid_t id)
{
    char path[64], line[512] = "";

    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)id);
    for (int tries = 0; tries < 10000 && !strstr(line, ") S "); tries++) {
        FILE *stat = fopen(path, "re");

        assert_all((stat), (fgets(line, sizeof line, stat)));
        fclose(stat);
        usleep(1000);
    }
    assert_non_null(strstr(line, ") S "));
}

static size_t count_threads(pid_t pid)
{
    char path[64];
    const struct dirent *entry;
    size_t count = 0;
    DIR *tasks;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    assert_non_null(tasks);
    while ((entry = readdir(tasks)))
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

TEST_CASE(no_process)
{
    char cpus[8] = "0-7";

    assert_string_equal(process_allowed_cpus(-1, cpus, sizeof cpus), "");
}

TEST_CASE(own_thread)
{
    static struct busy busy;
    double before;

    memset(&busy, 1, sizeof busy);
    busy_open(&busy, 0);
    assert_true(isnan(busy_total_ns(&busy)) && isnan(busy_maximum_ns(&busy)));
    busy_begin(&busy);
    use_processor();
    busy_end(&busy);
    assert_true(busy_maximum_ns(&busy) >= USED_NS);
    assert_true(busy_total_ns(&busy) >= busy_maximum_ns(&busy));
    before = busy_total_ns(&busy);
    use_processor(); /* outside of an interval */
    busy_begin(&busy);
    busy_end(&busy);
    assert_true(busy_total_ns(&busy) < before + USED_NS);
}

static sem_t go, done;
static pid_t other_id;

static void *work(void *argument)
{
    (void)argument;
    other_id = gettid();
    sem_post(&done);
    sem_wait(&go);
    use_processor();
    sem_post(&done);
    sem_wait(&go);
    return NULL;
}

TEST_CASE(other_thread)
{
    static struct busy busy;
    pthread_t thread;
    size_t threads;

    sem_init(&go, 0, 0);
    sem_init(&done, 0, 0);
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    sem_wait(&done);
    wait_until_asleep(getpid(), other_id);
    busy_open(&busy, 0);
    busy_begin(&busy);
    sem_post(&go);
    sem_wait(&done);
    wait_until_asleep(getpid(), other_id);
    busy_end(&busy);
    threads = count_threads(getpid());
    sem_post(&go);
    pthread_join(thread, NULL);
    assert_all((busy.count, threads), (busy_total_ns(&busy) >= USED_NS),
               (busy_maximum_ns(&busy) <= busy_total_ns(&busy)), (busy_waited_ns(&busy) >= 0));
    for (size_t i = 0; i < busy.count; i++)
        if (busy.threads[i].id == other_id)
            assert_true(busy.threads[i].used.ran_ns >= 0.9 * USED_NS);
}

TEST_CASE(other_process)
{
    static struct busy busy;
    int go_pipe[2], done_pipe[2];
    char byte = 0;
    pid_t pid;

    assert_all((pipe(go_pipe), 0), (pipe(done_pipe), 0));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool begun = read(go_pipe[0], &byte, 1) == 1;

        alarm(60); /* ends this process if the test doesn't */
        use_processor();
        if (!begun || write(done_pipe[1], &byte, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    wait_until_asleep(pid, pid);
    busy_open(&busy, pid);
    busy_begin(&busy);
    assert_all((write(go_pipe[1], &byte, 1), 1), (read(done_pipe[0], &byte, 1), 1));
    wait_until_asleep(pid, pid);
    busy_end(&busy);
    assert_all((busy.count, count_threads(pid)), (busy_maximum_ns(&busy) >= 0.9 * USED_NS));
    if (busy.count == 1)
        assert_near(busy_total_ns(&busy), busy_maximum_ns(&busy), OTHER_THREADS_NS);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    busy_begin(&busy); /* the process has ended */
    busy_end(&busy);
    assert_near(busy_total_ns(&busy), busy_maximum_ns(&busy), OTHER_THREADS_NS);
}
