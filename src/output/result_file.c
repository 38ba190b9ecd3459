#include "output/result_file.h"
#include "common/printable.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/printable.h"
#include "output/result_fields.h"
#include "output/result_json.h"

/* What is in the file beside, or instead of, a measurement */

/* "today.json, first" */
static const char *side_name(struct result *result, const char *path, const char *side)
{
    size_t size = strlen(path) + strlen(side) + 3;
    char *name = arena_alloc(&result->arena, size, 1);

    if (name)
        snprintf(name, size, "%s, %s", path, side);
    return name ? name : path;
}

static int read_sides(struct result_file *file, const json_t *root, const char *path,
                      struct error *error)
{
    int code = versus_read_root(&file->versus, &file->result, &file->second, root, path, error);

    if (code)
        return code;
    file->result.path = side_name(&file->result, path, "first");
    file->second.path = side_name(&file->second, path, "second");
    return 0;
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

/* Older explanations have no verdict. */
static void take_verdict(const json_t *root, struct result *result)
{
    if (!json_find(root, "validity"))
        result->validity = (struct validity){.verdict = VERDICT_OK};
    result->cut_short = result->cut_short_by != NULL;
}

static void read_origin(struct json_reader *reader, const json_t *root, struct result *result)
{
    fields_read(reader, root, origin_fields, result);
    read_load(reader, root, &result->config.load);
    take_verdict(root, result);
}

/* What is of FILE's kind alone. */
static int read_own(struct result_file *file, const json_t *root, const char *path,
                    struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};

    if (file->kind != RESULT_LADDER)
        read_origin(&reader, root, &file->result);
    if (file->kind == RESULT_EXPERIMENT) {
        file->experiment = json_room(&reader, 1, sizeof *file->experiment);
        if (file->experiment)
            experiment_read(&reader, root, file->experiment);
    } else if (reader.code == 0) {
        file->breakdowns = breakdowns_read(&reader, root, &file->breakdown_count);
    }
    return reader.code;
}

/* The ladder's rungs are of the same rounds as its run. */
static int read_ladder(struct result_file *file, const json_t *root, const char *path,
                       struct error *error)
{
    int code = result_read_root(&file->result, json_object_get(root, "run"), path, "this", error);
    const char *op;

    if (code == 0)
        code = read_own(file, root, path, error);
    op = file->breakdown_count > 0 ? file->breakdowns->op : "op";
    if (code == 0 && !result_find(&file->result, op))
        code = error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s is no whole result of nfsbench: run.ops has no %.60s", path,
                         printable(op).text);
    return code;
}

static int read_measurement(struct result_file *file, const json_t *root, const char *path,
                            struct error *error)
{
    return result_read_root(&file->result, root, path, "this", error);
}

static int keep_root(struct result_file *file, const json_t *root, const char *path,
                     struct error *error)
{
    file->root = json_incref((json_t *)(uintptr_t)root);
    return 0;
}

/* The door */

static int (*const readers[RESULT_KINDS])(struct result_file *file, const json_t *root,
                                          const char *path, struct error *error) = {
    [RESULT_MEASUREMENT] = read_measurement, [RESULT_VERSUS] = read_sides,
    [RESULT_EXPERIMENT] = read_own,          [RESULT_EXPLANATION] = read_own,
    [RESULT_EXPLANATIONS] = read_own,        [RESULT_LADDER] = read_ladder,
    [RESULT_CHARACTER] = keep_root,
};

int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error)
{
    return error_set(error, ERROR_USAGE, -EBADMSG,
                     "%s takes measurements, experiments, explanations and ladders; %.200s is %s",
                     command, path, result_kind_name(kind));
}

static int read_root(struct result_file *file, const json_t *root, const char *path,
                     const char *command, struct error *error)
{
    int code = result_kind_of_root(root, path, &file->kind, error);

    if (code)
        return code;
    return readers[file->kind] ? readers[file->kind](file, root, path, error)
                               : result_file_refuse(file->kind, path, command, error);
}

int result_file_read(struct result_file *file, const char *path, const char *command,
                     struct error *error)
{
    json_t *root;
    int code = result_load_file(path, path, &root, error);

    *file = (struct result_file){.result = {.path = path}};
    if (code == 0)
        code = read_root(file, root, path, command, error);
    json_decref(root);
    return code;
}

void result_file_free(struct result_file *file)
{
    json_decref(file->root);
    versus_free(&file->versus);
    result_free(&file->second);
    result_free(&file->result);
    *file = (struct result_file){.root = NULL};
}

bool result_file_has_ops(const struct result_file *file)
{
    return file->kind == RESULT_MEASUREMENT || file->kind == RESULT_VERSUS ||
           file->kind == RESULT_LADDER;
}

bool result_kinds_fit(enum result_kind a, enum result_kind b)
{
    bool explained = a == RESULT_EXPLANATION || a == RESULT_EXPLANATIONS;

    return a == b || (explained && (b == RESULT_EXPLANATION || b == RESULT_EXPLANATIONS));
}
