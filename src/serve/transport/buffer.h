/* Bytes that a connection keeps from one turn to the next, counted in the shared budget. */
#pragma once

#include <stdint.h>
#include <sys/uio.h>

#include "serve/transport/budget.h"

/* A buffer. Zeroed, it is empty. */
struct buffer {
    uint8_t *bytes;
    size_t length, capacity;
};

/* Increase BUFFER's capacity to at least CAPACITY bytes, and count them in BUDGET even if it is
 * spent. Returns 0, or -ENOMEM if realloc() fails. */
int buffer_reserve(struct buffer *buffer, struct budget *budget, size_t capacity);

/* Replace BUFFER's contents by the LENGTH bytes at BYTES, which may be inside BUFFER. Reduces a
 * capacity that is much larger than LENGTH. Returns 0 or -ENOMEM. */
int buffer_keep(struct buffer *buffer, struct budget *budget, const uint8_t *bytes, size_t length);

/* Append COUNT SEGMENTS, except their first SKIPPED bytes, to BUFFER. Returns 0 or -ENOMEM. */
int buffer_append(struct buffer *buffer, struct budget *budget, const struct iovec *segments,
                  size_t count, size_t skipped);

/* Empty BUFFER and free its memory. */
void buffer_release(struct buffer *buffer, struct budget *budget);

size_t buffer_total(const struct iovec *segments, size_t count);
