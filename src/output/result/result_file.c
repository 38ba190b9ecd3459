#include "output/result/result_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "output/result/result_fields.h"
#include "output/result/result_json.h"

/* Return PATH with the name of a SIDE, such as "today.json, first". */
static const char *side_name(struct result *result, const char *path, const char *side)
{
    size_t size = strlen(path) + strlen(side) + 3;
    char *name = arena_alloc(&result->arena, size, 1);

    if (name)
        snprintf(name, size, "%s, %s", path, side);
    return name ? name : path;
}

const struct field load_fields[] = {
    {"clients", FIELD_COUNT, FIELD_AT(struct load, clients)},
    {"connections", FIELD_COUNT, FIELD_AT(struct load, connections)},
    {"depth", FIELD_COUNT, FIELD_AT(struct load, depth)},
    {"rate_per_s", FIELD_QUANTITY, FIELD_AT(struct load, rate), FIELD_OR_NONE},
    FIELD_END,
};

static void read_load(struct json_reader *reader, const json_t *root, struct load *load)
{
    *load = (struct load){.clients = 1, .connections = 1, .depth = 1};
    if (json_take_object(reader, root, "load"))
        fields_read(reader, json_find(root, "load"), load_fields, load);
    if (isnan(load->rate))
        load->rate = 0;
}

/* Set RESULT's verdict to OK if ROOT has none (old explanations). CUT_SHORT becomes true if RESULT
 * has CUT_SHORT_BY. */
static void set_missing_verdict(const json_t *root, struct result *result)
{
    if (!json_find(root, "validity"))
        result->validity = (struct validity){.verdict = VERDICT_OK};
    result->cut_short = result->cut_short_by != NULL;
}

void result_file_read_origin(struct json_reader *reader, const json_t *root, struct result *result)
{
    fields_read(reader, root, origin_fields, result);
    read_load(reader, root, &result->config.load);
    set_missing_verdict(root, result);
}

int result_file_read_side(const json_t *root, const char *key, const char *path,
                          struct result *side, struct error *error)
{
    int code = result_read_root(side, json_object_get(root, key), path, "this", error);

    if (code == 0)
        side->path = side_name(side, path, key);
    return code;
}

static int read_measurement(struct result_file *file, const json_t *root, const char *path,
                            struct error *error)
{
    return result_read_root(&file->result, root, path, "this", error);
}

const struct result_reading measurement_reading = {
    .plural = "measurements", .read = read_measurement, .has_ops = true};

static const struct result_reading *reading_of(enum result_kind kind)
{
    const struct view *view = view_of_kind(kind);

    return view ? view->reading : NULL;
}

/* Set OUT to the plurals of the kinds whose values can be compared: "measurements, experiments and
 * ladders". If several kinds have the same reading, they must be side by side in RESULT_KIND_LIST,
 * and the plural is listed once. */
static void list_kinds(char *out, size_t size)
{
    const struct result_reading *listed[RESULT_KINDS];
    size_t count = 0;

    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
        const struct result_reading *reading = reading_of(kind);

        if (reading && !reading->write_pair && (count == 0 || listed[count - 1] != reading))
            listed[count++] = reading;
    }
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        append(out, size, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", listed[i]->plural);
}

int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error)
{
    char kinds[200];

    list_kinds(kinds, sizeof kinds);
    return error_set(error, ERROR_USAGE, -EBADMSG, "%s takes %s; %.200s is %s", command, kinds,
                     path, result_kind_name(kind));
}

int result_file_read_root(struct result_file *file, const json_t *root, const char *path,
                          const char *command, struct error *error)
{
    int code;

    *file = (struct result_file){.result = {.path = path}};
    code = result_kind_of_root(root, path, &file->kind, error);
    if (code)
        return code;
    file->reading = reading_of(file->kind);
    return file->reading ? file->reading->read(file, root, path, error)
                         : result_file_refuse(file->kind, path, command, error);
}

int result_file_read(struct result_file *file, const char *path, const char *command,
                     struct error *error)
{
    json_t *root;
    int code = result_load_file(path, path, &root, error);

    *file = (struct result_file){.result = {.path = path}};
    if (code == 0)
        code = result_file_read_root(file, root, path, command, error);
    json_decref(root);
    return code;
}

void result_file_free(struct result_file *file)
{
    for (size_t i = 0; i < file->part_count; i++)
        result_file_free(&file->parts[i]);
    result_free(&file->second);
    result_free(&file->result);
    *file = (struct result_file){.reading = NULL};
}

bool result_file_has_ops(const struct result_file *file)
{
    return file->reading->has_ops || file->has_sides;
}

const char *result_file_name(const struct result_file *file)
{
    return file->has_sides ? "a measurement of two sides" : result_kind_name(file->kind);
}

bool result_files_fit(const struct result_file *a, const struct result_file *b)
{
    return a->reading == b->reading && a->has_sides == b->has_sides;
}
