#include "capture/tcp_stream.h"

#include <stdlib.h>
#include <string.h>

/* A jump further than any window (RFC 7323 section 2.3) is another connection's. */
enum { WINDOW_MAXIMUM = 1 << 30 };

/* A segment that waits. */
struct tcp_held {
    struct tcp_held *after;
    uint64_t time;
    uint32_t sequence;
    size_t length, captured;
    uint8_t bytes[];
};

/* How far SEQUENCE is after BASE, or before it (less than 0). */
static int32_t distance(uint32_t sequence, uint32_t base)
{
    return (int32_t)(sequence - base);
}

/* Pass on a segment's bytes from the next one on. */
static void pass_on(struct tcp_stream *stream, uint64_t time, uint32_t sequence,
                    const uint8_t *bytes, size_t captured, size_t length,
                    const struct tcp_sink *sink)
{
    size_t old = (uint32_t)(stream->next - sequence);

    if (old >= length)
        return;
    if (old < captured)
        sink->take(sink->context, time, bytes + old, captured - old);
    if (captured < length) {
        size_t hole = length - (captured > old ? captured : old);

        sink->take(sink->context, time, NULL, hole);
    }
    stream->next = sequence + (uint32_t)length;
}

static void release(struct tcp_stream *stream, struct tcp_held *held, struct allowance *allowance)
{
    stream->held = held->after;
    stream->held_count--;
    allowance_give(allowance, sizeof *held + held->captured);
    free(held);
}

/* Pass on the segments whose turn it is. EARLIEST: not before this did their receiver have them. */
static void pass_on_held(struct tcp_stream *stream, uint64_t earliest, struct allowance *allowance,
                         const struct tcp_sink *sink)
{
    struct tcp_held *held;

    while ((held = stream->held) && distance(held->sequence, stream->next) <= 0) {
        pass_on(stream, held->time > earliest ? held->time : earliest, held->sequence, held->bytes,
                held->captured, held->length, sink);
        release(stream, held, allowance);
    }
}

/* Nothing fills the gap before SEQUENCE. */
static void leave_gap(struct tcp_stream *stream, uint32_t sequence, uint64_t time,
                      const struct tcp_sink *sink)
{
    uint32_t gap = sequence - stream->next;

    stream->counts.holes++;
    stream->counts.missing += gap;
    sink->take(sink->context, time, NULL, gap);
    stream->next = sequence;
}

/* Nothing fills the gap before the first segment that waits. */
static void give_up_gap(struct tcp_stream *stream, struct allowance *allowance,
                        const struct tcp_sink *sink)
{
    leave_gap(stream, stream->held->sequence, stream->held->time, sink);
    pass_on_held(stream, 0, allowance, sink);
}

/* Keep a segment that came early. False without memory for it. */
static bool hold(struct tcp_stream *stream, const struct packet *packet, uint64_t time,
                 struct allowance *allowance)
{
    struct tcp_held **place = &stream->held, *held;

    if (stream->held_count == TCP_STREAM_HELD_MAXIMUM ||
        !allowance_take(allowance, sizeof *held + packet->captured))
        return false;
    held = malloc(sizeof *held + packet->captured);
    if (!held) {
        allowance_give(allowance, sizeof *held + packet->captured);
        return false;
    }
    while (*place && distance((*place)->sequence, packet->sequence) <= 0)
        place = &(*place)->after;
    *held = (struct tcp_held){.after = *place,
                              .time = time,
                              .sequence = packet->sequence,
                              .length = packet->length,
                              .captured = packet->captured};
    memcpy(held->bytes, packet->data, packet->captured);
    *place = held;
    stream->held_count++;
    return true;
}

static void begin(struct tcp_stream *stream, const struct packet *packet,
                  const struct tcp_sink *sink)
{
    bool from_start = packet->flags & PACKET_SYN;

    stream->began = true;
    stream->next = packet->sequence + from_start;
    sink->begin(sink->context, from_start);
}

/* A SYN that is not the one this stream began with, or a sequence number out of all windows, begins
 * another connection between the same ports. */
static bool is_another(const struct tcp_stream *stream, const struct packet *packet)
{
    int32_t ahead = distance(packet->sequence, stream->next);

    if (!stream->began)
        return false;
    return (packet->flags & PACKET_SYN && packet->sequence + 1 != stream->next) ||
           ahead > WINDOW_MAXIMUM || ahead < -WINDOW_MAXIMUM;
}

/* PACKET is after what comes next. */
static void add_early(struct tcp_stream *stream, const struct packet *packet, uint64_t time,
                      struct allowance *allowance, const struct tcp_sink *sink)
{
    stream->counts.reordered++;
    while (!hold(stream, packet, time, allowance)) {
        if (stream->held) {
            give_up_gap(stream, allowance, sink);
            if (distance(packet->sequence, stream->next) > 0)
                continue;
        } else {
            leave_gap(stream, packet->sequence, time, sink);
        }
        pass_on(stream, time, packet->sequence, packet->data, packet->captured, packet->length,
                sink);
        return;
    }
}

void tcp_stream_add(struct tcp_stream *stream, const struct packet *packet, uint64_t time,
                    struct allowance *allowance, const struct tcp_sink *sink)
{
    struct packet data = *packet;
    int32_t ahead;

    if (is_another(stream, packet))
        tcp_stream_end(stream, allowance, sink);
    if (!stream->began)
        begin(stream, packet, sink);
    data.sequence += packet->flags & PACKET_SYN ? 1 : 0;
    if (data.length == 0)
        return;
    ahead = distance(data.sequence, stream->next);
    if (ahead > 0) {
        add_early(stream, &data, time, allowance, sink);
        return;
    }
    /* A probe of an idle connection repeats one byte (RFC 9293 section 3.8.4). */
    if ((size_t) - (int64_t)ahead >= data.length)
        stream->counts.retransmitted += data.length > 1;
    pass_on(stream, time, data.sequence, data.data, data.captured, data.length, sink);
    pass_on_held(stream, time, allowance, sink);
}

void tcp_stream_acknowledge(struct tcp_stream *stream, uint32_t acknowledged,
                            struct allowance *allowance, const struct tcp_sink *sink)
{
    while (stream->began && stream->held && distance(acknowledged, stream->held->sequence) >= 0)
        give_up_gap(stream, allowance, sink);
}

void tcp_stream_end(struct tcp_stream *stream, struct allowance *allowance,
                    const struct tcp_sink *sink)
{
    while (stream->held)
        give_up_gap(stream, allowance, sink);
    stream->began = false;
}
