#include "capture/traffic.h"

#include <stdlib.h>

#include "capture/flows.h"
#include "capture/messages.h"
#include "capture/packet.h"

struct traffic {
    struct profile *profile;
    struct allowance allowance;
    struct fragments *fragments;
    struct flows *flows;
    struct message_counts counts;
};

/* Where what a stream passes on comes from: the context of its sinks. */
struct direction {
    struct traffic *traffic;
    struct flow *flow;
    unsigned side;
};

/* Streams */

static void take_message(void *context, const struct record *record)
{
    const struct direction *direction = context;
    struct flow *flow = direction->flow;
    const struct message_way way = {.flow = flow->number,
                                    .side = direction->side,
                                    .is_tcp = flow->key.protocol == PACKET_TCP,
                                    .from = flow->key.ends[direction->side].address,
                                    .to = flow->key.ends[!direction->side].address,
                                    .connection = &flow->connection};

    messages_add(&direction->traffic->counts, &way, record);
}

static void begin_stream(void *context, bool from_start)
{
    struct direction *direction = context;
    struct flow *flow = direction->flow;

    records_restart(&flow->sides[direction->side].records, from_start,
                    &direction->traffic->allowance);
    flow->sides[direction->side].begun_inside += !from_start;
}

static void take_bytes(void *context, uint64_t time, const uint8_t *bytes, size_t length)
{
    struct direction *direction = context;
    const struct record_sink sink = {take_message, direction};

    records_add(&direction->flow->sides[direction->side].records, time, bytes, length,
                &direction->traffic->allowance, &sink);
}

static struct tcp_sink sink_of(struct direction *direction)
{
    return (struct tcp_sink){begin_stream, take_bytes, direction};
}

static void end_stream(struct traffic *traffic, struct flow *flow, unsigned side)
{
    struct direction direction = {traffic, flow, side};
    const struct tcp_sink sink = sink_of(&direction);

    tcp_stream_end(&flow->sides[side].stream, &traffic->allowance, &sink);
    records_restart(&flow->sides[side].records, false, &traffic->allowance);
}

/* Before a flow is forgotten: what it lacks counts if it had RPC messages. */
static void end_flow(void *context, struct flow *flow)
{
    struct traffic *traffic = context;
    struct profile_counts *counts = &traffic->profile->counts;

    for (unsigned side = 0; side < 2; side++)
        end_stream(traffic, flow, side);
    if (flow->sides[0].records.found + flow->sides[1].records.found == 0)
        return;
    for (unsigned side = 0; side < 2; side++) {
        const struct tcp_stream_counts *stream = &flow->sides[side].stream.counts;

        counts->begun_inside += flow->sides[side].begun_inside;
        counts->retransmitted += stream->retransmitted;
        counts->reordered += stream->reordered;
        counts->holes += stream->holes;
        counts->missing += stream->missing;
        counts->refound += flow->sides[side].records.refound;
    }
}

/* Packets */

/* What the other end acknowledges it has, so that no gap before that is filled any more. */
static void acknowledge(struct traffic *traffic, struct flow *flow, unsigned side,
                        uint32_t acknowledged)
{
    struct direction direction = {traffic, flow, side};
    const struct tcp_sink sink = sink_of(&direction);

    tcp_stream_acknowledge(&flow->sides[side].stream, acknowledged, &traffic->allowance, &sink);
}

static void add_segment(struct traffic *traffic, const struct packet *packet, uint64_t time)
{
    struct direction direction = {.traffic = traffic};
    const struct tcp_sink sink = sink_of(&direction);

    direction.flow = flows_find(traffic->flows, packet, &direction.side);
    if (packet->flags & PACKET_ACK)
        acknowledge(traffic, direction.flow, !direction.side, packet->acknowledged);
    if (packet->flags & PACKET_RST) {
        end_stream(traffic, direction.flow, 0);
        end_stream(traffic, direction.flow, 1);
        return;
    }
    tcp_stream_add(&direction.flow->sides[direction.side].stream, packet, time, &traffic->allowance,
                   &sink);
}

static void add_datagram(struct traffic *traffic, const struct packet *packet, uint64_t time)
{
    struct direction direction = {.traffic = traffic};
    const struct record record = {.time = time,
                                  .head = packet->data,
                                  .head_length = packet->captured,
                                  .length = packet->length};

    if (packet->captured < RPC_SHAPE_SIZE || !rpc_shape_fits(packet->data, packet->length))
        return;
    direction.flow = flows_find(traffic->flows, packet, &direction.side);
    take_message(&direction, &record);
}

/* Read FRAME as far as to the transport layer. False where there is nothing further to read: it is
 * no packet of ours, or a fragment that completes none. */
static bool read_packet(struct traffic *traffic, const struct captured_frame *frame,
                        struct packet *packet)
{
    size_t offset;

    if (!link_find_ip(frame->link, frame->bytes, frame->captured, &offset) ||
        !packet_read_ip(packet, frame->bytes + offset, frame->captured - offset,
                        frame->sent - offset)) {
        traffic->profile->counts.other++;
        return false;
    }
    if (packet->is_fragment && !fragments_add(traffic->fragments, packet, frame->time))
        return false;
    if (packet_read_transport(packet))
        return true;
    traffic->profile->counts.other++;
    return false;
}

void traffic_add(struct traffic *traffic, const struct captured_frame *frame)
{
    struct profile *profile = traffic->profile;
    struct packet packet;

    if (profile->counts.packets++ == 0)
        profile->begin = profile->end = frame->time;
    if (frame->time < profile->begin)
        profile->begin = frame->time;
    profile->counts.late += frame->time < profile->end;
    if (frame->time > profile->end)
        profile->end = frame->time;
    profile->counts.cut += frame->captured < frame->sent;
    if (!read_packet(traffic, frame, &packet))
        return;
    if (packet.protocol == PACKET_TCP)
        add_segment(traffic, &packet, frame->time);
    else
        add_datagram(traffic, &packet, frame->time);
}

/* Beginning and end */

struct traffic *traffic_open(struct profile *profile, struct workload_fill *fill,
                             const struct traffic_limits *limits)
{
    struct traffic *traffic = calloc(1, sizeof *traffic);

    if (!traffic)
        return NULL;
    traffic->profile = profile;
    traffic->allowance.limit = limits->memory;
    traffic->fragments = fragments_open();
    traffic->flows = flows_open(end_flow, traffic);
    traffic->counts = (struct message_counts){
        .profile = profile,
        .fill = fill,
        .calls = calls_open(limits->calls),
        .flows = traffic->flows,
    };
    if (traffic->fragments && traffic->flows && traffic->counts.calls)
        return traffic;
    traffic_close(traffic);
    return NULL;
}

size_t traffic_close(struct traffic *traffic)
{
    size_t held;

    flows_close(traffic->flows);
    if (traffic->fragments)
        traffic->profile->counts.incomplete = fragments_incomplete(traffic->fragments);
    fragments_close(traffic->fragments);
    calls_close(traffic->counts.calls);
    held = traffic->allowance.held;
    free(traffic);
    return held;
}
