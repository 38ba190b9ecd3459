/* Writes structures as JSON by tables of fields, and finds members by their paths. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/printable.h"
#include "output/result/json.h"
#include "output/view/fields.h"

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

const void *field_pointer(const struct field *field, const void *object)
{
    const void *pointer;

    memcpy(&pointer, field_in(field, object), sizeof pointer);
    return pointer;
}

const void *field_object(const struct field *field, const void *object)
{
    return field->kind == FIELD_POINTER ? field_pointer(field, object) : field_in(field, object);
}

const void *field_root(const struct field *field, const void *object, const void *root)
{
    return field->flags & FIELD_ROOT ? field_object(field, object) : root;
}

const char *field_items(const struct field *field, const void *object, size_t *count)
{
    *count = 0;
    if (field->names)
        while (field->names[*count])
            ++*count;
    else
        *count = *(const size_t *)(const void *)((const char *)object + field->count);
    return field->kind == FIELD_LIST ? field_pointer(field, object) : field_in(field, object);
}

const char *field_print(char room[FIELD_ROOM], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(room, FIELD_ROOM, format, arguments);
    va_end(arguments);
    return room;
}

const char *field_append(char room[FIELD_ROOM], const char *format, ...)
{
    const size_t used = strlen(room);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(room + used, FIELD_ROOM - used, format, arguments);
    va_end(arguments);
    return room;
}

const char *field_utf8(const char *text, char room[FIELD_ROOM])
{
    json_t *value = json_string(text);

    json_decref(value);
    return value ? text : field_print(room, "%s", printable(text).text);
}

static json_t *value_of(const struct field *field, const void *object, const void *root);

static const char *name_of(const struct field *field, const void *item, const void *root,
                           char room[FIELD_ROOM])
{
    if (field->text)
        return field->text(item, root, room);
    return field->kind == FIELD_BUFFER ? field_in(field, item) : field_pointer(field, item);
}

static void add_named(json_t *json, const struct field *fields, const void *item, const void *root)
{
    char room[FIELD_ROOM];
    const char *name = name_of(&fields[0], item, root, room);
    json_t *object = fields_write(fields + 1, item, root);

    json_object_set(json, name, fields[1].key ? json_object_get(object, fields[1].key) : object);
    json_decref(object);
}

static json_t *all_items(const struct field *field, const void *object, const void *root)
{
    size_t count;
    const char *items = field_items(field, object, &count);
    json_t *all = field->flags & FIELD_BY_NAME ? json_object() : json_array();

    for (size_t i = 0; i < count; i++, items += field->item)
        if (field->flags & FIELD_BY_NAME)
            add_named(all, field->fields, items, root);
        else
            json_array_append_new(all, field->flags & FIELD_PLAIN
                                           ? value_of(field->fields, items, root)
                                           : fields_write(field->fields, items, root));
    return all;
}

static json_t *derived_value(const struct field *field, const void *object, const void *root)
{
    char room[FIELD_ROOM];
    double number;

    if (field->text)
        return json_text(field->text(object, root, room));
    number = field->number(object, root);
    return field->kind == FIELD_COUNT && !isnan(number) ? json_count((uint64_t)number)
                                                        : json_known(number);
}

static json_t *value_of(const struct field *field, const void *object, const void *root)
{
    const void *member = field_in(field, object);

    if (field->number || field->text)
        return derived_value(field, object, root);
    if (field->write)
        return field->write(object, root);
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_WORD:
        return json_text(field_pointer(field, object));
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
    case FIELD_POINTER:
        return fields_write(field->fields, field_object(field, object),
                            field_root(field, object, root));
    case FIELD_ARRAY:
    case FIELD_LIST:
        return all_items(field, object, root);
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

bool field_is_known(const struct field *field, const void *object, const void *root)
{
    /* an interval begins with its estimate */
    if (field->flags & FIELD_OR_NAN && isnan(*(const double *)field_in(field, object)))
        return false;
    if (field->known)
        return field->known(object, root);
    if (field->if_size)
        return !is_zero((const unsigned char *)object + field->if_offset, field->if_size);
    return !(field->flags & (FIELD_OR_NULL | FIELD_OR_NONE) || field->kind == FIELD_POINTER) ||
           !is_zero(field_in(field, object), field->size);
}

static void add_field(json_t *json, const struct field *field, const void *object, const void *root)
{
    if (field->flags & FIELD_SHOWN || (field->kind == FIELD_OWN && !field->write))
        return;
    if (!field_is_known(field, object, root)) {
        if (field->flags & FIELD_OR_NULL)
            json_object_set_new(json, field->key, json_null());
    } else if (!field->key)
        json_object_update_new(json, value_of(field, object, root));
    else
        json_object_set_new(json, field->key, value_of(field, object, root));
}

void fields_add(json_t *json, const struct field *fields, const void *object, const void *root)
{
    for (const struct field *field = fields; field->kind; field++)
        add_field(json, field, object, root);
}

json_t *fields_write(const struct field *fields, const void *object, const void *root)
{
    json_t *json = json_object();

    fields_add(json, fields, object, root);
    return json;
}

/* Return whether PATH begins with KEY; *REST is the remaining path. */
static bool takes(const char *key, const char *path, const char **rest)
{
    const size_t length = strlen(key);

    if (strncmp(path, key, length) != 0 || (path[length] != '.' && path[length] != '\0'))
        return false;
    *rest = path + length + (path[length] == '.');
    return true;
}

static bool is_inner(const struct field *field)
{
    return (field->kind == FIELD_OBJECT || field->kind == FIELD_POINTER) && field->fields;
}

static struct field_at find_in(const struct field *field, const void *object, const void *root,
                               const char *path)
{
    if (object && !field_is_known(field, object, root))
        object = NULL;
    return field_find(field->fields, object ? field_object(field, object) : NULL,
                      object ? field_root(field, object, root) : NULL, path);
}

static bool is_interval_part(const struct field *field, const char *rest)
{
    return field->kind == FIELD_INTERVAL &&
           (strcmp(rest, "ci95") == 0 || strcmp(rest, "low") == 0 || strcmp(rest, "high") == 0 ||
            strcmp(rest, "spread") == 0);
}

struct field_at field_find(const struct field *fields, const void *object, const void *root,
                           const char *path)
{
    for (const struct field *field = fields; field->kind; field++) {
        const char *rest = path;

        if (!field->key && is_inner(field)) {
            const struct field_at found = find_in(field, object, root, path);

            if (found.field)
                return found;
        }
        if (!field->key ? (*path && !is_interval_part(field, path)) || is_inner(field)
                        : !takes(field->key, path, &rest))
            continue;
        if (is_inner(field)) {
            const struct field_at found = find_in(field, object, root, rest);

            if (found.field || *rest)
                return found;
        }
        if (!*rest || is_interval_part(field, rest))
            return (struct field_at){field, object, root};
    }
    return (struct field_at){NULL, NULL, NULL};
}
