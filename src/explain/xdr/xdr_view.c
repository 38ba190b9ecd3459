/* Fields and view of the result of --xdr. */
#include "explain/xdr/xdr.h"
#include "measure/validity.h"
#include "output/result/origin.h"
#include "output/result/result_fields.h"
#include "output/view/view.h"
#include "version.h"

#define RESULT(member) FIELD_AT(struct xdr_result, member)
#define ROW(member)    FIELD_AT(struct xdr_row, member)
#define FIGURE(name)   FIELD_INTERVAL, ROW(figures[XDR_##name])

static const struct field row_fields[] = {
    {"op", FIELD_WORD, ROW(op), FIELD_NAME},
    {"call_bytes", FIELD_COUNT, ROW(call_bytes)},
    {"reply_bytes", FIELD_COUNT, ROW(reply_bytes)},
    {"encode_ns", FIGURE(WORK_ENCODE)},
    {"decode_ns", FIGURE(WORK_DECODE)},
    {"stamp_ns", FIGURE(WORK_STAMP)},
    {"check_ns", FIGURE(WORK_CHECK)},
    {"round_trip_ns", FIGURE(ROUND_TRIP)},
    {"share_rpcgen", FIGURE(SHARE_RPCGEN)},
    {"share_wire", FIGURE(SHARE_WIRE)},
    {"mic_ns", FIGURE(WORK_MIC), FIELD_OR_NAN},
    {"wrap_ns", FIGURE(WORK_WRAP), FIELD_OR_NAN},
    {"verify_ns", FIGURE(WORK_VERIFY), FIELD_OR_NAN},
    {"unwrap_ns", FIGURE(WORK_UNWRAP), FIELD_OR_NAN},
    FIELD_END,
};

static const struct field own_clock_fields[] = {
    {"name", FIELD_WORD, RESULT(clock)},
    {"cost_ns", FIELD_QUANTITY, RESULT(clock_cost_ns)},
    FIELD_END,
};

static double is_few(const void *object, const void *root)
{
    return ((const struct xdr_result *)object)->rounds < VALIDITY_ROUNDS_SUSPECT;
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, RESULT(origin), .fields = origin_members},
    {NULL, FIELD_OBJECT, RESULT(origin), .fields = origin_security},
    {"client_cpus", FIELD_BUFFER, RESULT(client_cpus)},
    {"server_cpu", FIELD_CPU, RESULT(server_cpu)},
    {"clock", FIELD_OBJECT, .fields = own_clock_fields},
    {"rounds", FIELD_COUNT, RESULT(rounds)},
    {"few_rounds", FIELD_COUNT, .flags = FIELD_SHOWN, .number = is_few},
    {"round_trips_per_round", FIELD_COUNT, RESULT(round_trips)},
    {"batches_per_round", FIELD_COUNT, RESULT(batches)},
    {"batch_ns", FIELD_QUANTITY, RESULT(batch_ns)},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct xdr_result, rows, row_count, row_fields)},
    {"skipped", FIELD_LIST, FIELD_ITEMS(struct xdr_result, skipped, skipped_count, skipped_fields)},
    {"cut_short_by", FIELD_TEXT, RESULT(cut_short_by)},
    FIELD_END,
};

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  XDR of each call on {target}  NFSv3 over {transport}  {auth}"
     "{?  xprtsec={xprtsec}}"},
    {"client on CPU {client_cpus}{?, server on CPU {server_cpu}}     clock {clock.name}, its cost "
     "of {clock.cost_ns:0} ns subtracted"},
    {"{rounds#round}, seed {seed}; each round has, in random order, {round_trips_per_round} round "
     "trips of each op and {batches_per_round} batches of {batch_ns/1000:0} us or more of each "
     "kind of "
     "XDR"},
    {"with few rounds the intervals themselves are uncertain: raise COUNT or --max-time",
     .when = "few_rounds"},
    {"CUT SHORT after {rounds#round}: {cut_short_by}"},
    {NULL},
};

static const struct view_column columns[] = {
    {"op", "op", .width = 16},
    {"call_bytes", "call B", 4, .width = 7},
    {"reply_bytes", "reply B", 4},
    {"encode_ns", "encode ns", .decimals = 1},
    {"decode_ns", "decode ns", .decimals = 1},
    {"stamp_ns", "stamp ns", 2, 1},
    {"check_ns", "check ns", 2, 1},
    {"round_trip_ns", "round trip us", 0, 2, VIEW_US, .width = 8},
    {"share_rpcgen", "rpcgen %", 0, 2, 100},
    {"share_rpcgen", "95 %", 1, 2, 100, VIEW_RANGE, 15},
    {"share_wire", "wire %", 3, 2, 100},
    {NULL},
};

static const struct view_line notes[] = {
    {"  {op:-16} left out: {reason}", "skipped"},
    {"", .flags = VIEW_VERBOSE},
    {"  encode, decode: a client that encodes each call and decodes each result by rpcgen's "
     "routines: RPC header with credential and arguments; RPC header and result, with its memory "
     "given back.",
     .flags = VIEW_VERBOSE},
    {"  stamp, check: what engine wire does instead: mark and xid written into a call encoded "
     "once; the reply's header and result checked where they are.",
     .flags = VIEW_VERBOSE, .column = "stamp ns"},
    {"  round trip us: of the same rounds; it includes none of encode, decode, stamp and check. "
     "rpcgen %: the share of encode and decode in the sum of these two and the round trip; wire %: "
     "the same for stamp and check.",
     .flags = VIEW_VERBOSE},
    {"  All are measured in memory with the same bytes over and over, so the caches are warm: they "
     "are lower bounds.",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column protection[] = {
    {"op", "op, in ns", .width = 16},
    {"mic_ns", "MIC", .decimals = 1},
    {"mic_ns", "95 %", 2, 1, .flags = VIEW_RANGE},
    {"wrap_ns", "wrap", .decimals = 1, .flags = VIEW_IF_ANY},
    {"wrap_ns", "95 %", 2, 1, .flags = VIEW_RANGE | VIEW_IF_ANY},
    {"verify_ns", "verify", .decimals = 1},
    {"verify_ns", "95 %", 2, 1, .flags = VIEW_RANGE},
    {"unwrap_ns", "unwrap", .decimals = 1, .flags = VIEW_IF_ANY},
    {"unwrap_ns", "95 %", 2, 1, .flags = VIEW_RANGE | VIEW_IF_ANY},
    {NULL},
};

static const struct view_line protection_notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  MIC, wrap: protecting a call: its header with the credential and its MIC; with krb5i "
     "and krb5p also its arguments. The round trip includes both.",
     .flags = VIEW_VERBOSE},
    {"  verify, unwrap: verifying a reply: its verifier, and its results. The round trip "
     "includes them only with --check-in-time. All are times of the library, in memory.",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_table tables[] = {
    {"ops", NULL, columns, .notes = notes},
    {"ops", NULL, protection, .when = "mic_ns", .notes = protection_notes},
    {NULL},
};

const struct view view_xdr = {RESULT_XDR, fields, head, tables, NULL};
