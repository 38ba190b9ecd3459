/* Calls that differ in a few bytes of their message alone: the object that they are applied to (a
 * file handle, or a name) and the offset in it. The message is encoded once, and these bytes are
 * written into it, or into the copy of it that is sent. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rpc/wire.h"

/* Where these bytes are in a message, counted from its record mark. */
struct engine_patch {
    const uint8_t *objects;          /* the table that objects are copied from, */
    size_t stride;                   /* with one every so many bytes */
    size_t object_at, object_length; /* LENGTH 0: all calls have the one in the message */
    size_t offset_at;                /* of a uint64; 0: the message has no offset */
    size_t end;                      /* of what is written */
};

/* What a call has there. */
struct engine_place {
    uint64_t offset;
    uint32_t object;  /* its index in the table */
    uint32_t message; /* the call's message, by its index (struct engine_call) */
};

/* Write PLACE into BYTES, which begin with the record mark of a message that PATCH belongs to. */
static inline void engine_patch_write(const struct engine_patch *patch,
                                      const struct engine_place *place, uint8_t *bytes)
{
    if (patch->object_length) /* a call of memcpy() takes as long as the rest */
        memcpy(bytes + patch->object_at, patch->objects + place->object * patch->stride,
               patch->object_length);
    if (patch->offset_at) {
        wire_store_u32(bytes + patch->offset_at, (uint32_t)(place->offset >> 32));
        wire_store_u32(bytes + patch->offset_at + 4, (uint32_t)place->offset);
    }
}
