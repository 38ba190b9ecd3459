/* Local files, and the engine that reads and writes them. */
#include "engine/local.h"
#include "sandbox.h"

enum { SIZE = 4096, BLOCKS = 4, CALLS = 6 };

static struct local_directory directory;
static struct local_files files;
static struct error error;

static void make_files(size_t count, uint64_t size_of_each)
{
    const struct local_options options = {.directory = sandbox, .name = "own"};

    assert_int_equal(local_directory_open(&directory, &options, &error), 0);
    assert_int_equal(local_directory_make(&directory, &error), 0);
    assert_int_equal(local_files_make(&files, &directory, count, size_of_each, &error), 0);
    assert_int_equal(files.count, count);
}

/* Remove the run's directory, and check that the removal returns CODE and that the sandbox has only
 * the names LEFT. */
static void close_files(int code, const char *left)
{
    assert_int_equal(local_directory_close(&directory, &error), code);
    local_files_close(&files);
    assert_string_equal(names_in("."), left);
}

SANDBOX_TEST(made_and_removed)
{
    double cached;

    make_files(3, (uint64_t)BLOCKS * SIZE);
    for (size_t i = 0; i < files.count; i++) {
        struct stat status;

        assert_all((fstat(files.descriptors[i], &status), 0), (status.st_size, BLOCKS * SIZE));
    }
    cached = local_files_cached(&files);
    assert_true(cached > 0 && cached <= 1); /* in the page cache, because just written */
    assert_string_equal(names_in("."), "own ");
    close_files(0, "");
    close_files(0, "");
}

SANDBOX_TEST(foreign)
{
    make_files(1, SIZE);
    put("own/foreign", "");
    close_files(-ENOTEMPTY, "own ");
    assert_all((strstr(error.text, "rm -r")), (names_in("own"), "foreign "));
}

/* The removal stops at a file with one of the run's names that is no regular file of this user. */
SANDBOX_TEST(foreign_of_its_name)
{
    make_files(1, SIZE);
    assert_int_equal(symlink("/nonexistent", "own/file-00000001"), 0);
    close_files(-EPERM, "own ");
    assert_string_equal(names_in("own"), "file-00000001 ");
}

/* Rename the run's directory, as another user may, and put another directory in its place, with a
 * file that is named like the run's first file. */
static void swap(void)
{
    assert_all((rename("own", "moved"), 0), (mkdir("own", 0700), 0));
    put("own/file-00000000", "");
}

SANDBOX_TEST(swapped)
{
    make_files(2, SIZE);
    swap();
    close_files(-ESTALE, "moved own ");
    assert_all((strstr(error.text, "left as it is")), (names_in("own"), "file-00000000 "),
               (names_in("moved"), ""));
}

/* Start a process that makes two files, calls CHANGE if CHANGE is not NULL, and kills itself. Wait
 * until the guard of the process has ended. Until then, the guard keeps the pipe open. */
static void be_killed(void (*change)(void))
{
    int ends[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        make_files(2, SIZE);
        if (change)
            change();
        raise(SIGKILL);
    }
    close(ends[1]);
    assert_all((waitpid(pid, NULL, 0), pid), (read(ends[0], &byte, 1), 0));
    close(ends[0]);
}

SANDBOX_TEST(killed)
{
    be_killed(NULL);
    assert_string_equal(names_in("."), "");
    be_killed(swap);
    assert_string_equal(names_in("own"), "file-00000000 ");
    assert_string_equal(names_in("moved"), "file-00000000 file-00000001 ");
}

SANDBOX_TEST(refused)
{
    static const struct {
        const char *directory;
        int code;
    } cases[] = {{"/nonexistent/directory", -ENOENT}, {"/proc/self/status", -ENOTDIR}};
    volatile sig_atomic_t stop = 1;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct local_options options = {.directory = cases[i].directory, .name = "own"};

        assert_int_equal(local_directory_open(&directory, &options, &error), cases[i].code);
        assert_int_equal(error.kind, ERROR_USAGE);
        local_directory_close(&directory, &error);
    }
    make_files(0, SIZE);
    assert_int_equal(local_directory_make(&directory, &error), -EEXIST);
    assert_int_equal(local_directory_check_room(&directory, 1, UINT64_C(1) << 60, &error), -ENOSPC);
    assert_int_equal(local_directory_check_room(&directory, 1, SIZE, &error), 0);
    local_files_close(&files);
    directory.options.stop = &stop;
    assert_int_equal(local_files_make(&files, &directory, 1, SIZE, &error), -EINTR);
    close_files(0, "");
}

/* The engine writes at the calls' places, counts reads and commits, and counts short reads as
 * failures. */

static struct clock clock_used;

/* Run CALLS calls, and check that RECORDED of them succeed. */
static void run_calls(const struct local_call *local, const struct engine_place *places,
                      size_t recorded, struct engine_tally *tally)
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
    assert_all((block.recorded, recorded), (tally->failed, CALLS - recorded));
}

SANDBOX_TEST(engine)
{
    static const struct engine_place places[CALLS] = {
        {.object = 0, .offset = 0},    {.object = 1, .offset = 0},
        {.object = 1, .offset = SIZE}, {.object = 0, .offset = (uint64_t)3 * SIZE},
        {.object = 1, .offset = 0},    {.object = 1, .offset = (uint64_t)3 * SIZE}};
    uint8_t data[SIZE], found[SIZE];
    struct local_call call = {.files = &files, .size = SIZE, .data = data};
    struct engine_tally tally;

    memset(data, 7, sizeof data);
    assert_int_equal(clock_open(&clock_used, "monotonic", &error), 0);
    make_files(2, (uint64_t)BLOCKS * SIZE);
    call.kind = LOCAL_WRITE;
    run_calls(&call, places, CALLS, &tally);
    for (size_t i = 0; i < CALLS; i++) {
        int fd = files.descriptors[places[i].object];

        assert_int_equal(pread(fd, found, SIZE, (off_t)places[i].offset), SIZE);
        assert_memory_equal(found, data, SIZE);
    }
    assert_int_equal(pread(files.descriptors[0], found, SIZE, SIZE), SIZE);
    assert_memory_not_equal(found, data, SIZE); /* no call wrote here */
    call.kind = LOCAL_READ;
    run_calls(&call, places, CALLS, &tally);
    call.kind = LOCAL_COMMIT;
    run_calls(&call, NULL, CALLS, &tally);
    call.kind = LOCAL_READ;
    /* past the end, so that fewer bytes than requested are read */
    call.offset = (uint64_t)BLOCKS * SIZE;
    run_calls(&call, NULL, 0, &tally);
    assert_int_equal(tally.errors[0].status, ENGINE_SYSTEM_ERROR + EIO);
    close_files(0, "");
}
