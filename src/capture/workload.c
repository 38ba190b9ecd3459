#include "capture/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capture/errors_json.h"
#include "common/input.h"
#include "output/fields.h"
#include "output/result_json.h"

/* Numbers, none of which is negative; what is not there is 0. */
#define NUMBER(type, member) FIELD_BYTES, FIELD_AT(struct type, member), FIELD_OR_ZERO
#define NUMBERS(list)        FIELD_OBJECT, .fields = (list)
#define QUANTILE(index)                                                                            \
    FIELD_BYTES, .offset = (index) * sizeof(double), .size = sizeof(double), FIELD_OR_ZERO
#define AT(member)     NUMBER(workload, member)
#define OF_OP(member)  NUMBER(workload_op, member)
#define CLIENT(member) NUMBER(workload_client, member)

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

/* Ops, which are a mix's, too */

static json_t *write_errors(const void *object, const void *root)
{
    return errors_json(&((const struct workload_op *)object)->tally);
}

static const struct field op_fields[] = {
    {"calls", OF_OP(calls)},
    {"p50_us", OF_OP(p50)},
    {"p99_us", OF_OP(p99)},
    {"mean_us", OF_OP(mean)},
    {"errors", FIELD_OWN, .write = write_errors},
    FIELD_END,
};

/* What came next on the same client, and how often. */
static json_t *next_object(const struct nfs_mix *mix, size_t op)
{
    json_t *object = json_object();

    for (size_t i = 0; i < mix->count; i++)
        if (mix->after[op][i] > 0)
            json_object_set_new(object, mix->ops[i].procedure->op, json_bytes(mix->after[op][i]));
    return object;
}

static json_t *write_ops(const void *object, const void *root)
{
    const struct workload *workload = object;
    const struct nfs_mix *mix = &workload->mix;
    json_t *array = json_array();

    for (size_t i = 0; i < mix->count; i++) {
        json_t *op = json_pack("{s:s, s:o}", "op", mix->ops[i].procedure->op, "weight",
                               json_count(mix->ops[i].weight));

        fields_add(op, op_fields, &workload->ops[i], root);
        json_object_set_new(op, "next", next_object(mix, i));
        json_array_append_new(array, op);
    }
    return array;
}

/* The item INDEX of ARRAY, an object. */
static const json_t *take_item(struct json_reader *reader, const json_t *array, size_t index)
{
    const json_t *item = json_array_get(array, index);

    reader->where[0] = '\0';
    if (!json_is_object(item))
        json_refuse_value(reader, "ops", "an array of objects");
    snprintf(reader->where, sizeof reader->where, "ops[%zu].", index);
    return item;
}

/* The number of the op called NAME in the mix; its count: it has none. */
static size_t find_op(const struct nfs_mix *mix, const char *name)
{
    size_t i = 0;

    while (i < mix->count && strcmp(mix->ops[i].procedure->op, name) != 0)
        i++;
    return i;
}

static void take_next(struct json_reader *reader, const json_t *from, struct nfs_mix *mix,
                      size_t op)
{
    json_t *next = json_take_object(reader, from, "next"), *value;
    const char *name;

    json_object_foreach(next, name, value)
    {
        size_t found = find_op(mix, name);
        double count = json_take_quantity(reader, value, NULL);

        if (found == mix->count) {
            json_refuse_value(reader, "next", "an object with ops of this workload");
            return;
        }
        mix->after[op][found] = isnan(count) ? 0 : count;
        mix->ordered |= mix->after[op][found] > 0;
    }
}

/* A mix is checked as one that somebody wrote. */
static void take_mix(struct json_reader *reader, const json_t *array, size_t count,
                     struct nfs_mix *mix)
{
    char text[NFS_MIX_OPS_MAXIMUM * 40];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        const json_t *item = take_item(reader, array, i);
        const char *op = json_take_word(reader, item, "op");

        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%.20s %" PRIu64 "\n", op ? op : "?",
                             json_take_count(reader, item, "weight", NFS_MIX_WEIGHT_MAXIMUM));
    }
    if (reader->code == 0)
        reader->code = nfs_mix_parse(mix, reader->path, text, reader->error);
}

static void read_ops(struct json_reader *reader, const json_t *root, void *object)
{
    struct workload *workload = object;
    size_t count;
    const json_t *array = json_take_array(reader, root, "ops", NFS_MIX_OPS_MAXIMUM, &count);

    take_mix(reader, array, count, &workload->mix);
    for (size_t i = 0; i < workload->mix.count && reader->code == 0; i++) {
        const json_t *item = take_item(reader, array, i);

        fields_read(reader, item, op_fields, &workload->ops[i]);
        take_next(reader, item, &workload->mix, i);
    }
    reader->where[0] = '\0';
}

/* The file */

#define ITEMS(member, number, list) FIELD_ARRAY, FIELD_ITEMS(struct workload, member, number, list)
#define SIZES(which)                                                                               \
    ITEMS(sizes[which], size_count[which], size_fields), .maximum = WORKLOAD_SIZES_MAXIMUM

#define NUMBER_TYPE "{\"type\": \"number\", \"minimum\": 0}"
#define OPS_SCHEMA                                                                                 \
    "{\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {"                    \
    "\"op\": {\"type\": \"string\"}, \"weight\": {\"type\": \"integer\", \"minimum\": 1},"         \
    "\"calls\": " NUMBER_TYPE ", \"p50_us\": " NUMBER_TYPE ", \"p99_us\": " NUMBER_TYPE ","        \
    "\"mean_us\": " NUMBER_TYPE ","                                                                \
    "\"errors\": {\"$ref\": \"common.json#/$defs/counts\"},"                                       \
    "\"next\": {\"type\": \"object\", \"additionalProperties\": " NUMBER_TYPE "}},"                \
    "\"required\": [\"op\", \"weight\", \"calls\", \"p50_us\", \"p99_us\", \"mean_us\", "          \
    "\"errors\","                                                                                  \
    " \"next\"], \"additionalProperties\": false}}"

const struct field workload_fields[] = {
    {"ops", FIELD_OWN, .write = write_ops, .read = read_ops, .schema = OPS_SCHEMA},
    {"seconds", AT(seconds)},
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
    FIELD_END,
};

int workload_write(const void *workload, FILE *out)
{
    json_t *object = json_begin(RESULT_WORKLOAD);

    fields_add(object, workload_fields, workload, workload);
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
        fields_read(&reader, root, workload_fields, workload);
    json_decref(root);
    free(input.text);
    arena_free(&arena);
    return reader.code;
}
