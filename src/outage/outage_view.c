/* Fields and view of an outage record. */
#include <math.h>

#include "nfs/status.h"
#include "outage/outage.h"
#include "output/view/view.h"
#include "version.h"

const char *const outage_procedure_names[OUTAGE_PROCEDURES + 1] = {
    [OUTAGE_NULL] = "null",   [OUTAGE_GETATTR] = "getattr", [OUTAGE_READ] = "read",
    [OUTAGE_WRITE] = "write", [OUTAGE_COMMIT] = "commit",
};

bool outage_was_seen(const struct outage *outage)
{
    return outage->gaps.count > 0 || outage->lost.blocks > 0;
}

const char *outage_line_name(const struct outage *outage, struct outage_line line,
                             char text[OUTAGE_LINE_SIZE])
{
    int length = snprintf(text, OUTAGE_LINE_SIZE, "%s", outage_procedure_names[line.procedure]);

    if (outage->connections > 1)
        snprintf(text + length, OUTAGE_LINE_SIZE - (size_t)length, " over connection %u",
                 (unsigned)line.connection);
    return text;
}

#define OUTAGE(member) FIELD_AT(struct outage, member)
#define GAP(member)    FIELD_AT(struct gap, member)
#define ROW(member)    FIELD_AT(struct gap_row, member)
#define TIME(member)   FIELD_AT(struct gap_time, member)
#define LINE(member)   FIELD_AT(struct outage_line, member)
#define CALLS(member)  FIELD_AT(struct outage_calls, member)

/* Gaps */

static const struct field line_fields[] = {
    {"op", FIELD_CHOICE, LINE(procedure), FIELD_KEY, .names = outage_procedure_names},
    {"connection", FIELD_COUNT, LINE(connection), FIELD_KEY},
    FIELD_END,
};

static double since_begin(const struct outage *outage, uint64_t time)
{
    return ((double)time - (double)outage->began_ns) / 1e9;
}

static double began(const void *object, const void *root)
{
    return since_begin(root, ((const struct gap_time *)object)->began);
}

/* Return the length of a gap or row in seconds, to the end of the probe if it has not ended. */
static double length(const void *object, const void *root)
{
    const struct gap_time *time = object;
    const struct outage *outage = root;

    return (time->is_over ? since_begin(outage, time->ended) : outage->duration) -
           since_begin(outage, time->began);
}

static const struct field time_fields[] = {
    {"began_s", FIELD_QUANTITY, .number = began},
    {"length_s", FIELD_QUANTITY, .number = length},
    {"ended", FIELD_FLAG, TIME(is_over)},
    FIELD_END,
};

static double row_grace(const void *object, const void *root)
{
    return (double)((const struct gap_row *)object)->grace / 1e9;
}

static const struct field row_fields[] = {
    {NULL, FIELD_OBJECT, ROW(line), .fields = line_fields},
    {NULL, FIELD_OBJECT, ROW(time), .fields = time_fields},
    {"grace_s", FIELD_QUANTITY, .number = row_grace},
    {"errors", FIELD_COUNT, ROW(errors)},
    FIELD_END,
};

static const char *first_back(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct gap *gap = object;

    return gap->first_back.connection ? outage_line_name(root, gap->first_back, room) : NULL;
}

static double longest_grace(const void *object, const void *root)
{
    const struct gap *gap = object;
    double longest = 0;

    for (size_t i = 0; i < gap->row_count; i++)
        longest = fmax(longest, row_grace(&gap->rows[i], root));
    return longest;
}

static const struct field gap_fields[] = {
    {NULL, FIELD_OBJECT, GAP(time), .fields = time_fields},
    {"first_back", FIELD_OBJECT, GAP(first_back), FIELD_OR_NULL,
     FIELD_IF(struct gap, first_back.connection), .fields = line_fields},
    {"first_back_name", FIELD_WORD, .flags = FIELD_SHOWN, .text = first_back},
    {"grace_s", FIELD_QUANTITY, .number = longest_grace},
    {"lost_blocks", FIELD_COUNT, GAP(lost)},
    {"lines", FIELD_LIST, FIELD_ITEMS(struct gap, rows, row_count, row_fields)},
    FIELD_END,
};

/* Calls */

static const char *status_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return nfs_status_name(((const struct engine_error *)object)->status, room);
}

static const struct field error_fields[] = {
    {NULL, FIELD_WORD, .flags = FIELD_KEY, .text = status_name},
    {"count", FIELD_COUNT, FIELD_AT(struct engine_error, count)},
    FIELD_END,
};

static const char *procedure_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct outage *outage = root;

    return outage_procedure_names[(const struct outage_calls *)object - outage->calls];
}

static const char *all_errors(const void *object, const void *root, char room[FIELD_ROOM])
{
    return nfs_describe_errors(&((const struct outage_calls *)object)->tally, room, FIELD_ROOM);
}

static const struct field call_fields[] = {
    {"op", FIELD_WORD, .text = procedure_name},
    {"due", FIELD_COUNT, CALLS(due)},
    {"not_sent", FIELD_COUNT, CALLS(not_sent)},
    {"good", FIELD_COUNT, CALLS(good)},
    {"failed", FIELD_COUNT, CALLS(tally.failed)},
    {"lacking", FIELD_TEXT, CALLS(lacking), FIELD_OR_NONE},
    {"errors", FIELD_ARRAY,
     FIELD_ITEMS(struct outage_calls, tally.errors, tally.error_kinds, error_fields),
     FIELD_BY_NAME},
    {"all_errors", FIELD_TEXT, .flags = FIELD_SHOWN, .text = all_errors},
    FIELD_END,
};

static double unanswered(const void *object, const void *root)
{
    const struct outage *outage = object;
    const uint64_t replies = outage->answered + outage->counts.unmatched + outage->in_flight;

    return outage->sent > replies ? (double)(outage->sent - replies) : 0;
}

static const struct field message_fields[] = {
    {"sent", FIELD_COUNT, OUTAGE(sent)},
    {"sent_again", FIELD_COUNT, OUTAGE(counts.retransmissions)},
    {"answered", FIELD_COUNT, OUTAGE(answered)},
    {"lost", FIELD_COUNT, .number = unanswered},
    {"duplicated", FIELD_COUNT, OUTAGE(counts.unmatched)},
    {"in_flight", FIELD_COUNT, OUTAGE(in_flight)},
    {"reconnections", FIELD_COUNT, OUTAGE(counts.reconnections)},
    FIELD_END,
};

static double lost_bytes(const void *object, const void *root)
{
    const struct outage *outage = object;

    return (double)outage->lost.blocks * outage->block_size;
}

static const struct field lost_fields[] = {
    {"blocks", FIELD_COUNT, OUTAGE(lost.blocks)},
    {"bytes", FIELD_COUNT, .number = lost_bytes},
    {"file_sync", FIELD_COUNT, OUTAGE(lost.sync)},
    {"committed", FIELD_COUNT, OUTAGE(lost.committed)},
    {"missing", FIELD_COUNT, OUTAGE(lost.faults[BLOCK_MISSING])},
    {"older", FIELD_COUNT, OUTAGE(lost.faults[BLOCK_OLDER])},
    {"other", FIELD_COUNT, OUTAGE(lost.faults[BLOCK_OTHER])},
    FIELD_END,
};

static double stalled(const void *object, const void *root)
{
    return (double)((const struct outage *)object)->stalled_ns / 1e9;
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, OUTAGE(origin), .fields = origin_members},
    {NULL, FIELD_OBJECT, OUTAGE(origin), .fields = origin_security},
    {"duration_s", FIELD_QUANTITY, OUTAGE(duration)},
    {"connections", FIELD_COUNT, OUTAGE(connections)},
    {"size", FIELD_COUNT, OUTAGE(block_size)},
    {"rate_per_s", FIELD_QUANTITY, OUTAGE(rate)},
    {"threshold_s", FIELD_QUANTITY, OUTAGE(threshold)},
    {"stalls", FIELD_COUNT, OUTAGE(stalls)},
    {"stalled_s", FIELD_QUANTITY, .number = stalled},
    {"gaps", FIELD_LIST, FIELD_ITEMS(struct outage, gaps.gap, gaps.count, gap_fields)},
    {"gaps_not_kept", FIELD_COUNT, OUTAGE(gaps.not_kept)},
    {"calls", FIELD_ARRAY, FIELD_TO(struct outage, calls, call_fields),
     .names = outage_procedure_names},
    {"messages", FIELD_OBJECT, .fields = message_fields},
    {"found_again", FIELD_COUNT, OUTAGE(found_again)},
    {"made_again", FIELD_COUNT, OUTAGE(made_again)},
    {"verifier_changes", FIELD_COUNT, OUTAGE(verifier_changes)},
    {"uncommitted_blocks", FIELD_COUNT, OUTAGE(uncommitted)},
    {"written_blocks", FIELD_COUNT, OUTAGE(written)},
    {"unchecked_blocks", FIELD_COUNT, OUTAGE(unchecked)},
    {"lost", FIELD_OBJECT, .fields = lost_fields},
    {"cut_short_by", FIELD_TEXT, OUTAGE(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

/* The view */

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  outages of {target}  NFSv3 over {transport}  {auth}"
     "{?  xprtsec={xprtsec}}"},
    {"{duration_s:1} s over {connections#connection}, {rate_per_s} calls/s of each procedure on "
     "each, READ and WRITE of {size:,} bytes; a gap is {threshold_s} s or more without a "
     "successful reply"},
    {"", .when = "!gaps"},
    {"  no gap", .when = "!gaps"},
    {NULL},
};

static const struct view_column gap_columns[] = {
    {"#", "gap"},
    {"began_s", "began at s", .decimals = 3},
    {"length_s", "length s", .decimals = 3, .width = 9},
    {"first_back_name", "first answered"},
    {"grace_s", "grace s", .decimals = 3, .width = 8},
    {"lost_blocks", "lost blocks"},
    {NULL},
};

static const struct view_line remarks[] = {{"had not ended", .when = "!ended"}, {NULL}};

static const struct view_line gap_notes[] = {
    {"  {gaps_not_kept#more gap}", .when = "gaps_not_kept"},
    {NULL},
};

static const struct view_column row_columns[] = {
    {"^#", "gap"},
    {"op", "procedure"},
    {"connection", "connection"},
    {"began_s", "began at s", .decimals = 3},
    {"length_s", "length s", .decimals = 3, .width = 9},
    {"grace_s", "grace s", .decimals = 3, .width = 8},
    {"errors", "errors", .width = 8},
    {NULL},
};

static const struct view_column call_columns[] = {
    {"op", "procedure"},
    {"due", "due", 0, VIEW_GROUPED, .width = 9},
    {"not_sent", "not sent", 0, VIEW_GROUPED, .width = 9},
    {"good", "successful", 0, VIEW_GROUPED},
    {"all_errors", "errors", .flags = VIEW_LEFT},
    {NULL},
};

static const struct view_table tables[] = {
    {"gaps", NULL, gap_columns, .remarks = remarks, .notes = gap_notes},
    {"gaps/lines", NULL, row_columns, .remarks = remarks, .most = 10 * OUTAGE_PROCEDURES},
    {"calls", NULL, call_columns},
    {NULL},
};

static const struct view_line notes[] = {
    {""},
    {"  the gaps leave out {op}, because none of its calls succeeded ({lacking})", "calls",
     .when = "lacking"},
    {"  sent again {messages.sent_again}, calls or replies lost {messages.lost}, replies "
     "duplicated {messages.duplicated}, reconnections {messages.reconnections}"},
    {"  handles looked up again {found_again#time}, directory created again {made_again#time}, "
     "write verifier changed {verifier_changes#time}"},
    {"  {uncommitted_blocks#block} of unstable data may have been lost in a restart, which the "
     "protocol permits (not counted as a loss)",
     .when = "uncommitted_blocks"},
    {"  the probe itself was delayed {stalls#time}, for {stalled_s:3} s in total, which no gap "
     "includes; see 'nfsbench doctor'",
     .when = "stalls"},
    {"  {unchecked_blocks#block} of stable data could not be read in the end",
     .when = "unchecked_blocks"},
    {"  no stable data lost, of {written_blocks#block} written", .when = "!lost.blocks"},
    {"  {!LOSS}: {lost.blocks#block} ({lost.bytes:,} bytes) that the server had acknowledged as "
     "stable, {lost.file_sync:,} by FILE_SYNC and {lost.committed:,} by COMMIT: {lost.missing:,} "
     "are missing, {lost.older:,} hold older data, {lost.other:,} other data",
     .when = "lost.blocks", .tone = TERMINAL_MUCH_WORSE},
    {NULL},
};

const struct view view_outage = {RESULT_OUTAGE, fields, head, tables, notes};
