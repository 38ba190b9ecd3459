#include "explain/watch_answer.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SCHEMA "nfsbench-watch/1"

/* Writing */

/* An array: the xid, and by moment the time after the arrival; null: it did not come. */
static json_t *half_to_json(const struct server_half *half)
{
    json_t *array = json_array();

    json_array_append_new(array, json_integer(half->xid));
    for (size_t i = 0; i < HALF_MOMENTS; i++)
        json_array_append_new(array, half->after_ns[i] == HALF_NONE
                                         ? json_null()
                                         : json_integer((json_int_t)half->after_ns[i]));
    return array;
}

static void add_halves(const struct watch_answer *answer, json_t *object)
{
    json_t *halves = json_array();

    for (size_t i = 0; i < answer->count; i++)
        json_array_append_new(halves, half_to_json(&answer->halves[i]));
    json_object_set_new(object, "events_lost", json_integer((json_int_t)answer->events_lost));
    json_object_set_new(object, "halves", halves);
}

char *watch_answer_to_json(const struct watch_answer *answer)
{
    json_t *object = json_object();
    char *line;

    json_object_set_new(object, "schema", json_string(SCHEMA));
    if (answer->kind == WATCH_READY)
        json_object_set_new(object, "ready", json_true());
    else if (answer->kind == WATCH_LACKING)
        json_object_set_new(object, "lacking", json_string(answer->lacking));
    else
        add_halves(answer, object);
    line = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return line;
}

/* Reading */

/* False: VALUE is no integer from 0 to MOST. */
static bool read_integer(const json_t *value, uint64_t most, uint64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return *number <= most;
}

static bool read_half(const json_t *array, struct server_half *half)
{
    uint64_t xid;

    if (json_array_size(array) != 1 + HALF_MOMENTS ||
        !read_integer(json_array_get(array, 0), UINT32_MAX, &xid))
        return false;
    half->xid = (uint32_t)xid;
    for (size_t i = 0; i < HALF_MOMENTS; i++) {
        const json_t *value = json_array_get(array, 1 + i);

        half->after_ns[i] = HALF_NONE;
        if (!json_is_null(value) && !read_integer(value, HALF_LONGEST_NS, &half->after_ns[i]))
            return false;
    }
    return half->after_ns[MOMENT_REPLY_SENT - HALF_FIRST] != HALF_NONE;
}

static bool read_halves(const json_t *object, struct watch_answer *answer)
{
    const json_t *halves = json_object_get(object, "halves");

    answer->kind = WATCH_HALVES;
    answer->count = json_array_size(halves);
    if (!json_is_array(halves) || answer->count > HALVES_MAXIMUM ||
        !read_integer(json_object_get(object, "events_lost"), INT64_MAX, &answer->events_lost))
        return false;
    for (size_t i = 0; i < answer->count; i++)
        if (!read_half(json_array_get(halves, i), &answer->halves[i]))
            return false;
    return true;
}

static bool read_answer(const json_t *object, struct watch_answer *answer)
{
    const char *schema = json_string_value(json_object_get(object, "schema"));
    const char *lacking = json_string_value(json_object_get(object, "lacking"));

    answer->count = 0;
    answer->events_lost = 0;
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return false;
    if (json_is_true(json_object_get(object, "ready"))) {
        answer->kind = WATCH_READY;
        return true;
    }
    if (!lacking)
        return read_halves(object, answer);
    answer->kind = WATCH_LACKING;
    snprintf(answer->lacking, sizeof answer->lacking, "%s", lacking);
    return true;
}

int watch_answer_from_json(struct watch_answer *answer, const char *line)
{
    json_t *object = json_loads(line, 0, NULL);
    bool good = read_answer(object, answer);

    json_decref(object);
    if (!good)
        answer->count = 0;
    return good ? 0 : -EBADMSG;
}
