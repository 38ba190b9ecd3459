/* RPC messages in a stream that may have holes (RFC 5531 section 11). The head of each is kept, and
 * its length. A hole in a message's data costs nothing more; where a record mark is missing, or the
 * stream did not begin with one, the next is looked for: a mark whose message looks like one
 * (capture/rpc_shape.h). */
#pragma once

#include "capture/allowance.h"
#include "capture/rpc_shape.h"

enum {
    RECORDS_HEAD_MAXIMUM = 64 * 1024,        /* bytes of a message that are kept */
    RECORDS_START_SIZE = 4 + RPC_SHAPE_SIZE, /* a mark, and what decides */
};

enum records_state {
    RECORDS_START, /* a record's start: expected, or looked for */
    RECORDS_BODY,  /* in a fragment */
    RECORDS_MARK,  /* at the mark of a further fragment */
};

/* A message that has ended. */
struct record {
    uint64_t time;       /* when its last byte came */
    const uint8_t *head; /* the first bytes, up to a hole; RPC_SHAPE_SIZE at least */
    size_t head_length, length;
};

/* Zeroed, it looks for a first record. */
struct records {
    enum records_state state;
    bool in_step; /* the bytes that come next are a record's start */
    uint8_t start[RECORDS_START_SIZE];
    size_t start_length;
    size_t left; /* bytes of the fragment */
    bool last;   /* it is the record's last */
    uint8_t *head;
    size_t head_length, head_size, length;
    bool head_is_whole; /* nothing is missing between its bytes and those that come next */
    uint64_t found;     /* records */
    uint64_t refound;   /* of these, how many were found after others were lost */
};

struct record_sink {
    void (*take)(void *context, const struct record *record);
    void *context;
};

/* The next LENGTH bytes of the stream, which came at TIME; BYTES is NULL for a hole. */
void records_add(struct records *records, uint64_t time, const uint8_t *bytes, size_t length,
                 struct allowance *allowance, const struct record_sink *sink);

/* Another stream begins; IN_STEP: with a record, else anywhere. An incomplete record is dropped. */
void records_restart(struct records *records, bool in_step, struct allowance *allowance);
