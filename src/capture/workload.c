#include "capture/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "capture/errors_json.h"
#include "common/input.h"
#include "output/json_reader.h"
#include "output/result_json.h"

/* Numbers, none of which is negative: where each is in a structure, and in its JSON. */

struct number {
    const char *path; /* keys with dots between; NULL ends a table */
    size_t offset;
};

#define AT(type, member) offsetof(struct type, member)
#define QUANTILES(key, type, member)                                                               \
    {key ".p10", AT(type, member[0])}, {key ".p25", AT(type, member[1])},                          \
        {key ".p50", AT(type, member[2])}, {key ".p75", AT(type, member[3])},                      \
        {key ".p90", AT(type, member[4])},                                                         \
    {                                                                                              \
        key ".p99", AT(type, member[5])                                                            \
    }

static const struct number numbers[] = {
    {"seconds", AT(workload, seconds)},
    {"clients", AT(workload, clients)},
    {"connections", AT(workload, connections)},
    {"in_flight.mean", AT(workload, in_flight[0])},
    {"in_flight.p99", AT(workload, in_flight[1])},
    {"rate_per_s", AT(workload, rate)},
    {"burstiness", AT(workload, burstiness)},
    {"dispersion.10ms", AT(workload, dispersion[0])},
    {"dispersion.100ms", AT(workload, dispersion[1])},
    {"dispersion.1s", AT(workload, dispersion[2])},
    {"think_calls", AT(workload, think_calls)},
    QUANTILES("think_us", workload, think),
    {"sequential.read", AT(workload, sequential[WORKLOAD_READ])},
    {"sequential.write", AT(workload, sequential[WORKLOAD_WRITE])},
    {"files.count", AT(workload, files[0])},
    {"files.zipf_exponent", AT(workload, files[1])},
    {"files.mean_bytes", AT(workload, file_size)},
    {"directories.mean", AT(workload, directory[0])},
    {"directories.max", AT(workload, directory[1])},
    QUANTILES("directories", workload, directories),
    {"interval_s", AT(workload, interval)},
    {NULL, 0},
};

static const struct number client_numbers[] = {
    {"calls", AT(workload_client, calls)},
    {"connections", AT(workload_client, connections)},
    {"in_flight", AT(workload_client, in_flight)},
    {"think_calls", AT(workload_client, think_calls)},
    QUANTILES("think_us", workload_client, think),
    {NULL, 0},
};

static const struct number size_numbers[] = {
    {"bytes", AT(workload_size, bytes)},
    {"calls", AT(workload_size, calls)},
    {NULL, 0},
};

static const struct number file_numbers[] = {
    {"calls", AT(workload_file, calls)},
    {"bytes", AT(workload_file, bytes)},
    {NULL, 0},
};

static const struct number op_numbers[] = {
    {"calls", AT(workload_op, calls)},
    {"p50_us", AT(workload_op, p50)},
    {"p99_us", AT(workload_op, p99)},
    {"mean_us", AT(workload_op, mean)},
    {NULL, 0},
};

/* Writing */

static void add_number(json_t *object, const char *path, double number)
{
    size_t length = strcspn(path, ".");
    char key[40];
    json_t *inner;

    if (!path[length]) {
        json_object_set_new(object, path, json_bytes(number));
        return;
    }
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    inner = json_object_get(object, key);
    if (!inner)
        json_object_set_new(object, key, inner = json_object());
    add_number(inner, path + length + 1, number);
}

static json_t *add_numbers(json_t *object, const struct number *table, const void *structure)
{
    for (; table->path; table++) {
        double number;

        memcpy(&number, (const char *)structure + table->offset, sizeof number);
        add_number(object, table->path, number);
    }
    return object;
}

/* COUNT structures of SIZE bytes. */
static json_t *numbers_array(const struct number *table, const void *first, size_t count,
                             size_t size)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array,
                              add_numbers(json_object(), table, (const char *)first + i * size));
    return array;
}

/* What came next on the same client, and how often. */
static json_t *next_object(const struct nfs_mix *mix, size_t op)
{
    json_t *object = json_object();

    for (size_t i = 0; i < mix->count; i++)
        if (mix->after[op][i] > 0)
            json_object_set_new(object, mix->ops[i].procedure->op, json_bytes(mix->after[op][i]));
    return object;
}

static json_t *ops_array(const struct workload *workload)
{
    const struct nfs_mix *mix = &workload->mix;
    json_t *array = json_array();

    for (size_t i = 0; i < mix->count; i++) {
        json_t *op = json_pack("{s:s, s:o}", "op", mix->ops[i].procedure->op, "weight",
                               json_count(mix->ops[i].weight));

        add_numbers(op, op_numbers, &workload->ops[i]);
        json_object_set_new(op, "errors", errors_json(&workload->ops[i].tally));
        json_object_set_new(op, "next", next_object(mix, i));
        json_array_append_new(array, op);
    }
    return array;
}

static json_t *files_array(const struct workload *workload)
{
    json_t *array = numbers_array(file_numbers, workload->most_used, workload->most_used_count,
                                  sizeof workload->most_used[0]);

    for (size_t i = 0; i < workload->most_used_count; i++)
        json_object_set_new(json_array_get(array, i), "name",
                            json_text(workload->most_used[i].name));
    return array;
}

static json_t *arrivals_array(const struct workload *workload)
{
    json_t *array = json_array();

    for (size_t i = 0; i < workload->arrival_count; i++)
        json_array_append_new(array, json_bytes(workload->arrivals[i]));
    return array;
}

int workload_write(const void *data, FILE *out)
{
    static const char *const keys[WORKLOAD_TRANSFERS] = {"read_sizes", "write_sizes"};
    const struct workload *workload = data;
    json_t *object = json_begin(RESULT_WORKLOAD);

    json_object_set_new(object, "ops", ops_array(workload));
    add_numbers(object, numbers, workload);
    json_object_set_new(object, "arrivals", arrivals_array(workload));
    json_object_set_new(
        object, "own_clients",
        numbers_array(client_numbers, workload->own, workload->own_count, sizeof workload->own[0]));
    for (size_t i = 0; i < WORKLOAD_TRANSFERS; i++)
        json_object_set_new(object, keys[i],
                            numbers_array(size_numbers, workload->sizes[i], workload->size_count[i],
                                          sizeof workload->sizes[i][0]));
    json_object_set_new(object, "most_used", files_array(workload));
    return json_write_object(object, out);
}

/* Reading: what is not there is 0. Errors are for people. */

static double take_number(struct json_reader *reader, const json_t *from, const char *path)
{
    double number = json_take_quantity(reader, from, path);

    return isnan(number) ? 0 : number;
}

static void take_numbers(struct json_reader *reader, const json_t *from, const struct number *table,
                         void *structure)
{
    for (; table->path; table++) {
        double number = take_number(reader, from, table->path);

        memcpy((char *)structure + table->offset, &number, sizeof number);
    }
}

/* The item INDEX of ARRAY, an object; messages call it KEY. */
static const json_t *take_item(struct json_reader *reader, const json_t *array, const char *key,
                               size_t index)
{
    const json_t *item = json_array_get(array, index);

    reader->where[0] = '\0';
    if (!json_is_object(item))
        json_refuse_value(reader, key, "an array of objects");
    snprintf(reader->where, sizeof reader->where, "%s[%zu].", key, index);
    return item;
}

/* At most MAXIMUM structures of SIZE bytes. Returns how many. */
static size_t take_array(struct json_reader *reader, const json_t *root, const char *key,
                         const struct number *table, void *first, size_t maximum, size_t size)
{
    size_t count;
    const json_t *array = json_take_array(reader, root, key, maximum, &count);

    for (size_t i = 0; i < count; i++)
        take_numbers(reader, take_item(reader, array, key, i), table, (char *)first + i * size);
    reader->where[0] = '\0';
    return count;
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
        const json_t *item = take_item(reader, array, "ops", i);
        const char *op = json_take_word(reader, item, "op");

        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%.20s %" PRIu64 "\n", op ? op : "?",
                             json_take_count(reader, item, "weight", NFS_MIX_WEIGHT_MAXIMUM));
    }
    if (reader->code == 0)
        reader->code = nfs_mix_parse(mix, reader->path, text, reader->error);
}

static void take_ops(struct json_reader *reader, const json_t *root, struct workload *workload)
{
    size_t count;
    const json_t *array = json_take_array(reader, root, "ops", NFS_MIX_OPS_MAXIMUM, &count);

    take_mix(reader, array, count, &workload->mix);
    for (size_t i = 0; i < workload->mix.count && reader->code == 0; i++) {
        const json_t *item = take_item(reader, array, "ops", i);

        take_numbers(reader, item, op_numbers, &workload->ops[i]);
        take_next(reader, item, &workload->mix, i);
    }
    reader->where[0] = '\0';
}

static void take_names(struct json_reader *reader, const json_t *root, struct workload *workload)
{
    for (size_t i = 0; i < workload->most_used_count && reader->code == 0; i++) {
        const json_t *item = json_array_get(json_find(root, "most_used"), i);
        const char *name = json_take_text(reader, item, "name");

        snprintf(workload->most_used[i].name, WORKLOAD_NAME_SIZE, "%s", name ? name : "?");
    }
}

static void take_workload(struct json_reader *reader, const json_t *root, struct workload *workload)
{
    const json_t *arrivals;

    take_ops(reader, root, workload);
    take_numbers(reader, root, numbers, workload);
    arrivals = json_take_array(reader, root, "arrivals", WORKLOAD_INTERVALS_MAXIMUM,
                               &workload->arrival_count);
    for (size_t i = 0; i < workload->arrival_count; i++)
        workload->arrivals[i] = take_number(reader, json_array_get(arrivals, i), NULL);
    workload->own_count = take_array(reader, root, "own_clients", client_numbers, workload->own,
                                     WORKLOAD_OWN_CLIENTS_MAXIMUM, sizeof workload->own[0]);
    workload->size_count[WORKLOAD_READ] =
        take_array(reader, root, "read_sizes", size_numbers, workload->sizes[WORKLOAD_READ],
                   WORKLOAD_SIZES_MAXIMUM, sizeof workload->sizes[0][0]);
    workload->size_count[WORKLOAD_WRITE] =
        take_array(reader, root, "write_sizes", size_numbers, workload->sizes[WORKLOAD_WRITE],
                   WORKLOAD_SIZES_MAXIMUM, sizeof workload->sizes[0][0]);
    workload->most_used_count =
        take_array(reader, root, "most_used", file_numbers, workload->most_used,
                   WORKLOAD_FILES_MAXIMUM, sizeof workload->most_used[0]);
    take_names(reader, root, workload);
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
        take_workload(&reader, root, workload);
    json_decref(root);
    free(input.text);
    arena_free(&arena);
    return reader.code;
}
