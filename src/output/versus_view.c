/* Two sides of the same rounds as data, written and read, and what people see of how they differ.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "output/measurement_view.h"
#include "output/number.h"
#include "output/result_fields.h"
#include "output/result_json.h"
#include "output/versus.h"

/* What differs */

#define COMPARISON(member) FIELD_AT(struct comparison, member)

static const struct field comparison_fields[] = {
    {"first_ns", FIELD_NUMBER, COMPARISON(first.estimate)},
    {"second_ns", FIELD_NUMBER, COMPARISON(second.estimate)},
    {"difference_ns", FIELD_INTERVAL, COMPARISON(difference), FIELD_PART},
    FIELD_END,
};

#define PART(member) FIELD_AT(struct versus_part, member)

static const struct field judged_fields[] = {
    {"p", FIELD_QUANTITY, PART(comparison.p)},
    {"adjusted_p", FIELD_QUANTITY, PART(comparison.adjusted_p)},
    {"floor_ns", FIELD_QUANTITY, PART(floor)},
    {"word", FIELD_CHOICE, PART(word), FIELD_OR_LAST | FIELD_PART,
     .names = comparison_verdict_names},
    {"ratio", FIELD_INTERVAL, PART(ratio)},
    FIELD_END,
};

static const struct field launch_fields[] = {
    {NULL, FIELD_INTERVAL, .size = sizeof(struct interval)},
    FIELD_END,
};

static const char *p_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct versus_part *part = object;

    if (!part->judged)
        return NULL;
    return compare_p(&part->comparison, room);
}

static const struct field part_fields[] = {
    {NULL, FIELD_OBJECT, PART(comparison), FIELD_PART, .fields = comparison_fields},
    {NULL, FIELD_OBJECT, .flags = FIELD_SETS_IF, FIELD_IF(struct versus_part, judged),
     .fields = judged_fields},
    {"launches", FIELD_LIST,
     FIELD_VALUES(struct versus_part, launches, launch_count, launch_fields),
     FIELD_IF(struct versus_part, launch_count), .maximum = RESULT_LAUNCHES_MAXIMUM},
    {"known", FIELD_FLAG, PART(known), FIELD_SHOWN},
    {"judged", FIELD_FLAG, PART(judged), FIELD_SHOWN},
    {"p_text", FIELD_TEXT, .flags = FIELD_SHOWN, .text = p_text},
    FIELD_END,
};

static const char *op_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return ((const struct versus_row *)object)->first->op;
}

/* That of an op which is not compared with null. */
static const char *other_baseline(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *baseline = ((const struct versus_row *)object)->first->baseline;

    return baseline != ((const struct versus_result *)root)->first->null_calls ? baseline->op
                                                                               : NULL;
}

static const char *baseline_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return ((const struct versus_row *)object)->first->baseline->op;
}

static bool is_on_mount(const struct result *result)
{
    return result->target.mount_point != NULL;
}

/* What the kernel's client adds to an op, where one side is on a mount. */
static const char *mount_adds(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct versus_result *versus = root;
    const struct comparison *comparison =
        &((const struct versus_row *)object)->parts[VERSUS_ROUND_TRIP].comparison;
    const bool second = is_on_mount(versus->second);
    struct interval added = comparison->difference;
    char bracket[NUMBER_INTERVAL_SIZE];

    if (is_on_mount(versus->first) == second)
        return NULL;
    if (!second)
        added = (struct interval){-added.estimate, -added.high, -added.low};
    return field_print(
        room, "%.3f us on the wire, %.3f us through the mount; the kernel's client adds %.3f us %s",
        us((second ? comparison->first : comparison->second).estimate),
        us((second ? comparison->second : comparison->first).estimate), us(added.estimate),
        number_interval(&added, 1000, 3, false, bracket));
}

#define QUANTITY(key, quantity)                                                                    \
    {                                                                                              \
        key, FIELD_OBJECT, FIELD_AT(struct versus_row, parts[quantity]), FIELD_SETS_IF,            \
            FIELD_IF(struct versus_row, parts[quantity].known), .fields = part_fields              \
    }

static const struct field row_fields[] = {
    {"op", FIELD_WORD, .flags = FIELD_KEY, .text = op_name},
    {"baseline", FIELD_WORD, .text = baseline_name,
     FIELD_IF(struct versus_row, parts[VERSUS_NETWORK].known)},
    {"other_baseline", FIELD_WORD, .flags = FIELD_SHOWN, .text = other_baseline,
     FIELD_IF(struct versus_row, parts[VERSUS_NETWORK].known)},
    QUANTITY("round_trip", VERSUS_ROUND_TRIP),
    QUANTITY("network", VERSUS_NETWORK),
    QUANTITY("above_null", VERSUS_ABOVE_NULL),
    QUANTITY("bytes", VERSUS_BYTES),
    QUANTITY("pause", VERSUS_PAUSE),
    QUANTITY("server", VERSUS_SERVER),
    QUANTITY("mean_above_null", VERSUS_MEAN),
    {"parts", FIELD_ARRAY, FIELD_TO(struct versus_row, parts, part_fields), FIELD_SHOWN,
     .names = versus_keys},
    {"mount_adds", FIELD_TEXT, .flags = FIELD_SHOWN, .text = mount_adds},
    FIELD_END,
};

/* The whole */

/* Of a side that is on a mount: how many connections that has, where it is more than one. A call
 * waits for the one before it on either side, so that the mount uses them in turn. */
static double mount_connections(const void *object, const void *root)
{
    const struct versus_result *versus = object;
    const struct result *mount = is_on_mount(versus->second) ? versus->second : versus->first;
    uint64_t most = 0;

    if (is_on_mount(versus->first) == is_on_mount(versus->second))
        return NAN;
    for (size_t i = 0; i < mount->op_count; i++)
        if (mount->ops[i].mounted && mount->ops[i].mounted->connections > most)
            most = mount->ops[i].mounted->connections;
    return most > 1 ? (double)most : NAN;
}

static const char *transports(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct versus_result *versus = object;
    const bool second = is_on_mount(versus->second);
    const char *mount = (second ? versus->second : versus->first)->target.transport;
    const char *wire = (second ? versus->first : versus->second)->target.transport;

    if (is_on_mount(versus->first) == second || strcmp(mount, wire) == 0)
        return NULL;
    return field_print(room, "the mount uses %s and the wire %s: their difference is in this, too",
                       mount, wire);
}

#define VERSUS(member) FIELD_AT(struct versus_result, member)

static const struct field sides_fields[] = {
    {"first", FIELD_POINTER, FIELD_TO(struct versus_result, first, result_file_fields), FIELD_ROOT},
    {"second", FIELD_POINTER, FIELD_TO(struct versus_result, second, result_file_fields),
     FIELD_ROOT},
    FIELD_END,
};

static const struct field control_fields[] = {
    {"null_control", FIELD_OBJECT, VERSUS(null_control), FIELD_PART, .fields = comparison_fields},
    {"null_control_mean", FIELD_OBJECT, VERSUS(null_control_mean), FIELD_PART,
     .fields = comparison_fields},
    FIELD_END,
};

static const struct field fields[] = {
    {"differences", FIELD_LIST, FIELD_ITEMS(struct versus_result, rows, count, row_fields)},
    {NULL, FIELD_OBJECT, .fields = sides_fields},
    {NULL, FIELD_OBJECT, .flags = FIELD_SETS_IF, FIELD_IF(struct versus_result, has_control),
     .fields = control_fields},
    {"launches", FIELD_COUNT, VERSUS(launch_count), FIELD_SHOWN},
    {"transports", FIELD_TEXT, .flags = FIELD_SHOWN, .text = transports},
    {"mount_connections", FIELD_COUNT, .flags = FIELD_SHOWN, .number = mount_connections},
    FIELD_END,
};

/* Read */

static void rows_read(struct json_reader *reader, const json_t *root, struct versus_result *versus)
{
    size_t count;
    const json_t *rows = json_take_array(reader, root, "differences", versus->count, &count);

    if (count != versus->count)
        json_refuse(reader, "differences are not of the ops of both sides");
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *op = json_take_word(reader, row, "op");

        if (!op || strcmp(op, versus->rows[i].first->op) != 0 ||
            strcmp(op, versus->rows[i].second->op) != 0)
            json_refuse(reader, "differences are not in the order of the ops");
        fields_read(reader, row, row_fields, &versus->rows[i]);
    }
}

static void read_all(struct json_reader *reader, const json_t *root, struct versus_result *versus)
{
    if (versus->first->op_count != versus->second->op_count)
        json_refuse(reader, "the sides have different ops");
    else
        reader->code = versus_pair_up(versus, reader->error);
    if (reader->code)
        return;
    rows_read(reader, root, versus);
    versus->has_control = fields_read(reader, root, control_fields, versus);
}

int versus_read_root(struct versus_result *versus, struct result *first, struct result *second,
                     const json_t *root, const char *path, struct error *error)
{
    struct json_reader reader = {.arena = &versus->arena, .path = path, .error = error};

    *versus = (struct versus_result){.first = first, .second = second};
    *second = (struct result){.path = path};
    reader.code = result_read_root(first, json_object_get(root, "first"), path, "this", error);
    if (reader.code == 0)
        reader.code =
            result_read_root(second, json_object_get(root, "second"), path, "this", error);
    if (reader.code == 0)
        read_all(&reader, root, versus);
    if (reader.code) {
        result_free(first);
        result_free(second);
        versus_free(versus);
    }
    return reader.code;
}

/* Seen */

static const struct view_line head[] = {
    {"B against A, {?(launches>1)the differences within each of {launches} launches; by Student's "
     "t "
     "test|each round's differences}"},
    {NULL},
};

static const struct view_column columns[] = {
    {"{?(@=round_trip){^op}|    {?(@=network){?RPC, {^other_baseline}|RPC and network}|"
     "{?(@=above_null)above null|{?(@=mean_above_null)mean cost|{@}}}}}",
     "op", .width = 19},
    {"first_ns", "A us", 0, 3, VIEW_US, .width = 9},
    {"second_ns", "B us", 0, 3, VIEW_US, .width = 9},
    {"difference_ns", "B - A us", 0, 3, VIEW_US, VIEW_SIGNED},
    {"difference_ns", "95 %", 0, 3, VIEW_US, VIEW_RANGE | VIEW_SIGNED, 18},
    {"p_text", "p", 1},
    {NULL},
};

static const struct view_line remarks[] = {
    COMPARE_REMARKS("{word}{?(word=slower|word=faster)" COMPARE_RATIO "}")};

static const struct view_line notes[] = {
    {"  null control: {null_control.difference_ns/1000:3} us {null_control.difference_ns/1000[3}, "
     "the noise floor of B's cost against A's"},
    {"  {op}: {mount_adds}", "differences"},
    {"  {transports}"},
    {"  the mount has {mount_connections} connections (nconnect), the wire one"},
    {"  B - A us in each launch", .when = "launches", .flags = VIEW_VERBOSE},
    {"  {^op:-16} {@:-16} {@launches| |{+/1000:3}}", "differences/parts",
     .when = "judged ^^launches>1", .flags = VIEW_VERBOSE},
    {NULL},
};

static const struct view_table tables[] = {
    /* A cost is shown in its parts where these are known. */
    {"differences/parts", NULL, columns, .remarks = remarks, .notes = notes,
     .when = "known !@=above_null|!^server"},
    {NULL},
};

const struct view view_versus = {RESULT_VERSUS, fields, head, tables, NULL};

void versus_print(const struct versus_result *versus, bool verbose, FILE *out)
{
    fputs("A  ", out);
    view_write_text(&view_measurement, versus->first, verbose, out);
    fputs("\nB  ", out);
    view_write_text(&view_measurement, versus->second, verbose, out);
    fputc('\n', out);
    view_write_text(&view_versus, versus, verbose, out);
}
