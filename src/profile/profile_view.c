/* Fields and view of a profile. */
#include <math.h>

#include "common/system_clock.h"
#include "nfs/status.h"
#include "profile/errors_json.h"
#include "profile/profile.h"
#include "version.h"

#define CALLS(member)     FIELD_AT(struct profile_calls, member)
#define PROCEDURE(member) FIELD_AT(struct profile_procedure, member)

static const struct field count_fields[] = {
    {"calls", FIELD_COUNT, CALLS(calls)},
    {"replies", FIELD_COUNT, CALLS(replies)},
    {"sent_again", FIELD_COUNT, CALLS(retransmitted)},
    FIELD_END,
};

static json_t *write_errors(const void *object, const void *root)
{
    return errors_json(&((const struct profile_procedure *)object)->tally);
}

static bool was_answered(const void *object, const void *root)
{
    return ((const struct profile_procedure *)object)->latency.histogram.count > 0;
}

static double share_of_calls(const void *object, const void *root)
{
    return (double)((const struct profile_procedure *)object)->count.calls /
           (double)profile_calls(root);
}

static const char *errors_said(const void *object, const void *root, char room[FIELD_ROOM])
{
    return nfs_describe_errors(&((const struct profile_procedure *)object)->tally, room,
                               FIELD_ROOM);
}

static const struct field procedure_fields[] = {
    {"procedure", FIELD_WORD, PROCEDURE(name), FIELD_KEY},
    {NULL, FIELD_OBJECT, PROCEDURE(count), .fields = count_fields},
    {"call_bytes", FIELD_COUNT, PROCEDURE(call_bytes)},
    {"reply_bytes", FIELD_COUNT, PROCEDURE(reply_bytes)},
    {"failed", FIELD_COUNT, PROCEDURE(tally.failed)},
    {"errors", FIELD_OWN, .write = write_errors,
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}}"},
    {"encrypted", FIELD_COUNT, PROCEDURE(protected)},
    {"cut", FIELD_COUNT, PROCEDURE(cut)},
    {"latency_ns", FIELD_OBJECT, PROCEDURE(summary), FIELD_OR_NULL, .fields = latency_fields,
     .known = was_answered},
    {"share", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = share_of_calls},
    {"errors_said", FIELD_WORD, .flags = FIELD_SHOWN, .text = errors_said},
    FIELD_END,
};

#define PROGRAM(member) FIELD_AT(struct profile_program, member)

static const char *program_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return profile_program_name(((const struct profile_program *)object)->program);
}

static const struct field program_fields[] = {
    {"name", FIELD_WORD, .flags = FIELD_KEY, .text = program_name},
    {"version", FIELD_COUNT, PROGRAM(version), FIELD_KEY},
    {NULL, FIELD_OBJECT, PROGRAM(count), .fields = count_fields},
    FIELD_END,
};

/* The capture */

#define COUNT(member) FIELD_COUNT, FIELD_AT(struct profile, counts.member)

static const struct field capture_fields[] = {
    {"packets", COUNT(packets)},
    {"clock_tick_ns", FIELD_QUANTITY, FIELD_AT(struct profile, clock_tick), FIELD_OR_NULL},
    {"packets_cut", COUNT(cut)},
    {"packets_other", COUNT(other)},
    {"packets_late", COUNT(late)},
    {"packets_without_fragment", COUNT(incomplete)},
    {"packets_nfs", COUNT(nfs.all)},
    {"packets_nfs_unread", COUNT(nfs.unread)},
    {"packets_nfs_unread_cut", COUNT(nfs.unread_cut)},
    {"streams_begun_before", COUNT(begun_inside)},
    {"segments_retransmitted", COUNT(retransmitted)},
    {"segments_reordered", COUNT(reordered)},
    {"gaps", COUNT(holes)},
    {"missing_bytes", COUNT(missing)},
    {"messages", COUNT(messages)},
    {"messages_undecodable", COUNT(undecodable)},
    {"calls_given_up", COUNT(given_up)},
    {"replies_unmatched", COUNT(unmatched)},
    {"replies_duplicate", COUNT(duplicates)},
    {"ended_by", FIELD_BUFFER, FIELD_AT(struct profile, ended_by), FIELD_OR_NULL},
    FIELD_END,
};

/* Return the time of the capture's earliest packet in the form of RFC 3339, to the second. */
static const char *start_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const time_t seconds = (time_t)(((const struct profile *)object)->begin / 1000000000);

    return system_clock_text(seconds, room);
}

static double duration_of(const void *object, const void *root)
{
    return profile_seconds(object);
}

static const char *transports(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct profile *profile = object;

    return !profile->over_udp ? "TCP" : !profile->over_tcp ? "UDP" : "TCP and UDP";
}

static double calls_in_all(const void *object, const void *root)
{
    return (double)profile_calls(object);
}

static double lacks_something(const void *object, const void *root)
{
    const struct profile_counts *counts = &((const struct profile *)object)->counts;

    return counts->nfs.unread || counts->cut || counts->other || counts->late ||
           counts->incomplete || counts->begun_inside || counts->retransmitted ||
           counts->reordered || counts->holes || counts->missing || counts->undecodable ||
           counts->given_up || counts->unmatched || counts->duplicates;
}

/* Return the share (0 to 1) of packets on NFS ports that are not RPC; NAN up to
 * PROFILE_UNREAD_NOTED, because a few such packets are usual, such as probes of a port. */
static double unread_share(const void *object, const void *root)
{
    const double share = profile_unread(object);

    return share > PROFILE_UNREAD_NOTED ? share : NAN;
}

#define PROFILE(member) FIELD_AT(struct profile, member)

static const struct field fields[] = {
    {"file", FIELD_TEXT, PROFILE(path)},
    {"start", FIELD_WORD, .text = start_of},
    {"duration_s", FIELD_QUANTITY, .number = duration_of},
    {"clients", FIELD_COUNT, PROFILE(clients.count)},
    {"servers", FIELD_COUNT, PROFILE(servers.count)},
    {"messages_tcp", FIELD_COUNT, PROFILE(over_tcp)},
    {"messages_udp", FIELD_COUNT, PROFILE(over_udp)},
    {"procedures", FIELD_ARRAY,
     FIELD_ITEMS(struct profile, procedures, procedure_count, procedure_fields)},
    {"not_decoded", FIELD_ARRAY,
     FIELD_ITEMS(struct profile, programs, program_count, program_fields)},
    {"capture", FIELD_OBJECT, .fields = capture_fields},
    {"transports", FIELD_WORD, .flags = FIELD_SHOWN, .text = transports},
    {"calls", FIELD_COUNT, .flags = FIELD_SHOWN, .number = calls_in_all},
    {"lacks", FIELD_COUNT, .flags = FIELD_SHOWN, .number = lacks_something},
    {"unread", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = unread_share},
    FIELD_END,
};

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  profile of {file}  NFSv3 over {transports}"},
    {"{unread/0.01:1} % of the packets on ports of NFS were not understood "
     "({capture.packets_nfs_unread} "
     "of {capture.packets_nfs}{?(capture.packets_nfs_unread_cut); "
     "{capture.packets_nfs_unread_cut} of them were cut by the snap length}): calls and replies in "
     "them are missing below",
     .tone = TERMINAL_DOUBTFUL},
    {"the clock of the capture has a resolution of {capture.clock_tick_ns/1000000:3g} ms: "
     "latencies are multiples of it, and 0 means less than the resolution",
     .when = "capture.clock_tick_ns", .tone = TERMINAL_DOUBTFUL},
    {"{duration_s:3} s, {capture.packets#packet}, {clients#client}, {servers#server}, "
     "{calls#call}"},
    {NULL},
};

/* A column with the latency PATH. DECIMALS: VIEW_FIT, or 0 if the clock has coarse ticks. */
#define LATENCY(path, heading, spare, decimals, condition)                                         \
    {                                                                                              \
        path, heading, spare, decimals, VIEW_US, VIEW_IF_ANY, .width = 9, .when = condition        \
    }
#define LATENCIES(decimals, when)                                                                  \
    LATENCY("latency_ns.p50", "p50 us", 0, decimals, when),                                        \
        LATENCY("latency_ns.p99", "p99 us", 0, decimals, when),                                    \
        LATENCY("latency_ns.mean", "mean us", 1, decimals, when)

static const struct view_column columns[] = {
    {"procedure", "procedure", .width = 11},
    {"calls", "calls", 0, VIEW_GROUPED, .width = 9},
    {"share", "share", 2, 1, .flags = VIEW_PERCENT},
    {"replies", "replies", 0, VIEW_GROUPED, .width = 9},
    {"sent_again", "sent again", 3},
    LATENCIES(VIEW_FIT, "!^capture.clock_tick_ns"),
    LATENCIES(0, "^capture.clock_tick_ns"),
    {"call_bytes", "call bytes", 4, VIEW_GROUPED},
    {"reply_bytes", "reply bytes", 5, VIEW_GROUPED},
    {NULL},
};

static const struct view_line remarks[] = {
    {"{?{errors_said}{?(encrypted|cut), }}{?(encrypted){encrypted} encrypted{?(cut), }}"
     "{?(cut){cut} cut}"},
    {NULL},
};

static const struct view_line notes[] = {
    {"  latency: from the last byte of a call to the last byte of its reply, at the capturing "
     "machine",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column programs[] = {
    {"name", "not decoded"},
    {"version", "version"},
    {"calls", "calls", 0, VIEW_GROUPED},
    {"replies", "replies", 0, VIEW_GROUPED},
    {"sent_again", "sent again"},
    {NULL},
};

static const struct view_table tables[] = {
    {"procedures", NULL, columns, .remarks = remarks, .notes = notes},
    {"not_decoded", NULL, programs},
    {NULL},
};

#define LACK(path, text)                                                                           \
    {                                                                                              \
        "  {" path ":,} " text, .when = path                                                       \
    }

static const struct view_line lacks[] = {
    {"", .when = "lacks"},
    {"missing from the capture, or duplicated in it", .when = "lacks"},
    LACK("capture.packets_nfs_unread", "packets on ports of NFS that were not understood as RPC"),
    LACK("capture.packets_cut", "packets cut by the snap length"),
    LACK("capture.packets_other", "packets that are neither TCP nor UDP, or malformed"),
    LACK("capture.packets_late", "packets that are earlier than a packet before them"),
    LACK("capture.packets_without_fragment", "packets that lack a fragment"),
    LACK("capture.streams_begun_before", "directions of connections that began before the capture"),
    LACK("capture.segments_retransmitted", "TCP segments that were retransmitted"),
    LACK("capture.segments_reordered", "TCP segments that arrived out of order"),
    LACK("capture.gaps", "gaps in TCP streams"),
    LACK("capture.missing_bytes", "bytes that are missing in TCP streams"),
    LACK("capture.messages_undecodable", "RPC messages cut within their header, or malformed"),
    LACK("capture.calls_given_up",
         "calls without a reply within 10 s, no longer counted as in flight"),
    LACK("capture.replies_unmatched", "replies to calls that the capture lacks"),
    LACK("capture.replies_duplicate", "replies to calls that were answered before"),
    {"", .when = "capture.ended_by"},
    {"the capture can't be read further: {capture.ended_by}"},
    {NULL},
};

const struct view view_profile = {RESULT_PROFILE, fields, head, tables, lacks};
