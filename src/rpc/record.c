#include "rpc/record.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/wire.h"

static uint32_t load_mark(const uint8_t *bytes)
{
    uint32_t mark;

    memcpy(&mark, bytes, sizeof mark);
    return be32toh(mark);
}

/* Append the arrived bytes of later fragments to the first fragment, which has SIZE bytes. The
 * marks of these fragments are removed. The first mark gets the length of all joined fragments,
 * including bytes that have not arrived. Returns 0 or -EMSGSIZE. */
static int join_fragments(uint8_t *bytes, size_t *length, size_t size, size_t capacity,
                          struct rpc_record *record)
{
    size_t at = RPC_RECORD_MARK_SIZE + size, to = at; /* bytes at AT move to TO */
    bool last = false;

    while (!last && *length >= at + RPC_RECORD_MARK_SIZE) {
        uint32_t mark = load_mark(bytes + at);
        size_t fragment = mark & ~RPC_LAST_FRAGMENT, moved;

        at += RPC_RECORD_MARK_SIZE;
        record->marks += RPC_RECORD_MARK_SIZE;
        if (record->marks / RPC_RECORD_MARK_SIZE > capacity ||
            fragment > capacity - RPC_RECORD_MARK_SIZE - size)
            return -EMSGSIZE;
        last = mark & RPC_LAST_FRAGMENT;
        size += fragment;
        moved = fragment < *length - at ? fragment : *length - at;
        memmove(bytes + to, bytes + at, moved);
        at += moved;
        to += moved;
    }
    if (at > to)
        memmove(bytes + to, bytes + at, *length - at);
    *length -= at - to;
    wire_store_u32(bytes, (last ? RPC_LAST_FRAGMENT : 0) | (uint32_t)size);
    return 0;
}

int rpc_record_find(uint8_t *bytes, size_t *length, size_t capacity, struct rpc_record *record)
{
    uint32_t mark;
    size_t size;

    if (*length < RPC_RECORD_MARK_SIZE)
        return 0;
    mark = load_mark(bytes);
    size = mark & ~RPC_LAST_FRAGMENT;
    if (size > capacity - RPC_RECORD_MARK_SIZE)
        return -EMSGSIZE;
    if (!(mark & RPC_LAST_FRAGMENT) && *length > RPC_RECORD_MARK_SIZE + size) {
        int code = join_fragments(bytes, length, size, capacity, record);

        if (code)
            return code;
        mark = load_mark(bytes);
        size = mark & ~RPC_LAST_FRAGMENT;
    }
    if (!(mark & RPC_LAST_FRAGMENT) || *length < RPC_RECORD_MARK_SIZE + size)
        return 0;
    *record = (struct rpc_record){.message = bytes + RPC_RECORD_MARK_SIZE,
                                  .length = size,
                                  .consumed = RPC_RECORD_MARK_SIZE + size};
    return 1;
}

size_t rpc_record_missing(const uint8_t *bytes, size_t length)
{
    size_t end = RPC_RECORD_MARK_SIZE; /* end of the bytes known to belong to the record */
    bool last = false;

    while (end <= length && !last) {
        uint32_t mark = load_mark(bytes + end - RPC_RECORD_MARK_SIZE);

        last = mark & RPC_LAST_FRAGMENT;
        end += (mark & ~RPC_LAST_FRAGMENT) + (last ? 0 : RPC_RECORD_MARK_SIZE);
    }
    return end > length ? end - length : 0;
}
