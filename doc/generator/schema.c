#include "schema.h"

#include "output/result/json.h"
#include "output/result/result_fields.h"

static json_t *typed(const char *type, bool null)
{
    return null ? json_pack("{s:[s, s]}", "type", type, "null") : json_pack("{s:s}", "type", type);
}

static json_t *interval_ends(void)
{
    return json_pack("{s:[s, s], s:{s:[s, s]}, s:i, s:i}", "type", "array", "null", "items", "type",
                     "number", "null", "minItems", 2, "maxItems", 2);
}

static void close_object(json_t *object)
{
    json_object_set_new(object, "additionalProperties", json_false());
}

static json_t *interval_schema(void)
{
    json_t *interval = json_pack("{s:[s, s], s:{s:o, s:o}, s:[s, s]}", "type", "object", "null",
                                 "properties", "estimate", typed("number", true), "ci95",
                                 interval_ends(), "required", "estimate", "ci95");

    close_object(interval);
    return interval;
}

/* Properties of an object, and those that are always present. */
struct object {
    json_t *properties, *required;
};

static json_t *value_schema(const struct field *field);
static void add_fields(const struct object *object, const struct field *fields, bool always);

static json_t *object_schema(const struct field *fields)
{
    const struct object object = {json_object(), json_array()};
    json_t *schema = json_pack("{s:s, s:o, s:o}", "type", "object", "properties", object.properties,
                               "required", object.required);

    add_fields(&object, fields, true);
    close_object(schema);
    return schema;
}

static json_t *list_schema(const struct field *field)
{
    const struct field *items = field->fields;
    json_t *each;

    if (field->flags & FIELD_BY_NAME) {
        each = items[1].key ? value_schema(&items[1]) : object_schema(items + 1);
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", each);
    }
    each = field->flags & FIELD_PLAIN ? value_schema(items) : object_schema(items);
    return json_pack("{s:s, s:o}", "type", "array", "items", each);
}

static json_t *choice_schema(const struct field *field)
{
    json_t *names = json_array();

    for (size_t i = 0; field->names[i]; i++)
        json_array_append_new(names, json_string(field->names[i]));
    return json_pack("{s:o}", "enum", names);
}

static json_t *known_value_schema(const struct field *field)
{
    if (field->schema)
        return json_loads(field->schema, 0, NULL);
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_WORD:
    case FIELD_BUFFER:
        return typed("string", true);
    case FIELD_SEED:
        return typed("integer", false);
    case FIELD_CPU:
        return typed("integer", true);
    case FIELD_FLAG:
        return typed("boolean", false);
    case FIELD_CHOICE:
        return choice_schema(field);
    case FIELD_INTERVAL:
        return interval_schema();
    case FIELD_OBJECT:
    case FIELD_POINTER:
        return object_schema(field->fields);
    case FIELD_ARRAY:
    case FIELD_LIST:
        return list_schema(field);
    case FIELD_COUNT:
        return json_pack("{s:s, s:i}", "type", "integer", "minimum", 0);
    case FIELD_OWN:
        return json_object();
    default:
        return typed("number", true);
    }
}

static json_t *value_schema(const struct field *field)
{
    json_t *schema = known_value_schema(field);

    return field->flags & FIELD_OR_NULL
               ? json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null")
               : schema;
}

/* Return whether every file has the key of FIELD. */
static bool is_always_there(const struct field *field)
{
    if (field->flags & FIELD_OR_NULL)
        return true;
    return !(field->flags & (FIELD_OR_NONE | FIELD_OR_NAN)) && field->kind != FIELD_POINTER &&
           !field->known && field->if_size == 0;
}

static void add_property(const struct object *object, const char *key, json_t *schema, bool always)
{
    json_object_set_new(object->properties, key, schema);
    if (always)
        json_array_append_new(object->required, json_string(key));
}

/* Add the members of FIELD, which has no key, to the object itself. */
static void add_inner(const struct object *object, const struct field *field, bool always)
{
    json_t *own;

    if (field->kind == FIELD_OBJECT || field->kind == FIELD_POINTER) {
        add_fields(object, field->fields, always);
    } else if (field->kind == FIELD_INTERVAL) {
        add_property(object, "estimate", typed("number", true), always);
        add_property(object, "ci95", interval_ends(), always);
    } else {
        own = known_value_schema(field);
        json_object_update(object->properties, own);
        json_decref(own);
    }
}

static void add_fields(const struct object *object, const struct field *fields, bool always)
{
    for (const struct field *field = fields; field->kind; field++) {
        const bool there = always && is_always_there(field);

        if (field->flags & FIELD_SHOWN || (field->kind == FIELD_OWN && !field->write))
            continue;
        if (field->key)
            add_property(object, field->key, value_schema(field), there);
        else
            add_inner(object, field, there);
    }
}

int schema_write(const struct view *view, FILE *out)
{
    json_t *schema = object_schema(view->fields);
    json_t *properties = json_object_get(schema, "properties");
    json_t *required = json_object_get(schema, "required");

    json_object_set_new(schema, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string(result_kind_name(view->kind)));
    if (!json_object_get(properties, "tool")) {
        json_object_set_new(properties, "tool", object_schema(tool_fields));
        json_array_append_new(required, json_string("tool"));
    }
    json_object_set_new(properties, "schema", json_pack("{s:s}", "const", RESULT_SCHEMA));
    json_object_set_new(properties, "kind",
                        json_pack("{s:s}", "const", result_kind_key(view->kind)));
    json_array_append_new(required, json_string("schema"));
    json_array_append_new(required, json_string("kind"));
    return json_write_object(schema, out);
}
