#include "output/result/result_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/input.h"
#include "output/result/origin.h"
#include "output/result/result_fields.h"

enum { WORDS_MAXIMUM = 1 << 16 };

static json_t *command_write(const void *object, const void *root)
{
    const struct result *result = root;

    return origin_command_json(result->command, result->command_count);
}

static const struct field word_field[] = {
    {NULL, FIELD_TEXT, .size = sizeof(const char *)},
    FIELD_END,
};

#define COMMAND                                                                                    \
    FIELD_LIST, FIELD_VALUES(struct result, command, command_count, word_field),                   \
        .schema = ORIGIN_COMMAND_SCHEMA, .maximum = WORDS_MAXIMUM

#define SKIPPED(member) FIELD_AT(struct result_skipped, member)

const struct field skipped_fields[] = {
    {"op", FIELD_WORD, SKIPPED(op), FIELD_KEY},
    {"reason", FIELD_TEXT, SKIPPED(reason)},
    FIELD_END,
};

#define STALL(member) FIELD_AT(struct result_stall, member)

static const struct field stall_fields[] = {
    {"at_s", FIELD_NUMBER, STALL(at_s)},
    {"length_s", FIELD_NUMBER, STALL(length_s)},
    {"calls", FIELD_COUNT, STALL(calls)},
    {"series", FIELD_WORD, STALL(series), FIELD_NAME},
    {"launch", FIELD_COUNT, STALL(launch), .known = is_of_launches},
    FIELD_END,
};

static const struct field regime_fields[] = {
    {"rounds", FIELD_COUNT, FIELD_AT(struct regime, rounds)},
    {"level_ns", FIELD_QUANTITY, FIELD_AT(struct regime, level)},
    FIELD_END,
};

#define AT(member) FIELD_AT(struct result, member)

const struct field result_fields[] = {
    {"tool", FIELD_OBJECT, .fields = tool_fields},
    {"command", COMMAND, .write = command_write},
    {"start", FIELD_WORD, AT(start)},
    {"seed", FIELD_SEED, AT(seed)},
    {"cut_short", FIELD_FLAG, AT(cut_short)},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by), FIELD_OR_NONE},
    {"host", FIELD_OBJECT, .fields = host_fields, .merge = MERGE_PARTS},
    {"target", FIELD_OBJECT, .fields = target_fields},
    {"config", FIELD_OBJECT, .fields = config_fields, .merge = MERGE_PARTS},
    {"clock", FIELD_OBJECT, .fields = clock_fields, .merge = MERGE_PARTS},
    {"setup", FIELD_OBJECT, .fields = setup_fields, .merge = MERGE_PARTS},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct result, ops, op_count, op_fields), .read = ops_read},
    {"skipped", FIELD_LIST, FIELD_ITEMS(struct result, skipped, skipped_count, skipped_fields),
     .maximum = RESULT_OPS_MAXIMUM, .merge = MERGE_JOIN},
    {"model", FIELD_POINTER, FIELD_TO(struct result, model, model_fields), .merge = MERGE_PARTS},
    {"ledger", FIELD_OBJECT, .fields = ledger_fields, .merge = MERGE_PARTS},
    {"ranks", FIELD_LIST, FIELD_ITEMS(struct result, ranks, rank_count, rank_fields),
     FIELD_IF(struct result, rank_count), .maximum = RESULT_RANKS_MAXIMUM},
    {NULL, FIELD_OBJECT, FIELD_IF(struct result, launch_count), .fields = launches_fields,
     .merge = MERGE_PARTS},
    {"stalls", FIELD_LIST, FIELD_ITEMS(struct result, stalls, stall_count, stall_fields),
     .maximum = RESULT_STALLS_MAXIMUM, .merge = MERGE_JOIN},
    {"stalls_not_kept", FIELD_COUNT, AT(stalls_not_kept), FIELD_OR_NONE, .merge = MERGE_SUM},
    {"regimes", FIELD_LIST, FIELD_ITEMS(struct result, regimes, regime_count, regime_fields),
     FIELD_IF(struct result, regime_count), .maximum = RESULT_LAUNCHES_MAXIMUM * REGIMES_MOST,
     .merge = MERGE_JOIN},
    {"validity", FIELD_OBJECT, .fields = validity_fields},
    {NULL, FIELD_OBJECT, .flags = FIELD_SHOWN, .fields = result_shown_fields},
    FIELD_END,
};

static const char *schema_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return RESULT_SCHEMA;
}

static const char *kind_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return result_kind_key(RESULT_MEASUREMENT);
}

const struct field result_file_fields[] = {
    {"schema", FIELD_WORD, .text = schema_text},
    {"kind", FIELD_WORD, .text = kind_text},
    {NULL, FIELD_OBJECT, .fields = result_fields},
    FIELD_END,
};

const struct field origin_fields[] = {
    {"tool", FIELD_OBJECT, .fields = tool_fields},
    {"start", FIELD_WORD, AT(start)},
    {"command", COMMAND},
    {"seed", FIELD_SEED, AT(seed)},
    {"host", FIELD_OBJECT, .fields = host_fields},
    {"target", FIELD_TEXT, AT(target.text)},
    {"proto", FIELD_OWN, .read = proto_read},
    {"engine", FIELD_WORD, AT(config.engine)},
    {"client_cpus", FIELD_WORD, AT(config.client_cpus)},
    {"validity", FIELD_OBJECT, AT(validity), .fields = verdict_fields},
    {"cut_short_by", FIELD_TEXT, AT(cut_short_by)},
    FIELD_END,
};

json_t *json_result(const struct result *result)
{
    return fields_write(result_file_fields, result, result);
}

/* Set STARTED from START. Set the machine's counters in USAGE to NAN, because files do not contain
 * them. Check that a load with a rate has arrivals. */
static void set_derived(struct json_reader *reader, const json_t *root, struct result *result)
{
    struct tm broken_down = {.tm_isdst = -1};

    if (result->start && strptime(result->start, "%Y-%m-%dT%H:%M:%S%z", &broken_down))
        result->started = timegm(&broken_down) - broken_down.tm_gmtoff;
    if (result->config.load.rate > 0 && !json_find(root, "config.load.arrival"))
        json_refuse(reader, "config.load has a rate, and no arrival");
    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        result->usage[i] = NAN;
}

int result_kind_of_root(const json_t *root, const char *path, enum result_kind *kind,
                        struct error *error)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *key = json_string_value(json_object_get(root, "kind"));

    *kind = schema ? result_kind_of(schema, key) : RESULT_KINDS;
    if (!schema)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s is no whole result of nfsbench: it has no schema", path);
    if (*kind == RESULT_KINDS)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s has the schema %.60s%s%.60s; this version reads " RESULT_SCHEMA,
                         path, schema, key ? " and the kind " : "", key ? key : "");
    return 0;
}

static int check_kind(const json_t *root, const char *path, const char *command,
                      struct error *error)
{
    enum result_kind kind;
    int code = result_kind_of_root(root, path, &kind, error);

    if (code == 0 && kind != RESULT_MEASUREMENT)
        return error_set(
            error, ERROR_USAGE, -EBADMSG, "%s takes measurements; %.200s is %s%s", command, path,
            result_kind_name(kind),
            json_find(root, "first") ? ", and 'jq .first' or 'jq .second' takes one out" : "");
    return code;
}

int result_load(const char *text, size_t length, const char *path, json_t **root,
                struct error *error)
{
    json_error_t found;

    *root = json_loadb(text, length, 0, &found);
    return *root
               ? 0
               : error_set(error, ERROR_USAGE, -EBADMSG, "%.200s is no whole JSON, line %d: %.100s",
                           path, found.line, found.text);
}

int result_load_file(const char *path, const char *name, json_t **root, struct error *error)
{
    struct input input;
    int code = input_read(&input, path, name, RESULT_FILE_MAXIMUM, error);

    *root = NULL;
    if (code == 0)
        code = result_load(input.text, input.length, name, root, error);
    free(input.text);
    return code;
}

int result_read_root(struct result *result, const json_t *root, const char *path,
                     const char *command, struct error *error)
{
    struct json_reader reader = {.arena = &result->arena, .path = path, .error = error};

    *result = (struct result){.path = path};
    reader.code = check_kind(root, path, command, error);
    if (reader.code == 0)
        fields_read(&reader, root, result_fields, result);
    if (reader.code == 0)
        set_derived(&reader, root, result);
    if (reader.code)
        result_free(result);
    return reader.code;
}

int result_read(struct result *result, const char *path, const char *command, struct error *error)
{
    json_t *root;
    int code = result_load_file(path, path, &root, error);

    *result = (struct result){.path = path};
    if (code == 0)
        code = result_read_root(result, root, path, command, error);
    json_decref(root);
    return code;
}
