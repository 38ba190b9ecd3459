/* Fields and view of the states of RPCs: for each op, a table for each group of tasks. */
#include <inttypes.h>

#include "common/append.h"
#include "explain/breakdown_read.h"
#include "explain/states/states.h"
#include "output/form/measurement_view.h"
#include "output/result/result_fields.h"
#include "output/result/result_file.h"
#include "output/result/result_json.h"
#include "version.h"

#define AT(member)    FIELD_AT(struct states_result, member)
#define OP(member)    FIELD_AT(struct states_op, member)
#define TABLE(member) FIELD_AT(struct states_table, member)
#define ROW(member)   FIELD_AT(struct phase_row, member)
#define OWN(member)   FIELD_AT(struct kprofile_table, member)
#define TIME(member)  FIELD_AT(struct kprofile_row, member)

/* States */

static const struct field type_fields[] = {
    {"name", FIELD_WORD, FIELD_AT(struct phase_type, name), FIELD_KEY},
    {"kind", FIELD_CHOICE, FIELD_AT(struct phase_type, kind), .names = explain_kind_keys},
    FIELD_END,
};

/* Return the meaning of the row's phase if the row is in the first op's first table; otherwise
 * NULL. On a mount, this table has the phases of a system call, which are the same for all ops. */
static const char *meaning_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct phase_row *row = object;
    const struct state_table *first = &((const struct states_result *)root)->ops[0].tables->states;

    return row >= first->rows && row < first->rows + first->row_count ? row->type->meaning : NULL;
}

static const struct field row_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct phase_row, type, type_fields)},
    {"entered", FIELD_COUNT, ROW(count)},
    {"share", FIELD_NUMBER, ROW(share)},
    {"share_without_queueing", FIELD_NUMBER, ROW(share_without_queueing)},
    {"share_of_client", FIELD_NUMBER, ROW(share_of_client)},
    {"mean_ns", FIELD_QUANTITY, ROW(mean)},
    {"adjusted_ns", FIELD_QUANTITY, ROW(adjusted)},
    {"min_ns", FIELD_QUANTITY, ROW(low)},
    {"max_ns", FIELD_QUANTITY, ROW(high)},
    {"meaning", FIELD_TEXT, .flags = FIELD_SHOWN, .text = meaning_of},
    FIELD_END,
};

/* Groups of tasks */

static const char *const of_names[] = {
    [STATES_OF_CALLS] = "system-call",
    [STATES_OF_RPCS] = "procedure",
    [STATES_OF_REQUESTS] = "server-request",
    NULL,
};

static const char *compared_by(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct states_table *table = object;
    const char *by = !table->states.measured        ? "from begin to end"
                     : table->of == STATES_OF_CALLS ? "by the caller's clock"
                                                    : "by the kernel's own figure";

    return field_print(room, "%s: %+.2f %%", by, 100 * table->states.discrepancy);
}

static const struct field table_fields[] = {
    {"of", FIELD_CHOICE, TABLE(of), .names = of_names},
    {"name", FIELD_WORD, TABLE(name), FIELD_KEY},
    {"tasks", FIELD_COUNT, TABLE(states.tasks)},
    {"lifetime_ns", FIELD_QUANTITY, TABLE(states.lifetime_ns)},
    {"lifetime_measured", FIELD_FLAG, TABLE(states.measured)},
    {"sum_ns", FIELD_QUANTITY, TABLE(states.sum_ns)},
    {"discrepancy", FIELD_NUMBER, TABLE(states.discrepancy)},
    {"compared_by", FIELD_WORD, .flags = FIELD_SHOWN, .text = compared_by},
    {"states", FIELD_ARRAY,
     FIELD_ITEMS(struct states_table, states.rows, states.row_count, row_fields)},
    FIELD_END,
};

static const struct field kprofile_row_fields[] = {
    {"name", FIELD_WORD, TIME(state), FIELD_KEY},
    {"entered", FIELD_COUNT, TIME(count)},
    {"share", FIELD_NUMBER, TIME(share)},
    {"share_without_queues", FIELD_NUMBER, TIME(share_without_queues)},
    {"share_of_processing", FIELD_NUMBER, TIME(share_of_processing)},
    {"mean_ns", FIELD_NUMBER, TIME(mean)},
    {"adjusted_ns", FIELD_NUMBER, TIME(adjusted)},
    {"min_ns", FIELD_NUMBER, TIME(low)},
    {"max_ns", FIELD_NUMBER, TIME(high)},
    FIELD_END,
};

static const struct field kprofile_fields[] = {
    {"name", FIELD_WORD, OWN(procedure), FIELD_KEY},
    {"rpcs", FIELD_COUNT, OWN(rpcs)},
    {"lifetime_ns", FIELD_QUANTITY, OWN(lifetime_ns)},
    {"lifetime_min_ns", FIELD_QUANTITY, OWN(lifetime_low_ns)},
    {"lifetime_max_ns", FIELD_QUANTITY, OWN(lifetime_high_ns)},
    {"adjusted_lifetime_ns", FIELD_QUANTITY, OWN(adjusted_lifetime_ns)},
    {"discrepancy_ns", FIELD_NUMBER, OWN(discrepancy_ns)},
    {"discrepancy", FIELD_NUMBER, OWN(discrepancy)},
    {"states", FIELD_ARRAY,
     FIELD_ITEMS(struct kprofile_table, rows, row_count, kprofile_row_fields)},
    FIELD_END,
};

/* Ops */

static const struct field of_others[] = {
    {"without_begin", FIELD_COUNT, FIELD_AT(struct states, without_begin)},
    {"without_end", FIELD_COUNT, FIELD_AT(struct states, without_end)},
    {"with_loss", FIELD_COUNT, FIELD_AT(struct states, with_loss)},
    {"other_mounts", FIELD_COUNT, FIELD_AT(struct states, groups[RPC_GROUP_OTHERS].lifetime.count)},
    FIELD_END,
};

static const struct field left_out_fields[] = {
    {NULL, FIELD_POINTER, FIELD_TO(struct states_op, rpcs.states, of_others)},
    {"blocks", FIELD_COUNT, OP(blocks_left_out)},
    FIELD_END,
};

static void append_left_out(char room[FIELD_ROOM], uint64_t count, const char *what)
{
    if (count > 0)
        append_item(room, FIELD_ROOM, "%" PRIu64 " %s", count, what);
}

static const char *describe_left_out(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct states_op *op = object;
    const struct states *states = op->rpcs.states;

    room[0] = '\0';
    append_left_out(room, states->without_begin, "whose beginning was not seen");
    append_left_out(room, states->without_end, "whose end was not seen");
    append_left_out(room, states->with_loss, "that may lack events, because the buffer was full");
    append_left_out(room, states->groups[RPC_GROUP_OTHERS].lifetime.count, "RPCs of other mounts");
    append_left_out(room, op->blocks_left_out, "blocks that were repeated");
    return room;
}

static const struct field op_fields_of_states[] = {
    {"op", FIELD_WORD, OP(op), FIELD_NAME},
    {"system_call", FIELD_WORD, OP(system_call)},
    {"calls", FIELD_COUNT, OP(calls)},
    {"events_lost", FIELD_COUNT, OP(events_lost)},
    {"left_out", FIELD_OBJECT, .fields = left_out_fields},
    {"lacks", FIELD_TEXT, .flags = FIELD_SHOWN, .text = describe_left_out},
    {"tracing_cost_ns", FIELD_INTERVAL, OP(tracing_cost), FIELD_OR_NULL,
     FIELD_IF(struct states_op, has_cost)},
    {"untraced_mean_ns", FIELD_QUANTITY, OP(untraced_ns), FIELD_OR_NULL},
    {"untraced_typical_ns", FIELD_QUANTITY, OP(untraced_typical_ns), FIELD_OR_NULL},
    {"tables", FIELD_LIST, FIELD_ITEMS(struct states_op, tables, table_count, table_fields)},
    {"kprofile", FIELD_LIST,
     FIELD_ITEMS(struct states_op, kprofile, kprofile_count, kprofile_fields), FIELD_OR_NONE,
     FIELD_IF(struct states_op, kprofile_count)},
    {NULL, FIELD_OBJECT, OP(predictions), .fields = predictions_fields},
    FIELD_END,
};

static const char *whose(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct states_result *result = object;

    return result->op_count == 1 ? result->ops[0].op : "several ops";
}

static const struct field fields[] = {
    {"clients", FIELD_COUNT, AT(clients)},
    {"missing", FIELD_TEXT, AT(missing)},
    {"absent_tracepoints", FIELD_TEXT, AT(absent)},
    {"whose", FIELD_WORD, .flags = FIELD_SHOWN, .text = whose},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct states_result, ops, op_count, op_fields_of_states)},
    {"run", FIELD_POINTER, FIELD_TO(struct states_result, run, result_file_fields), FIELD_ROOT},
    FIELD_END,
};

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  explain of {whose} on {run.target.text}  NFSv3 over "
     "{run.target.transport}"},
    {"{?mounted at {run.target.mount_point}  }{?client on CPU {run.config.client_cpus}  }"
     "{?(clients>1){clients} processes, one of them measured  }"
     "seed {run.seed}"},
    {"CUT SHORT after {run.config.rounds#round}{?: {run.cut_short_by}}", .when = "run.cut_short"},
    {NULL},
};

static const struct view_column columns[] = {
    {"name", "state", .width = 18},
    {"entered", "entered", .width = 8},
    {"share", "share", 0, 1, .flags = VIEW_PERCENT, .width = 7},
    {"mean_ns", "mean us", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"adjusted_ns", "adjusted us", 0, VIEW_FIT, VIEW_US, .width = 9},
    {"min_ns", "low us", 1, VIEW_FIT, VIEW_US, .width = 9},
    {"max_ns", "high us", 1, VIEW_FIT, VIEW_US, .width = 9},
    {"share_without_queueing", "no queueing", 2, 1, .flags = VIEW_PERCENT},
    {"share_of_client", "client only", 2, 1, .flags = VIEW_PERCENT},
    {NULL},
};

static const struct view_line sums[] = {
    {""},
    {"  {^op} {name}: sum {sum_ns/1000:3} us; lifetime {lifetime_ns/1000:3} us {compared_by}",
     "ops/tables"},
    {NULL},
};

/* Columns as kprofile printed them, in ns. */
static const struct view_column kprofile_columns[] = {
    {"name", "state", .width = 19},
    {"entered", "count", .width = 6},
    {"share", "all", 0, 1, .flags = VIEW_PERCENT},
    {"share_without_queues", "no queues", 0, 1, .flags = VIEW_PERCENT},
    {"share_of_processing", "own", 0, 1, .flags = VIEW_PERCENT},
    {"mean_ns", "average", 0, 0},
    {"adjusted_ns", "adjusted", 0, 0},
    {"min_ns", "low", 1, 0},
    {"max_ns", "high", 2, 0},
    {NULL},
};

static const struct view_line kprofile_sums[] = {
    {""},
    {"  {^op} {name}: lifetime {lifetime_ns:0} ns, low {lifetime_min_ns:0}, high "
     "{lifetime_max_ns:0}; adjusted lifetime {adjusted_lifetime_ns:0}; discrepancy "
     "{discrepancy_ns:0} ({discrepancy/0.01:1} %)",
     "ops/kprofile"},
    {NULL},
};

static const struct view_line held[] = {
    {"  {op}: {predictions_held} of {predictions_measured} measured predictions hold", "ops",
     .when = "predictions"},
    {NULL},
};

static const struct view_line mounted_notes[] = {MEASUREMENT_MOUNTED_NOTES("run."), {NULL}};

#define TASKS                                                                                      \
    "{?(of=system-call)system calls:|"                                                             \
    "{?(of=procedure)RPCs|requests inside the kernel's server,}}"

static const struct view_table tables[] = {
    {"ops/tables/states", "  {^op}: {tasks:,} " TASKS " {name}", columns, .notes = sums,
     .when = "!^^kprofile"},
    {"ops/kprofile/states",
     "  {^op}: {rpcs:,} RPCs {name}, ns; shares of all, of all but queues, of the client's own",
     kprofile_columns, .notes = kprofile_sums},
    {"ops/predictions", "  {op}: predictions", prediction_columns, .remarks = prediction_remarks,
     .notes = held},
    {"run.ops", NULL, measurement_mounted, .notes = mounted_notes, .when = "mounted"},
    {NULL},
};

static const struct view_line notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  phase {name:-18}  {meaning}", "ops/tables/states", .flags = VIEW_VERBOSE},
    {""},
    {"  {op}: no request was seen inside the kernel's server: is the server knfsd on this machine?",
     "ops", .when = "!tables !system_call !^missing"},
    {"  {op}: left out: {lacks}", "ops", .when = "!^missing"},
    {"  {op}: tracing adds {tracing_cost_ns/1000:3} us {tracing_cost_ns.ci95/1000:3} to a call; "
     "without tracing, a call typically takes {untraced_typical_ns/1000:3} us",
     "ops"},
    {"  {op}: what tracing adds to a call is unknown: too few rounds"
     "{?; without tracing, a call typically takes {untraced_typical_ns/1000:3} us}",
     "ops", .when = "!tracing_cost_ns !^missing"},
    {"  there are no states{?(run.target.mount_point), only mountstats' averages}: {missing}"},
    {"  the kernel lacks the tracepoints {absent_tracepoints}"},
    VIEW_VERDICT_OF("run."),
    {NULL},
};

static int read_states(struct result_file *file, const json_t *root, const char *path,
                       struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};

    reader.code =
        result_read_root(&file->result, json_object_get(root, "run"), path, "this", error);
    if (reader.code == 0)
        file->breakdowns = breakdowns_read_states(&reader, root, &file->breakdown_count);
    return reader.code;
}

static const struct result_reading reading = {.plural = "states", .read = read_states};

const struct view view_states = {RESULT_STATES, fields, head, tables, notes, &reading};
