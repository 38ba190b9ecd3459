/* READ data that are not copied into the replies, but sent directly from the file's pages by a
 * gathering send. While there are such data, the tree must not change: the thread that added them
 * holds the lock for reading. */
#ifndef NFSBENCH_SERVER_GATHER_H
#define NFSBENCH_SERVER_GATHER_H

#include <stdbool.h>
#include <sys/uio.h>

#include "server/pages.h"

enum {
    GATHER_LENGTH_MINIMUM = PAGES_SIZE, /* copying fewer bytes is cheaper */
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
    size_t count, segments; /* pieces; the most segments that they need */
    struct gather_piece pieces[GATHER_PIECES_MAXIMUM]; /* in the order of INTO */
};

/* Record that LENGTH bytes from OFFSET on belong into the gap at INTO. Returns false if the caller
 * must copy them there instead, because they are few, or the send would have too many segments. */
bool gather_add(struct gather *gather, const struct pages *pages, uint64_t offset, uint8_t *into,
                size_t length);

/* Copy the recorded data into their gaps, and forget them. */
void gather_copy(struct gather *gather);

/* Make SEGMENTS (GATHER_SEGMENTS_MAXIMUM of them) to send the LENGTH bytes of replies at BYTES, in
 * which all gaps are, and forget the recorded data. Returns the number of segments. */
size_t gather_segments(struct gather *gather, uint8_t *bytes, size_t length,
                       struct iovec *segments);

#endif
