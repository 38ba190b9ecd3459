/* The data of a file of any size up to 2^63 - 1 bytes. They are sparse: parts that were never
 * written take no memory and read as zeros. Pages of 4 KiB are in a radix tree with as few levels
 * as the file needs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "serve/export/memory.h"

enum { PAGES_SIZE = 4096 };

/* Zeroed, it is empty. */
struct pages {
    void *root;      /* a table, or a page if LEVELS is 0 */
    unsigned levels; /* of tables above the pages */
    uint64_t count;  /* allocated pages */
};

/* The bytes from OFFSET on, in place: *PART of them, at most LENGTH (not 0), and not beyond the end
 * of their page. They are valid until the file is changed. */
const uint8_t *pages_look(const struct pages *pages, uint64_t offset, size_t length, size_t *part);

/* Copy LENGTH bytes from OFFSET on. */
void pages_read(const struct pages *pages, uint64_t offset, uint8_t *into, size_t length);

/* Write LENGTH bytes at OFFSET; OFFSET + LENGTH is at most 2^63 - 1. 0; or -ENOSPC, with nothing
 * written or allocated. */
int pages_write(struct pages *pages, struct memory *memory, uint64_t offset, const uint8_t *from,
                size_t length);

/* Discard the data from SIZE on, which then read as zeros. */
void pages_truncate(struct pages *pages, struct memory *memory, uint64_t size);
