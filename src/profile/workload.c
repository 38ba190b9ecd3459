#include "profile/workload.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/input.h"
#include "output/result/result_json.h"
#include "output/view/number.h"
#include "profile/errors_json.h"

/* Fields of numbers of at least 0. A number that is not in the file is 0. */
#define NUMBER(type, member) FIELD_BYTES, FIELD_AT(struct type, member), FIELD_OR_ZERO
#define NUMBERS(list)        FIELD_OBJECT, .fields = (list)
#define QUANTILE(index)                                                                            \
    FIELD_BYTES, .offset = (index) * sizeof(double), .size = sizeof(double), FIELD_OR_ZERO
#define AT(member)       NUMBER(workload, member)
#define OF_OP(member)    NUMBER(workload_op, member)
#define OF_OP_AT(member) FIELD_AT(struct workload_op, member)
#define CLIENT(member)   NUMBER(workload_client, member)

#define COUNTS_SCHEMA(type)                                                                        \
    "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"" type "\", \"minimum\": 0}}"

static const struct field quantile_fields[] = {
    {"p10", QUANTILE(0)},
    {"p25", QUANTILE(1)},
    {"p50", QUANTILE(2)},
    {"p75", QUANTILE(3)},
    {"p90", QUANTILE(4)},
    {"p99", QUANTILE(5)},
    FIELD_END,
};

static const struct field in_flight_fields[] = {
    {"mean", AT(in_flight[0])}, {"p99", AT(in_flight[1])}, FIELD_END};
static const struct field dispersion_fields[] = {{"10ms", AT(dispersion[0])},
                                                 {"100ms", AT(dispersion[1])},
                                                 {"1s", AT(dispersion[2])},
                                                 FIELD_END};
static const struct field sequential_fields[] = {
    {"read", AT(sequential[WORKLOAD_READ])}, {"write", AT(sequential[WORKLOAD_WRITE])}, FIELD_END};
static const struct field files_fields[] = {{"count", AT(files[0])},
                                            {"zipf_exponent", AT(files[1])},
                                            {"mean_bytes", AT(file_size)},
                                            FIELD_END};
static const struct field directories_fields[] = {
    {"mean", AT(directory[0])},
    {"max", AT(directory[1])},
    {NULL, NUMBERS(quantile_fields), FIELD_AT(struct workload, directories)},
    FIELD_END,
};

#define LEFT_OUT(member) NUMBER(workload_left_out, member)

static const struct field left_out_fields[] = {{"cut", LEFT_OUT(cut)},
                                               {"encrypted", LEFT_OUT(encrypted)},
                                               {"unknown", LEFT_OUT(unknown)},
                                               {"packets_share", LEFT_OUT(packets)},
                                               FIELD_END};

static const struct field arrival_fields[] = {
    {"calls", FIELD_BYTES, .size = sizeof(double), FIELD_OR_ZERO}, FIELD_END};

static const struct field client_fields[] = {
    {"calls", CLIENT(calls)},
    {"connections", CLIENT(connections)},
    {"in_flight", CLIENT(in_flight)},
    {"think_calls", CLIENT(think_calls)},
    {"think_us", NUMBERS(quantile_fields), FIELD_AT(struct workload_client, think)},
    FIELD_END,
};

static const struct field size_fields[] = {
    {"bytes", NUMBER(workload_size, bytes)}, {"calls", NUMBER(workload_size, calls)}, FIELD_END};

static const struct field file_fields[] = {
    {"calls", NUMBER(workload_file, calls)},
    {"bytes", NUMBER(workload_file, bytes)},
    {"name", FIELD_BUFFER, FIELD_AT(struct workload_file, name)},
    FIELD_END};

/* Ops */

const char *workload_make_mix(struct workload *workload)
{
    const char *refusal = workload->op_count ? NULL : "there must be one at least";

    for (size_t i = 0; i < workload->op_count && !refusal; i++)
        refusal = nfs_mix_add(&workload->mix, workload->ops[i].procedure, workload->ops[i].weight);
    return refusal;
}

static const char *op_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return ((const struct workload_op *)object)->procedure->op;
}

static void read_op_name(struct json_reader *reader, const json_t *from, void *object)
{
    const char *name = json_take_word(reader, from, "op");

    ((struct workload_op *)object)->procedure = nfs_procedure_find(name ? name : "");
}

static json_t *write_errors(const void *object, const void *root)
{
    return errors_json(&((const struct workload_op *)object)->tally);
}

/* Return as JSON how often each op came directly after the op OBJECT on the same client. */
static json_t *write_next(const void *object, const void *root)
{
    const struct workload *workload = root;
    const struct workload_op *op = object;
    const double *after = workload->mix.after[op - workload->ops];
    json_t *next = json_object();

    for (size_t i = 0; i < workload->op_count; i++)
        if (after[i] > 0)
            json_object_set_new(next, workload->ops[i].procedure->op, json_bytes(after[i]));
    return next;
}

/* Return as text which op most often follows the op OBJECT; NULL if OBJECT is rare or none does. */
static const char *order_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct workload *workload = root;
    const struct workload_op *op = object;
    const double *after = workload->mix.after[op - workload->ops];
    double calls = 0, sum = 0;
    size_t found = 0;

    for (size_t i = 0; i < workload->op_count; i++) {
        calls += workload->ops[i].calls;
        sum += after[i];
        found = after[i] > after[found] ? i : found;
    }
    if (sum <= 0 || op->calls < 0.05 * calls)
        return NULL;
    return field_print(room, "after %s comes %s, in %.1f %%", op->procedure->op,
                       workload->ops[found].procedure->op, 100 * after[found] / sum);
}

static const struct field op_fields[] = {
    {"op", FIELD_WORD, .text = op_name, .read = read_op_name},
    {"weight", FIELD_COUNT, OF_OP_AT(weight), .maximum = NFS_MIX_WEIGHT_MAXIMUM},
    {"calls", OF_OP(calls)},
    {"p50_us", OF_OP(p50)},
    {"p99_us", OF_OP(p99)},
    {"mean_us", OF_OP(mean)},
    {"errors", FIELD_OWN, .write = write_errors, .schema = COUNTS_SCHEMA("integer")},
    {"next", FIELD_OWN, .write = write_next, .schema = COUNTS_SCHEMA("number")},
    {"order", FIELD_WORD, .flags = FIELD_SHOWN, .text = order_text},
    FIELD_END,
};

static void take_next(struct json_reader *reader, const json_t *op, struct workload *workload,
                      double *after)
{
    json_t *next = json_take_object(reader, op, "next"), *value;
    const char *name;

    json_object_foreach(next, name, value)
    {
        double count = json_take_quantity(reader, value, NULL);
        size_t i = 0;

        while (i < workload->op_count && strcmp(workload->ops[i].procedure->op, name) != 0)
            i++;
        if (i == workload->op_count) {
            json_refuse_value(reader, "next", "an object with ops of this workload");
            return;
        }
        after[i] = isnan(count) ? 0 : count;
        workload->mix.ordered |= after[i] > 0;
    }
}

static void refuse_op(struct json_reader *reader, size_t number, const char *why)
{
    char what[100];

    snprintf(reader->where, sizeof reader->where, "ops[%zu].", number);
    snprintf(what, sizeof what, ": %s", why);
    json_refuse(reader, what);
}

static void read_mix(struct json_reader *reader, const json_t *root, void *object)
{
    struct workload *workload = object;
    const char *refusal = reader->code ? NULL : workload_make_mix(workload);

    if (refusal)
        refuse_op(reader, workload->mix.count, refusal);
    for (size_t i = 0; i < workload->op_count && reader->code == 0; i++) {
        snprintf(reader->where, sizeof reader->where, "ops[%zu].", i);
        take_next(reader, json_array_get(json_object_get(root, "ops"), i), workload,
                  workload->mix.after[i]);
    }
    reader->where[0] = '\0';
}

/* Left-out calls */

double workload_calls(const struct workload *workload)
{
    double calls = 0;

    for (size_t i = 0; i < workload->op_count; i++)
        calls += workload->ops[i].calls;
    return calls;
}

static double count_left_out(const struct workload *workload)
{
    const struct workload_left_out *left_out = &workload->left_out;

    return left_out->cut + left_out->encrypted + left_out->unknown;
}

/* Return why calls were left out, such as "12 truncated by the snap length, 3 encrypted". */
static const char *describe_reasons(const struct workload_left_out *left_out, char room[FIELD_ROOM])
{
    room[0] = '\0';
    if (left_out->cut > 0)
        append_item(room, FIELD_ROOM, "%.0f truncated by the snap length", left_out->cut);
    if (left_out->encrypted > 0)
        append_item(room, FIELD_ROOM, "%.0f encrypted", left_out->encrypted);
    if (left_out->unknown > 0)
        append_item(room, FIELD_ROOM, "%.0f not understood", left_out->unknown);
    return room;
}

const char *workload_describe_part(const struct workload *workload, char text[FIELD_ROOM])
{
    const double calls = workload_calls(workload), left_out = count_left_out(workload);
    char reasons[FIELD_ROOM];

    text[0] = '\0';
    if (left_out > 0)
        field_append(text, "%.0f of %.0f captured calls (%s)", calls, calls + left_out,
                     describe_reasons(&workload->left_out, reasons));
    if (workload->left_out.packets > 0)
        field_append(text, "%sno calls of the %.3g %% of packets that could not be decoded",
                     text[0] ? "; " : "", 100 * workload->left_out.packets);
    return text[0] ? text : NULL;
}

const char *workload_describe_lack(const struct workload *workload, char text[FIELD_ROOM])
{
    char reasons[FIELD_ROOM];

    if (count_left_out(workload) == 0)
        return strcpy(text, "a workload needs calls other than NULL");
    field_print(text,
                "a workload needs the arguments of calls; none of the %.0f captured has them (%s)",
                count_left_out(workload), describe_reasons(&workload->left_out, reasons));
    return workload->left_out.cut > 0 ? field_append(text, "; capture whole packets (tcpdump -s 0)")
                                      : text;
}

static const char *part_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return workload_describe_part(object, room);
}

/* For people */

static const char *sizes_text(const struct workload *workload, size_t transfer,
                              char room[FIELD_ROOM])
{
    enum { SHOWN = 4 };
    const struct workload_size *sizes = workload->sizes[transfer];
    const size_t count = workload->size_count[transfer];
    char text[NUMBER_SIZE];
    double calls = 0;

    room[0] = '\0';
    for (size_t i = 0; i < count; i++)
        calls += sizes[i].calls;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        field_append(room, "%s bytes in %.1f %%, ", number_grouped(sizes[i].bytes, text),
                     100 * sizes[i].calls / calls);
    return calls > 0
               ? field_append(room, "%s%.1f %% one after the other", count > SHOWN ? "..., " : "",
                              100 * workload->sequential[transfer])
               : NULL;
}

static const char *reads_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return sizes_text(object, WORKLOAD_READ, room);
}

static const char *writes_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return sizes_text(object, WORKLOAD_WRITE, room);
}

static const char *clients_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    enum { MEDIAN = 2 };
    const struct workload *workload = object;
    double low = INFINITY, high = 0;
    size_t count = 0;

    for (size_t i = 0; i < workload->own_count; i++) {
        double median = workload->own[i].think[MEDIAN];

        count += median > 0;
        low = median > 0 ? fmin(low, median) : low;
        high = fmax(high, median);
    }
    return count > 1
               ? field_print(room, "of %zu clients: medians from %.4g to %.4g us", count, low, high)
               : NULL;
}

static const struct view_line lines[] = {
    {""},
    {"what the calls were like (without NULL)"},
    {"  part        {part}"},
    {"  clock       that of the capture ticks in {clock_tick_us/1000:3g} ms: no time below is "
     "finer",
     .when = "clock_tick_us"},
    {"  clients     {clients:,}, with {connections#connection}; calls in flight of one: mean "
     "{in_flight.mean}, p99 {in_flight.p99}"},
    {"  arrivals    {rate_per_s:,} calls/s; variation of the times between calls {burstiness:2}"},
    {"  dispersion  (variance over mean) of calls in 10 ms {dispersion.10ms}"
     "{?(dispersion.100ms), in 100 ms {dispersion.100ms}}{?(dispersion.1s), in 1 s "
     "{dispersion.1s}}; 1: independent of each other",
     .when = "dispersion.10ms"},
    {"  think times us: p10 {think_us.p10}, p25 {think_us.p25}, p50 {think_us.p50}, p75 "
     "{think_us.p75}, p90 {think_us.p90}, p99 {think_us.p99}; calls between two: {think_calls}",
     .when = "think_us.p99"},
    {"              {medians}"},
    {"  order       {order}", .each = "ops"},
    {"  READs       {reads}"},
    {"  WRITEs      {writes}"},
    {"  files       {files.count:,} used, by Zipf's law with exponent {files.zipf_exponent:2}; "
     "{files.mean_bytes:,} bytes in each",
     .when = "files.count"},
    {"    {?(calls>1){calls:,} calls|1 call} on {name}", .each = "most_used",
     .when = "^names_kept"},
    {"  directories listed with {directories.mean} entries on average, p50 {directories.p50}, p90 "
     "{directories.p90}, {directories.max:,} at most",
     .when = "directories.max"},
    {NULL},
};

/* The file */

#define ITEMS(member, number, list) FIELD_ARRAY, FIELD_ITEMS(struct workload, member, number, list)
#define SIZES(which)                                                                               \
    ITEMS(sizes[which], size_count[which], size_fields), .maximum = WORKLOAD_SIZES_MAXIMUM

static const struct field fields[] = {
    {"ops", ITEMS(ops, op_count, op_fields), .maximum = NFS_MIX_OPS_MAXIMUM},
    {NULL, FIELD_OWN, .read = read_mix},
    {"seconds", AT(seconds)},
    {"clock_tick_us", AT(clock_tick)},
    {"left_out", NUMBERS(left_out_fields), FIELD_AT(struct workload, left_out)},
    {"clients", AT(clients)},
    {"connections", AT(connections)},
    {"in_flight", NUMBERS(in_flight_fields)},
    {"rate_per_s", AT(rate)},
    {"burstiness", AT(burstiness)},
    {"dispersion", NUMBERS(dispersion_fields)},
    {"think_calls", AT(think_calls)},
    {"think_us", NUMBERS(quantile_fields), FIELD_AT(struct workload, think)},
    {"sequential", NUMBERS(sequential_fields)},
    {"files", NUMBERS(files_fields)},
    {"directories", NUMBERS(directories_fields)},
    {"interval_s", AT(interval)},
    {"arrivals", FIELD_ARRAY,
     FIELD_VALUES(struct workload, arrivals, arrival_count, arrival_fields),
     .maximum = WORKLOAD_INTERVALS_MAXIMUM},
    {"own_clients", ITEMS(own, own_count, client_fields), .maximum = WORKLOAD_OWN_CLIENTS_MAXIMUM},
    {"read_sizes", SIZES(WORKLOAD_READ)},
    {"write_sizes", SIZES(WORKLOAD_WRITE)},
    {"most_used", ITEMS(most_used, most_used_count, file_fields),
     .maximum = WORKLOAD_FILES_MAXIMUM},
    {"names_kept", FIELD_FLAG, FIELD_AT(struct workload, names_kept), FIELD_SHOWN},
    {"part", FIELD_WORD, .flags = FIELD_SHOWN, .text = part_text},
    {"medians", FIELD_WORD, .flags = FIELD_SHOWN, .text = clients_text},
    {"reads", FIELD_WORD, .flags = FIELD_SHOWN, .text = reads_text},
    {"writes", FIELD_WORD, .flags = FIELD_SHOWN, .text = writes_text},
    FIELD_END,
};

const struct view view_workload = {.kind = RESULT_WORKLOAD, .fields = fields, .head = lines};

int workload_write(const void *workload, FILE *out)
{
    json_t *object = json_begin(RESULT_WORKLOAD);

    fields_add(object, fields, workload, workload);
    return json_write_object(object, out);
}

static int check_kind(const json_t *root, const char *path, struct error *error)
{
    enum result_kind kind;
    int code = result_kind_of_root(root, path, &kind, error);

    if (code == 0 && kind != RESULT_WORKLOAD)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "mix: takes workloads and lists of ops; %.200s is %s", path,
                         result_kind_name(kind));
    return code;
}

int workload_read(struct workload *workload, const char *path, struct error *error)
{
    struct arena arena = {0};
    struct json_reader reader = {.arena = &arena, .path = path, .error = error};
    struct input input;
    json_t *root = NULL;

    *workload = (struct workload){.rate = 0};
    reader.code = input_read(&input, path, path, INPUT_LINES_MAXIMUM, error);
    if (reader.code == 0)
        reader.code = result_load(input.text, input.length, path, &root, error);
    if (reader.code == 0)
        reader.code = check_kind(root, path, error);
    if (reader.code == 0)
        fields_read(&reader, root, fields, workload);
    json_decref(root);
    free(input.text);
    arena_free(&arena);
    return reader.code;
}
