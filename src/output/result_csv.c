/* The lines become the JSON that has the same values, and that is checked and read as any other. */
#include "output/result_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "output/json.h"
#include "output/result_json.h"

enum { COLUMNS_MAXIMUM = 64 };

/* Fields */

struct csv_reader {
    const char *path;
    char *at;    /* what has not been read yet */
    size_t line; /* number of the record, from 1 */
    const char *names[COLUMNS_MAXIMUM], *fields[COLUMNS_MAXIMUM];
    size_t columns;
    json_t *root;
    struct error *error;
};

static int refuse(const struct csv_reader *reader, const char *what)
{
    return error_set(reader->error, ERROR_USAGE, -EBADMSG,
                     "%.200s is no measurement of nfsbench as CSV, record %zu: %s", reader->path,
                     reader->line, what);
}

/* Unquote the field at *AT in place (RFC 4180), and move *AT to what ends it. */
static char *take_field(char **at)
{
    char *field = *at, *to = *at;
    bool quoted = **at == '"';

    if (!quoted) {
        *at += strcspn(*at, ",\r\n");
        return field;
    }
    for (++*at; **at && (**at != '"' || (*at)[1] == '"'); ++*at) {
        *at += **at == '"';
        *to++ = **at;
    }
    *at += **at == '"';
    if (to < *at)
        *to = '\0';
    return field;
}

/* Read a record into FIELDS. False at the end of the file. */
static bool take_record(struct csv_reader *reader, const char *fields[COLUMNS_MAXIMUM],
                        size_t *count)
{
    char end = ',';

    *count = 0;
    if (!*reader->at)
        return false;
    reader->line++;
    while (end == ',' && *count < COLUMNS_MAXIMUM) {
        fields[(*count)++] = take_field(&reader->at);
        end = *reader->at;
        if (end)
            *reader->at++ = '\0';
    }
    reader->at += end == '\r' && *reader->at == '\n';
    return true;
}

/* The field of the column NAME; "" if there is none. */
static const char *field_of(const struct csv_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->columns; i++)
        if (strcmp(reader->names[i], name) == 0)
            return reader->fields[i];
    return "";
}

/* A text, without the apostrophe that keeps spreadsheets from taking it for a formula. */
static json_t *text_of(const struct csv_reader *reader, const char *name)
{
    const char *text = field_of(reader, name);

    if (text[0] == '\'' && text[1] && strchr("=+-@", text[1]))
        text++;
    return *text ? json_text(text) : json_null();
}

static json_t *number_of(const struct csv_reader *reader, const char *name)
{
    const char *text = field_of(reader, name);
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || !isfinite(value))
        return json_null();
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

static json_t *interval_of(const struct csv_reader *reader)
{
    json_t *low = number_of(reader, "low"), *high = number_of(reader, "high");

    if (json_is_number(low) && json_is_number(high))
        return json_pack("{s:o, s:[o, o]}", "estimate", number_of(reader, "value"), "ci95", low,
                         high);
    json_decref(low);
    json_decref(high);
    return json_pack("{s:o, s:n}", "estimate", number_of(reader, "value"), "ci95");
}

/* The run, from any of its lines */

static json_t *make_config(const struct csv_reader *reader)
{
    json_t *rate = number_of(reader, "rate");
    json_t *config =
        json_pack("{s:o, s:o, s:o, s:b}", "engine", text_of(reader, "engine"), "clients",
                  number_of(reader, "clients"), "depth", number_of(reader, "depth"), "baseline", 0);

    if (json_is_number(rate))
        json_object_set_new(config, "load",
                            json_pack("{s:O, s:s}", "rate_per_s", rate, "arrival", "poisson"));
    json_decref(rate);
    return config;
}

static json_t *make_root(const struct csv_reader *reader)
{
    return json_pack("{s:s, s:s, s:o, s:{s:o}, s:{s:o, s:o}, s:o, s:[], s:[], s:{s:o, s:[]}}",
                     "schema", RESULT_SCHEMA, "kind", result_kind_key(RESULT_MEASUREMENT), "start",
                     text_of(reader, "start"), "host", "name", text_of(reader, "host"), "target",
                     "text", text_of(reader, "target"), "proto", text_of(reader, "proto"), "config",
                     make_config(reader), "ops", "launches", "validity", "verdict",
                     text_of(reader, "verdict"), "reasons");
}

/* All lines are of one run. */
static bool is_same_run(const struct csv_reader *reader)
{
    const char *start = json_string_value(json_object_get(reader->root, "start"));
    const json_t *target = json_object_get(json_object_get(reader->root, "target"), "text");
    json_t *other = text_of(reader, "target");
    bool same = start && strcmp(start, field_of(reader, "start")) == 0 && json_equal(target, other);

    json_decref(other);
    return same;
}

/* Ops and launches */

/* The object called NAME in LIST, which is made if it is not there. */
static json_t *find_op(json_t *list, const char *name)
{
    json_t *op;
    size_t i;

    json_array_foreach(list, i, op)
    {
        const char *other = json_string_value(json_object_get(op, "op"));

        if (other && strcmp(other, name) == 0)
            return op;
    }
    op = json_pack("{s:o}", "op", json_text(name));
    json_array_append_new(list, op);
    return op;
}

/* The object under KEY, which is made if it is not there. */
static json_t *part_of(json_t *object, const char *key)
{
    json_t *part = json_object_get(object, key);

    if (!part) {
        part = json_object();
        json_object_set_new(object, key, part);
    }
    return part;
}

/* Quantities whose values are in a part of an op, under a name of their own. */
static const struct {
    const char *quantity, *part, *key;
} places[] = {
    {"min_ns", "latency_ns", "min"},       {"mean_ns", "latency_ns", "mean"},
    {"stddev_ns", "latency_ns", "stddev"}, {"p50_ns", "latency_ns", "p50"},
    {"p90_ns", "latency_ns", "p90"},       {"p99_ns", "latency_ns", "p99"},
    {"p999_ns", "latency_ns", "p999"},     {"p9999_ns", "latency_ns", "p9999"},
    {"max_ns", "latency_ns", "max"},       {"call_bytes", "bytes", "call"},
    {"reply_bytes", "bytes", "reply"},     {"failed", "errors", "not named in CSV"},
};

static const char *const counts[] = {"calls", "timed", "rate_per_s"};

static const char *const estimates[] = {"above_null_ns", "mean_above_null_ns", "p99_above_null_ns"};

static void add_to_op(const struct csv_reader *reader, json_t *op, const char *quantity)
{
    json_object_set_new(op, "role", text_of(reader, "role"));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(places[i].quantity, quantity) == 0)
            json_object_set_new(part_of(op, places[i].part), places[i].key,
                                number_of(reader, "value"));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(counts[i], quantity) == 0)
            json_object_set_new(op, quantity, number_of(reader, "value"));
    for (size_t i = 0; i < sizeof estimates / sizeof estimates[0]; i++)
        if (strcmp(estimates[i], quantity) == 0)
            json_object_set_new(op, quantity, interval_of(reader));
    if (strcmp(quantity, "round_trip_ns") == 0)
        json_object_set_new(op, "blocks", json_pack("[o]", number_of(reader, "value")));
}

/* The key, of an op in a launch, of a quantity; that of the last where it is none of them. */
static const char *launch_key(const char *quantity)
{
    static const struct {
        const char *quantity, *key;
    } keys[] = {{"launch_above_null_ns", "cost_ns"},
                {"launch_mean_above_null_ns", "mean_cost_ns"},
                {"launch_p99_above_null_ns", "p99_cost_ns"},
                {"launch_round_trip_ns", "round_trip_ns"}};
    size_t at = 0, last = sizeof keys / sizeof keys[0] - 1;

    while (at < last && strcmp(keys[at].quantity, quantity) != 0)
        at++;
    return keys[at].key;
}

/* Of the launch whose number, from 1, is in the line. */
static int add_to_launch(const struct csv_reader *reader, const char *op, const char *quantity)
{
    json_t *launches = json_object_get(reader->root, "launches"), *launch;
    json_int_t number = strtol(field_of(reader, "launch"), NULL, 10);

    if (number < 1 || number > (json_int_t)json_array_size(launches) + 1 ||
        number > RESULT_LAUNCHES_MAXIMUM)
        return refuse(reader, "the launches are not numbered 1, 2, and so on");
    if (number > (json_int_t)json_array_size(launches))
        json_array_append_new(launches, json_pack("{s:[]}", "ops"));
    launch = json_array_get(launches, (size_t)number - 1);
    json_object_set_new(launch, "server", number_of(reader, "server"));
    json_object_set_new(find_op(json_object_get(launch, "ops"), op), launch_key(quantity),
                        interval_of(reader));
    return 0;
}

/* Sizes and the baseline follow from the ops. */
static void note_op(const struct csv_reader *reader, const char *op)
{
    json_t *config = json_object_get(reader->root, "config"), *size = number_of(reader, "size");

    if (strcmp(field_of(reader, "role"), "null") == 0)
        json_object_set_new(config, "baseline", json_true());
    if (strcmp(op, "read") == 0 && json_is_integer(size))
        json_object_set(config, "read_size", size);
    if (strcmp(op, "write") == 0 && json_is_integer(size))
        json_object_set(config, "write_size", size);
    json_decref(size);
}

static int add_record(struct csv_reader *reader)
{
    const char *op = field_of(reader, "op"), *quantity = field_of(reader, "quantity");
    json_t *ops;

    if (!reader->root)
        reader->root = make_root(reader);
    if (!*op || !*quantity)
        return refuse(reader, "it has no op, or no quantity");
    if (!is_same_run(reader))
        return refuse(reader, "it is of another run than the first");
    if (strncmp(quantity, "launch_", 7) == 0)
        return add_to_launch(reader, op, quantity);
    ops = json_object_get(reader->root, "ops");
    if (json_array_size(ops) > RESULT_OPS_MAXIMUM)
        return refuse(reader, "there are too many ops");
    add_to_op(reader, find_op(ops, op), quantity);
    note_op(reader, op);
    return 0;
}

/* The file */

static int read_records(struct csv_reader *reader)
{
    size_t count;
    int code = 0;

    take_record(reader, reader->names, &reader->columns);
    while (code == 0 && take_record(reader, reader->fields, &count)) {
        if (count != reader->columns)
            return refuse(reader, "it has another number of fields than the first line");
        code = add_record(reader);
    }
    return code == 0 && !reader->root ? refuse(reader, "there is none") : code;
}

bool result_csv_is(const char *text)
{
    return strncmp(text, "start,", 6) == 0;
}

int result_csv_read(struct result *result, char *text, const char *path, const char *command,
                    struct error *error)
{
    struct csv_reader reader = {.path = path, .at = text, .error = error};
    int code = read_records(&reader);

    *result = (struct result){.path = path};
    if (code == 0)
        code = result_read_root(result, reader.root, path, command, error);
    if (code == 0)
        result->summary = true;
    json_decref(reader.root);
    return code;
}
