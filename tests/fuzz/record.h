/* RPC records in fragments. */
#pragma once

#include <string.h>

#include "rpc/message.h"
#include "rpc/record.h"

/* Write MESSAGE, of LENGTH bytes, to WRITER, which must have room, as a record in fragments of
 * FRAGMENT bytes (0: in one). There are at most MOST fragments; the last one has the remaining
 * bytes. */
static inline void record_put(struct wire_writer *writer, const uint8_t *message, size_t length,
                              size_t fragment, size_t most)
{
    for (; fragment > 0 && length > fragment && most > 1; most--) {
        wire_put_u32(writer, (uint32_t)fragment);
        memcpy(wire_reserve(writer, fragment), message, fragment);
        message += fragment;
        length -= fragment;
    }
    wire_put_u32(writer, RPC_LAST_FRAGMENT | (uint32_t)length);
    memcpy(wire_reserve(writer, length), message, length);
}
