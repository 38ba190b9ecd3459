/* A new directory for each test, in which the test works. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "test.h"

static char sandbox[] = "/tmp/nfsbench-test-XXXXXX";
static char before_sandbox[4096];

static inline int sandbox_enter(void **state)
{
    strcpy(sandbox + strlen(sandbox) - 6, "XXXXXX");
    umask(022);
    return getcwd(before_sandbox, sizeof before_sandbox) && mkdtemp(sandbox) ? chdir(sandbox) : -1;
}

static inline int remove_one(const char *path, const struct stat *status, int type,
                             struct FTW *place)
{
    return remove(path);
}

static inline int sandbox_leave(void **state)
{
    return nftw(sandbox, remove_one, 8, FTW_DEPTH | FTW_PHYS) || chdir(before_sandbox);
}

static inline int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Return at most 64 names in the directory PATH, sorted, with a space after each. */
static inline const char *names_in(const char *path)
{
    static char text[4096];
    char *names[64];
    size_t count = 0, used = 0;
    DIR *directory = opendir(path);
    struct dirent *entry;

    assert_non_null(directory);
    while (count < COUNT_OF(names) && (entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            names[count++] = strdup(entry->d_name);
    closedir(directory);
    qsort(names, count, sizeof names[0], by_name);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s ", names[i]);
        free(names[i]);
    }
    return text;
}

static inline void put_bytes(const char *path, const void *bytes, size_t length)
{
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);

    assert_all((fd >= 0), (write(fd, bytes, length), length));
    close(fd);
}

static inline void put(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

static inline const char *text_in(const char *path)
{
    static char text[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    assert_true(length >= 0);
    close(fd);
    text[length] = '\0';
    return text;
}

static inline struct stat status_of(const char *path)
{
    struct stat status;

    assert_int_equal(lstat(path, &status), 0);
    return status;
}

/* Run BODY in a child process. BODY may change or end the child. BODY's return value is the exit
 * status. Returns the child's status as waitpid() reports it. */
static inline int in_child(int (*body)(void))
{
    int status = -1;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(body());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

/* Define a test that works in a new directory. The directory is removed afterwards with its
 * contents. */
#define SANDBOX_TEST(name) TEST_CASE_WITH(name, sandbox_enter, sandbox_leave)
