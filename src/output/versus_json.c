/* Two sides of the same rounds as JSON, written and read back. */
#include <math.h>
#include <string.h>

#include "output/json.h"
#include "output/result_json.h"
#include "output/versus.h"

/* Written */

static json_t *comparison_object(const struct comparison *comparison)
{
    return json_pack("{s:f, s:f, s:o}", "first_ns", comparison->first.estimate, "second_ns",
                     comparison->second.estimate, "difference_ns",
                     json_interval(&comparison->difference));
}

static json_t *part_object(const struct versus_part *part, size_t launches)
{
    json_t *object = comparison_object(&part->comparison), *array;

    if (part->judged) {
        json_object_set_new(object, "p", json_real(part->comparison.p));
        json_object_set_new(object, "adjusted_p", json_real(part->comparison.adjusted_p));
        json_object_set_new(object, "floor_ns", json_real(part->floor));
        json_object_set_new(object, "word", json_string(comparison_verdict_name(part->word)));
        json_object_set_new(object, "ratio", json_interval(&part->ratio));
    }
    if (!part->launches)
        return object;
    array = json_array();
    for (size_t i = 0; i < launches; i++)
        json_array_append_new(array, json_interval(&part->launches[i]));
    json_object_set_new(object, "launches", array);
    return object;
}

static json_t *row_object(const struct versus_row *row, size_t launches)
{
    json_t *object = json_pack("{s:s}", "op", row->first->op);

    if (row->parts[VERSUS_NETWORK].known)
        json_object_set_new(object, "baseline", json_text(row->first->baseline->op));
    for (enum versus_quantity i = 0; i < VERSUS_QUANTITIES; i++)
        if (row->parts[i].known)
            json_object_set_new(object, versus_keys[i], part_object(&row->parts[i], launches));
    return object;
}

int versus_write_json(const void *data, FILE *out)
{
    const struct versus_result *versus = data;
    json_t *object = json_begin(RESULT_VERSUS), *rows = json_array();

    for (size_t i = 0; i < versus->count; i++)
        json_array_append_new(rows, row_object(&versus->rows[i], versus->launch_count));
    json_object_set_new(object, "differences", rows);
    json_object_set_new(object, "first", json_result(versus->first));
    json_object_set_new(object, "second", json_result(versus->second));
    if (versus->has_control) {
        json_object_set_new(object, "null_control", comparison_object(&versus->null_control));
        json_object_set_new(object, "null_control_mean",
                            comparison_object(&versus->null_control_mean));
    }
    return json_write_object(object, out);
}

/* Read */

static bool comparison_read(struct json_reader *reader, const json_t *from, const char *key,
                            struct comparison *comparison)
{
    const json_t *object = json_take_object(reader, from, key);

    if (!object)
        return false;
    comparison->first.estimate = json_take_number(reader, object, "first_ns");
    comparison->second.estimate = json_take_number(reader, object, "second_ns");
    comparison->first.low = comparison->first.high = NAN;
    comparison->second.low = comparison->second.high = NAN;
    return json_take_interval(reader, object, "difference_ns", &comparison->difference);
}

/* The verdict called NAME; unknown for any other name. */
static enum comparison_verdict verdict_of(const char *name)
{
    enum comparison_verdict word = COMPARISON_SAME;

    while (word < COMPARISON_UNKNOWN && strcmp(comparison_verdict_name(word), name) != 0)
        word++;
    return word;
}

static void part_read(struct json_reader *reader, const json_t *row, const char *key,
                      struct versus_part *part)
{
    const json_t *object = json_find(row, key);
    const char *word = json_take_word(reader, object, "word");

    part->known = comparison_read(reader, row, key, &part->comparison);
    part->judged = part->known && word;
    if (!part->judged)
        return;
    part->word = verdict_of(word);
    part->comparison.p = json_take_quantity(reader, object, "p");
    part->comparison.adjusted_p = json_take_quantity(reader, object, "adjusted_p");
    part->floor = json_take_quantity(reader, object, "floor_ns");
    json_take_interval(reader, object, "ratio", &part->ratio);
}

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
        for (enum versus_quantity j = 0; j < VERSUS_QUANTITIES; j++)
            part_read(reader, row, versus_keys[j], &versus->rows[i].parts[j]);
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
    versus->has_control =
        comparison_read(reader, root, "null_control", &versus->null_control) &&
        comparison_read(reader, root, "null_control_mean", &versus->null_control_mean);
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

int versus_read_text(struct versus_result *versus, struct result *first, struct result *second,
                     const char *text, size_t length, const char *path, struct error *error)
{
    json_t *root = json_loadb(text, length, 0, NULL);
    int code = versus_read_root(versus, first, second, root, path, error);

    json_decref(root);
    return code;
}
