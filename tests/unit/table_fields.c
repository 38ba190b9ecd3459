/* Checks of tables of fields: the names of keys, the C type of each field's member, flags, and the
 * members of struct field that a line needs. */
#include "tables.h"

enum { TABLES_MAXIMUM = 400, KEYS_MAXIMUM = 300, PATH_SIZE = 200 };

static const struct field *checked[TABLES_MAXIMUM];
static size_t checked_count;

static bool is_checked(const struct field *fields)
{
    for (size_t i = 0; i < checked_count; i++)
        if (checked[i] == fields)
            return true;
    assert_true(checked_count < TABLES_MAXIMUM);
    checked[checked_count++] = fields;
    return false;
}

static bool is_list(const struct field *field)
{
    return field->kind == FIELD_ARRAY || field->kind == FIELD_LIST;
}

static bool is_inner(const struct field *field)
{
    return field->kind == FIELD_OBJECT || field->kind == FIELD_POINTER;
}

struct wanted {
    const char *what;
    size_t size, other_size; /* allowed sizes of the member; SIZE 0: not checked */
    enum field_type type;
};

static const struct wanted wanted[FIELD_OWN + 1] = {
    [FIELD_TEXT] = {"a const char *", sizeof(char *), 0, FIELD_TYPE_TEXT},
    [FIELD_WORD] = {"a const char *", sizeof(char *), 0, FIELD_TYPE_TEXT},
    [FIELD_BUFFER] = {"a char[]", 0, 0, FIELD_TYPE_TEXT},
    [FIELD_NUMBER] = {"a double", sizeof(double), 0, FIELD_TYPE_DOUBLE},
    [FIELD_QUANTITY] = {"a double", sizeof(double), 0, FIELD_TYPE_DOUBLE},
    [FIELD_BYTES] = {"a double", sizeof(double), 0, FIELD_TYPE_DOUBLE},
    [FIELD_COUNT] = {"an integer of 2, 4 or 8 bytes", 0, 0, FIELD_TYPE_OTHER},
    [FIELD_SEED] = {"a uint64_t", sizeof(uint64_t), 0, FIELD_TYPE_OTHER},
    [FIELD_CPU] = {"an int", sizeof(int), 0, FIELD_TYPE_OTHER},
    [FIELD_FLAG] = {"a bool", sizeof(bool), 0, FIELD_TYPE_BOOL},
    [FIELD_CHOICE] = {"an enum or a bool", sizeof(int), sizeof(bool), FIELD_TYPE_OTHER},
    [FIELD_INTERVAL] = {"a struct interval", sizeof(struct interval), 0, FIELD_TYPE_OTHER},
    [FIELD_POINTER] = {"a pointer", sizeof(void *), 0, FIELD_TYPE_OTHER},
    [FIELD_LIST] = {"a pointer to the items", sizeof(void *), 0, FIELD_TYPE_OTHER},
};

static bool is_text(enum field_kind kind)
{
    return wanted[kind].type == FIELD_TYPE_TEXT;
}

static void check_member(const struct field *field, const char *path)
{
    const struct wanted *is = &wanted[field->kind];
    const size_t size = field->size;
    bool fits = is->size == 0 || size == is->size || size == is->other_size;

    if (field->kind == FIELD_COUNT)
        fits = size == 2 || size == 4 || size == 8;
    if (field->type != FIELD_TYPE_UNKNOWN && field->type != is->type &&
        !(field->kind == FIELD_CHOICE && field->type == FIELD_TYPE_BOOL))
        fits = false;
    if (is->what && !fits)
        table_report_mistake(
            "%s: its kind is of %s, which its member of %zu bytes is not: write another "
            "kind, or FIELD_AT(TYPE, MEMBER) of another member",
            path, is->what, size);
}

static void check_names(const struct field *field, const char *path)
{
    if (field->kind == FIELD_CHOICE && !field->names)
        table_report_mistake("%s: write .names, which has a name for each value", path);
    if (field->kind == FIELD_CHOICE && field->names && !field->names[0])
        table_report_mistake("%s: .names is empty", path);
}

/* Check that FIELD, a list or array at PATH, states the number, size and fields of its items. */
static void check_items(const struct field *field, const char *path)
{
    size_t most = 0;

    if (!field->names && field->count_size != sizeof(size_t)) {
        table_report_mistake(
            "%s: %s: write FIELD_ITEMS(TYPE, MEMBER, COUNT, FIELDS) with a COUNT that is a "
            "size_t, or .names where an enum indexes it",
            path,
            field->count_size ? "the number of its items is no size_t"
                              : "nothing says how many items it has");
        return;
    }
    if (!field->item || !field->fields) {
        table_report_mistake(
            "%s: nothing says what its items are: write FIELD_ITEMS(TYPE, MEMBER, COUNT, "
            "FIELDS)",
            path);
        return;
    }
    while (field->names && field->names[most])
        most++;
    if (field->maximum > most)
        most = field->maximum;
    if (field->kind == FIELD_ARRAY && most * field->item > field->size)
        table_report_mistake("%s: its array has room for %zu items, and .maximum or .names are %zu",
                             path, field->size / field->item, most);
    if (field->flags & FIELD_PLAIN && (field->fields[0].kind == 0 || field->fields[1].kind != 0))
        table_report_mistake("%s: its items are values, of which FIELDS has exactly one line",
                             path);
    if (field->flags & FIELD_BY_NAME && !is_text(field->fields[0].kind))
        table_report_mistake(
            "%s: its items are an object by name: the first line of FIELDS must be a text", path);
}

/* Check FIELD's flags, schema and functions. VALUES: FIELD is in a list with FIELD_PLAIN or
 * FIELD_BY_NAME, and needs no key. */
static void check_flags(const struct field *field, bool values, const char *path)
{
    json_t *schema = field->schema ? json_loads(field->schema, 0, NULL) : NULL;

    if (field->schema && !json_is_object(schema))
        table_report_mistake("%s: .schema is no JSON object", path);
    json_decref(schema);
    if (field->flags & FIELD_SETS_IF && field->if_size != sizeof(bool))
        table_report_mistake("%s: FIELD_SETS_IF sets a bool: write FIELD_IF(TYPE, MEMBER) of it",
                             path);
    if (field->flags & FIELD_OR_NAN && field->size < sizeof(double))
        table_report_mistake("%s: FIELD_OR_NAN is for what begins with a double", path);
    if (!values && !field->key && !is_inner(field) && field->kind != FIELD_OWN &&
        field->kind != FIELD_INTERVAL && !field->write)
        table_report_mistake(
            "%s: only the members of a structure can stand in the object itself: write a "
            "key",
            path);
    if (field->kind == FIELD_OWN && !field->write && !field->read)
        table_report_mistake("%s: FIELD_OWN needs .write, .read or both", path);
    if (field->write && field->kind == FIELD_OWN && !field->schema)
        table_report_mistake("%s: nothing says what .write makes: write .schema", path);
}

static void check_field(const struct field *field, bool values, const char *path)
{
    const bool follows = field->number || field->text || field->kind == FIELD_OWN ||
                         (field->write && (field->read || field->flags & FIELD_UNREAD));

    if (field->kind > FIELD_OWN) {
        table_report_mistake(
            "%s: it has no kind: write one of enum field_kind after the key, and FIELD_END "
            "as the last line of the table",
            path);
        return;
    }
    if (field->number && field->text)
        table_report_mistake("%s: it has .number and .text: write one of them", path);
    if (!follows)
        check_member(field, path);
    if (!field->number && !field->text)
        check_names(field, path);
    if (is_list(field))
        check_items(field, path);
    if (is_inner(field) && !field->fields && !field->write)
        table_report_mistake("%s: nothing says what is in it: write .fields", path);
    if (field->kind == FIELD_POINTER && !field->item)
        table_report_mistake(
            "%s: nothing says how large it is: write FIELD_TO(TYPE, MEMBER, FIELDS)", path);
    check_flags(field, values, path);
}

struct keys {
    const char *keys[KEYS_MAXIMUM];
    size_t count;
};

/* Check the keys of one JSON object, including those of structures whose members are written into
 * this object. */
static void check_keys(const struct field *fields, const char *what, struct keys *keys)
{
    for (const struct field *field = fields; field->kind; field++) {
        if (!field->key && is_inner(field) && field->fields)
            check_keys(field->fields, what, keys);
        if (!field->key)
            continue;
        assert_true(keys->count < KEYS_MAXIMUM);
        table_check_name(what, field->key, "_", keys->keys, keys->count);
        keys->keys[keys->count++] = field->key;
    }
}

static void check_table(const struct field *fields, bool values, const char *what)
{
    struct keys keys = {.count = 0};
    const struct field *field = fields;

    if (is_checked(fields))
        return;
    check_keys(fields, what, &keys);
    for (; field->kind; field++) {
        char path[PATH_SIZE];

        snprintf(path, sizeof path, "%s.%s", what, field->key ? field->key : "(without a key)");
        check_field(field, values, path);
        if ((is_inner(field) || is_list(field)) && field->fields)
            check_table(field->fields, field->flags & (FIELD_PLAIN | FIELD_BY_NAME),
                        field->key ? path : what);
    }
    if (field->key) /* the line that ends the table has no key */
        table_report_mistake(
            "%s.%s: it has no kind, and ends the table: write one of enum field_kind after "
            "the key",
            what, field->key);
}

void table_check_fields(const struct field *fields, const char *what)
{
    check_table(fields, false, what);
}
