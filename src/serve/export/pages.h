/* The data of a file of up to 2^63 - 1 bytes. Files are sparse: pages that were never written take
 * no memory and read as zeros. Pages of 4 KiB are in a radix tree, which gets levels as the file
 * needs them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "serve/export/memory.h"

enum { PAGES_SIZE = 4096 };

/* The pages of a file. Zeroed, the file is empty. */
struct pages {
    void *root;      /* a table, a page if LEVELS is 0, or NULL */
    unsigned levels; /* number of levels of tables above the pages */
    uint64_t count;  /* allocated pages */
};

/* Return the bytes from OFFSET on, without a copy. Sets *PART to the number of bytes that can be
 * read there: at most LENGTH, which is not 0, and only bytes of the page of OFFSET. The bytes are
 * valid until the file is changed. */
const uint8_t *pages_look(const struct pages *pages, uint64_t offset, size_t length, size_t *part);

/* Copy LENGTH bytes from OFFSET on to INTO. */
void pages_read(const struct pages *pages, uint64_t offset, uint8_t *into, size_t length);

/* Write LENGTH bytes of FROM at OFFSET; OFFSET + LENGTH is at most 2^63 - 1. Returns 0; or -ENOSPC,
 * with nothing written and no page added, but tables may remain until pages_truncate(). */
int pages_write(struct pages *pages, struct memory *memory, uint64_t offset, const uint8_t *from,
                size_t length);

/* Discard the data from SIZE on, which then read as zeros. */
void pages_truncate(struct pages *pages, struct memory *memory, uint64_t size);
