/* A table of fields, walked by the writer of JSON. */
#include <string.h>

#include "output/fields.h"
#include "output/json.h"

void *field_in(const struct field *field, const void *object)
{
    return (char *)object + field->offset;
}

uint64_t field_integer(const struct field *field, const void *object)
{
    const void *member = field_in(field, object);

    switch (field->size) {
    case 1:
        return *(const uint8_t *)member;
    case 2:
        return *(const uint16_t *)member;
    case 4:
        return *(const uint32_t *)member;
    default:
        return *(const uint64_t *)member;
    }
}

static const void *pointer_in(const struct field *field, const void *object)
{
    const void *pointer;

    memcpy(&pointer, field_in(field, object), sizeof pointer);
    return pointer;
}

static void add_named(json_t *json, const struct field *fields, const void *item)
{
    const char *name =
        fields[0].kind == FIELD_BUFFER ? field_in(&fields[0], item) : pointer_in(&fields[0], item);
    json_t *object = fields_write(fields + 1, item, NULL);

    json_object_set(json, name, fields[1].key ? json_object_get(object, fields[1].key) : object);
    json_decref(object);
}

static json_t *all_items(const struct field *field, const char *items, const void *object,
                         const struct result *result)
{
    size_t count = *(const size_t *)(const void *)((const char *)object + field->count);
    json_t *all = field->flags & FIELD_BY_NAME ? json_object() : json_array();

    for (size_t i = 0; i < count; i++, items += field->item)
        if (field->flags & FIELD_BY_NAME)
            add_named(all, field->fields, items);
        else
            json_array_append_new(all, fields_write(field->fields, items, result));
    return all;
}

static json_t *value_of(const struct field *field, const void *object, const struct result *result)
{
    const void *member = field_in(field, object);

    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_WORD:
        return json_text(pointer_in(field, object));
    case FIELD_BUFFER:
        return json_text(member);
    case FIELD_NUMBER:
    case FIELD_QUANTITY:
        return json_known(*(const double *)member);
    case FIELD_BYTES:
        return json_bytes(*(const double *)member);
    case FIELD_CPU:
        return *(const int *)member < 0 ? json_null() : json_integer(*(const int *)member);
    case FIELD_FLAG:
        return json_boolean(*(const bool *)member);
    case FIELD_CHOICE:
        return json_string(field->names[field_integer(field, object)]);
    case FIELD_INTERVAL:
        return json_interval(member);
    case FIELD_OBJECT:
        return fields_write(field->fields, member, result);
    case FIELD_POINTER:
        return fields_write(field->fields, pointer_in(field, object), result);
    case FIELD_ARRAY:
        return all_items(field, member, object, result);
    case FIELD_LIST:
        return all_items(field, pointer_in(field, object), object, result);
    case FIELD_OWN:
        return field->write(object, result);
    default:
        return json_count(field_integer(field, object));
    }
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static bool is_known(const struct field *field, const void *object, const struct result *result)
{
    if (field->known)
        return field->known(object, result);
    if (field->if_size)
        return !is_zero((const unsigned char *)object + field->if_offset, field->if_size);
    return !(field->flags & (FIELD_OR_NULL | FIELD_OR_NONE) || field->kind == FIELD_POINTER) ||
           !is_zero(field_in(field, object), field->size);
}

static void add_field(json_t *json, const struct field *field, const void *object,
                      const struct result *result)
{
    const double *numbers = field_in(field, object);

    if (!is_known(field, object, result)) {
        if (field->flags & FIELD_OR_NULL)
            json_object_set_new(json, field->key, json_null());
    } else if (field->kind == FIELD_NUMBERS) {
        for (size_t i = 0; i < field->size / sizeof *numbers; i++)
            json_object_set_new(json, field->names[i], json_known(numbers[i]));
    } else if (!field->key)
        json_object_update_new(json, value_of(field, object, result));
    else
        json_object_set_new(json, field->key, value_of(field, object, result));
}

void fields_add(json_t *json, const struct field *fields, const void *object,
                const struct result *result)
{
    for (const struct field *field = fields; field->kind; field++)
        add_field(json, field, object, result);
}

json_t *fields_write(const struct field *fields, const void *object, const struct result *result)
{
    json_t *json = json_object();

    fields_add(json, fields, object, result);
    return json;
}
