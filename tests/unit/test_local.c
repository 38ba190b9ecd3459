/* Local files, and the engine that reads and writes them; in a directory of the test's own. */
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/local.h"

enum { SIZE = 4096, BLOCKS = 4, CALLS = 6 };

static char top[] = "/tmp/nfsbench-local-XXXXXX";
static struct local_directory directory;
static struct local_files files;
static struct error error;

/* NAME in the test's directory, until the next call but one. */
static const char *in_top(const char *name)
{
    static char paths[2][64];
    static size_t next;
    char *path = paths[next++ % COUNT_OF(paths)];

    snprintf(path, sizeof paths[0], "%s/%.32s", top, name);
    return path;
}

static void check_entries(const char *path, int expected)
{
    DIR *opened = opendir(path);
    int count = -2; /* . and .. */

    assert_non_null(opened);
    while (readdir(opened))
        count++;
    closedir(opened);
    assert_int_equal(count, expected);
}

static struct local_options options_for(const char *path)
{
    return (struct local_options){.directory = path, .name = "own"};
}

/* The run's directory, with so many files of SIZE_OF_EACH bytes. */
static void make(size_t count, uint64_t size_of_each)
{
    const struct local_options options = options_for(top);

    assert_int_equal(local_directory_open(&directory, &options, &error), 0);
    assert_int_equal(local_directory_make(&directory, &error), 0);
    assert_int_equal(local_files_make(&files, &directory, count, size_of_each, &error), 0);
    assert_int_equal(files.count, count);
}

/* Its end, which says CODE. */
static void end(int code)
{
    assert_int_equal(local_directory_close(&directory, &error), code);
    local_files_close(&files);
}

static void touch(const char *name)
{
    int fd = open(in_top(name), O_CREAT | O_WRONLY, 0600);

    assert_true(fd >= 0);
    close(fd);
}

TEST_CASE(made_and_removed)
{
    double cached;

    make(3, (uint64_t)BLOCKS * SIZE);
    for (size_t i = 0; i < files.count; i++) {
        struct stat status;

        assert_int_equal(fstat(files.descriptors[i], &status), 0);
        assert_int_equal(status.st_size, BLOCKS * SIZE);
    }
    cached = local_files_cached(&files);
    assert_true(cached > 0 && cached <= 1); /* they have just been written */
    check_entries(top, 1);
    end(0);
    check_entries(top, 0);
    end(0);
}

/* What is not the run's own stays, and is reported; and of what has the name of a file, but is no
 * regular one of this user's, nothing after it is removed. */
TEST_CASE(foreign)
{
    make(1, SIZE);
    touch("own/foreign");
    end(-ENOTEMPTY);
    assert_non_null(strstr(error.text, "rm -r"));
    assert_int_equal(unlink(in_top("own/foreign")), 0);
    assert_int_equal(rmdir(in_top("own")), 0);
    make(1, SIZE);
    assert_int_equal(symlink("/nonexistent", in_top("own/file-00000001")), 0);
    end(-EPERM);
    assert_int_equal(unlink(in_top("own/file-00000001")), 0);
    assert_int_equal(rmdir(in_top("own")), 0);
}

/* Somebody renames the run's directory, and has another of its name, with a file that is called as
 * the run's are. */
static void swap(void)
{
    assert_int_equal(rename(in_top("own"), in_top("moved")), 0);
    assert_int_equal(mkdir(in_top("own"), 0700), 0);
    touch("own/file-00000000");
}

/* The file is still there; remove it, and both directories, of which the run's has COUNT. */
static void check_swapped(int count)
{
    static const char *const names[] = {"moved/file-00000000", "moved/file-00000001"};

    assert_int_equal(unlink(in_top("own/file-00000000")), 0);
    assert_int_equal(rmdir(in_top("own")), 0);
    check_entries(in_top("moved"), count);
    for (int i = 0; i < count; i++)
        assert_int_equal(unlink(in_top(names[i])), 0);
    assert_int_equal(rmdir(in_top("moved")), 0);
}

TEST_CASE(swapped)
{
    make(2, SIZE);
    swap();
    end(-ESTALE);
    assert_non_null(strstr(error.text, "left as it is"));
    check_swapped(0);
}

/* A process makes two files, does what CHANGE does, and is killed; wait until its guard, which
 * holds the pipe open, too, has ended. */
static void be_killed(void (*change)(void))
{
    int ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        make(2, SIZE);
        if (change)
            change();
        raise(SIGKILL);
    }
    close(ends[1]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

/* The guard knows the run's directory by its name and number, and finds another one. */
TEST_CASE(killed)
{
    be_killed(NULL);
    check_entries(top, 0);
    be_killed(swap);
    check_swapped(2);
}

TEST_CASE(refused)
{
    static const struct {
        const char *directory;
        int code;
    } cases[] = {{"/nonexistent/directory", -ENOENT}, {"/proc/self/status", -ENOTDIR}};
    volatile sig_atomic_t stop = 1;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct local_options options = options_for(cases[i].directory);

        assert_int_equal(local_directory_open(&directory, &options, &error), cases[i].code);
        assert_int_equal(error.kind, ERROR_USAGE);
        local_directory_close(&directory, &error);
    }
    make(0, SIZE);
    assert_int_equal(local_directory_make(&directory, &error), -EEXIST);
    assert_int_equal(local_directory_check_room(&directory, 1, UINT64_C(1) << 60, &error), -ENOSPC);
    assert_int_equal(local_directory_check_room(&directory, 1, SIZE, &error), 0);
    local_files_close(&files);
    directory.options.stop = &stop;
    assert_int_equal(local_files_make(&files, &directory, 1, SIZE, &error), -EINTR);
    end(0);
    check_entries(top, 0);
}

/* The engine: reads and writes at the calls' places, and counts what fails. */

static struct clock clock_used;

static void run_calls(const struct local_call *local, const struct engine_place *places,
                      size_t *recorded, struct engine_tally *tally)
{
    const struct engine_config config = {.clock = &clock_used};
    const struct engine_call call = {.variants = 1, .places = places, .local = local};
    uint64_t ticks[CALLS];
    struct block block = {.count = CALLS, .ticks = ticks};
    struct engine *engine;

    *tally = (struct engine_tally){.failed = 0};
    assert_int_equal(engine_open(&engine, &engine_local, &config, &error), 0);
    assert_int_equal(engine_run(engine, &call, &block, tally, &error), 0);
    engine_close(engine);
    *recorded = block.recorded;
}

TEST_CASE(engine)
{
    static const struct engine_place places[CALLS] = {
        {.object = 0, .offset = 0},    {.object = 1, .offset = 0},
        {.object = 1, .offset = SIZE}, {.object = 0, .offset = (uint64_t)3 * SIZE},
        {.object = 1, .offset = 0},    {.object = 1, .offset = (uint64_t)3 * SIZE}};
    uint8_t data[SIZE], found[SIZE];
    struct local_call call = {.files = &files, .size = SIZE, .data = data};
    struct engine_tally tally;
    size_t recorded;

    memset(data, 7, sizeof data);
    assert_int_equal(clock_open(&clock_used, "monotonic", &error), 0);
    make(2, (uint64_t)BLOCKS * SIZE);
    call.kind = LOCAL_WRITE;
    run_calls(&call, places, &recorded, &tally);
    assert_int_equal(recorded, CALLS);
    for (size_t i = 0; i < CALLS; i++) {
        int fd = files.descriptors[places[i].object];

        assert_int_equal(pread(fd, found, SIZE, (off_t)places[i].offset), SIZE);
        assert_memory_equal(found, data, SIZE);
    }
    assert_int_equal(pread(files.descriptors[0], found, SIZE, SIZE), SIZE);
    assert_memory_not_equal(found, data, SIZE); /* no call's place */
    call.kind = LOCAL_READ;
    run_calls(&call, places, &recorded, &tally);
    assert_true(recorded == CALLS && tally.failed == 0);
    call.kind = LOCAL_COMMIT;
    run_calls(&call, NULL, &recorded, &tally);
    assert_true(recorded == CALLS && tally.failed == 0);
    call.kind = LOCAL_READ;
    call.offset = (uint64_t)BLOCKS * SIZE; /* past the end: fewer bytes than were wanted */
    run_calls(&call, NULL, &recorded, &tally);
    assert_true(recorded == 0 && tally.failed == CALLS);
    assert_int_equal(tally.errors[0].status, ENGINE_SYSTEM_ERROR + EIO);
    end(0);
}

static int make_top(void **state)
{
    return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
    return rmdir(top);
}

TEST_GROUP(make_top, remove_top)
