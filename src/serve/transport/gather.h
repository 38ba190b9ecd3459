/* READ data that are not copied into the replies, but sent directly from the file's pages by a
 * gathering send. Until the data are sent, the tree must not change: the thread that added the data
 * must hold the tree's lock for reading. */
#pragma once

#include <stdbool.h>
#include <sys/uio.h>

#include "serve/export/pages.h"

/* Data shorter than GATHER_LENGTH_MINIMUM are copied, because gathering them is hardly faster. On a
 * 2-core virtual machine, the time of a gathered READ, divided by that of a copied READ, was, at
 * depth 1, 0.996 for 2 KiB, 0.961 for 8 KiB and 0.819 for 64 KiB; at depth 64, 0.904, 0.744 and
 * 0.924 (build/bench/gather). Between two servers that differed in nothing else, gathering was not
 * faster at 4 KiB, and 0.08 us faster at 8 KiB. */
enum {
    GATHER_LENGTH_MINIMUM = PAGES_SIZE,
    GATHER_PIECES_MAXIMUM = 256,
    GATHER_SEGMENTS_MAXIMUM = 1024, /* segments of one send: the kernel's IOV_MAX */
};

/* A gap in the replies, and the data that belong into the gap. */
struct gather_piece {
    uint8_t *into;
    const struct pages *pages;
    uint64_t offset;
    size_t length;
};

/* The gathered data of a thread's unsent replies; none if all members except MINIMUM are zeroed. */
struct gather {
    size_t minimum; /* data of fewer bytes are copied */
    /* COUNT: number of pieces; SEGMENTS: upper bound of the segments that the pieces need */
    size_t count, segments;
    struct gather_piece pieces[GATHER_PIECES_MAXIMUM]; /* pieces in the order of INTO */
};

/* Record that LENGTH bytes of PAGES from OFFSET on belong into the gap at INTO. Returns false if
 * the caller must copy the data instead, because they are too short, or there would be too many
 * pieces or segments. */
bool gather_add(struct gather *gather, const struct pages *pages, uint64_t offset, uint8_t *into,
                size_t length);

/* Copy the recorded data into their gaps, and forget their records. If FROM is not NULL, this is
 * done only for gaps at FROM or after it. */
void gather_copy(struct gather *gather, const uint8_t *from);

/* Fill SEGMENTS, which has GATHER_SEGMENTS_MAXIMUM, for sending the LENGTH bytes of replies at
 * BYTES with the data of all gaps, and forget the recorded data. Returns the number of segments. */
size_t gather_segments(struct gather *gather, uint8_t *bytes, size_t length,
                       struct iovec *segments);
