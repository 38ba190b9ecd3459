/* A fuzzer's input as a text, or as a file, for parsers of what people and other programs write. */
#pragma once

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "script.h"

/* A string of exactly these bytes (shorter if one of them is null); free() it. */
static inline char *text_of(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);

    FUZZ_CHECK(text);
    if (length > 0)
        memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

/* The path of a file in memory with these bytes: the same at each call, and never removed. */
static inline const char *text_file(const uint8_t *bytes, size_t length)
{
    static char path[64];
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
    FUZZ_CHECK(pwrite(fd, bytes, length, 0) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* What WRITE writes of DATA, and its LENGTH; free() it. */
static inline char *text_written(int (*write)(const void *data, FILE *out), const void *data,
                                 size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    FUZZ_CHECK(out && write(data, out) == 0 && fclose(out) == 0);
    return text;
}
