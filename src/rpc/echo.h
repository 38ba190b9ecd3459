/* The message of the bare echo. It is not an RPC message: it costs only what it takes to transport
 * a call and its reply. It begins with two 32-bit big-endian words, its own length and the length
 * of the answer that is wanted, both in bytes and including these words; the rest is padding. The
 * answer is the message, cut or extended with zeros to its length, but begins with a word of 0, so
 * that it is not a valid message, and two echoes do not answer each other for ever. Over UDP each
 * is a datagram; over TCP the next message must not be sent before the answer to the previous one
 * has begun. */
#pragma once

#include <errno.h>
#include <stdbool.h>

#include "rpc/wire.h"

enum {
    ECHO_HEADER_SIZE = 8,             /* the shortest message, and the shortest answer */
    ECHO_MAXIMUM = (1 << 20) + 16384, /* a mebibyte of data, and its headers */
    ECHO_DATAGRAM_MAXIMUM = 65507,    /* over UDP */
};

struct echo_header {
    uint32_t length, answer; /* bytes */
};

/* Are both lengths valid, if a message has at most MAXIMUM bytes? */
static inline bool echo_header_is_valid(const struct echo_header *header, size_t maximum)
{
    return header->length >= ECHO_HEADER_SIZE && header->length <= maximum &&
           header->answer >= ECHO_HEADER_SIZE && header->answer <= maximum;
}

/* Write the header to BYTES, ECHO_HEADER_SIZE of them. */
static inline void echo_header_store(const struct echo_header *header, uint8_t *bytes)
{
    wire_store_u32(bytes, header->length);
    wire_store_u32(bytes + 4, header->answer);
}

/* Turn the message in BYTES into an answer. */
static inline void echo_answer_mark(uint8_t *bytes)
{
    wire_store_u32(bytes, 0);
}

/* Read the header from the LENGTH bytes received so far. 0; -EAGAIN if they are too few; -EBADMSG
 * for invalid lengths. */
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
