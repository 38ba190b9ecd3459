/* Calls whose messages differ only in a few bytes: the object (a file handle or a name) and the
 * offset in a file. The message is encoded once; the object and offset of each call are then
 * written into the message, or into the copy of it that is sent. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rpc/wire.h"

/* Positions of the object and the offset in a message, in bytes from its record mark. */
struct engine_patch {
    const uint8_t *objects;          /* table from which objects are copied */
    size_t stride;                   /* distance between two objects of the table, in bytes */
    size_t object_at, object_length; /* position and length of the object; length 0: none */
    size_t offset_at;                /* position of the offset, a uint64; 0: none */
    size_t end;                      /* position just after the last byte that is written */
};

/* Object and offset of one call, and the message that they are written into. */
struct engine_place {
    uint64_t offset;
    uint32_t object;  /* index in engine_patch.objects or of a local file */
    uint32_t message; /* index in engine_call.messages */
};

/* Write PLACE's object and offset into BYTES, a message with its record mark, as PATCH says. */
static inline void engine_patch_write(const struct engine_patch *patch,
                                      const struct engine_place *place, uint8_t *bytes)
{
    if (patch->object_length) /* a memcpy() of 0 bytes would double this function's time */
        memcpy(bytes + patch->object_at, patch->objects + place->object * patch->stride,
               patch->object_length);
    if (patch->offset_at) {
        wire_store_u32(bytes + patch->offset_at, (uint32_t)(place->offset >> 32));
        wire_store_u32(bytes + patch->offset_at + 4, (uint32_t)place->offset);
    }
}
