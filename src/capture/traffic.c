#include "capture/traffic.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/tshark.h"
#include "common/counted.h"

/* How long a call without a reply counts as in flight, and of how many. */
#define PATIENCE_NS UINT64_C(10000000000)
enum { CALLS = 1 << 17 };

/* Connections are known by the hash of both ends. Where those that share a set are too many, the
 * one that was silent for longest makes room. */
enum { SETS = 4096, WAYS = 4 };

/* What one end of a connection sent. */
struct side {
    bool known;            /* its first segment has been seen */
    uint32_t next;         /* sequence number */
    uint32_t gap, gap_end; /* the last gap: sequence numbers; equal: there is none */
    size_t unfinished;     /* bytes of the record that has begun, in fragments before this */
};

struct connection {
    uint64_t key;    /* 0: free */
    uint64_t latest; /* the number of the packet that came last */
    bool has_messages;
    struct side sides[2];
    struct profile_counts counts; /* of TCP */
    struct workload_connection use;
};

struct traffic {
    struct profile *profile;
    struct workload_fill *fill;
    struct dissection *dissection;
    struct calls *calls;
    uint64_t first_fragments, last_fragments, reassembled;
    struct connection connections[SETS][WAYS];
};

/* Connections */

/* What a connection lacks counts if it had RPC messages. */
static void forget(struct profile_counts *counts, const struct connection *connection)
{
    if (!connection->has_messages)
        return;
    counts->begun_inside += connection->counts.begun_inside;
    counts->retransmitted += connection->counts.retransmitted;
    counts->reordered += connection->counts.reordered;
    counts->holes += connection->counts.holes;
    counts->missing += connection->counts.missing;
}

/* NULL: it is not known any more. */
static struct connection *find(struct traffic *traffic, uint64_t key)
{
    struct connection *set = traffic->connections[key % SETS];

    for (size_t i = 0; i < WAYS; i++)
        if (set[i].key == key)
            return &set[i];
    return NULL;
}

static struct connection *find_or_make(struct traffic *traffic, uint64_t key)
{
    struct connection *set = traffic->connections[key % SETS], *oldest = set;
    struct connection *connection = find(traffic, key);

    for (size_t i = 1; i < WAYS; i++)
        if (set[i].latest < oldest->latest)
            oldest = &set[i];
    if (!connection) {
        forget(&traffic->profile->counts, oldest);
        connection = oldest;
        *connection = (struct connection){.key = key};
    }
    connection->latest = traffic->profile->counts.packets;
    return connection;
}

/* TCP */

/* A segment that was to be there before: it may fill the last gap, or a part of it. */
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
        side->gap = end; /* what is before FROM stays missing */
    counts->holes -= side->gap == side->gap_end;
}

/* Where the segment is in what its end has sent: gaps, and what they lack. */
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

static void add_segment(struct connection *connection, unsigned side, const struct frame *frame)
{
    follow_sequence(&connection->sides[side], frame, &connection->counts);
    connection->counts.retransmitted += frame->is_retransmitted;
    connection->counts.reordered += frame->is_reordered;
    if (frame->flags & FRAME_RST)
        connection->sides[0].unfinished = connection->sides[1].unfinished = 0;
}

/* Messages */

/* Where a message was sent. */
struct way {
    struct connection *connection;
    unsigned side; /* that sent it */
    const struct frame *frame;
};

/* A call of NFSv3. */
static void add_nfs_call(struct traffic *traffic, const struct way *way, struct captured_call *call)
{
    struct profile *profile = traffic->profile;

    call->client = profile_add_host(&profile->clients, way->frame->from.host);
    profile_add_host(&profile->servers, way->frame->to.host);
    profile->over_tcp += way->frame->kind == FRAME_TCP;
    profile->over_udp += way->frame->kind == FRAME_UDP;
    workload_fill_details(traffic->fill, call);
}

static void add_call(struct traffic *traffic, const struct way *way, const struct message *message)
{
    struct captured_call call = {
        .name = {way->connection->key, message->xid, way->side},
        .time = way->frame->time,
        .program = message->program,
        .version = message->version,
        .procedure = message->procedure,
        .length = message->length,
        .encrypted = message->encrypted,
        .details = message->details,
    };
    bool is_new;

    if (profile_decodes(&call))
        add_nfs_call(traffic, way, &call);
    is_new = calls_add(traffic->calls, &call);
    profile_add_call(traffic->profile, &call, is_new);
    if (is_new && profile_decodes(&call))
        workload_fill_call(traffic->fill, &call, &way->connection->use);
}

static void add_reply(struct traffic *traffic, const struct way *way, struct message *reply)
{
    struct profile *profile = traffic->profile;
    const struct call_name name = {way->connection->key, reply->xid, !way->side};
    bool answered = false;
    struct captured_call *call = calls_answer(traffic->calls, &name, &answered);

    profile->counts.unmatched += !call;
    profile->counts.duplicates += call && answered;
    profile->counts.undecodable += !reply->decoded;
    if (!call || answered)
        return;
    if (reply->status == CALL_STATUS_CUT && call->encrypted && reply->decoded)
        reply->status = CALL_STATUS_ENCRYPTED;
    profile_add_reply(profile, call, way->frame->time, reply->length, reply->status);
    if (profile_decodes(call))
        workload_fill_reply(traffic->fill, call, &way->connection->use, way->frame->time, reply);
}

/* A call whose reply the capture lacks would count as in flight to the end: its calls in flight
 * would be too many, and its client would never be without one. */
static void give_up(struct traffic *traffic, uint64_t time)
{
    uint64_t before = time > PATIENCE_NS ? time - PATIENCE_NS : 0;
    struct captured_call *call;

    while ((call = calls_give_up(traffic->calls, before))) {
        struct connection *connection = find(traffic, call->name.flow);

        if (!profile_decodes(call))
            continue;
        traffic->profile->counts.given_up++;
        workload_fill_give_up(traffic->fill, call, connection ? &connection->use : NULL);
    }
}

/* Only what belongs to NFS counts. */
static void add_message(struct traffic *traffic, const struct way *way, struct message *message)
{
    struct profile_counts *counts = &traffic->profile->counts;

    if (message->is_call && message->decoded && !profile_program_name(message->program))
        return;
    counts->messages++;
    way->connection->has_messages = true;
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
    const struct way way = {
        .connection = find_or_make(traffic, (frame->from.port + frame->to.port) | 1),
        .side = frame->from.port > frame->to.port,
        .frame = frame,
    };
    struct side *side = &way.connection->sides[way.side];

    if (frame->kind == FRAME_TCP)
        add_segment(way.connection, way.side, frame);
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
    profile->counts.cut += frame.is_cut;
    profile->counts.other += frame.kind == FRAME_OTHER;
    traffic->first_fragments += frame.is_first_fragment;
    traffic->last_fragments += frame.is_last_fragment;
    traffic->reassembled += frame.is_reassembled;
    if (frame.kind == FRAME_TCP || frame.kind == FRAME_UDP)
        add_to_connection(traffic, &frame);
}

/* Beginning and end */

struct traffic *traffic_open(struct profile *profile, struct workload_fill *fill)
{
    struct traffic *traffic = calloc(1, sizeof *traffic);

    if (!traffic)
        return NULL;
    traffic->profile = profile;
    traffic->fill = fill;
    traffic->dissection = dissection_open();
    traffic->calls = calls_open(CALLS);
    if (traffic->dissection && traffic->calls)
        return traffic;
    traffic_close(traffic);
    return NULL;
}

void traffic_close(struct traffic *traffic)
{
    struct profile_counts *counts = &traffic->profile->counts;
    uint64_t fragmented = traffic->first_fragments > traffic->last_fragments
                              ? traffic->first_fragments
                              : traffic->last_fragments;

    for (size_t i = 0; i < SETS; i++)
        for (size_t j = 0; j < WAYS; j++)
            forget(counts, &traffic->connections[i][j]);
    counts->incomplete = fragmented > traffic->reassembled ? fragmented - traffic->reassembled : 0;
    dissection_close(traffic->dissection);
    calls_close(traffic->calls);
    free(traffic);
}

/* What was found instead of NFSv3: "nfs version 4: 12 calls". */
static void describe_others(const struct profile *profile, char *text, size_t size)
{
    size_t used = 0;

    snprintf(text, size, "%s",
             profile->counts.undecodable
                 ? "messages of RPC that are cut; capture with a longer snap length, such as 256 "
                   "bytes"
             : profile->counts.cut ? "no RPC in what the snap length left of them; capture with a "
                                     "longer one, such as 256 bytes"
                                   : "no RPC");
    for (size_t i = 0; i < profile->program_count && used < size; i++) {
        const struct profile_program *program = &profile->programs[i];

        used += (size_t)snprintf(text + used, size - used, "%s%s version %u (%s, not decoded)",
                                 used ? ", " : "", profile_program_name(program->program),
                                 program->version, counted(program->calls, "call").text);
    }
}

static int check_contents(const struct profile *profile, const char *filter, struct error *error)
{
    char others[300];

    if (profile->ended_by[0] && profile->counts.packets == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "can't read the capture %.200s%s%.100s%s: %s",
                         profile->path, filter ? " with --filter '" : "", filter ? filter : "",
                         filter ? "'" : "", profile->ended_by);
    if (profile_calls(profile) > 0)
        return 0;
    describe_others(profile, others, sizeof others);
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "%.200s: no call of NFSv3 among its packets (%" PRIu64 "), but %s",
                     profile->path, profile->counts.packets, others);
}

int traffic_read(struct profile *profile, struct workload_fill *fill, const char *path,
                 const char *filter, struct error *error)
{
    struct traffic *traffic = traffic_open(profile, fill);
    int code;

    if (!traffic)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a capture");
    profile->path = path;
    code = tshark_run(path, filter, dissection_fields(), DISSECTION_AGGREGATOR, traffic_add,
                      traffic, profile->ended_by, error);
    traffic_close(traffic);
    return code ? code : check_contents(profile, filter, error);
}
