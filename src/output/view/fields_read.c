/* Reads structures from JSON by their tables of fields. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/view/fields.h"

void field_set_integer(const struct field *field, void *object, uint64_t value)
{
    void *member = field_in(field, object);

    if (field->size == 1)
        *(uint8_t *)member = (uint8_t)value;
    else if (field->size == 2)
        *(uint16_t *)member = (uint16_t)value;
    else if (field->size == 4)
        *(uint32_t *)member = (uint32_t)value;
    else
        *(uint64_t *)member = value;
}

/* Read the object FROM into OBJECT. KEY is the name of FROM in messages; NULL if FROM is the
 * surrounding object itself. Returns what fields_read() returns. */
static bool read_object(struct json_reader *reader, const json_t *from, const char *key,
                        const struct field *fields, void *object)
{
    size_t length = strlen(reader->where);
    bool whole;

    if (key)
        snprintf(reader->where + length, sizeof reader->where - length, "%s.", key);
    whole = fields_read(reader, from, fields, object);
    reader->where[length] = '\0';
    return whole;
}

/* Read into ITEM a structure whose first field is NAME. VALUE is its second field, or the object of
 * all other fields (FIELD_BY_NAME). KEY is the name of VALUE in messages. */
static void read_named(struct json_reader *reader, const char *name, json_t *value, const char *key,
                       const struct field *fields, void *item)
{
    json_t *from = fields[1].key ? json_pack("{s:O}", fields[1].key, value) : json_incref(value);
    const char *copy = fields[0].kind == FIELD_BUFFER ? NULL : arena_copy(reader->arena, name);

    if (fields[0].kind == FIELD_BUFFER)
        snprintf(field_in(&fields[0], item), fields[0].size, "%s", name);
    else
        memcpy(field_in(&fields[0], item), &copy, sizeof copy);
    read_object(reader, from, key, fields + 1, item);
    json_decref(from);
}

/* Set the number of FIELD's items in OBJECT to COUNT, and return the items. An array's items are in
 * OBJECT. A list's pointer is set to new memory for the items; for an empty list or after an error,
 * it is set to NULL, and the number to 0. */
static char *room_for(struct json_reader *reader, const struct field *field, void *object,
                      size_t count)
{
    char *items = field_in(field, object);

    if (field->kind == FIELD_LIST) {
        char *made = count ? json_room(reader, count, field->item) : NULL;

        memcpy(items, &made, sizeof made);
        items = made;
    }
    *(size_t *)(void *)((char *)object + field->count) = items ? count : 0;
    return items;
}

static bool read_value(struct json_reader *reader, const json_t *from, const struct field *field,
                       const char *key, void *object);

/* Return whether FIELD points to a text. A null in a list of texts is refused; a null in a list of
 * numbers is read as NAN or, if they are integers, as 0. */
static bool is_text(const struct field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_WORD;
}

static void read_array(struct json_reader *reader, const json_t *from, const struct field *field,
                       const char *key, void *object)
{
    size_t count;
    const json_t *array = json_take_array(reader, from, key, field->maximum, &count);
    const size_t length = strlen(reader->where);
    char *items, where[64];

    if (field->flags & FIELD_COUNTED) {
        const size_t before = *(const size_t *)(const void *)((char *)object + field->count);

        if (array && count != before)
            json_refuse(reader, " has figures of another number of units");
        count = before;
    }
    items = room_for(reader, field, object, count);
    for (size_t i = 0; items && i < count && reader->code == 0; i++) {
        snprintf(where, sizeof where, "%s[%zu]", key, i);
        if (field->flags & FIELD_PLAIN) {
            bool there;

            snprintf(reader->where + length, sizeof reader->where - length, "%s.", where);
            there = read_value(reader, json_array_get(array, i), field->fields, NULL,
                               items + i * field->item);
            reader->where[length] = '\0';
            if (!there && is_text(field->fields))
                json_refuse_value(reader, where, "a string");
            continue;
        }
        if (!json_is_object(json_array_get(array, i)))
            json_refuse_value(reader, where, "an object");
        read_object(reader, json_array_get(array, i), where, field->fields,
                    items + i * field->item);
    }
}

static void read_members(struct json_reader *reader, const json_t *from, const struct field *field,
                         const char *key, void *object)
{
    json_t *members = json_take_object(reader, from, key), *value;
    size_t count = json_object_size(members), i = 0;
    const char *name;
    char *items, where[64];

    if (count > field->maximum) {
        snprintf(where, sizeof where, "an object of %zu members at most", (size_t)field->maximum);
        json_refuse_value(reader, key, where);
        count = 0;
    }
    items = room_for(reader, field, object, count);
    json_object_foreach(members, name, value)
    {
        if (!items || i == count || reader->code)
            return;
        snprintf(where, sizeof where, "%s[%zu]", key, i);
        read_named(reader, name, value, where, field->fields, items + i++ * field->item);
    }
}

static void *read_pointer(struct json_reader *reader, const json_t *from, const struct field *field,
                          const char *key)
{
    from = json_take_object(reader, from, key);
    void *object = from ? json_room(reader, 1, field->item) : NULL;

    if (object)
        read_object(reader, from, key, field->fields, object);
    return object;
}

static uint64_t read_count(struct json_reader *reader, const json_t *from,
                           const struct field *field, const char *key)
{
    uint64_t room = field->size < 8 ? (UINT64_C(1) << 8 * field->size) - 1 : INT64_MAX;

    return json_take_count(reader, from, key, field->maximum ? field->maximum : room);
}

static uint64_t read_seed(struct json_reader *reader, const json_t *from, const char *key)
{
    const json_t *seed = json_find(from, key);

    if (seed && !json_is_integer(seed))
        json_refuse_value(reader, key, "an integer");
    return (uint64_t)json_integer_value(seed);
}

static uint64_t read_choice(struct json_reader *reader, const json_t *from,
                            const struct field *field, const char *key)
{
    const char *word = json_take_word(reader, from, key);
    uint64_t choice = 0;

    while (field->names[choice] && (!word || strcmp(word, field->names[choice]) != 0))
        choice++;
    if (field->names[choice])
        return choice;
    return field->flags & FIELD_OR_LAST ? choice - 1 : 0;
}

static double read_number(struct json_reader *reader, const json_t *from, const struct field *field,
                          const char *key)
{
    double value = field->kind == FIELD_NUMBER ? json_take_number(reader, from, key)
                                               : json_take_quantity(reader, from, key);

    return field->flags & (FIELD_OR_NULL | FIELD_OR_ZERO) && isnan(value) ? 0 : value;
}

static void read_buffer(struct json_reader *reader, const json_t *from, const struct field *field,
                        const char *key, char *buffer)
{
    const char *text = json_take_text(reader, from, key);

    snprintf(buffer, field->size, "%s", text ? text : field->flags & FIELD_OR_NONE ? "" : "?");
}

static int read_cpu(struct json_reader *reader, const json_t *from, const char *key)
{
    const int cpu = (int)json_take_count(reader, from, key, FIELD_CPUS);

    return json_find(from, key) ? cpu : -1;
}

/* Read the value at KEY (NULL: FROM itself) of FROM into FIELD's member of OBJECT. Returns whether
 * the value was there; of a FIELD_OBJECT or FIELD_INTERVAL, whether it was whole. */
static bool read_value(struct json_reader *reader, const json_t *from, const struct field *field,
                       const char *key, void *object)
{
    void *member = field_in(field, object), *made;

    if (field->read) {
        field->read(reader, from, object);
        return json_find(from, key);
    }
    switch (field->kind) {
    case FIELD_TEXT:
        *(const char **)member = json_take_text(reader, from, key);
        break;
    case FIELD_WORD:
        *(const char **)member = json_take_word(reader, from, key);
        break;
    case FIELD_BUFFER:
        read_buffer(reader, from, field, key, member);
        break;
    case FIELD_NUMBER:
    case FIELD_QUANTITY:
    case FIELD_BYTES:
        *(double *)member = read_number(reader, from, field, key);
        break;
    case FIELD_COUNT:
        field_set_integer(field, object, read_count(reader, from, field, key));
        break;
    case FIELD_SEED:
        field_set_integer(field, object, read_seed(reader, from, key));
        break;
    case FIELD_CPU:
        *(int *)member = read_cpu(reader, from, key);
        break;
    case FIELD_FLAG:
        *(bool *)member = json_take_flag(reader, from, key) ||
                          (field->flags & FIELD_OR_TRUE && !json_find(from, key));
        break;
    case FIELD_CHOICE:
        field_set_integer(field, object, read_choice(reader, from, field, key));
        break;
    case FIELD_INTERVAL:
        return json_take_interval(reader, from, key, member);
    case FIELD_OBJECT:
        from = json_take_object(reader, from, key);
        return read_object(reader, from, key, field->fields, member);
    case FIELD_POINTER:
        made = read_pointer(reader, from, field, key);
        memcpy(member, &made, sizeof made);
        return made != NULL;
    case FIELD_ARRAY:
    case FIELD_LIST:
        (field->flags & FIELD_BY_NAME ? read_members : read_array)(reader, from, field, key,
                                                                   object);
        break;
    case FIELD_OWN:
        break;
    }
    return json_find(from, key);
}

static bool read_field(struct json_reader *reader, const json_t *from, const struct field *field,
                       void *object)
{
    bool there = read_value(reader, from, field, field->key, object);

    if (field->flags & FIELD_NAME && !there)
        json_refuse(reader, " has no name");
    if (field->flags & FIELD_SETS_IF)
        *(bool *)((char *)object + field->if_offset) = there;
    return there || !(field->flags & FIELD_PART);
}

bool fields_read(struct json_reader *reader, const json_t *from, const struct field *fields,
                 void *object)
{
    bool whole = from != NULL;

    for (const struct field *field = fields; field->kind; field++)
        if (field->read || !(field->flags & (FIELD_UNREAD | FIELD_SHOWN) || field->number ||
                             field->text || field->kind == FIELD_OWN))
            whole = read_field(reader, from, field, object) && whole;
    return whole;
}
