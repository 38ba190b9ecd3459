/* The message of the bare echo, which is no RPC message: what a call and its reply cost to carry,
 * and nothing else. It begins with two 32-bit big-endian words, its own length and that of the
 * answer that is wanted, both in bytes and with these words; what follows is padding. The answer
 * is the message with zeros after it, as far as its length goes, but begins with a word of 0: so
 * it is no message, and echoes do not answer each other for ever. Over UDP each is a datagram; over
 * TCP the next message must not be sent before the answer to the last has begun. */
#ifndef NFSBENCH_RPC_ECHO_H
#define NFSBENCH_RPC_ECHO_H

#include <errno.h>
#include <stdbool.h>

#include "rpc/wire.h"

enum {
    ECHO_HEADER_SIZE = 8,             /* the shortest message, and the shortest answer */
    ECHO_MAXIMUM = (1 << 20) + 16384, /* a mebibyte of data, and what is around it */
    ECHO_DATAGRAM_MAXIMUM = 65507,    /* over UDP */
};

struct echo_header {
    uint32_t length, answer; /* bytes */
};

/* May both lengths be, where a message has at most MAXIMUM bytes? */
static inline bool echo_header_is_valid(const struct echo_header *header, size_t maximum)
{
    return header->length >= ECHO_HEADER_SIZE && header->length <= maximum &&
           header->answer >= ECHO_HEADER_SIZE && header->answer <= maximum;
}

/* Write it to BYTES, which are ECHO_HEADER_SIZE. */
static inline void echo_header_store(const struct echo_header *header, uint8_t *bytes)
{
    wire_store_u32(bytes, header->length);
    wire_store_u32(bytes + 4, header->answer);
}

/* Make the message in BYTES an answer. */
static inline void echo_answer_mark(uint8_t *bytes)
{
    wire_store_u32(bytes, 0);
}

/* Read it from the LENGTH bytes that came so far. 0; -EAGAIN when they are too few; -EBADMSG for
 * lengths that can't be. */
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

#endif
