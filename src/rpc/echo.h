/* Messages of the bare echo, which are not RPC messages: they measure only the transport of a call
 * and its reply. A message begins with two 32-bit big-endian words: its own length, and the length
 * of the requested answer. Both lengths are in bytes and include these two words. The rest is
 * padding.
 *
 * The answer is the message, cut or extended with zeros to the requested length. Its first word is
 * 0, so that it is not a valid message, and two echoes can't answer each other forever. Over UDP
 * each message is a datagram. Over TCP a message must not be sent before the answer to the previous
 * one has begun. */
#pragma once

#include <errno.h>
#include <stdbool.h>

#include "rpc/wire.h"

enum {
    ECHO_HEADER_SIZE = 8, /* bytes of the shortest message or answer */
    /* longest message or answer over TCP, bytes: 1 MiB of data, plus headers */
    ECHO_MAXIMUM = (1 << 20) + 16384,
    ECHO_DATAGRAM_MAXIMUM = 65507, /* longest message or answer over UDP, bytes */
};

struct echo_header {
    uint32_t length, answer; /* in bytes */
};

/* Return whether both lengths in HEADER are from ECHO_HEADER_SIZE to MAXIMUM. */
static inline bool echo_header_is_valid(const struct echo_header *header, size_t maximum)
{
    return header->length >= ECHO_HEADER_SIZE && header->length <= maximum &&
           header->answer >= ECHO_HEADER_SIZE && header->answer <= maximum;
}

static inline void echo_header_store(const struct echo_header *header, uint8_t *bytes)
{
    wire_store_u32(bytes, header->length);
    wire_store_u32(bytes + 4, header->answer);
}

static inline void echo_answer_mark(uint8_t *bytes)
{
    wire_store_u32(bytes, 0);
}

/* Read the header from the LENGTH BYTES received so far. Returns 0, -EAGAIN if LENGTH is less than
 * ECHO_HEADER_SIZE, or -EBADMSG if echo_header_is_valid() is false. */
static inline int echo_header_load(struct echo_header *header, const uint8_t *bytes, size_t length,
                                   size_t maximum)
{
    struct wire_reader reader = wire_reader(bytes, length);

    header->length = wire_get_u32(&reader);
    header->answer = wire_get_u32(&reader);
    if (reader.failed)
        return -EAGAIN;
    return echo_header_is_valid(header, maximum) ? 0 : -EBADMSG;
}
