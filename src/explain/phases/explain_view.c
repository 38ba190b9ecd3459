/* Fields and view of an explanation. */
#include <inttypes.h>
#include <math.h>

#include "common/append.h"
#include "explain/breakdown_read.h"
#include "explain/phases/explain.h"
#include "output/result/result_fields.h"
#include "output/result/result_file.h"
#include "output/view/number.h"
#include "version.h"

#define AT(member)      FIELD_AT(struct explanation, member)
#define ROW(member)     FIELD_AT(struct phase_row, member)
#define TYPE(member)    FIELD_AT(struct phase_type, member)
#define PHASES(member)  FIELD_AT(struct phases, member)
#define OVERLAP(member) FIELD_AT(struct explain_overlap, member)
#define CALL(member)    FIELD_AT(struct explain_single_call, member)

/* Phases */

static const struct field second_fields[] = {
    {"begins_ns", FIELD_NUMBER, ROW(second_begins)},
    {"mean_ns", FIELD_NUMBER, ROW(second_ns)},
    FIELD_END,
};

static const struct field phase_type_fields[] = {
    {"key", FIELD_WORD, TYPE(key), FIELD_KEY},
    {"name", FIELD_WORD, TYPE(name)},
    {"meaning", FIELD_WORD, TYPE(meaning)},
    {"kind", FIELD_CHOICE, TYPE(kind), .names = explain_kind_keys},
    FIELD_END,
};

static const struct field row_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct phase_row, type, phase_type_fields)},
    {"calls", FIELD_COUNT, ROW(count)},
    {"share", FIELD_NUMBER, ROW(share)},
    {"share_without_queueing", FIELD_NUMBER, ROW(share_without_queueing)},
    {"share_of_client", FIELD_NUMBER, ROW(share_of_client)},
    {"mean_ns", FIELD_NUMBER, ROW(mean)},
    {"adjusted_ns", FIELD_NUMBER, ROW(adjusted)},
    {"min_ns", FIELD_NUMBER, ROW(low)},
    {"p50_ns", FIELD_NUMBER, ROW(p50)},
    {"p99_ns", FIELD_NUMBER, ROW(p99)},
    {"max_ns", FIELD_NUMBER, ROW(high)},
    {"begins_ns", FIELD_NUMBER, ROW(begins)},
    {"added_ns", FIELD_INTERVAL, ROW(added)},
    {"second", FIELD_OBJECT, FIELD_IF(struct phase_row, second_ns), .fields = second_fields},
    FIELD_END,
};

/* Calls */

/* Return an object with the call's time in each phase of its view. Joined phases are added up. */
static json_t *times_of(const void *object, const void *root)
{
    const struct explain_single_call *call = object;
    json_t *times = json_object();
    double ns[PHASE_TYPES];

    if (phases_of_call(call->view, &call->times, ns) != PHASE_EXPLAINED)
        return times;
    phases_join(ns);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (!isnan(ns[i]))
            json_object_set_new(times, phase_types[i].key, json_real(ns[i]));
    return times;
}

static const struct field call_fields[] = {
    {"call", FIELD_COUNT, CALL(times.number)},
    {"lifetime_ns", FIELD_COUNT, CALL(times.lifetime_ns)},
    {"phases_ns", FIELD_OWN, .write = times_of,
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"number\"}}"},
    FIELD_END,
};

static const struct field example_fields[] = {
    {NULL, FIELD_OBJECT, .fields = call_fields},
    {"which", FIELD_WORD, CALL(which), FIELD_KEY},
    FIELD_END,
};

static const struct field longest_type_fields[] = {
    {"longest", FIELD_WORD, TYPE(key)},
    {"longest_name", FIELD_WORD, TYPE(name), FIELD_SHOWN},
    FIELD_END,
};

static const struct field longest_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct phase_row, type, longest_type_fields)},
    {"median_ns", FIELD_NUMBER, ROW(p50), FIELD_SHOWN},
    FIELD_END,
};

static const struct field note_fields[] = {
    {NULL, FIELD_BUFFER, .size = CALL_NOTE_SIZE},
    FIELD_END,
};

static const char *notes_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explain_single_call *call = object;

    room[0] = '\0';
    for (size_t i = 0; i < call->note_count; i++)
        field_append(room, "%s%s", i ? "; " : "", call->notes[i]);
    return room;
}

static const struct field slow_call_fields[] = {
    {NULL, FIELD_OBJECT, .fields = call_fields},
    {NULL, FIELD_POINTER, FIELD_TO(struct explain_single_call, longest, longest_fields)},
    {"longest_ns", FIELD_NUMBER, CALL(longest_ns), FIELD_SHOWN},
    {"notes", FIELD_ARRAY,
     FIELD_VALUES(struct explain_single_call, notes, note_count, note_fields)},
    {"notes_text", FIELD_TEXT, .flags = FIELD_SHOWN, .text = notes_text},
    FIELD_END,
};

/* Return the title of the slow calls. It says how many calls exceeded the threshold, but only if
 * all listed calls did. */
static const char *slow_title(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanation *explanation = object;
    char beyond[NUMBER_SIZE];

    number_us(explanation->slow_beyond, 10, beyond);
    if (explanation->slow_count > explanation->slow_total)
        return field_print(room, "the slowest %zu calls; p99.9 is %s us", explanation->slow_count,
                           beyond);
    return field_print(room,
                       "the slowest %zu of %" PRIu64 " calls that took longer than %s us (p99.9)",
                       explanation->slow_count, explanation->slow_total, beyond);
}

static const struct field slow_fields[] = {
    {"beyond_ns", FIELD_NUMBER, AT(slow_beyond)},
    {"total", FIELD_COUNT, AT(slow_total)},
    {"calls", FIELD_LIST, FIELD_ITEMS(struct explanation, slow, slow_count, slow_call_fields)},
    {"title", FIELD_WORD, .flags = FIELD_SHOWN, .text = slow_title},
    FIELD_END,
};

/* The run */

/* Append a count, such as "3 stamps never arrived", unless it is 0. */
static void append_count(char room[FIELD_ROOM], uint64_t count, const char *what)
{
    char number[NUMBER_SIZE];

    if (count > 0)
        append_item(room, FIELD_ROOM, "%s %s", number_grouped((double)count, number), what);
}

static const char *describe_lost(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanation *explanation = object;

    room[0] = '\0';
    append_count(room, explanation->stamps_lost, "stamps never arrived");
    append_count(room, explanation->stamps_unmatched, "stamps belong to no call");
    append_count(room, explanation->dropped,
                 "calls were dropped, because the clock of their stamps was set meanwhile");
    append_count(room, explanation->events_lost,
                 "of the kernel's events were lost: their buffer was full");
    return room;
}

static const struct field view_fields[] = {
    {"view", FIELD_WORD, FIELD_AT(struct phase_view, name)},
    FIELD_END,
};

const struct field explain_run_fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_members},
    {NULL, FIELD_OBJECT, AT(origin), .fields = origin_security},
    {"client_cpus", FIELD_BUFFER, AT(client_cpus)},
    {"server_cpu", FIELD_CPU, AT(server_cpu)},
    {"load", FIELD_POINTER, FIELD_TO(struct explanation, load, load_fields)},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    {"validity", FIELD_POINTER, FIELD_TO(struct explanation, validity, verdict_fields)},
    {NULL, FIELD_POINTER, FIELD_TO(struct explanation, view, view_fields)},
    {"server_missing", FIELD_TEXT, AT(server_missing)},
    {"lost", FIELD_TEXT, .flags = FIELD_SHOWN, .text = describe_lost},
    {"one_in", FIELD_COUNT, AT(sample), FIELD_SHOWN},
    FIELD_END,
};

const char *explain_describe_explained(const struct explanation *ops, size_t count,
                                       const char *whose, char room[FIELD_ROOM])
{
    uint64_t incomplete = 0, out_of_order = 0, retransmitted = 0, failed = 0, explained = 0;
    char some[NUMBER_SIZE], all[NUMBER_SIZE], reasons[FIELD_ROOM] = "";
    uint64_t left_out;

    for (size_t i = 0; i < count; i++) {
        const struct phases *phases = ops[i].phases;

        explained += phases->lifetime.count;
        incomplete += phases->incomplete;
        out_of_order += phases->out_of_order;
        retransmitted += phases->retransmitted;
        failed += phases->failed;
    }
    left_out = incomplete + out_of_order + retransmitted + failed;
    number_grouped((double)explained, some);
    if (left_out == 0)
        return field_print(room, "all %s calls%s are explained", some, whose);
    append_count(reasons, incomplete, "that lack stamps");
    append_count(reasons, out_of_order, "with stamps out of order");
    append_count(reasons, retransmitted, "sent again");
    append_count(reasons, failed, "answered by errors");
    return field_print(room, "%s of %s calls%s are explained; left out: %s", some,
                       number_grouped((double)(explained + left_out), all), whose, reasons);
}

static const char *explained_calls(const void *object, const void *root, char room[FIELD_ROOM])
{
    return explain_describe_explained(object, 1, "", room);
}

/* Return the end of the sentence "stamping adds 4 us to ...": "a call" or, if not all calls have
 * stamps, "one call in 16" with the average cost per call. */
static const char *average_cost(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanation *explanation = object;
    const double cost = explanation->stamping.estimate / explanation->sample;

    if (explanation->sample <= 1)
        return "a call";
    return field_print(room, "one call in %" PRIu32 ", so %.3f us to a call on average (%.1f %%)",
                       explanation->sample, cost / 1000,
                       100 * cost / explanation->unstamped_typical);
}

static const char *limit_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct explanation *explanation = object;

    return explanation->load ? explain_limit_text(explanation, NULL, room) : NULL;
}

static const struct field byte_fields[] = {
    {"call", FIELD_COUNT, AT(call_bytes)},
    {"reply", FIELD_COUNT, AT(reply_bytes)},
    FIELD_END,
};

static const struct field explained_fields[] = {
    {"explained", FIELD_COUNT, PHASES(lifetime.count)},
    FIELD_END,
};

static const struct field left_out_fields[] = {
    {"incomplete", FIELD_COUNT, PHASES(incomplete)},
    {"out_of_order", FIELD_COUNT, PHASES(out_of_order)},
    {"retransmitted", FIELD_COUNT, PHASES(retransmitted)},
    {"failed", FIELD_COUNT, PHASES(failed)},
    FIELD_END,
};

static const struct field stamp_fields[] = {
    {"sample", FIELD_COUNT, AT(sample)},
    {"lost", FIELD_COUNT, AT(stamps_lost)},
    {"unmatched", FIELD_COUNT, AT(stamps_unmatched)},
    {"dropped_calls", FIELD_COUNT, AT(dropped)},
    {"events_lost", FIELD_COUNT, AT(events_lost)},
    {"cost_ns", FIELD_INTERVAL, AT(stamping), FIELD_OR_NULL,
     FIELD_IF(struct explanation, has_stamping)},
    {"unstamped_mean_ns", FIELD_NUMBER, AT(unstamped_mean), FIELD_OR_NULL},
    {"unstamped_typical_ns", FIELD_NUMBER, AT(unstamped_typical), FIELD_OR_NULL},
    FIELD_END,
};

static const struct field overlap_fields[] = {
    {"calls", FIELD_COUNT, OVERLAP(calls)},
    {"begins_ns", FIELD_NUMBER, OVERLAP(begins)},
    {"latency_ns", FIELD_OBJECT, OVERLAP(latency), .fields = latency_fields},
    FIELD_END,
};

const struct field explain_op_fields[] = {
    {"op", FIELD_WORD, AT(op), FIELD_KEY},
    {"bytes", FIELD_OBJECT, .fields = byte_fields},
    {"calls", FIELD_COUNT, AT(calls)},
    {NULL, FIELD_POINTER, FIELD_TO(struct explanation, phases, explained_fields)},
    {"left_out", FIELD_POINTER, FIELD_TO(struct explanation, phases, left_out_fields)},
    {"explained_calls", FIELD_TEXT, .flags = FIELD_SHOWN, .text = explained_calls},
    {"stamps", FIELD_OBJECT, .fields = stamp_fields},
    {"average_cost", FIELD_TEXT, .flags = FIELD_SHOWN, .text = average_cost},
    {"lifetime_ns", FIELD_OBJECT, AT(latency), .fields = latency_fields},
    {"mean_lifetime_ns", FIELD_INTERVAL, AT(lifetime)},
    {"sum_ns", FIELD_NUMBER, AT(sum)},
    {"discrepancy", FIELD_NUMBER, AT(discrepancy)},
    {"phases", FIELD_ARRAY, FIELD_ITEMS(struct explanation, rows, row_count, row_fields)},
    {"overlap", FIELD_OBJECT, AT(overlap), FIELD_OR_NULL,
     FIELD_IF(struct explanation, overlap.calls), .fields = overlap_fields},
    {"limited_by", FIELD_CHOICE, AT(limit.limit), FIELD_OR_NONE, FIELD_IF(struct explanation, load),
     .names = bottleneck_names},
    {"limit_evidence", FIELD_OBJECT, AT(limit), FIELD_OR_NONE, FIELD_IF(struct explanation, load),
     .fields = explain_limit_fields},
    {"limit_text", FIELD_TEXT, .flags = FIELD_SHOWN, .text = limit_text},
    {NULL, FIELD_OBJECT, AT(predictions), .fields = predictions_fields},
    {"examples", FIELD_ARRAY,
     FIELD_ITEMS(struct explanation, examples, example_count, example_fields)},
    {"slow", FIELD_OBJECT, .fields = slow_fields},
    FIELD_END,
};

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, .fields = explain_run_fields},
    {NULL, FIELD_OBJECT, .fields = explain_op_fields},
    FIELD_END,
};

static const struct view_line head[] = {
    {EXPLAIN_TITLE("{op}")},
    {EXPLAIN_CPUS "     {bytes.call} bytes sent, {bytes.reply} received, seed {seed}"},
    {"CUT SHORT: {cut_short_by}"},
    {NULL},
};

static const struct view_column times[] = {
    {"name", "phase", .width = 21},
    {"calls", "calls", 0, VIEW_GROUPED},
    {"mean_ns", "mean us", 0, 3, VIEW_US},
    {"adjusted_ns", "added us", 0, 3, VIEW_US},
    {"min_ns", "min us", 1, 3, VIEW_US},
    {"p50_ns", "p50 us", 0, 3, VIEW_US},
    {"p99_ns", "p99 us", 0, 3, VIEW_US},
    {"max_ns", "max us", 0, 3, VIEW_US},
    {NULL},
};

static const struct view_line times_notes[] = {
    {"  lifetime of a call: mean {lifetime_ns.mean/1000:3} us, min {lifetime_ns.min/1000:3}, p50 "
     "{lifetime_ns.p50/1000:3}, p99 {lifetime_ns.p99/1000:3}, max {lifetime_ns.max/1000:3}"},
    {NULL},
};

static const struct view_column shares[] = {
    {"name", "share of the lifetime", .width = 21},
    {"share", "share", 0, 1, .flags = VIEW_PERCENT, .width = 8},
    {"share_without_queueing", "no queueing", 0, 1, .flags = VIEW_PERCENT},
    {"share_of_client", "client only", 0, 1, .flags = VIEW_PERCENT},
    {NULL},
};

static const struct view_line predictions_notes[] = {
    {"  {predictions_held} of {predictions_measured} measured predictions hold"}, {NULL}};

static const struct view_column slow_calls[] = {
    {"call", "call", .width = 10},
    {"lifetime_ns", "lifetime us", 0, 3, VIEW_US, .width = 10},
    {"longest_name", "longest phase", .width = 21},
    {"longest_ns", "phase us", 0, 3, VIEW_US, .width = 10},
    {"median_ns", "median us", 0, 3, VIEW_US},
    {NULL},
};

static const struct view_line call_remarks[] = {{"{notes_text}"}, {NULL}};

static const struct view_table tables[] = {
    {"phases", .draw = explain_draw_waterfall},
    {"phases", NULL, times, .notes = times_notes},
    {"phases", NULL, shares},
    {"predictions", NULL, prediction_columns, .remarks = prediction_remarks,
     .notes = predictions_notes},
    {"slow.calls", "  {slow.title}", slow_calls, .remarks = call_remarks},
    {NULL},
};

static const struct view_line notes[] = {
    {""},
    {"  {limit_text}"},
    {"  {explained_calls}"},
    {"  {lost}"},
    {"  send() still runs: the request has left, but the client's send() has not returned. It "
     "overlaps the phases after it and is not part of the sum; over loopback, the receiver's soft "
     "interrupt and the server's wake-up run inside it",
     .when = "overlap", .flags = VIEW_VERBOSE},
    {"  added us: the contribution of a phase to the mean call, even if not all calls enter the "
     "phase; the figures next to the bars are these contributions",
     .flags = VIEW_VERBOSE},
    {"  stamping adds {stamps.cost_ns/1000:3} us {stamps.cost_ns.ci95/1000:3} to {average_cost}; "
     "without stamping, a call typically takes {stamps.unstamped_typical_ns/1000:3} us"},
    {"  what stamping adds to a call is unknown: too few rounds without stamping",
     .when = "!stamps.cost_ns"},
    {"  the server's own phases are not distinguished: {server_missing}"},
    VIEW_VERDICT,
    {NULL},
};

static int read_explanation(struct result_file *file, const json_t *root, const char *path,
                            struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};

    result_file_read_origin(&reader, root, &file->result);
    if (reader.code == 0)
        file->breakdowns = breakdowns_read(&reader, root, &file->breakdown_count);
    return reader.code;
}

const struct result_reading explanation_reading = {.plural = "explanations",
                                                   .read = read_explanation};

const struct view view_explanation = {RESULT_EXPLANATION,  fields, head, tables, notes,
                                      &explanation_reading};
