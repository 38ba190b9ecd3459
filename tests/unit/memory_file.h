/* Files in memory, for code that reads a file by its path. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_FILES = 2 };

/* Replace the contents of file number FILE by LENGTH BYTES, and return the file's path, which is
 * always the same for one FILE. The file exists until the process ends. */
static inline char *memory_file(unsigned file, const void *bytes, size_t length)
{
    static char paths[MEMORY_FILES][32];
    static int descriptors[MEMORY_FILES];

    if (!paths[file][0]) {
        descriptors[file] = memfd_create("file", MFD_CLOEXEC);
        snprintf(paths[file], sizeof paths[file], "/proc/self/fd/%d", descriptors[file]);
    }
    if (ftruncate(descriptors[file], 0) != 0 ||
        pwrite(descriptors[file], bytes, length, 0) != (ssize_t)length)
        abort();
    return paths[file];
}
