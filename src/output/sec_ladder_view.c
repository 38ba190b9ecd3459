/* A security ladder as data. */
#include <inttypes.h>
#include <string.h>

#include "output/result_fields.h"
#include "output/sec_ladder.h"
#include "version.h"

/* Points */

#define FIGURE(name, figure) SWEEP_FIGURE(struct sec_point, name, figure)

static const struct field figure_fields[] = {
    [SEC_ROUND_TRIP] = FIGURE("round_trip_ns", SEC_ROUND_TRIP),
    [SEC_ABOVE] = FIGURE("above_sys_ns", SEC_ABOVE),
    [SEC_CLIENT_CPU] = FIGURE("client_cpu_ns_per_call", SEC_CLIENT_CPU),
    [SEC_SERVER_CPU] = FIGURE("server_cpu_ns_per_call", SEC_SERVER_CPU),
    [SEC_RATE] = FIGURE("throughput_per_s", SEC_RATE),
    [SEC_RATE_SHARE] = FIGURE("throughput_of_sys", SEC_RATE_SHARE),
    FIELD_END,
};

const char *sec_figure_name(enum sec_figure figure)
{
    return figure_fields[figure].key;
}

static void read_figures(struct json_reader *reader, const json_t *from, void *object)
{
    sweep_read_figures(reader, from, figure_fields, object);
}

const char *sec_point_name(const struct sec_point *point, char out[SEC_NAME_SIZE])
{
    enum { KIB = 1024 };
    const uint32_t size = point->size;

    if (size == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s", point->op);
    else if (size % (KIB * KIB) == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32 "Mi", point->op, size / (KIB * KIB));
    else if (size % KIB == 0)
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32 "Ki", point->op, size / KIB);
    else
        snprintf(out, SEC_NAME_SIZE, "%.20s %" PRIu32, point->op, size);
    return out;
}

static const char *name_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    return sec_point_name(object, room);
}

#define POINT(member) FIELD_AT(struct sec_point, member)

static const struct field point_fields[] = {
    {"op", FIELD_WORD, POINT(op), FIELD_NAME},
    {"security", FIELD_WORD, POINT(security), FIELD_NAME},
    {"name", FIELD_WORD, .flags = FIELD_SHOWN, .text = name_of},
    {"size", FIELD_COUNT, POINT(size), FIELD_OR_NULL | FIELD_KEY},
    {"depth", FIELD_COUNT, POINT(depth), FIELD_KEY},
    {"trials", FIELD_COUNT, POINT(repeats), .maximum = SWEEP_REPEATS_MAXIMUM},
    {"invalid_trials", FIELD_COUNT, POINT(invalid), .maximum = SWEEP_REPEATS_MAXIMUM},
    {NULL, FIELD_OBJECT, .flags = FIELD_UNREAD, .fields = figure_fields},
    {NULL, FIELD_OWN, .read = read_figures},
    FIELD_END,
};

/* What is above AUTH_SYS over the size */

#define LINE(member) FIELD_AT(struct sec_line, member)

static const struct field line_fields[] = {
    {"op", FIELD_WORD, LINE(op), FIELD_NAME},
    {"security", FIELD_WORD, LINE(security), FIELD_NAME},
    {"sizes", FIELD_OBJECT, LINE(sizes), .fields = sweep_sizes_fields},
    FIELD_END,
};

/* What was left out */

static bool is_for_same(const struct sec_left_out *first, const struct sec_left_out *second)
{
    return first->reason && second->reason && strcmp(first->reason, second->reason) == 0;
}

/* "krb5; none with read, depth 64": what was left out for the same reason, with the first of it. */
static const char *names_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct sec_ladder *ladder = root;
    const struct sec_left_out *first = object, *end = ladder->left_out + ladder->left_out_count;
    size_t used = 0;

    if (first > ladder->left_out && is_for_same(&first[-1], first))
        return NULL;
    for (const struct sec_left_out *each = first;
         each < end && (each == first || is_for_same(each, first)) && used < FIELD_ROOM; each++) {
        used += (size_t)snprintf(room + used, FIELD_ROOM - used, "%s%.20s", used ? "; " : "",
                                 each->security);
        if (each->op && used < FIELD_ROOM)
            used += (size_t)snprintf(room + used, FIELD_ROOM - used, " with %.20s, depth %" PRIu32,
                                     each->op, each->depth);
    }
    return room;
}

#define LEFT(member) FIELD_AT(struct sec_left_out, member)

static const struct field left_out_fields[] = {
    {"security", FIELD_WORD, LEFT(security), FIELD_NAME},
    {"op", FIELD_WORD, LEFT(op), FIELD_OR_NULL},
    {"depth", FIELD_COUNT, LEFT(depth), FIELD_OR_NULL},
    {"reason", FIELD_TEXT, LEFT(reason)},
    {"names", FIELD_WORD, .flags = FIELD_SHOWN, .text = names_of},
    FIELD_END,
};

/* The whole */

static bool is_by_time(const void *object, const void *root)
{
    return ((const struct sec_ladder *)object)->trial_calls == 0;
}

/* The only flavor is what the others would be compared with. */
static double has_one_rung(const void *object, const void *root)
{
    const struct sec_ladder *ladder = object;

    for (size_t i = 0; i < ladder->point_count; i++)
        if (strcmp(ladder->points[i].security, SEC_BASE) != 0)
            return false;
    return true;
}

#define AT(member)                  FIELD_AT(struct sec_ladder, member)
#define ITEMS(member, number, list) FIELD_ITEMS(struct sec_ladder, member, number, list)

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, AT(origin), FIELD_UNREAD, .fields = origin_members},
    {"engine", FIELD_WORD, AT(engine)},
    {"client_cpus", FIELD_WORD, AT(client_cpus)},
    {"check_in_time", FIELD_FLAG, AT(check_in_time)},
    {"trials_done", FIELD_COUNT, AT(trials_done), FIELD_SHOWN},
    {"trials_planned", FIELD_COUNT, AT(trials_planned), FIELD_SHOWN},
    {"trial_seconds", FIELD_QUANTITY, AT(trial_seconds), FIELD_OR_NULL, .known = is_by_time},
    {"trial_calls", FIELD_COUNT, AT(trial_calls), FIELD_OR_NULL},
    {"points", FIELD_LIST, ITEMS(points, point_count, point_fields), .maximum = SEC_POINTS_MAXIMUM},
    {"one_rung", FIELD_COUNT, .flags = FIELD_SHOWN, .number = has_one_rung},
    {"lines", FIELD_LIST, ITEMS(lines, line_count, line_fields), .maximum = SEC_LINES_MAXIMUM},
    {"left_out", FIELD_LIST, ITEMS(left_out, left_out_count, left_out_fields),
     .maximum = SEC_LEFT_OUT_MAXIMUM},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    FIELD_END,
};

void sec_ladder_read(struct json_reader *reader, const json_t *root, struct sec_ladder *ladder)
{
    fields_read(reader, root, fields, ladder);
}

/* What people see */

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  security ladder{? on {target}}"},
    {"{?NFSv3 over {transport}  }engine {engine}"},
    {"client on CPU {client_cpus}     {trials_done#trial} of {?{trial_calls#call}}"
     "{?{trial_seconds} s} in random order, seed {seed}"},
    {"each against AUTH_SYS in the same rounds; a call is protected within its time, and its reply "
     "verified {?(check_in_time)within it, too|after it (but see --check-in-time)}"},
    {"CUT SHORT after {trials_done} of {trials_planned#trial}: {cut_short_by}"},
    {NULL},
};

static const struct view_line remarks[] = {SWEEP_INVALID_TRIALS, {NULL}};

static const struct view_column cost_columns[] = {
    {"name", "op", .width = 11},
    {"security", "sec", .width = 5},
    {"round_trip_ns.level", "us", 0, 2, VIEW_US},
    {"above_sys_ns.level", "above", 0, 2, VIEW_US, VIEW_SIGNED},
    {"above_sys_ns.level", "95 %", 0, 2, VIEW_US, VIEW_RANGE},
    {"client_cpu_ns_per_call.level", "CPU us", 1, 2, VIEW_US},
    {"server_cpu_ns_per_call.level", "server", 1, 2, VIEW_US},
    {NULL},
};

static const struct view_line cost_notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  us: a round trip; above: less AUTH_SYS's in the same rounds (of sys itself: noise); CPU "
     "us, server: the client's and the server's processor time of a call",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column line_columns[] = {
    {"^op", "op, by size", .width = 11},
    {"^security", "sec", .width = 5},
    {"first", "from B"},
    {"last", "to B"},
    {"ns_per_byte", "above us/KiB", 0, 3, VIEW_US * 1024},
    {"ns_per_byte", "95 %", 0, 3, VIEW_US * 1024, VIEW_RANGE},
    {"fixed_ns", "+ us", 0, 2, VIEW_US},
    {NULL},
};

static const struct view_line line_notes[] = {
    {"  {^op} by {^security}, {first:0} to {last:0} bytes: " SWEEP_NO_LINE, "lines/sizes.pieces",
     SWEEP_IS_NO_LINE},
    {"", .flags = VIEW_VERBOSE},
    {"  by size: what is above AUTH_SYS, as a line over the bytes of a call",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_column rate_columns[] = {
    {"name", "op", .width = 11},
    {"security", "sec", .width = 5},
    {"depth", "depth"},
    {"throughput_per_s.level", "calls/s"},
    {"throughput_per_s.level", "95 %", .flags = VIEW_RANGE},
    {"throughput_of_sys.level", "% sys", 0, 1, 100},
    {"client_cpu_ns_per_call.level", "CPU us", 1, 2, VIEW_US},
    {"server_cpu_ns_per_call.level", "server", 1, 2, VIEW_US},
    {NULL},
};

static const struct view_line rate_notes[] = {
    {"", .flags = VIEW_VERBOSE},
    {"  calls/s: with as many in flight as DEPTH; % sys: the share of AUTH_SYS's",
     .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_table tables[] = {
    {"points", NULL, cost_columns, NULL, remarks, cost_notes, .when = "!depth>1"},
    {"lines/sizes.pieces", NULL, line_columns, .notes = line_notes},
    {"points", NULL, rate_columns, NULL, remarks, rate_notes, .when = "depth>1"},
    {NULL},
};

static const struct view_line notes[] = {
    {"  {op} by {security}, no line over the size: {sizes.missing}", "lines"},
    {"", .when = "one_rung"},
    {"  A ladder of one rung: there is AUTH_SYS only, and nothing to compare it with.",
     .when = "one_rung"},
    {"", .when = "left_out"},
    {"  left out: {names}: {reason}", "left_out"},
    {""},
    VIEW_VERDICT,
    {NULL},
};

const struct view view_sec_ladder = {RESULT_SEC_LADDER, fields, head, tables, notes};
