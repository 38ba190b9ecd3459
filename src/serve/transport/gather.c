#include "serve/transport/gather.h"

/* Return the maximum number of segments for LENGTH bytes of data: one for the bytes before the
 * data, one for each page, and two for partial pages. */
static size_t segments_of(size_t length)
{
    return 1 + length / PAGES_SIZE + 2;
}

bool gather_add(struct gather *gather, const struct pages *pages, uint64_t offset, uint8_t *into,
                size_t length)
{
    size_t segments = segments_of(length);

    if (length < gather->minimum || gather->count == GATHER_PIECES_MAXIMUM ||
        gather->segments + segments >= GATHER_SEGMENTS_MAXIMUM)
        return false;
    gather->segments += segments;
    gather->pieces[gather->count++] = (struct gather_piece){into, pages, offset, length};
    return true;
}

void gather_copy(struct gather *gather, const uint8_t *from)
{
    while (gather->count > 0 && gather->pieces[gather->count - 1].into >= from) {
        const struct gather_piece *piece = &gather->pieces[--gather->count];

        pages_read(piece->pages, piece->offset, piece->into, piece->length);
        gather->segments -= segments_of(piece->length);
    }
}

/* Append the segments of PIECE to the first COUNT elements of SEGMENTS. Returns the new count. */
static size_t add_pages(const struct gather_piece *piece, struct iovec *segments, size_t count)
{
    uint64_t offset = piece->offset;
    size_t left = piece->length;

    while (left > 0) {
        size_t part;
        const uint8_t *bytes = pages_look(piece->pages, offset, left, &part);

        segments[count++] = (struct iovec){(void *)(uintptr_t)bytes, part};
        offset += part;
        left -= part;
    }
    return count;
}

size_t gather_segments(struct gather *gather, uint8_t *bytes, size_t length, struct iovec *segments)
{
    uint8_t *end = bytes + length;
    size_t count = 0;

    for (size_t i = 0; i < gather->count; i++) {
        const struct gather_piece *piece = &gather->pieces[i];

        segments[count++] = (struct iovec){bytes, (size_t)(piece->into - bytes)};
        count = add_pages(piece, segments, count);
        bytes = piece->into + piece->length;
    }
    if (bytes < end)
        segments[count++] = (struct iovec){bytes, (size_t)(end - bytes)};
    gather->count = gather->segments = 0;
    return count;
}
