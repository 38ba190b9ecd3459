#include "output/counters_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SCHEMA "nfsbench-counters/1"

json_t *json_known(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_counters(const double values[COUNTERS])
{
    json_t *object = json_object();

    for (size_t i = 0; i < COUNTERS; i++)
        json_object_set_new(object, counter_names[i], json_known(values[i]));
    return object;
}

json_t *json_interfaces(const struct interface_counters *interfaces, size_t count)
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

char *counters_to_json(const struct counters *counters)
{
    json_t *object =
        json_pack("{s:s, s:I, s:o, s:o}", "schema", SCHEMA, "at_ns", (json_int_t)counters->at_ns,
                  "counters", json_counters(counters->values), "interfaces",
                  json_interfaces(counters->interfaces, counters->interface_count));
    char *line = json_dumps(object, JSON_COMPACT);

    json_decref(object);
    return line;
}

/* What the object has under NAME; NAN where that is no number. */
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

int counters_from_json(struct counters *counters, const char *line)
{
    json_t *object = json_loads(line, 0, NULL);
    const char *schema = json_string_value(json_object_get(object, "schema"));
    json_t *at = json_object_get(object, "at_ns");
    bool good = schema && strcmp(schema, SCHEMA) == 0 && json_is_integer(at);

    counters_clear(counters);
    if (good) {
        counters->at_ns = (uint64_t)json_integer_value(at);
        for (size_t i = 0; i < COUNTERS; i++)
            counters->values[i] = value_of(json_object_get(object, "counters"), counter_names[i]);
        read_interfaces(counters, json_object_get(object, "interfaces"));
    }
    json_decref(object);
    return good ? 0 : -EBADMSG;
}
