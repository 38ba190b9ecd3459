#include "capture/records.h"

#include <stdlib.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/wire.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void free_head(struct records *records, struct allowance *allowance)
{
    free(records->head);
    allowance_give(allowance, records->head_size);
    records->head = NULL;
    records->head_length = records->head_size = 0;
}

/* Make room for LENGTH more bytes of the head. Returns how many there is room for. */
static size_t reserve(struct records *records, size_t length, struct allowance *allowance)
{
    size_t wanted = least(records->head_length + length, RECORDS_HEAD_MAXIMUM);
    size_t size = records->head_size ? records->head_size : 512;
    uint8_t *grown;

    while (size < wanted)
        size *= 2;
    if (size > records->head_size && allowance_take(allowance, size - records->head_size)) {
        grown = realloc(records->head, size);
        if (grown) {
            records->head = grown;
            records->head_size = size;
        } else {
            allowance_give(allowance, size - records->head_size);
        }
    }
    return least(length, least(records->head_size, RECORDS_HEAD_MAXIMUM) - records->head_length);
}

/* LENGTH bytes of a message, or a hole. */
static void add_to_message(struct records *records, const uint8_t *bytes, size_t length,
                           struct allowance *allowance)
{
    size_t room;

    records->length += length;
    room = bytes && records->head_is_whole ? reserve(records, length, allowance) : 0;
    if (room > 0)
        memcpy(records->head + records->head_length, bytes, room);
    records->head_length += room;
    records->head_is_whole = records->head_is_whole && room == length;
}

static void emit(struct records *records, uint64_t time, struct allowance *allowance,
                 const struct record_sink *sink)
{
    const struct record record = {.time = time,
                                  .head = records->head,
                                  .head_length = records->head_length,
                                  .length = records->length};

    if (record.head_length >= RPC_SHAPE_SIZE)
        sink->take(sink->context, &record);
    free_head(records, allowance);
}

static void look_for_start(struct records *records, bool in_step)
{
    records->state = RECORDS_START;
    records->in_step = in_step;
    records->start_length = 0;
}

static uint32_t mark_at(const uint8_t *bytes)
{
    struct wire_reader reader = wire_reader(bytes, 4);

    return wire_get_u32(&reader);
}

static void read_mark(struct records *records, const uint8_t *bytes)
{
    uint32_t mark = mark_at(bytes);

    records->left = mark & ~RPC_LAST_FRAGMENT;
    records->last = mark & RPC_LAST_FRAGMENT;
}

/* The message whose mark and first words are at START begins. */
static void begin_message(struct records *records, const uint8_t *start,
                          struct allowance *allowance)
{
    records->found++;
    records->refound += !records->in_step && records->found > 1;
    records->length = 0;
    records->head_is_whole = true;
    records->state = RECORDS_BODY;
    read_mark(records, start);
    records->left -= RPC_SHAPE_SIZE;
    add_to_message(records, start + 4, RPC_SHAPE_SIZE, allowance);
}

static bool is_start(const uint8_t *bytes)
{
    return rpc_shape_fits(bytes + 4, mark_at(bytes) & ~RPC_LAST_FRAGMENT);
}

/* Take bytes until START is full. Returns how many. */
static size_t fill_start(struct records *records, const uint8_t *bytes, size_t length, size_t full)
{
    size_t taken = least(full - records->start_length, length);

    memcpy(records->start + records->start_length, bytes, taken);
    records->start_length += taken;
    return taken;
}

/* Bytes before these wait at START: go on there until what remains of it is in BYTES, too. Returns
 * how many bytes were taken. */
static size_t continue_start(struct records *records, const uint8_t *bytes, size_t length,
                             struct allowance *allowance)
{
    size_t taken = 0;

    while (records->start_length > 0) {
        taken += fill_start(records, bytes + taken, length - taken, RECORDS_START_SIZE);
        if (records->start_length < RECORDS_START_SIZE)
            return taken;
        if (is_start(records->start)) {
            begin_message(records, records->start, allowance);
            return taken;
        }
        records->in_step = false;
        records->start_length--;
        memmove(records->start, records->start + 1, records->start_length);
        if (taken < records->start_length)
            continue;
        taken -= records->start_length;
        records->start_length = 0;
    }
    return taken;
}

/* At a record's start, expected or looked for: what does not look like one is stepped over byte by
 * byte. Returns how many bytes were taken. */
static size_t take_start(struct records *records, const uint8_t *bytes, size_t length,
                         struct allowance *allowance)
{
    size_t taken = continue_start(records, bytes, length, allowance);

    if (records->state != RECORDS_START || records->start_length > 0)
        return taken;
    for (; length - taken >= RECORDS_START_SIZE; taken++) {
        if (is_start(bytes + taken)) {
            begin_message(records, bytes + taken, allowance);
            return taken + RECORDS_START_SIZE;
        }
        records->in_step = false;
    }
    return taken + fill_start(records, bytes + taken, length - taken, RECORDS_START_SIZE);
}

static size_t take_body(struct records *records, const uint8_t *bytes, size_t length,
                        struct allowance *allowance)
{
    size_t taken = least(records->left, length);

    add_to_message(records, bytes, taken, allowance);
    records->left -= taken;
    return taken;
}

/* What comes after a fragment. */
static void end_fragment(struct records *records, uint64_t time, struct allowance *allowance,
                         const struct record_sink *sink)
{
    if (records->last) {
        emit(records, time, allowance, sink);
        look_for_start(records, true);
    } else {
        records->state = RECORDS_MARK;
        records->start_length = 0;
    }
}

static size_t take_mark(struct records *records, const uint8_t *bytes, size_t length,
                        struct allowance *allowance)
{
    size_t taken = fill_start(records, bytes, length, 4);

    if (records->start_length < 4)
        return taken;
    read_mark(records, records->start);
    records->state = RECORDS_BODY;
    if (records->left + records->length <= RPC_SHAPE_MESSAGE_MAXIMUM)
        return taken;
    free_head(records, allowance);
    look_for_start(records, false);
    return taken;
}

static size_t take(struct records *records, const uint8_t *bytes, size_t length,
                   struct allowance *allowance)
{
    switch (records->state) {
    case RECORDS_START:
        return take_start(records, bytes, length, allowance);
    case RECORDS_BODY:
        return take_body(records, bytes, length, allowance);
    case RECORDS_MARK:
        break;
    }
    return take_mark(records, bytes, length, allowance);
}

/* A hole of LENGTH bytes: within a fragment it is part of the message; elsewhere a mark is lost. */
static size_t take_hole(struct records *records, size_t length, struct allowance *allowance)
{
    if (records->state == RECORDS_BODY)
        return take_body(records, NULL, length, allowance);
    free_head(records, allowance);
    look_for_start(records, false);
    return length;
}

void records_add(struct records *records, uint64_t time, const uint8_t *bytes, size_t length,
                 struct allowance *allowance, const struct record_sink *sink)
{
    while (length > 0) {
        size_t taken =
            bytes ? take(records, bytes, length, allowance) : take_hole(records, length, allowance);

        bytes = bytes ? bytes + taken : NULL;
        length -= taken;
        if (records->state == RECORDS_BODY && records->left == 0)
            end_fragment(records, time, allowance, sink);
    }
}

void records_restart(struct records *records, bool in_step, struct allowance *allowance)
{
    free_head(records, allowance);
    look_for_start(records, in_step);
}
