/* The data of a file of any size up to 2^63 - 1 bytes, sparse: what was never written takes no
 * memory and reads as zeros. Pages of 4 KiB in a radix tree of as few levels as the file needs. */
#ifndef NFSBENCH_SERVER_PAGES_H
#define NFSBENCH_SERVER_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "server/memory.h"

enum { PAGES_SIZE = 4096 };

/* Zeroed, it is empty. */
struct pages {
    void *root;      /* a page, or where there are LEVELS of them, a table */
    unsigned levels; /* of tables above the pages */
    uint64_t count;  /* pages that are there */
};

/* The bytes from OFFSET on, up to the end of their page and LENGTH (not 0) at most, in place: *PART
 * of them. They stay there until the file is changed. */
const uint8_t *pages_look(const struct pages *pages, uint64_t offset, size_t length, size_t *part);

/* Copy LENGTH bytes from OFFSET on. */
void pages_read(const struct pages *pages, uint64_t offset, uint8_t *into, size_t length);

/* Write LENGTH bytes at OFFSET; OFFSET + LENGTH is 2^63 - 1 at most. 0, or -ENOSPC and nothing is
 * written or taken. */
int pages_write(struct pages *pages, struct memory *memory, uint64_t offset, const uint8_t *from,
                size_t length);

/* Discard the data from SIZE on: it reads as zeros from now on. */
void pages_truncate(struct pages *pages, struct memory *memory, uint64_t size);

#endif
