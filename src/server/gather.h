/* The data of READ replies that are not copied into their replies, but sent from the file's pages
 * by a gathering send. While there are such data, the tree must not change: the thread that added
 * them holds the lock for reading. */
#ifndef NFSBENCH_SERVER_GATHER_H
#define NFSBENCH_SERVER_GATHER_H

#include <stdbool.h>
#include <sys/uio.h>

#include "server/pages.h"

enum {
    GATHER_LENGTH_MINIMUM = PAGES_SIZE, /* copying fewer bytes is cheaper */
    GATHER_PIECES_MAXIMUM = 256,
    GATHER_SEGMENTS_MAXIMUM = 1024, /* of a send, as the kernel's IOV_MAX has it */
};

/* A gap in the replies, and what belongs there. */
struct gather_piece {
    uint8_t *into;
    const struct pages *pages;
    uint64_t offset;
    size_t length;
};

/* Zeroed, it is empty. */
struct gather {
    size_t count, segments;                            /* pieces; segments that they take at most */
    struct gather_piece pieces[GATHER_PIECES_MAXIMUM]; /* in the order of INTO */
};

/* LENGTH bytes from OFFSET on are to be sent where INTO has room for them. False when they are to
 * be copied there at once: they are few, or the send would have too many segments. */
bool gather_add(struct gather *gather, const struct pages *pages, uint64_t offset, uint8_t *into,
                size_t length);

/* Copy what was added to where it belongs, and forget it. */
void gather_copy(struct gather *gather);

/* What is to be sent for the LENGTH bytes of replies at BYTES, in which all gaps lie, as SEGMENTS
 * (GATHER_SEGMENTS_MAXIMUM of them); then forget what was added. Returns how many segments. */
size_t gather_segments(struct gather *gather, uint8_t *bytes, size_t length,
                       struct iovec *segments);

#endif
