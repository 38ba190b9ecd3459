#include "profile/traffic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/append.h"
#include "common/counted.h"
#include "profile/stamp_clock.h"
#include "profile/table.h"
#include "profile/tshark.h"
#include "profile/workload_fill.h"

/* A call without a reply counts as in flight for at most PATIENCE_NS, and only until CALLS later
 * calls were captured. */
#define PATIENCE_NS UINT64_C(10000000000)
enum { CALLS = 1 << 17, CONNECTIONS = 1 << 16, OBJECTS = 1 << 17, SERVERS = 1 << 12 };

/* The data that one end of a TCP connection sends. */
struct side {
    bool known;    /* a segment from this end was captured */
    uint32_t next; /* sequence number expected in the next segment */
    /* sequence numbers of the begin and the end of the last gap; equal if there is no gap */
    uint32_t gap, gap_end;
    size_t unfinished; /* bytes captured of a record that continues in later segments */
};

struct connection {
    bool has_messages;
    struct side sides[2];
    /* Counts of segments before the first RPC message. Later ones are counted in PROFILE. */
    struct profile_counts counts;
    /* One end is known to be an NFS port. While false, PACKETS and LONE_REPLIES (UDP replies
     * without calls) are counted here and not in the profile, where only NFS ports count. */
    bool is_nfs;
    struct profile_packets packets;
    uint64_t lone_replies;
    uint64_t ends[2]; /* hashes of each end's address and port */
    struct workload_connection use;
};

struct traffic {
    struct captured *captured;
    struct profile *profile; /* profile in CAPTURED */
    struct workload_fill *fill;
    struct dissection *dissection;
    struct hash_key hash_key;
    struct table connections; /* struct connection, by a hash of both ends */
    struct table calls;       /* struct captured_call, by call_key() */
    struct table servers;     /* hashes of addresses and ports to which NFS calls were sent */
    struct stamp_clock clock;
    /* number of the next call in CALLS that give_up() reads; calls before it do not wait any more
     */
    uint64_t seen;
    uint64_t first_fragments, last_fragments, reassembled;
};

/* TCP */

/* Shorten the last gap of SIDE by the bytes that FRAME, a late segment, has in the gap. */
static void fill_gap(struct side *side, const struct frame *frame, struct profile_counts *counts)
{
    uint32_t from = frame->sequence, end = from + frame->data;

    if ((int32_t)(from - side->gap) < 0)
        from = side->gap;
    if ((int32_t)(end - side->gap_end) > 0)
        end = side->gap_end;
    if (side->gap == side->gap_end || (int32_t)(end - from) <= 0)
        return;
    counts->missing -= end - from;
    if (end == side->gap_end)
        side->gap_end = from;
    else
        side->gap = end; /* the gap's bytes before FROM stay in COUNTS as missing */
    counts->holes -= side->gap == side->gap_end;
}

/* Advance SIDE by the segment FRAME; count gaps, missing bytes and a missing SYN in COUNTS. */
static void follow_sequence(struct side *side, const struct frame *frame,
                            struct profile_counts *counts)
{
    uint32_t next = frame->sequence + frame->data + !!(frame->flags & (FRAME_SYN | FRAME_FIN));
    int32_t ahead = (int32_t)(frame->sequence - side->next);

    if (!side->known || frame->flags & FRAME_SYN) {
        counts->begun_inside += !(frame->flags & FRAME_SYN);
        *side = (struct side){.known = true, .next = next};
        return;
    }
    if (ahead > 0 && !(frame->flags & FRAME_RST)) {
        counts->holes++;
        counts->missing += (uint32_t)ahead;
        side->gap = side->next;
        side->gap_end = frame->sequence;
        side->unfinished = 0;
    } else if (ahead < 0) {
        fill_gap(side, frame, counts);
    }
    if ((int32_t)(next - side->next) > 0)
        side->next = next;
}

static void add_segment(struct traffic *traffic, struct connection *connection, unsigned side,
                        const struct frame *frame)
{
    struct profile_counts *counts =
        connection->has_messages ? &traffic->profile->counts : &connection->counts;

    follow_sequence(&connection->sides[side], frame, counts);
    counts->retransmitted += frame->is_retransmitted;
    counts->reordered += frame->is_reordered;
    if (frame->flags & FRAME_RST)
        connection->sides[0].unfinished = connection->sides[1].unfinished = 0;
}

/* Note that CONNECTION has RPC messages. The first time, add its counts of segments to COUNTS. */
static void note_messages(struct profile_counts *counts, struct connection *connection)
{
    if (connection->has_messages)
        return;
    connection->has_messages = true;
    counts->begun_inside += connection->counts.begun_inside;
    counts->retransmitted += connection->counts.retransmitted;
    counts->reordered += connection->counts.reordered;
    counts->holes += connection->counts.holes;
    counts->missing += connection->counts.missing;
}

/* NFS ports */

static void add_packets(struct profile_counts *counts, const struct connection *connection)
{
    counts->nfs.all += connection->packets.all;
    counts->nfs.unread += connection->packets.unread;
    counts->nfs.unread_cut += connection->packets.unread_cut;
    counts->messages += connection->lone_replies;
    counts->unmatched += connection->lone_replies;
}

static void note_nfs(struct traffic *traffic, struct connection *connection)
{
    if (connection->is_nfs)
        return;
    connection->is_nfs = true;
    add_packets(&traffic->profile->counts, connection);
}

/* Add the packets of connections to a port that was found to be an NFS port only later, by a call
 * on another connection. */
static void add_packets_of_servers(struct traffic *traffic)
{
    uint64_t kept =
        traffic->connections.added < CONNECTIONS ? traffic->connections.added : CONNECTIONS;

    for (uint64_t i = 0; i < kept; i++) {
        struct connection *connection = table_at(&traffic->connections, i);

        if (table_find(&traffic->servers, connection->ends[0]) ||
            table_find(&traffic->servers, connection->ends[1]))
            note_nfs(traffic, connection);
    }
}

static void add_packet(struct traffic *traffic, struct connection *connection,
                       const struct frame *frame)
{
    struct profile_packets *packets =
        connection->is_nfs ? &traffic->profile->counts.nfs : &connection->packets;

    if (frame->data == 0 || frame->is_retransmitted)
        return;
    packets->all++;
    packets->unread += !frame->is_understood;
    packets->unread_cut += !frame->is_understood && frame->is_cut;
}

/* Messages */

struct way {
    uint64_t flow; /* key of the connection */
    struct connection *connection;
    unsigned side; /* sending side */
    const struct frame *frame;
};

static uint64_t call_key(const struct traffic *traffic, uint64_t flow, uint32_t xid, uint32_t side)
{
    const uint64_t name[] = {flow, (uint64_t)xid << 1 | side};

    return hash_bytes(&traffic->hash_key, name, sizeof name);
}

/* Return whether CALL is KNOWN sent again (true), or a new call with the same xid (false). */
static bool is_again(const struct message *known, const struct message *call)
{
    return known->program == call->program && known->version == call->version &&
           known->procedure == call->procedure && known->length == call->length;
}

static void add_nfs_call(struct traffic *traffic, const struct way *way, struct captured_call *call)
{
    struct profile *profile = traffic->profile;

    call->client = profile_add_host(&profile->clients, way->frame->from.host);
    profile_add_host(&profile->servers, way->frame->to.host);
    profile->over_tcp += way->frame->kind == FRAME_TCP;
    profile->over_udp += way->frame->kind == FRAME_UDP;
    if (!table_find(&traffic->servers, way->frame->to.port))
        table_add(&traffic->servers, way->frame->to.port);
    note_nfs(traffic, way->connection);
}

static void add_call(struct traffic *traffic, const struct way *way, const struct message *message)
{
    struct captured_call call = {
        .message = *message,
        .key = call_key(traffic, way->flow, message->xid, way->side),
        .flow = way->flow,
        .time = way->frame->time,
    };
    struct captured_call *known = table_find(&traffic->calls, call.key);
    bool is_new = !known || !is_again(&known->message, message);

    if (profile_decodes(message))
        add_nfs_call(traffic, way, &call);
    profile_add_call(traffic->profile, message, is_new);
    if (!is_new)
        return;
    known = table_add(&traffic->calls, call.key);
    *known = call;
    if (profile_decodes(message))
        workload_fill_call(traffic->fill, known, &way->connection->use);
}

static void add_reply(struct traffic *traffic, const struct way *way, struct message *reply)
{
    struct profile *profile = traffic->profile;
    struct captured_call *call =
        table_find(&traffic->calls, call_key(traffic, way->flow, reply->xid, !way->side));

    profile->counts.unmatched += !call;
    profile->counts.duplicates += call && call->answered;
    profile->counts.undecodable += !reply->decoded;
    if (!call || call->answered)
        return;
    call->answered = true;
    if (reply->status == CALL_STATUS_CUT && call->message.encrypted && reply->decoded)
        reply->status = CALL_STATUS_ENCRYPTED;
    if (way->frame->time >= call->time)
        stamp_clock_add_latency(&traffic->clock, way->frame->time - call->time);
    profile_add_reply(profile, call, way->frame->time, reply);
    if (profile_decodes(&call->message))
        workload_fill_reply(traffic->fill, call, &way->connection->use, way->frame->time, reply);
}

/* Give up calls that have waited too long at TIME (ns since 1970), and calls that a new call will
 * replace. Otherwise calls whose replies were not captured would be in flight for ever, and their
 * clients never idle. */
static void give_up(struct traffic *traffic, uint64_t time)
{
    const uint64_t before = time > PATIENCE_NS ? time - PATIENCE_NS : 0;

    for (; traffic->seen < traffic->calls.added; traffic->seen++) {
        struct captured_call *call = table_at(&traffic->calls, traffic->seen);
        struct connection *connection;

        if (call->time >= before && traffic->calls.added - traffic->seen < CALLS)
            return;
        call->given_up = !call->answered;
        if (call->answered || !profile_decodes(&call->message))
            continue;
        connection = table_find(&traffic->connections, call->flow);
        traffic->profile->counts.given_up++;
        workload_fill_give_up(traffic->fill, call, connection ? &connection->use : NULL);
    }
}

/* Return whether MESSAGE may be other data that look like a UDP reply: its call is not known, and
 * its connection has had neither port 2049 nor an NFS call. */
static bool is_uncertain(const struct traffic *traffic, const struct way *way,
                         const struct message *message)
{
    return way->frame->is_lone_reply && !way->connection->is_nfs &&
           !table_find(&traffic->calls, call_key(traffic, way->flow, message->xid, !way->side));
}

static void add_message(struct traffic *traffic, const struct way *way, struct message *message)
{
    struct profile_counts *counts = &traffic->profile->counts;

    if (is_uncertain(traffic, way, message)) {
        way->connection->lone_replies++;
        return;
    }
    if (message->is_call && message->decoded && !profile_program_name(message->program))
        return;
    counts->messages++;
    note_messages(counts, way->connection);
    give_up(traffic, way->frame->time);
    if (!message->is_call)
        add_reply(traffic, way, message);
    else if (message->decoded)
        add_call(traffic, way, message);
    else
        counts->undecodable++;
}

/* Frames */

static void add_to_connection(struct traffic *traffic, const struct frame *frame)
{
    const uint64_t flow = (frame->from.port + frame->to.port) | 1;
    struct connection *known = table_find(&traffic->connections, flow);
    const struct way way = {
        .flow = flow,
        .connection = known ? known : table_add(&traffic->connections, flow),
        .side = frame->from.port > frame->to.port,
        .frame = frame,
    };
    struct side *side = &way.connection->sides[way.side];

    way.connection->ends[0] = frame->from.port;
    way.connection->ends[1] = frame->to.port;
    if (frame->is_nfs_port)
        note_nfs(traffic, way.connection);
    if (frame->kind == FRAME_TCP)
        add_segment(traffic, way.connection, way.side, frame);
    add_packet(traffic, way.connection, frame);
    if (frame->count > 0) {
        frame->messages[0].length += side->unfinished;
        side->unfinished = 0;
    }
    side->unfinished += frame->unfinished;
    for (size_t i = 0; i < frame->count; i++)
        add_message(traffic, &way, &frame->messages[i]);
}

void traffic_add(void *context, char *line)
{
    struct traffic *traffic = context;
    struct profile *profile = traffic->profile;
    struct frame frame;

    if (!dissection_read(traffic->dissection, line, &frame))
        return;
    if (profile->counts.packets++ == 0)
        profile->begin = profile->end = frame.time;
    if (frame.time < profile->begin)
        profile->begin = frame.time;
    profile->counts.late += frame.time < profile->end;
    if (frame.time > profile->end)
        profile->end = frame.time;
    stamp_clock_add_packet(&traffic->clock, frame.time);
    profile->counts.cut += frame.is_cut;
    profile->counts.other += frame.kind == FRAME_OTHER;
    traffic->first_fragments += frame.is_first_fragment;
    traffic->last_fragments += frame.is_last_fragment;
    traffic->reassembled += frame.is_reassembled;
    if (frame.kind == FRAME_TCP || frame.kind == FRAME_UDP)
        add_to_connection(traffic, &frame);
}

/* Opening and closing */

static void release(struct traffic *traffic)
{
    workload_fill_close(traffic->fill);
    dissection_close(traffic->dissection);
    table_close(&traffic->connections);
    table_close(&traffic->calls);
    table_close(&traffic->servers);
    free(traffic);
}

struct traffic *traffic_open(struct captured *captured, bool keep_names)
{
    struct traffic *traffic = calloc(1, sizeof *traffic);

    if (!traffic)
        return NULL;
    traffic->captured = captured;
    traffic->profile = &captured->profile;
    traffic->fill = workload_fill_open(&captured->workload, OBJECTS, keep_names);
    traffic->dissection = dissection_open();
    traffic->hash_key = hash_new_key();
    if (table_open(&traffic->connections, CONNECTIONS, sizeof(struct connection)) &&
        table_open(&traffic->calls, CALLS, sizeof(struct captured_call)) &&
        table_open(&traffic->servers, SERVERS, 1) && traffic->dissection && traffic->fill)
        return traffic;
    release(traffic);
    return NULL;
}

void traffic_close(struct traffic *traffic)
{
    struct profile *profile = traffic->profile;
    uint64_t fragmented = traffic->first_fragments > traffic->last_fragments
                              ? traffic->first_fragments
                              : traffic->last_fragments;

    if (fragmented > traffic->reassembled)
        profile->counts.incomplete = fragmented - traffic->reassembled;
    add_packets_of_servers(traffic);
    profile->clock_tick = stamp_clock_tick(&traffic->clock);
    profile_finish(profile);
    if (profile_unread(profile) > PROFILE_UNREAD_NOTED)
        traffic->captured->workload.left_out.packets = profile_unread(profile);
    workload_fill_finish(traffic->fill, profile_seconds(profile), profile->clock_tick);
    release(traffic);
}

/* Write programs other than NFSv3 to TEXT, such as "nfs version 4 (12 calls, not decoded)". */
static void describe_programs(const struct profile *profile, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < profile->program_count; i++) {
        const struct profile_program *program = &profile->programs[i];

        append_item(text, size, "%s version %u (%s, not decoded)",
                    profile_program_name(program->program), program->version,
                    counted(program->count.calls, "call").text);
    }
}

/* Write to TEXT why a capture has no NFSv3 call. FILTERED: the user has given --filter. */
static void describe_others(const struct profile *profile, bool filtered, char *text, size_t size)
{
    const struct profile_counts *counts = &profile->counts;
    const struct counted packets = counted(counts->packets, "packet");
    char programs[300];

    describe_programs(profile, programs, sizeof programs);
    if (counts->packets == 0)
        snprintf(text, size, "the capture has no packet%s",
                 filtered ? " that --filter matches" : "");
    else if (profile->program_count)
        snprintf(text, size, "the capture has only %s", programs);
    else if (counts->undecodable)
        snprintf(text, size,
                 "%s truncated within the RPC header; capture whole packets (tcpdump -s 0)",
                 counted(counts->undecodable, "message").text);
    else if (counts->unmatched)
        snprintf(text, size, "the capture has only %s to earlier calls",
                 counted(counts->unmatched, "reply").text);
    else if (counts->cut)
        snprintf(text, size,
                 "the snap length truncated all RPC messages in %s; capture whole packets (tcpdump "
                 "-s 0)",
                 packets.text);
    else if (counts->nfs.unread)
        snprintf(text, size, "%s on NFS ports, but no RPC message (encrypted?)",
                 counted(counts->nfs.unread, "packet").text);
    else
        snprintf(text, size, "no RPC in %s", packets.text);
}

static int check_contents(const struct profile *profile, const char *filter, struct error *error)
{
    char others[400];

    if (profile->ended_by[0] && profile->counts.packets == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "can't read the capture %.200s%s%.100s%s: %s",
                         profile->path, filter ? " with --filter '" : "", filter ? filter : "",
                         filter ? "'" : "", profile->ended_by);
    if (profile_calls(profile) > 0)
        return 0;
    describe_others(profile, filter, others, sizeof others);
    return error_set(error, ERROR_FAILED, -ENODATA, "%.200s: no NFSv3 call: %s", profile->path,
                     others);
}

int traffic_read(struct captured *captured, const char *path, const char *filter, bool keep_names,
                 struct error *error)
{
    struct traffic *traffic = traffic_open(captured, keep_names);
    struct profile *profile = &captured->profile;
    int code;

    if (!traffic)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a capture");
    profile->path = path;
    code = tshark_run(path, filter, dissection_fields(), DISSECTION_AGGREGATOR, traffic_add,
                      traffic, profile->ended_by, error);
    traffic_close(traffic);
    return code ? code : check_contents(profile, filter, error);
}
