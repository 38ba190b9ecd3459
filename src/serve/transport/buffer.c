#include "serve/transport/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_SHRINKING = 4096 }; /* capacity, in bytes, above which a buffer may be shrunk */

static int resize(struct buffer *buffer, struct budget *budget, size_t capacity)
{
    uint8_t *resized = realloc(buffer->bytes, capacity);

    if (!resized)
        return -ENOMEM;
    budget_give(budget, buffer->capacity);
    budget_take(budget, capacity);
    buffer->bytes = resized;
    buffer->capacity = capacity;
    return 0;
}

int buffer_reserve(struct buffer *buffer, struct budget *budget, size_t capacity)
{
    return capacity <= buffer->capacity ? 0 : resize(buffer, budget, capacity);
}

void buffer_release(struct buffer *buffer, struct budget *budget)
{
    if (!buffer->bytes)
        return;
    budget_give(budget, buffer->capacity);
    free(buffer->bytes);
    *buffer = (struct buffer){.length = 0};
}

static bool is_inside(const struct buffer *buffer, const uint8_t *bytes)
{
    return buffer->bytes && bytes >= buffer->bytes && bytes < buffer->bytes + buffer->capacity;
}

/* Reduce the capacity, so that a few bytes do not keep a large buffer. */
static int shrink(struct buffer *buffer, struct budget *budget)
{
    if (buffer->capacity <= WORTH_SHRINKING || buffer->length > buffer->capacity / 4)
        return 0;
    return resize(buffer, budget, buffer->length);
}

int buffer_keep(struct buffer *buffer, struct budget *budget, const uint8_t *bytes, size_t length)
{
    if (length == 0) {
        buffer_release(buffer, budget);
        return 0;
    }
    if (!is_inside(buffer, bytes) && buffer_reserve(buffer, budget, length) != 0)
        return -ENOMEM;
    memmove(buffer->bytes, bytes, length);
    buffer->length = length;
    return shrink(buffer, budget);
}

size_t buffer_total(const struct iovec *segments, size_t count)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += segments[i].iov_len;
    return sum;
}

int buffer_append(struct buffer *buffer, struct budget *budget, const struct iovec *segments,
                  size_t count, size_t skipped)
{
    size_t length = buffer_total(segments, count) - skipped;

    if (buffer_reserve(buffer, budget, buffer->length + length) != 0)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t passed = skipped < segments[i].iov_len ? skipped : segments[i].iov_len;
        size_t part = segments[i].iov_len - passed;

        memcpy(buffer->bytes + buffer->length, (uint8_t *)segments[i].iov_base + passed, part);
        buffer->length += part;
        skipped -= passed;
    }
    return 0;
}
