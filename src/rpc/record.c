#include "rpc/record.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "rpc/message.h"

static uint32_t load_mark(const uint8_t *bytes)
{
    uint32_t mark;

    memcpy(&mark, bytes, sizeof mark);
    return be32toh(mark);
}

/* Close the gaps that the record marks leave between the fragments in BYTES. */
static void join_fragments(uint8_t *bytes, struct rpc_record *record)
{
    uint8_t *joined = bytes + RPC_RECORD_MARK_SIZE;
    size_t at = 0;

    record->length = 0;
    while (at < record->consumed) {
        size_t fragment = load_mark(bytes + at) & ~RPC_LAST_FRAGMENT;

        at += RPC_RECORD_MARK_SIZE;
        memmove(joined + record->length, bytes + at, fragment);
        record->length += fragment;
        at += fragment;
    }
}

int rpc_record_find(uint8_t *bytes, size_t length, size_t capacity, struct rpc_record *record)
{
    size_t at = 0;
    bool last = false;
    unsigned fragments = 0;

    while (!last) {
        uint32_t mark;

        if (capacity - at < RPC_RECORD_MARK_SIZE || fragments == RPC_RECORD_FRAGMENTS)
            return -EMSGSIZE;
        if (length < at + RPC_RECORD_MARK_SIZE)
            return 0;
        mark = load_mark(bytes + at);
        at += RPC_RECORD_MARK_SIZE;
        last = mark & RPC_LAST_FRAGMENT;
        mark &= ~RPC_LAST_FRAGMENT;
        if (mark > capacity - at)
            return -EMSGSIZE;
        at += mark;
        if (length < at)
            return 0;
        fragments++;
    }
    record->message = bytes + RPC_RECORD_MARK_SIZE;
    record->consumed = at;
    record->length = at - RPC_RECORD_MARK_SIZE;
    if (fragments > 1)
        join_fragments(bytes, record);
    return 1;
}

size_t rpc_record_missing(const uint8_t *bytes, size_t length)
{
    size_t end = RPC_RECORD_MARK_SIZE; /* of the part that is known to belong to the record */
    bool last = false;

    while (end <= length && !last) {
        uint32_t mark = load_mark(bytes + end - RPC_RECORD_MARK_SIZE);

        last = mark & RPC_LAST_FRAGMENT;
        end += (mark & ~RPC_LAST_FRAGMENT) + (last ? 0 : RPC_RECORD_MARK_SIZE);
    }
    return end > length ? end - length : 0;
}
