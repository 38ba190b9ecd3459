/* Bytes that a connection keeps from one turn to the next, counted in the shared budget. */
#pragma once

#include <stdint.h>
#include <sys/uio.h>

#include "serve/transport/budget.h"

/* Zeroed, it is empty. */
struct buffer {
    uint8_t *bytes;
    size_t length, capacity;
};

/* Increase the capacity to at least CAPACITY bytes. 0 or -ENOMEM. */
int buffer_reserve(struct buffer *buffer, struct budget *budget, size_t capacity);

/* Keep nothing but the LENGTH bytes at BYTES, which may be in the buffer. 0 or -ENOMEM. */
int buffer_keep(struct buffer *buffer, struct budget *budget, const uint8_t *bytes, size_t length);

/* Append COUNT SEGMENTS without their first SKIPPED bytes. 0 or -ENOMEM. */
int buffer_append(struct buffer *buffer, struct budget *budget, const struct iovec *segments,
                  size_t count, size_t skipped);

/* Keep nothing. */
void buffer_release(struct buffer *buffer, struct budget *budget);

/* The number of bytes in COUNT SEGMENTS. */
size_t buffer_total(const struct iovec *segments, size_t count);
