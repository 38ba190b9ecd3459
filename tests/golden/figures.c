#include "figures.h"

#include <string.h>

#include "sample_hash.h"

static bool is_share(const char *name)
{
    const char *key = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;

    return strstr(key, "share") || strcmp(key, "ratio") == 0 || strcmp(key, "p") == 0 ||
           strcmp(key, "adjusted_p") == 0;
}

static double figure_of(const char *name)
{
    const uint64_t hash = sample_hash(name, 0);

    return is_share(name) ? 0.05 + (double)(hash % 9500) / 10000
                          : 100 + (double)(hash % 990000) / 100;
}

struct interval interval_around(double estimate)
{
    return (struct interval){estimate, 0.9 * estimate, 1.2 * estimate};
}

static bool is_zero(const void *member, size_t size)
{
    for (const char *byte = member; size > 0; byte++, size--)
        if (*byte)
            return false;
    return true;
}

static void fill_member(const struct field *field, void *object, const char *path)
{
    void *member = field_in(field, object);

    if (!is_zero(member, field->size))
        return;
    if (field->kind == FIELD_NUMBER || field->kind == FIELD_QUANTITY || field->kind == FIELD_BYTES)
        *(double *)member = figure_of(path);
    else if (field->kind == FIELD_INTERVAL)
        *(struct interval *)member = interval_around(figure_of(path));
}

static void fill_figures(const struct field *fields, void *object, const char *path);

static void fill_items(const struct field *field, void *object, const char *path)
{
    size_t count;
    char *items = (char *)(uintptr_t)field_items(field, object, &count);

    for (size_t i = 0; i < count && field->fields; i++) {
        char of[FIELD_ROOM];

        if (field->names)
            field_print(of, "%s[%s]", path, field->names[i]);
        else
            field_print(of, "%s[%zu]", path, i);
        fill_figures(field->fields, items + i * field->item, of);
    }
}

static void fill_figures(const struct field *fields, void *object, const char *path)
{
    for (const struct field *field = fields; field->kind; field++) {
        const bool is_plain =
            field->size > 0 && !field->number && !field->write && !(field->flags & FIELD_SHOWN);
        char of[FIELD_ROOM];

        field_print(of, "%s%s%s", path, field->key ? "." : "", field->key ? field->key : "");
        if (field->kind == FIELD_ARRAY || field->kind == FIELD_LIST)
            fill_items(field, object, of);
        else if ((field->kind == FIELD_OBJECT || field->kind == FIELD_POINTER) && field->fields) {
            if (field_object(field, object))
                fill_figures(field->fields, (void *)(uintptr_t)field_object(field, object), of);
        } else if (is_plain)
            fill_member(field, object, of);
    }
}

void figures_set_missing(const struct field *fields, void *object)
{
    fill_figures(fields, object, "");
}
