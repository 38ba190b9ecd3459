/* Packets of a made-up capture: IPv4 and IPv6, TCP and UDP, with RPC messages in them. */
#pragma once

#include <string.h>

#include "capture/packet.h"
#include "rpc/message.h"

enum {
    MADE_CLIENT_PORT = 900,
    MADE_SERVER_PORT = 2049,
    MADE_IPV4_SIZE = 20,
    MADE_TCP_SIZE = 20,
    MADE_UDP_SIZE = 8,
    MADE_FRAME_MAXIMUM = 4096,
};

/* A frame of a capture; of raw IP unless a test puts a link's header before it. */
struct made_frame {
    uint8_t bytes[MADE_FRAME_MAXIMUM];
    size_t length;
};

static inline void made_u16(uint8_t *bytes, unsigned value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

/* An IPv4 header for LENGTH bytes; 10.0.0.1 is the client, 10.0.0.2 the server. */
static inline void made_ipv4(uint8_t *bytes, bool from_client, unsigned protocol, size_t length)
{
    memset(bytes, 0, MADE_IPV4_SIZE);
    bytes[0] = 0x45;
    made_u16(bytes + 2, (unsigned)(MADE_IPV4_SIZE + length));
    bytes[8] = 64;
    bytes[9] = (uint8_t)protocol;
    memcpy(bytes + 12, from_client ? "\x0a\0\0\1\x0a\0\0\2" : "\x0a\0\0\2\x0a\0\0\1", 8);
}

static inline void made_ports(uint8_t *bytes, bool from_client)
{
    made_u16(bytes, from_client ? MADE_CLIENT_PORT : MADE_SERVER_PORT);
    made_u16(bytes + 2, from_client ? MADE_SERVER_PORT : MADE_CLIENT_PORT);
}

/* A TCP segment over IPv4. */
static inline void made_tcp(struct made_frame *frame, bool from_client, uint32_t sequence,
                            uint32_t acknowledged, unsigned flags, const void *data, size_t length)
{
    uint8_t *tcp = frame->bytes + MADE_IPV4_SIZE;

    made_ipv4(frame->bytes, from_client, PACKET_TCP, MADE_TCP_SIZE + length);
    memset(tcp, 0, MADE_TCP_SIZE);
    made_ports(tcp, from_client);
    wire_store_u32(tcp + 4, sequence);
    wire_store_u32(tcp + 8, acknowledged);
    tcp[12] = 5 << 4;
    tcp[13] = (uint8_t)flags;
    if (length)
        memcpy(tcp + MADE_TCP_SIZE, data, length);
    frame->length = MADE_IPV4_SIZE + MADE_TCP_SIZE + length;
}

/* A UDP datagram over IPv4. */
static inline void made_udp(struct made_frame *frame, bool from_client, const void *data,
                            size_t length)
{
    uint8_t *udp = frame->bytes + MADE_IPV4_SIZE;

    made_ipv4(frame->bytes, from_client, PACKET_UDP, MADE_UDP_SIZE + length);
    memset(udp, 0, MADE_UDP_SIZE);
    made_ports(udp, from_client);
    made_u16(udp + 4, (unsigned)(MADE_UDP_SIZE + length));
    memcpy(udp + MADE_UDP_SIZE, data, length);
    frame->length = MADE_IPV4_SIZE + MADE_UDP_SIZE + length;
}

/* A record, or message, with its length. */
struct made_message {
    uint8_t bytes[MADE_FRAME_MAXIMUM];
    size_t length;
};

static inline void made_end(struct made_message *message, const struct wire_writer *writer)
{
    message->length = (size_t)(writer->at - message->bytes);
    wire_store_u32(message->bytes, RPC_LAST_FRAGMENT | (uint32_t)(message->length - 4));
}

/* A call of a program with a record mark, and with MORE zero bytes after its header. */
static inline void made_call_of(struct made_message *message, uint32_t xid, uint32_t program,
                                uint32_t version, uint32_t procedure, size_t more)
{
    struct wire_writer writer = wire_writer(message->bytes + 4, sizeof message->bytes - 4);

    rpc_call_encode(
        &writer, &(struct rpc_call_header){
                     .xid = xid, .program = program, .version = version, .procedure = procedure});
    memset(wire_reserve(&writer, more), 0, more);
    made_end(message, &writer);
}

/* A call of NFSv3. */
static inline void made_call(struct made_message *message, uint32_t xid, uint32_t procedure,
                             size_t more)
{
    made_call_of(message, xid, 100003, 3, procedure, more);
}

/* A reply with STATUS and MORE bytes. */
static inline void made_reply(struct made_message *message, uint32_t xid, uint32_t status,
                              size_t more)
{
    struct wire_writer writer = wire_writer(message->bytes + 4, sizeof message->bytes - 4);

    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = xid});
    wire_put_u32(&writer, status);
    memset(wire_reserve(&writer, more), 0, more);
    made_end(message, &writer);
}
