/* READ data that are not copied into the replies, but sent directly from the file's pages by a
 * gathering send. While there are such data, the tree must not change: the thread that added them
 * holds the lock for reading. */
#pragma once

#include <stdbool.h>
#include <sys/uio.h>

#include "serve/export/pages.h"

/* Copying fewer bytes costs no more. A READ with its data gathered took so many times what it took
 * with them copied, at 2, 4, 8, 16 and 64 KiB: at depth 1 0.996, 0.982, 0.961, 0.926 and 0.819; at
 * depth 64 0.904, 0.820, 0.744, 0.884 and 0.924 (build/bench/gather 1 7 1500 and 64 7 300, medians;
 * 2-core virtual machine, loaded by other work). Between two whole servers that differed in nothing
 * else, at depth 1 on one processor, neither was faster at 4 KiB (0.02 us [-0.02, 0.05] of 5.85);
 * from 8 KiB on gathering was (0.08 us, 0.3 at 16 KiB). On two processors, whose noise was 0.3 us,
 * they could not be told apart at 4 KiB. */
enum {
    GATHER_LENGTH_MINIMUM = PAGES_SIZE,
    GATHER_PIECES_MAXIMUM = 256,
    GATHER_SEGMENTS_MAXIMUM = 1024, /* of a send: the kernel's IOV_MAX */
};

/* A gap in the replies, and the data that belong there. */
struct gather_piece {
    uint8_t *into;
    const struct pages *pages;
    uint64_t offset;
    size_t length;
};

/* Zeroed, it is empty. */
struct gather {
    size_t minimum;         /* bytes; fewer are to be copied */
    size_t count, segments; /* pieces; the most segments that they need */
    struct gather_piece pieces[GATHER_PIECES_MAXIMUM]; /* in the order of INTO */
};

/* Record that LENGTH bytes from OFFSET on belong into the gap at INTO. Returns false if the caller
 * must copy them there instead, because they are few, or the send would have too many segments. */
bool gather_add(struct gather *gather, const struct pages *pages, uint64_t offset, uint8_t *into,
                size_t length);

/* Copy the recorded data into their gaps, and forget them; only those at FROM or behind it, where
 * it is not NULL. */
void gather_copy(struct gather *gather, const uint8_t *from);

/* Make SEGMENTS (GATHER_SEGMENTS_MAXIMUM of them) to send the LENGTH bytes of replies at BYTES, in
 * which all gaps are, and forget the recorded data. Returns the number of segments. */
size_t gather_segments(struct gather *gather, uint8_t *bytes, size_t length,
                       struct iovec *segments);
