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

enum { TEXT_FILES = 2 };

/* The path of the file in memory with number FILE, which gets these bytes: the same at each call,
 * and never removed. */
static inline char *text_file(unsigned file, const void *bytes, size_t length)
{
    static char paths[TEXT_FILES][32];
    static int descriptors[TEXT_FILES];

    if (!paths[file][0]) {
        descriptors[file] = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(paths[file], sizeof paths[file], "/proc/self/fd/%d", descriptors[file]);
    }
    FUZZ_CHECK(ftruncate(descriptors[file], 0) == 0);
    FUZZ_CHECK(pwrite(descriptors[file], bytes, length, 0) == (ssize_t)length);
    return paths[file];
}
