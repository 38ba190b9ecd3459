#include "output/result_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "measure/histogram.h"

#define SCHEMA "nfsbench-result/1"

/* Values */

static const json_t *find(const json_t *object, const char *keys)
{
    char key[64];

    while (object && *keys) {
        size_t length = strcspn(keys, ".");

        snprintf(key, sizeof key, "%.*s", (int)length, keys);
        object = json_object_get(object, key);
        keys += length + (keys[length] == '.');
    }
    return object;
}

double result_file_number(const json_t *object, const char *keys)
{
    const json_t *value = find(object, keys);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *result_file_text(const json_t *object, const char *keys)
{
    return json_string_value(find(object, keys));
}

bool result_file_interval(const json_t *object, const char *keys, struct interval *interval)
{
    const json_t *value = find(object, keys), *ends = json_object_get(value, "ci95");
    const json_t *low = json_array_get(ends, 0), *high = json_array_get(ends, 1);

    interval->estimate = result_file_number(value, "estimate");
    interval->low = json_number_value(low);
    interval->high = json_number_value(high);
    return !isnan(interval->estimate) && json_is_number(low) && json_is_number(high);
}

double result_file_quantile(const struct result_file_op *op, double q)
{
    double sum = 0, rank = fmax(ceil(q * op->timed), 1);

    for (size_t i = 0; i < op->bucket_count; i++) {
        sum += op->buckets[i].count;
        if (sum >= rank)
            return (op->buckets[i].low + op->buckets[i].high) / 2;
    }
    return NAN;
}

/* Files */

static int refuse(const struct result_file *file, struct error *error, const char *what)
{
    return error_set(error, ERROR_USAGE, -EBADMSG, "%.200s is no whole result of nfsbench: %s",
                     file->path, what);
}

static int load(struct result_file *file, struct error *error)
{
    struct stat status;
    json_error_t found;
    const char *schema;

    if (stat(file->path, &status) != 0)
        return error_set(error, ERROR_USAGE, -errno, "%.200s: %s", file->path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_set(error, ERROR_USAGE, -EISDIR,
                         "%.200s is a directory; expected a file "
                         "written by --json",
                         file->path);
    file->root = json_load_file(file->path, 0, &found);
    if (!file->root)
        return error_set(error, ERROR_USAGE, -EBADMSG, "%.200s is no whole JSON, line %d: %.100s",
                         file->path, found.line, found.text);
    schema = result_file_text(file->root, "schema");
    if (!schema)
        return refuse(file, error, "it has no schema");
    if (strcmp(schema, SCHEMA) != 0)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s has the schema %.60s; this version reads " SCHEMA, file->path,
                         schema);
    return 0;
}

static int read_blocks(struct result_file *file, struct result_file_op *op, struct error *error)
{
    const json_t *blocks = json_object_get(op->object, "blocks");
    size_t count = json_array_size(blocks);

    if (count == 0 || (file->rounds && count != file->rounds))
        return refuse(file, error, "rounds are missing");
    file->rounds = count;
    op->blocks = calloc(count, sizeof *op->blocks);
    if (!op->blocks)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %.200s", file->path);
    for (size_t i = 0; i < count; i++) {
        const json_t *block = json_array_get(blocks, i);

        if (!json_is_number(block))
            return refuse(file, error, "a round is no number");
        op->blocks[i] = json_number_value(block);
    }
    return 0;
}

/* One bucket after the others: false where it can be no bucket of ours. */
static bool read_bucket(struct result_file_op *op, const json_t *low, const json_t *count)
{
    struct result_file_bucket *bucket = &op->buckets[op->bucket_count];

    if (!json_is_number(low) || !json_is_number(count))
        return false;
    bucket->low = json_number_value(low);
    bucket->count = json_number_value(count);
    if (bucket->low < 0 || bucket->count < 0 ||
        (op->bucket_count > 0 && bucket->low <= bucket[-1].low))
        return false;
    bucket->high = histogram_bucket_high(histogram_bucket(bucket->low));
    if (bucket->high <= bucket->low)
        return false;
    op->bucket_count++;
    op->timed += bucket->count;
    return true;
}

static int read_histogram(struct result_file *file, struct result_file_op *op, struct error *error)
{
    const json_t *lows = find(op->object, "histogram.low_ns");
    const json_t *counts = find(op->object, "histogram.count");
    size_t count = json_array_size(lows);

    if (count != json_array_size(counts))
        return refuse(file, error, "a histogram is broken");
    op->buckets = calloc(count + 1, sizeof *op->buckets);
    if (!op->buckets)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %.200s", file->path);
    for (size_t i = 0; i < count; i++)
        if (!read_bucket(op, json_array_get(lows, i), json_array_get(counts, i)))
            return refuse(file, error, "a histogram is broken");
    return 0;
}

static int read_op(struct result_file *file, const json_t *object, struct error *error)
{
    struct result_file_op *op = &file->ops[file->op_count];
    int code;

    op->object = object;
    op->op = result_file_text(object, "op");
    if (!op->op)
        return refuse(file, error, "an op has no name");
    file->op_count++;
    code = read_blocks(file, op, error);
    return code ? code : read_histogram(file, op, error);
}

static int subtract_null(struct result_file *file, struct error *error)
{
    const struct result_file_op *null_calls = result_file_find(file, "null");
    bool baseline = json_is_true(find(file->root, "config.baseline"));

    for (size_t i = 0; baseline && null_calls && i < file->op_count; i++) {
        struct result_file_op *op = &file->ops[i];

        op->above_null = calloc(file->rounds, sizeof *op->above_null);
        if (!op->above_null)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %.200s", file->path);
        for (size_t round = 0; round < file->rounds; round++)
            op->above_null[round] = op->blocks[round] - null_calls->blocks[round];
    }
    return 0;
}

int result_file_open(struct result_file *file, const char *path, struct error *error)
{
    const json_t *ops;
    size_t count;
    int code;

    *file = (struct result_file){.path = path};
    code = load(file, error);
    ops = code ? NULL : json_object_get(file->root, "ops");
    count = json_array_size(ops);
    if (code == 0 && count == 0)
        code = refuse(file, error, "it has no ops");
    if (code == 0)
        file->ops = calloc(count, sizeof *file->ops);
    if (code == 0 && !file->ops)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %.200s", path);
    for (size_t i = 0; i < count && code == 0; i++)
        code = read_op(file, json_array_get(ops, i), error);
    if (code == 0)
        code = subtract_null(file, error);
    if (code)
        result_file_close(file);
    return code;
}

void result_file_close(struct result_file *file)
{
    for (size_t i = 0; i < file->op_count; i++) {
        free(file->ops[i].blocks);
        free(file->ops[i].above_null);
        free(file->ops[i].buckets);
    }
    free(file->ops);
    json_decref(file->root);
    *file = (struct result_file){.path = NULL};
}

const struct result_file_op *result_file_find(const struct result_file *file, const char *name)
{
    for (size_t i = 0; i < file->op_count; i++)
        if (strcmp(file->ops[i].op, name) == 0)
            return &file->ops[i];
    return NULL;
}
