/* Fields and view of a ladder: one line for each rung and its step, drawn to scale. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "explain/breakdown_read.h"
#include "explain/ladder/ladder.h"
#include "output/result/result_fields.h"
#include "output/result/result_file.h"
#include "output/result/result_json.h"
#include "version.h"

#define AT(member)   FIELD_AT(struct ladder_result, member)
#define RUNG(member) FIELD_AT(struct ladder_level, member)

static const char *const rung_names[] = {"timer", "xdr", "echo", "null", "echo-op", "op", NULL};

_Static_assert(sizeof rung_names / sizeof rung_names[0] == LADDER_RUNGS + 1,
               "a name for each rung");

static const struct field rung_fields[] = {
    {"rung", FIELD_WORD, RUNG(rung)},
    {"calls", FIELD_COUNT, RUNG(calls)},
    {"call_bytes", FIELD_COUNT, RUNG(call_bytes), FIELD_OR_NULL},
    {"reply_bytes", FIELD_COUNT, RUNG(reply_bytes), FIELD_OR_NULL},
    {"level_ns", FIELD_INTERVAL, RUNG(level)},
    {"mean_ns", FIELD_QUANTITY, RUNG(mean)},
    {"p50_ns", FIELD_QUANTITY, RUNG(p50)},
    {"p99_ns", FIELD_QUANTITY, RUNG(p99)},
    FIELD_END,
};

static enum ladder_rung rung_of(const void *step, const struct ladder_result *result)
{
    return (enum ladder_rung)((const struct breakdown_part *)step - result->steps);
}

static double level_of(const void *object, const void *root)
{
    const struct ladder_result *result = root;

    return result->rungs[rung_of(object, result)].level.estimate;
}

/* Draw the bar of a step. The bar begins where the preceding bar in the sum ends. XDR is not in the
 * sum, so its bar has another character, and the next bar begins at the same place. The bar of a
 * positive step has at least one column. */
static const char *bar_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    enum { COLUMNS = 32 };
    const struct ladder_result *result = root;
    const struct breakdown_part *step = object;
    const double total = result->rungs[LADDER_OP].level.estimate;
    const double scale = total > 0 ? COLUMNS / total : 0;
    double begins = 0;
    int from, length = 0;

    for (const struct breakdown_part *before = result->steps; before < step; before++)
        begins += before->in_sum ? before->ns.estimate : 0;
    from = (int)fmin(fmax(0, begins * scale), COLUMNS - 1);
    if (step->ns.estimate > 0)
        length = (int)fmin(fmax(1, round(step->ns.estimate * scale)), COLUMNS - from);
    field_print(room, "|%*s|", COLUMNS, "");
    memset(room + 1 + from, step->in_sum ? '#' : ':', (size_t)length);
    return room;
}

static const struct field step_fields[] = {
    {NULL, FIELD_OBJECT, .fields = breakdown_step_fields},
    {"level_ns", FIELD_QUANTITY, .flags = FIELD_SHOWN, .number = level_of},
    {"bar", FIELD_WORD, .flags = FIELD_SHOWN, .text = bar_of},
    FIELD_END,
};

static const char *op_itself(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct ladder_result *result = object;

    return field_print(room, "%s itself (%+.2f %%)", result->op, 100 * result->ladder.discrepancy);
}

static const char *describe_control(const void *object, const void *root, char room[FIELD_ROOM])
{
    return field_print(room, "%s control: the noise floor",
                       ((const struct ladder_result *)object)->null_op);
}

static double medians_differ(const void *object, const void *root)
{
    return fabs(((const struct ladder_result *)object)->ladder.discrepancy) > 0.05;
}

static const struct field fields[] = {
    {"op", FIELD_WORD, AT(op), FIELD_KEY},
    {"null_op", FIELD_WORD, AT(null_op)},
    {"echo", FIELD_TEXT, AT(echo)},
    {"echo_is_own", FIELD_FLAG, AT(echo_is_own)},
    {"rungs", FIELD_ARRAY, AT(rungs), .item = sizeof(struct ladder_level), .fields = rung_fields,
     .names = rung_names},
    {"steps", FIELD_ARRAY, AT(steps), .item = sizeof(struct breakdown_part), .fields = step_fields,
     .names = rung_names},
    {"sum_ns", FIELD_INTERVAL, AT(ladder.sum)},
    {"discrepancy", FIELD_NUMBER, AT(ladder.discrepancy)},
    {"medians_differ", FIELD_COUNT, .flags = FIELD_SHOWN, .number = medians_differ},
    {"op_itself", FIELD_WORD, .flags = FIELD_SHOWN, .text = op_itself},
    {"level_ns", FIELD_INTERVAL, AT(ladder.levels[LADDER_OP]), FIELD_SHOWN},
    {"with_xdr_ns", FIELD_INTERVAL, AT(ladder.whole)},
    {"control", FIELD_WORD, .flags = FIELD_SHOWN, .text = describe_control},
    {"null_control_ns", FIELD_INTERVAL, AT(ladder.control)},
    {"run", FIELD_POINTER, FIELD_TO(struct ladder_result, run, result_file_fields), FIELD_ROOT},
    FIELD_END,
};

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  ladder of {op} on {run.target.text}  NFSv3 over "
     "{run.target.transport}{?  {run.target.auth}}{?  engine {run.config.engine}}, "
     "{?(run.config.wait=spin)spinning|blocking}"},
    {"client on CPU {run.config.client_cpus}{?, server on CPU {run.config.server_cpu}}, echo at "
     "{echo}{?(echo_is_own), started for this run}"},
    {"{run.config.rounds#round} of blocks of {run.config.block} of each rung in random order, "
     "{run.config.warmup_rounds#warm-up round} dropped, seed {run.seed}"},
    {"CUT SHORT after {run.config.rounds#round}{?: {run.cut_short_by}}", .when = "run.cut_short"},
    {NULL},
};

static const struct view_column columns[] = {
    {"{?(rung=timer)timer}{?(rung=xdr)XDR in memory (not summed)}"
     "{?(rung=echo)bare echo, {^null_op}'s bytes}{?(rung=null){^null_op}}"
     "{?(rung=echo-op)bare echo, {^op}'s bytes}{?(rung=op){^op}}",
     "rung"},
    {"level_ns", "us", 1, 3, VIEW_US, .width = 8},
    {"{?(rung=op)null+bytes|{above}}", "above", 3, .flags = VIEW_LEFT},
    {"step", "step", .width = 9},
    {"cost_ns", "adds us", 0, 3, VIEW_US, .width = 8},
    {"cost_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE},
    {"share", "share", 2, 1, .flags = VIEW_PERCENT, .width = 7},
    {"bar", "", 4},
    {NULL},
};

static const struct view_line remarks[] = {
    {"not distinguishable from 0", .when = "!distinguishable"}, {NULL}};

static const struct view_table tables[] = {
    {"steps", NULL, columns, .remarks = remarks},
    {NULL},
};

static const struct view_line notes[] = {
    {""},
    {"  sum of the steps except xdr                 {sum_ns/1000:3} us  {sum_ns.ci95/1000:3}"},
    {"  {op_itself:-43} {level_ns/1000:3} us  {level_ns.ci95/1000:3}"},
    {"  sum with xdr: each call encoded and decoded {with_xdr_ns/1000:3} us  "
     "{with_xdr_ns.ci95/1000:3}"},
    {"  {control:-43} {null_control_ns/1000:3} us  {null_control_ns.ci95/1000:3}"},
    {"  the level jumped between rounds, so the medians do not add up; use more calls or a quieter "
     "machine",
     .when = "medians_differ"},
    {"", .flags = VIEW_VERBOSE},
    {"  what each step is", .flags = VIEW_VERBOSE},
    {"    timer      reading the clock twice around nothing; all other rungs include this", "rungs",
     .when = "rung=timer", .flags = VIEW_VERBOSE},
    {"    xdr        {^op}'s header and arguments encoded and a reply of this server decoded, in "
     "memory. Not in the sum: engine wire encodes a call once, before its time begins, and "
     "checks the reply in place, after its time has ended",
     "rungs", .when = "rung=xdr", .flags = VIEW_VERBOSE},
    {"    socket     {call_bytes} bytes to a bare echo and {reply_bytes} back, as many as "
     "{^null_op}'s: "
     "system calls, the network, and waking both ends",
     "rungs", .when = "rung=echo", .flags = VIEW_VERBOSE},
    {"    rpc        {^null_op} minus the bare echo of as many bytes: the client finds record and "
     "xid; the server runs its event loop, reads the header, dispatches and replies",
     "rungs", .when = "rung=null", .flags = VIEW_VERBOSE},
    {"    bytes      {call_bytes} bytes to the echo and {reply_bytes} back, as many as {^op}'s, "
     "minus the echo of {^null_op}'s bytes: the cost of carrying more bytes",
     "rungs", .when = "rung=echo-op", .flags = VIEW_VERBOSE},
    {"    procedure  {^op} minus {^null_op} minus the step bytes: the server's work on the "
     "procedure, from arguments to result",
     "rungs", .when = "rung=op", .flags = VIEW_VERBOSE},
    {""},
    VIEW_VERDICT_OF("run."),
    {NULL},
};

static int read_ladder(struct result_file *file, const json_t *root, const char *path,
                       struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};
    const char *op;

    reader.code =
        result_read_root(&file->result, json_object_get(root, "run"), path, "this", error);
    if (reader.code == 0)
        file->breakdowns = breakdowns_read(&reader, root, &file->breakdown_count);
    op = file->breakdown_count > 0 ? file->breakdowns->op : "op";
    if (reader.code == 0 && !result_find(&file->result, op))
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s is no whole result of nfsbench: run.ops has no %.60s", path,
                         printable(op).text);
    return reader.code;
}

static const struct result_reading reading = {
    .plural = "ladders", .read = read_ladder, .has_ops = true};

const struct view view_ladder = {RESULT_LADDER, fields, head, tables, notes, &reading};
