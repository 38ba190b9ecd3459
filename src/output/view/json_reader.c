#include "output/view/json_reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* largest number: over 30 years in ns, and more calls than can be made in that time */
#define NUMBER_MAXIMUM 1e18

static void refuse(struct json_reader *reader, const char *where, const char *what)
{
    if (reader->code == 0)
        reader->code =
            error_set(reader->error, ERROR_USAGE, -EBADMSG,
                      "%.200s is no whole result of nfsbench: %s%s", reader->path, where, what);
}

void json_refuse(struct json_reader *reader, const char *what)
{
    char where[sizeof reader->where];
    size_t length = strlen(reader->where);

    snprintf(where, sizeof where, "%.*s", (int)(length ? length - 1 : 0), reader->where);
    refuse(reader, where, what);
}

void json_refuse_value(struct json_reader *reader, const char *keys, const char *expected)
{
    char what[200];

    snprintf(what, sizeof what, "%.100s is not %s", keys ? keys : "", expected);
    if (keys)
        refuse(reader, reader->where, what);
    else
        json_refuse(reader, what);
}

void *json_room(struct json_reader *reader, size_t count, size_t size)
{
    void *room = reader->code ? NULL : arena_alloc(reader->arena, count, size);

    if (!room && reader->code == 0)
        reader->code = error_set(reader->error, ERROR_FAILED, -ENOMEM, "out of memory for %.200s",
                                 reader->path);
    return room;
}

json_t *json_find(const json_t *object, const char *keys)
{
    json_t *value = (json_t *)object;
    char key[64];

    while (value && keys && *keys) {
        size_t length = strcspn(keys, ".");

        snprintf(key, sizeof key, "%.*s", (int)length, keys);
        value = json_object_get(value, key);
        keys += length + (keys[length] == '.');
    }
    return json_is_null(value) ? NULL : value;
}

static double take_within(struct json_reader *reader, const json_t *object, const char *keys,
                          double least, const char *expected)
{
    const json_t *value = json_find(object, keys);
    double number = json_number_value(value);

    if (!value)
        return NAN;
    if (!json_is_number(value) || !(number >= least && number <= NUMBER_MAXIMUM))
        json_refuse_value(reader, keys, expected);
    return number;
}

double json_take_number(struct json_reader *reader, const json_t *object, const char *keys)
{
    return take_within(reader, object, keys, -NUMBER_MAXIMUM, "a number within 1e18");
}

double json_take_quantity(struct json_reader *reader, const json_t *object, const char *keys)
{
    return take_within(reader, object, keys, 0, "a number from 0 to 1e18");
}

uint64_t json_take_count(struct json_reader *reader, const json_t *object, const char *keys,
                         uint64_t maximum)
{
    const json_t *value = json_find(object, keys);
    double number = json_number_value(value);
    char expected[64];

    if (!value)
        return 0;
    if (json_is_integer(value) && number >= 0 && (uint64_t)json_integer_value(value) <= maximum)
        return (uint64_t)json_integer_value(value);
    if (json_is_real(value) && number >= 0 && number <= (double)maximum && number <= 9e15 &&
        number == floor(number))
        return (uint64_t)number;
    snprintf(expected, sizeof expected, "a number from 0 to %.3g, without a fraction",
             (double)maximum);
    json_refuse_value(reader, keys, expected);
    return 0;
}

bool json_take_flag(struct json_reader *reader, const json_t *object, const char *keys)
{
    const json_t *value = json_find(object, keys);

    if (value && !json_is_boolean(value))
        json_refuse_value(reader, keys, "a boolean");
    return json_is_true(value);
}

const char *json_take_text(struct json_reader *reader, const json_t *object, const char *keys)
{
    const json_t *value = json_find(object, keys);
    const char *text = json_string_value(value);
    char *copy;

    if (value && !text)
        json_refuse_value(reader, keys, "a string");
    copy = text ? json_room(reader, strlen(text) + 1, 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

const char *json_take_word(struct json_reader *reader, const json_t *object, const char *keys)
{
    const char *word = json_take_text(reader, object, keys);

    for (const char *at = word; at && *at; at++)
        if (*at < ' ' || *at > '~') {
            json_refuse_value(reader, keys, "printable ASCII");
            return NULL;
        }
    return word;
}

json_t *json_take_object(struct json_reader *reader, const json_t *object, const char *keys)
{
    json_t *value = json_find(object, keys);

    if (value && !json_is_object(value))
        json_refuse_value(reader, keys, "an object");
    return json_is_object(value) ? value : NULL;
}

json_t *json_take_array(struct json_reader *reader, const json_t *object, const char *keys,
                        size_t maximum, size_t *count)
{
    json_t *value = json_find(object, keys);
    char expected[64];

    *count = json_array_size(value);
    if (value && (!json_is_array(value) || *count > maximum)) {
        snprintf(expected, sizeof expected, "an array of %zu items at most", maximum);
        json_refuse_value(reader, keys, json_is_array(value) ? expected : "an array");
        *count = 0;
    }
    return *count ? value : NULL;
}

/* Set *END to VALUE, the estimate or an end of an interval; NAN if VALUE is not a number. Returns
 * false if VALUE is out of range. */
static bool take_end(const json_t *value, double *end)
{
    *end = json_is_number(value) ? json_number_value(value) : NAN;
    return isnan(*end) || fabs(*end) <= NUMBER_MAXIMUM;
}

bool json_take_interval(struct json_reader *reader, const json_t *object, const char *keys,
                        struct interval *interval)
{
    const json_t *value = json_find(object, keys), *ends = json_find(value, "ci95");

    *interval = (struct interval){NAN, NAN, NAN};
    if (!value)
        return false;
    if (!json_is_object(value) || !take_end(json_find(value, "estimate"), &interval->estimate) ||
        !take_end(json_array_get(ends, 0), &interval->low) ||
        !take_end(json_array_get(ends, 1), &interval->high) || interval->low > interval->high)
        json_refuse_value(reader, keys, "an interval from a lower to a higher number");
    return !isnan(interval->estimate) && isnan(interval->low) == isnan(interval->high);
}
