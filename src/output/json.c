#include "output/json.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/environment.h"
#include "output/fields.h"
#include "output/number.h"
#include "version.h"

/* Values */

json_t *json_begin(enum result_kind kind)
{
    return json_pack("{s:s, s:s, s:o}", "schema", RESULT_SCHEMA, "kind", result_kind_key(kind),
                     "tool", json_tool());
}

json_t *json_tool(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "nfsbench", "version", NFSBENCH_VERSION, "build",
                     build_description());
}

json_t *json_known(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *json_bytes(double bytes)
{
    return bytes >= 0 && bytes < 1e15 && bytes == floor(bytes) ? json_integer((json_int_t)bytes)
                                                               : json_known(bytes);
}

json_t *json_text(const char *text)
{
    json_t *value = text ? json_string(text) : NULL;

    return value ? value : json_null();
}

json_t *json_interval(const struct interval *interval)
{
    if (isnan(interval->estimate))
        return json_null();
    if (isnan(interval->low) || isnan(interval->high))
        return json_pack("{s:o, s:n}", "estimate", json_known(interval->estimate), "ci95");
    return json_pack("{s:o, s:[o, o]}", "estimate", json_known(interval->estimate), "ci95",
                     json_known(interval->low), json_known(interval->high));
}

void json_set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_text(text));
}

/* DEL is the one control character that jansson writes as it is; it stands in strings only. */
static int write_piece(const char *text, size_t length, void *out)
{
    for (size_t i = 0; i < length; i++)
        if ((text[i] == 0x7f ? fputs("\\u007f", out) : fputc(text[i], out)) == EOF)
            return -1;
    return 0;
}

int json_write_object(json_t *object, FILE *out)
{
    const size_t format = JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII |
                          JSON_REAL_PRECISION(NUMBER_WRITTEN_DIGITS);
    int code;

    if (!object)
        return -ENOMEM;
    errno = EIO; /* jansson's own failures set none */
    code = json_dump_callback(object, write_piece, out, format) == 0 && fputc('\n', out) != EOF
               ? 0
               : -errno;
    json_decref(object);
    return code;
}

/* The kernel's counters */

/* By name (those of enum counter). */
static json_t *counters_object(const double values[COUNTERS])
{
    json_t *object = json_object();

    for (size_t i = 0; i < COUNTERS; i++)
        json_object_set_new(object, counter_names[i], json_known(values[i]));
    return object;
}

/* By name, each with its counters. */
static json_t *interfaces_object(const struct interface_counters *interfaces, size_t count)
{
    json_t *object = json_object();

    for (size_t i = 0; i < count; i++) {
        json_t *values = json_object();

        for (size_t j = 0; j < INTERFACE_COUNTERS; j++)
            json_object_set_new(values, interface_counter_names[j],
                                json_known(interfaces[i].values[j]));
        json_object_set_new(object, interfaces[i].name, values);
    }
    return object;
}

json_t *counters_to_json(const struct counters *counters)
{
    return json_pack("{s:I, s:o, s:o}", "at_ns", (json_int_t)counters->at_ns, "counters",
                     counters_object(counters->values), "interfaces",
                     interfaces_object(counters->interfaces, counters->interface_count));
}

/* The object's number under NAME; NAN if there is none. */
static double value_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void read_interfaces(struct counters *counters, json_t *object)
{
    const char *name;
    json_t *values;

    json_object_foreach(object, name, values)
    {
        struct interface_counters *interface = &counters->interfaces[counters->interface_count];

        if (counters->interface_count == COUNTERS_INTERFACES_MAXIMUM)
            return;
        snprintf(interface->name, sizeof interface->name, "%s", name);
        for (size_t i = 0; i < INTERFACE_COUNTERS; i++)
            interface->values[i] = value_of(values, interface_counter_names[i]);
        counters->interface_count++;
    }
}

int counters_from_json(void *into, const json_t *object)
{
    struct counters *counters = into;
    const json_t *at = json_object_get(object, "at_ns");

    counters_clear(counters);
    if (!json_is_integer(at))
        return -EBADMSG;
    counters->at_ns = (uint64_t)json_integer_value(at);
    for (size_t i = 0; i < COUNTERS; i++)
        counters->values[i] = value_of(json_object_get(object, "counters"), counter_names[i]);
    read_interfaces(counters, json_object_get(object, "interfaces"));
    return 0;
}
