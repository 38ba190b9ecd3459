/* Reading and writing XDR items (RFC 4506) in memory. Used where speed matters or messages are not
 * trusted, such as in the server. A reader or writer fails permanently if it runs out of bytes; a
 * reader also if a length is above its limit or a boolean is invalid. After a failure, a reader
 * returns zeros and a writer writes nothing, so a caller can check once at the end. */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wire_reader {
    const uint8_t *at, *end;
    bool failed;
};

struct wire_writer {
    uint8_t *at, *end;
    bool failed;
};

static inline struct wire_reader wire_reader(const void *bytes, size_t length)
{
    return (struct wire_reader){bytes, (const uint8_t *)bytes + length, false};
}

static inline struct wire_writer wire_writer(void *bytes, size_t capacity)
{
    return (struct wire_writer){bytes, (uint8_t *)bytes + capacity, false};
}

static inline size_t wire_left(const struct wire_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* Return the size of an opaque of LENGTH bytes with its padding (RFC 4506 section 4.10). */
static inline size_t wire_padded(size_t length)
{
    return (length + 3) & ~(size_t)3;
}

/* Skip LENGTH bytes. Returns their address. If READER has failed or fewer bytes are left, returns
 * NULL, and READER fails. */
static inline const uint8_t *wire_skip(struct wire_reader *reader, size_t length)
{
    const uint8_t *start = reader->at;

    if (reader->failed || wire_left(reader) < length) {
        reader->failed = true;
        return NULL;
    }
    reader->at += length;
    return start;
}

static inline uint32_t wire_get_u32(struct wire_reader *reader)
{
    const uint8_t *bytes = wire_skip(reader, 4);
    uint32_t value;

    if (!bytes)
        return 0;
    memcpy(&value, bytes, 4);
    return be32toh(value);
}

static inline uint64_t wire_get_u64(struct wire_reader *reader)
{
    uint64_t high = wire_get_u32(reader);

    return high << 32 | wire_get_u32(reader);
}

/* Read a boolean. Values other than 0 and 1 make the reader fail. */
static inline bool wire_get_bool(struct wire_reader *reader)
{
    uint32_t value = wire_get_u32(reader);

    if (value > 1)
        reader->failed = true;
    return value == 1;
}

/* Read a variable-length opaque or string of at most MAXIMUM bytes, and skip its padding. Returns
 * the opaque's bytes in the message, and sets *LENGTH to their number. If the opaque is longer than
 * MAXIMUM or, with its padding, than the rest of the message, returns NULL, *LENGTH is 0, and
 * READER fails. Never NULL for a valid length of 0. */
static inline const uint8_t *wire_get_opaque(struct wire_reader *reader, size_t maximum,
                                             uint32_t *length)
{
    const uint8_t *bytes;

    *length = wire_get_u32(reader);
    if (*length > maximum || *length > wire_left(reader))
        reader->failed = true;
    bytes = wire_skip(reader, wire_padded(*length));
    if (!bytes)
        *length = 0;
    return bytes;
}

/* Reserve LENGTH bytes. Returns their address. If WRITER has failed or fewer bytes are left,
 * returns NULL, and WRITER fails. */
static inline uint8_t *wire_reserve(struct wire_writer *writer, size_t length)
{
    uint8_t *start = writer->at;

    if (writer->failed || (size_t)(writer->end - writer->at) < length) {
        writer->failed = true;
        return NULL;
    }
    writer->at += length;
    return start;
}

/* Write VALUE to BYTES in network byte order. */
static inline void wire_store_u32(uint8_t *bytes, uint32_t value)
{
    value = htobe32(value);
    memcpy(bytes, &value, 4);
}

static inline void wire_put_u32(struct wire_writer *writer, uint32_t value)
{
    uint8_t *bytes = wire_reserve(writer, 4);

    if (bytes)
        wire_store_u32(bytes, value);
}

static inline void wire_put_u64(struct wire_writer *writer, uint64_t value)
{
    wire_put_u32(writer, (uint32_t)(value >> 32));
    wire_put_u32(writer, (uint32_t)value);
}

/* Write a fixed-length opaque: the bytes and their padding, without a length. */
static inline void wire_put_fixed(struct wire_writer *writer, const void *bytes, size_t length)
{
    uint8_t *start = wire_reserve(writer, wire_padded(length));

    if (!start)
        return;
    memset(start + length, 0, wire_padded(length) - length);
    if (length)
        memcpy(start, bytes, length);
}

static inline void wire_put_opaque(struct wire_writer *writer, const void *bytes, size_t length)
{
    wire_put_u32(writer, (uint32_t)length);
    wire_put_fixed(writer, bytes, length);
}
