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

static int count_entries(const char *path)
{
    DIR *directory = opendir(path);
    int count = -2; /* . and .. */

    assert_non_null(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static struct local_options options_for(const char *path)
{
    return (struct local_options){.directory = path, .name = "own"};
}

static void open_directory(struct local_directory *directory)
{
    const struct local_options options = options_for(top);
    struct error error;

    assert_int_equal(local_directory_open(directory, &options, &error), 0);
    assert_int_equal(local_directory_make(directory, &error), 0);
}

TEST_CASE(made_and_removed)
{
    struct local_directory directory;
    struct local_files files;
    struct error error;
    double cached;

    open_directory(&directory);
    assert_int_equal(local_files_make(&files, &directory, 3, (uint64_t)BLOCKS * SIZE, &error), 0);
    assert_int_equal(files.count, 3);
    for (size_t i = 0; i < files.count; i++) {
        struct stat status;

        assert_int_equal(fstat(files.descriptors[i], &status), 0);
        assert_int_equal(status.st_size, BLOCKS * SIZE);
    }
    cached = local_files_cached(&files);
    assert_true(cached > 0 && cached <= 1); /* they have just been written */
    assert_int_equal(count_entries(top), 1);
    assert_int_equal(local_directory_close(&directory, &error), 0);
    assert_int_equal(count_entries(top), 0);
    assert_int_equal(local_directory_close(&directory, &error), 0);
    local_files_close(&files);
    local_files_close(&files);
}

/* What is not the run's own stays, and is reported. */
TEST_CASE(foreign_file)
{
    struct local_directory directory;
    struct local_files files;
    struct error error;
    char path[64];
    int fd;

    open_directory(&directory);
    assert_int_equal(local_files_make(&files, &directory, 1, SIZE, &error), 0);
    snprintf(path, sizeof path, "%s/own/foreign", top);
    fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(local_directory_close(&directory, &error), -ENOTEMPTY);
    assert_non_null(strstr(error.text, "rm -r"));
    local_files_close(&files);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/own", top);
    assert_int_equal(rmdir(path), 0);
}

/* Killed, after it has made some of its files. */
TEST_CASE(killed)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        struct local_directory directory;
        struct local_files files;
        struct error error;

        open_directory(&directory);
        local_files_make(&files, &directory, 2, SIZE, &error);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    for (int i = 0; i < 2000 && count_entries(top) > 0; i++)
        usleep(10000);
    assert_int_equal(count_entries(top), 0);
}

static void name_in_top(char path[64], const char *name)
{
    snprintf(path, 64, "%s/%.32s", top, name);
}

/* Somebody renames the run's directory, and has another of its name, with a file that is called as
 * the run's are. */
static void swap(void)
{
    char own[64], moved[64], file[64];
    int fd;

    name_in_top(own, "own");
    name_in_top(moved, "moved");
    name_in_top(file, "own/file-00000000");
    assert_int_equal(rename(own, moved), 0);
    assert_int_equal(mkdir(own, 0700), 0);
    fd = open(file, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
}

/* The file is still there; remove it, and both directories, of which the run's has FILES. */
static void check_swapped(unsigned files)
{
    char path[64];

    name_in_top(path, "own/file-00000000");
    assert_int_equal(unlink(path), 0);
    name_in_top(path, "own");
    assert_int_equal(rmdir(path), 0);
    name_in_top(path, "moved");
    assert_int_equal(count_entries(path), (int)files);
    for (unsigned i = 0; i < files; i++) {
        char name[24];

        snprintf(name, sizeof name, "moved/file-%08u", i);
        name_in_top(path, name);
        assert_int_equal(unlink(path), 0);
    }
    name_in_top(path, "moved");
    assert_int_equal(rmdir(path), 0);
}

TEST_CASE(swapped)
{
    struct local_directory directory;
    struct local_files files;
    struct error error;

    open_directory(&directory);
    assert_int_equal(local_files_make(&files, &directory, 2, SIZE, &error), 0);
    swap();
    assert_int_equal(local_directory_close(&directory, &error), -ESTALE);
    assert_non_null(strstr(error.text, "left as it is"));
    local_files_close(&files);
    check_swapped(0);
}

/* The guard knows the run's directory by its name and number, and finds another one. */
TEST_CASE(swapped_and_killed)
{
    int ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0); /* which the guard holds open, too */
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct local_directory directory;
        struct local_files files;
        struct error error;

        open_directory(&directory);
        local_files_make(&files, &directory, 2, SIZE, &error);
        swap();
        raise(SIGKILL);
    }
    close(ends[1]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    check_swapped(2);
}

/* A file of the run's name that is no regular file of this user's: nothing after it is removed. */
TEST_CASE(foreign_name)
{
    struct local_directory directory;
    struct local_files files;
    struct error error;
    char path[64];

    open_directory(&directory);
    assert_int_equal(local_files_make(&files, &directory, 1, SIZE, &error), 0);
    name_in_top(path, "own/file-00000001");
    assert_int_equal(symlink("/nonexistent", path), 0);
    assert_int_equal(local_directory_close(&directory, &error), -EPERM);
    local_files_close(&files);
    assert_int_equal(unlink(path), 0);
    name_in_top(path, "own");
    assert_int_equal(rmdir(path), 0);
}

TEST_CASE(refused)
{
    const struct local_options missing = options_for("/nonexistent/directory"),
                               file = options_for("/proc/self/status");
    volatile sig_atomic_t stop = 1;
    struct local_directory directory;
    struct local_files files;
    struct error error;

    assert_int_equal(local_directory_open(&directory, &missing, &error), -ENOENT);
    assert_int_equal(error.kind, ERROR_USAGE);
    local_directory_close(&directory, &error);
    assert_int_equal(local_directory_open(&directory, &file, &error), -ENOTDIR);
    local_directory_close(&directory, &error);
    open_directory(&directory);
    assert_int_equal(local_directory_make(&directory, &error), -EEXIST);
    assert_int_equal(local_directory_check_room(&directory, 1, UINT64_C(1) << 60, &error), -ENOSPC);
    assert_int_equal(local_directory_check_room(&directory, 1, SIZE, &error), 0);
    directory.options.stop = &stop;
    assert_int_equal(local_files_make(&files, &directory, 1, SIZE, &error), -EINTR);
    local_files_close(&files);
    assert_int_equal(local_directory_close(&directory, &error), 0);
    assert_int_equal(count_entries(top), 0);
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
    struct error error;

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
    struct local_directory directory;
    struct local_files files;
    struct local_call call = {.files = &files, .size = SIZE, .data = data};
    struct engine_tally tally;
    struct error error;
    size_t recorded;

    memset(data, 7, sizeof data);
    assert_int_equal(clock_open(&clock_used, "monotonic", &error), 0);
    open_directory(&directory);
    assert_int_equal(local_files_make(&files, &directory, 2, (uint64_t)BLOCKS * SIZE, &error), 0);
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
    assert_int_equal(local_directory_close(&directory, &error), 0);
    local_files_close(&files);
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
