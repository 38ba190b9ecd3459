/* One direction of a TCP connection, put in order as its receiver did: segments that came early
 * wait for those before them, and bytes that came twice are passed on once. What a capture lacks
 * becomes a hole of known length, so that what comes after it keeps its place. */
#pragma once

#include "capture/allowance.h"
#include "capture/packet.h"

enum { TCP_STREAM_HELD_MAXIMUM = 1024 /* segments that wait for one before them */ };

struct tcp_stream_counts {
    uint64_t retransmitted;  /* segments without a new byte */
    uint64_t reordered;      /* segments that came before one that precedes them */
    uint64_t holes, missing; /* gaps that nothing filled, and their bytes */
};

struct tcp_held;

/* Zeroed, it has not begun. */
struct tcp_stream {
    bool began;
    uint32_t next;         /* the sequence number that comes next */
    struct tcp_held *held; /* in the order of their sequence numbers */
    size_t held_count;
    struct tcp_stream_counts counts;
};

/* Receives what a stream holds. */
struct tcp_sink {
    /* A connection begins; FROM_START: with its first byte, else somewhere in the middle. */
    void (*begin)(void *context, bool from_start);
    /* The next LENGTH bytes, captured at TIME (ns); BYTES is NULL for a hole. */
    void (*take)(void *context, uint64_t time, const uint8_t *bytes, size_t length);
    void *context;
};

/* Add the segment PACKET, captured at TIME, of its direction. */
void tcp_stream_add(struct tcp_stream *stream, const struct packet *packet, uint64_t time,
                    struct allowance *allowance, const struct tcp_sink *sink);

/* The receiver has all bytes before ACKNOWLEDGED: those that the capture lacks won't come any more
 * if later ones are there already. */
void tcp_stream_acknowledge(struct tcp_stream *stream, uint32_t acknowledged,
                            struct allowance *allowance, const struct tcp_sink *sink);

/* Nothing more comes: pass on what waits, and begin anew. The counts stay. */
void tcp_stream_end(struct tcp_stream *stream, struct allowance *allowance,
                    const struct tcp_sink *sink);
