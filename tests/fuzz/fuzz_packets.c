/* Packets of a capture, as anybody on the network may send them, and as a capture may mutilate
 * them. The input is a script: frames of any bytes; and segments, datagrams and fragments with RPC
 * messages, of which some are lost, cut, repeated, reordered or overwritten. Whatever comes, no
 * more is answered than was called, and nothing is left. */
#include <string.h>

#include "../unit/made_packets.h"
#include "capture/traffic.h"
#include "text.h"

static const struct traffic_limits limits = {.memory = 64 << 10, .calls = 16};

struct session {
    struct script script;
    struct traffic *traffic;
    uint64_t time;
    uint32_t sequences[2]; /* of the client, of the server */
};

static void add_frame(struct session *session, enum link_type link, const uint8_t *bytes,
                      size_t captured, size_t sent)
{
    const struct captured_frame frame = {
        .link = link, .time = session->time, .bytes = bytes, .captured = captured, .sent = sent};

    traffic_add(session->traffic, &frame);
}

static void add_bytes(struct session *session)
{
    enum link_type link = script_byte(&session->script) % (LINK_RAW + 1);
    size_t more = script_byte(&session->script), length = script_byte(&session->script);
    const uint8_t *bytes = script_bytes(&session->script, &length);

    add_frame(session, link, bytes, length, length + more);
}

static void make_message(struct session *session, bool *from_client, struct made_message *message)
{
    uint8_t how = script_byte(&session->script);
    uint32_t xid = script_byte(&session->script) % 8, what = script_byte(&session->script);
    size_t more = (size_t)script_byte(&session->script) * 8;

    *from_client = !(how & 1);
    if (how & 2)
        made_call_of(message, xid, 100000 + what % 8, how >> 5, what, more);
    else if (*from_client)
        made_call(message, xid, what % 24, more);
    else
        made_reply(message, xid, what, more);
    if (how & 4)
        message->bytes[script_u16(&session->script) % message->length] ^= how;
}

/* Segments of a message; each may be lost, cut, moved or repeated. */
static void add_segments(struct session *session)
{
    size_t piece = (size_t)script_byte(&session->script) * 4 + 1;
    struct made_message message;
    struct made_frame frame;
    bool from_client;

    make_message(session, &from_client, &message);
    for (size_t at = 0; at < message.length; at += piece) {
        size_t length = piece < message.length - at ? piece : message.length - at;
        uint8_t how = script_byte(&session->script);
        uint32_t *sequence = &session->sequences[!from_client];

        made_tcp(&frame, from_client, *sequence + (how & 8 ? (uint32_t)(how >> 4) * 100 : 0),
                 session->sequences[from_client], how & 4 ? PACKET_ACK : how >> 3,
                 message.bytes + at, length);
        if ((how & 3) != 1)
            *sequence += (uint32_t)length;
        if ((how & 3) != 2)
            add_frame(session, LINK_RAW, frame.bytes,
                      frame.length - ((how & 3) == 3 ? length / 2 : 0), frame.length);
    }
}

/* A datagram, as a whole or in two fragments. */
static void add_datagram(struct session *session)
{
    size_t at = (size_t)script_byte(&session->script) * 8;
    struct made_message message;
    struct made_frame frame;
    bool from_client;

    make_message(session, &from_client, &message);
    made_udp(&frame, from_client, message.bytes + 4, message.length - 4);
    if (at == 0 || MADE_IPV4_SIZE + at >= frame.length) {
        add_frame(session, LINK_RAW, frame.bytes, frame.length, frame.length);
        return;
    }
    made_u16(frame.bytes + 6, 0x2000);
    made_u16(frame.bytes + 2, (unsigned)(MADE_IPV4_SIZE + at));
    add_frame(session, LINK_RAW, frame.bytes, MADE_IPV4_SIZE + at, MADE_IPV4_SIZE + at);
    memmove(frame.bytes + MADE_IPV4_SIZE, frame.bytes + MADE_IPV4_SIZE + at,
            frame.length - MADE_IPV4_SIZE - at);
    frame.length -= at;
    made_u16(frame.bytes + 2, (unsigned)frame.length);
    made_u16(frame.bytes + 6, (unsigned)(at / 8));
    add_frame(session, LINK_RAW, frame.bytes, frame.length, frame.length);
}

static void step(struct session *session)
{
    uint8_t how = script_byte(&session->script);

    session->time += (uint64_t)how << 20;
    if (how % 4 == 3)
        add_bytes(session);
    else if (how % 4 == 2)
        add_datagram(session);
    else
        add_segments(session);
}

/* Whatever was captured, its workload can be replayed. */
static void check_workload(const struct workload *workload)
{
    static struct workload again;
    struct error error = {.text = ""};
    size_t length;
    char *text = text_written(workload_write, workload, &length);

    FUZZ_CHECK(workload_read(&again, text_file((uint8_t *)text, length), &error) == 0);
    free(text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct profile profile;
    static struct workload workload;
    struct workload_fill *fill = workload_fill_open(16, true);
    struct session session = {.script = script_of(data, size)};

    memset(&profile, 0, sizeof profile);
    session.traffic = traffic_open(&profile, fill, &limits);
    FUZZ_CHECK(session.traffic && fill);
    while (!script_ended(&session.script))
        step(&session);
    FUZZ_CHECK(traffic_close(session.traffic) == 0);
    for (size_t i = 0; i < PROFILE_PROCEDURES; i++) {
        const struct profile_procedure *procedure = &profile.procedures[i];

        FUZZ_CHECK(procedure->replies <= procedure->calls);
        FUZZ_CHECK(procedure->latency.count == procedure->replies);
        FUZZ_CHECK(procedure->tally.failed + procedure->protected + procedure->cut <=
                   procedure->replies);
    }
    if (workload_fill_finish(fill, 1, &workload) == 0)
        check_workload(&workload);
    workload_fill_close(fill);
    return 0;
}
