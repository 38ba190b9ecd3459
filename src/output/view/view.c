/* Shared by the forms of a view: members, rows, and the walk over all known members. */
#include "output/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/printable.h"
#include "output/view/number.h"
#include "output/view/unique_names.h"

static const struct view *of_kinds[RESULT_KINDS];

void views_add(const struct view *const *views)
{
    for (; *views; views++)
        of_kinds[(*views)->kind] = *views;
}

const struct view *view_of_kind(enum result_kind kind)
{
    return of_kinds[kind];
}

struct view_row view_root(const struct view *view, const void *result, bool verbose)
{
    return (struct view_row){
        .fields = view->fields, .object = result, .root = result, .verbose = verbose};
}

static void set_number(struct view_cell *cell, double value, bool exact)
{
    cell->type = isnan(value) ? CELL_NONE : CELL_NUMBER;
    cell->number = (struct interval){value, NAN, NAN};
    cell->exact = exact;
}

static void set_text(struct view_cell *cell, const char *text)
{
    cell->type = text && *text ? CELL_TEXT : CELL_NONE;
    cell->text = text;
}

static void set_values(struct view_cell *cell, const struct field *field, const void *object,
                       const void *root);

static void set_value(struct view_cell *cell, const struct field *field, const void *object,
                      const void *root)
{
    const void *member = field_in(field, object);
    size_t count;

    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_WORD:
        set_text(cell, field_pointer(field, object));
        break;
    case FIELD_BUFFER:
        set_text(cell, member);
        break;
    case FIELD_NUMBER:
    case FIELD_QUANTITY:
    case FIELD_BYTES:
        set_number(cell, *(const double *)member, false);
        break;
    case FIELD_COUNT:
        set_number(cell, (double)field_integer(field, object), true);
        break;
    case FIELD_SEED:
        snprintf(cell->room, sizeof cell->room, "%ju", (uintmax_t)field_integer(field, object));
        set_text(cell, cell->room);
        break;
    case FIELD_FLAG:
        set_number(cell, *(const bool *)member, true);
        break;
    case FIELD_CPU:
        set_number(cell, *(const int *)member < 0 ? (double)NAN : *(const int *)member, true);
        break;
    case FIELD_CHOICE:
        set_text(cell, field->names[field_integer(field, object)]);
        cell->choice = true;
        break;
    case FIELD_INTERVAL:
        cell->number = *(const struct interval *)member;
        cell->type = isnan(cell->number.estimate) ? CELL_NONE : CELL_NUMBER;
        break;
    case FIELD_ARRAY:
    case FIELD_LIST:
        field_items(field, object, &count);
        if (field->flags & FIELD_PLAIN)
            set_values(cell, field, object, root);
        else
            set_number(cell, (double)count, true);
        break;
    default: /* a structure that exists has the value 1 */
        set_number(cell, 1, true);
    }
}

static void set_cell(struct view_cell *cell, const struct field *field, const void *object,
                     const void *root)
{
    cell->type = CELL_NONE;
    cell->exact = cell->choice = cell->range = false;
    if (!field_is_known(field, object, root))
        return;
    if (field->number)
        set_number(cell, field->number(object, root), field->kind == FIELD_COUNT);
    else if (field->text)
        set_text(cell, field->text(object, root, cell->room));
    else
        set_value(cell, field, object, root);
}

static const char *plain_text(const struct view_cell *cell, char text[FIELD_ROOM])
{
    const struct view_column column = {.decimals = cell->exact ? 0 : VIEW_DIGITS};

    return view_cell_text(cell, &column, text);
}

/* Set CELL to a text: the items of a list of values, separated by commas. */
static void set_values(struct view_cell *cell, const struct field *field, const void *object,
                       const void *root)
{
    char text[FIELD_ROOM];
    struct view_cell each;
    size_t count;
    const char *items = field_items(field, object, &count);

    cell->room[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        set_cell(&each, field->fields, items + i * field->item, root);
        append_item(cell->room, sizeof cell->room, "%s", plain_text(&each, text));
    }
    set_text(cell, cell->room);
}

/* Reduce CELL, an interval, to a part if PATH ends in ".ci95", ".low", ".high" or ".spread". */
static void set_interval_part(struct view_cell *cell, const char *path)
{
    const struct interval whole = cell->number;
    const char *dot = strrchr(path, '.');

    if (dot && strcmp(dot, ".spread") == 0)
        set_number(cell, (whole.high - whole.low) / fabs(whole.estimate), false);
    if (dot && strcmp(dot, ".low") == 0)
        set_number(cell, cell->number.low, false);
    if (dot && strcmp(dot, ".high") == 0)
        set_number(cell, cell->number.high, false);
    cell->range = dot && strcmp(dot, ".ci95") == 0;
}

void view_cell(const struct view_row *row, const char *path, struct view_cell *cell)
{
    struct field_at at;

    cell->type = CELL_NONE;
    cell->exact = cell->choice = cell->range = false;
    for (; *path == '^'; path++)
        row = row->outer;
    if (strcmp(path, "#") == 0) {
        set_number(cell, (double)row->number + 1, true);
        return;
    }
    if (strcmp(path, "@") == 0) {
        set_text(cell, row->name);
        return;
    }
    at = field_find(row->fields, row->object, row->root, path);
    if (!at.field) { /* a programming error, found by unit/tables */
        fprintf(stderr, "nfsbench: a view has the path %s, which is none\n", path);
        abort();
    }
    if (at.object)
        set_cell(cell, at.field, at.object, at.root);
    if (at.field->kind == FIELD_INTERVAL && cell->type == CELL_NUMBER)
        set_interval_part(cell, path);
}

/* Paths of the settings. Kinds have a setting at different paths; the first path with a known value
 * is used. */
enum { SETTING_PATHS = 3 };
static const char *const setting_paths[VIEW_SETTINGS][SETTING_PATHS] = {
    {"start", "run.start"},
    {"host.name", "run.host.name"},
    {"target.text", "target", "run.target.text"},
    {"target.proto", "proto", "run.target.proto"},
    {"validity.verdict", "run.validity.verdict"},
    {"config.engine", "engine", "run.config.engine"},
    {"config.load.clients", "load.clients", "run.config.load.clients"},
    {"config.load.depth", "load.depth", "run.config.load.depth"},
    {"config.load.rate_per_s", "load.rate_per_s", "run.config.load.rate_per_s"},
};

const char *const view_setting_names[VIEW_SETTINGS] = {
    "start", "host", "target", "proto", "verdict", "engine", "clients", "depth", "rate_per_s",
};

void view_setting(const struct view_row *root, size_t setting, struct view_cell *cell)
{
    cell->type = CELL_NONE;
    for (size_t i = 0; i < SETTING_PATHS && setting_paths[setting][i] && cell->type == CELL_NONE;
         i++)
        if (field_find(root->fields, NULL, NULL, setting_paths[setting][i]).field)
            view_cell(root, setting_paths[setting][i], cell);
}

/* Return DECIMALS, reduced until VALUE has at most seven digits (123456.7) or no decimals. For a
 * time in us (SCALE is VIEW_US) below 0.1, two decimals become three. */
static int legible_decimals(double value, int decimals, double scale)
{
    if (decimals == 2 && scale == VIEW_US && fabs(value) > 0 && fabs(value) < 0.1)
        return 3;
    while (decimals > 0 && fabs(value) >= 1e7 / pow(10, decimals))
        decimals--;
    return decimals;
}

static int decimals_of(struct interval *shown, const struct view_column *column, bool exact)
{
    const double value = shown->estimate;
    int decimals = 3;

    if (column->decimals == VIEW_KNOWN) {
        decimals = number_round_known(shown);
        return decimals == NUMBER_GROUPED && column->flags & VIEW_SIGNED ? 0 : decimals;
    }
    if (column->decimals == VIEW_SHORT)
        return value < 100 ? 2 : 0;
    if (column->decimals == VIEW_WHOLE)
        return value == round(value) ? 0 : 1;
    if (column->decimals == VIEW_GROUPED && !exact && fabs(value) > 0 && fabs(value) < 10)
        return 2;
    if (column->decimals != VIEW_FIT)
        return legible_decimals(value, column->decimals, column->scale);
    while (decimals > 0 && snprintf(NULL, 0, "%.*f", decimals, value) > column->width)
        decimals--;
    return decimals;
}

static const char *number_text(const struct view_cell *cell, const struct view_column *column,
                               char text[FIELD_ROOM])
{
    const double of_share = column->flags & VIEW_PERCENT ? 100 : 1;
    const double scale = column->scale != 0 ? column->scale : of_share;
    const bool sign = column->flags & VIEW_SIGNED;
    const bool is_range = cell->range || column->flags & VIEW_RANGE;
    struct interval shown = {cell->number.estimate * scale, cell->number.low * scale,
                             cell->number.high * scale};
    char range[NUMBER_INTERVAL_SIZE];
    const int decimals = decimals_of(&shown, column, cell->exact);

    if (isinf(shown.estimate) && !(is_range && isfinite(shown.low)))
        return strcpy(text, "no end");
    if (is_range)
        return number_interval(&shown, 1, decimals, sign, text);
    number_print(shown.estimate, decimals, sign, text);
    if (column->flags & VIEW_BOTH && !isnan(shown.low))
        field_append(text, " %s", number_interval(&shown, 1, decimals, sign, range));
    return column->flags & VIEW_PERCENT ? strcat(text, " %") : text;
}

const char *view_cell_text(const struct view_cell *cell, const struct view_column *column,
                           char text[FIELD_ROOM])
{
    if (cell->type == CELL_NONE)
        return strcpy(text, "-");
    return cell->type == CELL_TEXT ? printable_copy(text, FIELD_ROOM, cell->text)
                                   : number_text(cell, column, text);
}

void view_each(const struct view_row *row, const char *rows, view_take take, void *data)
{
    const size_t length = strcspn(rows, "/");
    char list[80];
    struct field_at at;
    const char *items;
    size_t count;

    snprintf(list, sizeof list, "%.*s", (int)length, rows);
    at = field_find(row->fields, row->object, row->root, list);
    if (!at.object || !field_is_known(at.field, at.object, at.root))
        return;
    items = field_items(at.field, at.object, &count);
    for (size_t i = 0; i < count; i++) {
        const struct view_row each = {
            .fields = at.field->fields,
            .object = items + i * at.field->item,
            .root = at.root,
            .number = i,
            .outer = row,
            .name = at.field->names ? at.field->names[i] : NULL,
            .verbose = row->verbose,
        };

        if (rows[length])
            view_each(&each, rows + length + 1, take, data);
        else
            take(&each, data);
    }
}

struct walk {
    view_take_item take;
    void *data;
    struct view_item item;
    char list[160], path[120];
};

static void walk_fields(struct walk *walk, const struct field *fields, const void *object,
                        const void *root);

/* Append to NAME the texts that name the row, and "key=number" for numbers that name it. */
static void add_name(const struct field *fields, const void *object, const void *root,
                     char name[FIELD_ROOM])
{
    for (const struct field *field = fields; object && field->kind; field++) {
        struct view_cell cell;
        char text[FIELD_ROOM];

        if (!field->key && (field->kind == FIELD_POINTER || field->kind == FIELD_OBJECT))
            add_name(field->fields, field_object(field, object), root, name);
        if (!(field->flags & (FIELD_NAME | FIELD_KEY)))
            continue;
        set_cell(&cell, field, object, root);
        if (cell.type != CELL_NONE)
            append(name, FIELD_ROOM, "%s%s%s%s", *name ? " " : "",
                   cell.type == CELL_NUMBER ? field->key : "", cell.type == CELL_NUMBER ? "=" : "",
                   plain_text(&cell, text));
    }
}

static void walk_rows(struct walk *walk, const struct field *field, const void *object,
                      const void *root)
{
    size_t count;
    const char *items = field_items(field, object, &count);
    const struct walk before = *walk;
    struct unique_names names = {.tree = NULL};

    if (walk->item.key_count == VIEW_KEYS)
        return;
    for (size_t i = 0; i < count; i++, items += field->item) {
        char name[FIELD_ROOM] = "";

        if (field->names)
            snprintf(name, sizeof name, "%s", field->names[i]);
        else
            add_name(field->fields, items, root, name);
        if (!name[0])
            snprintf(name, sizeof name, "%zu", i + 1);
        unique_names_add(&names, name, sizeof name);
        snprintf(walk->list, sizeof walk->list, "%.79s%s%.79s", before.list,
                 *before.list ? "/" : "", before.path);
        walk->item.keys[walk->item.key_count++] = name;
        walk->path[0] = '\0';
        walk_fields(walk, field->fields, items, root);
        *walk = before;
    }
    unique_names_free(&names);
}

static void take_cell(const struct walk *walk, const struct view_cell *cell)
{
    struct view_item item = walk->item;

    item.list = walk->list;
    item.path = walk->path;
    item.cell = cell;
    if (cell->type == CELL_NUMBER || cell->choice)
        walk->take(&item, walk->data);
}

/* Call the walk's TAKE for each known number or choice in a list of values, but for no other text.
 * The value's number in the list (from 1) is a key. */
static void walk_values(struct walk *walk, const struct field *field, const void *object,
                        const void *root)
{
    size_t count;
    const char *items = field_items(field, object, &count);
    struct view_cell cell;
    char name[24];

    if (walk->item.key_count == VIEW_KEYS)
        return;
    walk->item.of_values = true;
    walk->item.keys[walk->item.key_count++] = name;
    for (size_t i = 0; i < count; i++, items += field->item) {
        snprintf(name, sizeof name, "%zu", i + 1);
        set_cell(&cell, field->fields, items, root);
        take_cell(walk, &cell);
    }
    walk->item.key_count--;
    walk->item.of_values = false;
}

static void walk_field(struct walk *walk, const struct field *field, const void *object,
                       const void *root)
{
    struct view_cell cell;

    switch (field->kind) {
    case FIELD_OBJECT:
    case FIELD_POINTER:
        walk_fields(walk, field->fields, field_object(field, object),
                    field_root(field, object, root));
        break;
    case FIELD_OWN:
        break;
    case FIELD_ARRAY:
    case FIELD_LIST:
        (field->flags & FIELD_PLAIN ? walk_values : walk_rows)(walk, field, object, root);
        break;
    default:
        set_cell(&cell, field, object, root);
        /* a text that names the result itself is an item, because the items' keys lack it */
        cell.choice |= cell.type == CELL_TEXT && field->flags & FIELD_KEY && !walk->item.key_count;
        take_cell(walk, &cell);
    }
}

static void walk_fields(struct walk *walk, const struct field *fields, const void *object,
                        const void *root)
{
    const size_t length = strlen(walk->path);

    for (const struct field *field = fields; field->kind; field++) {
        if (field->flags & FIELD_SHOWN || !field_is_known(field, object, root))
            continue;
        if (field->key)
            snprintf(walk->path + length, sizeof walk->path - length, "%s%s", length ? "." : "",
                     field->key);
        walk_field(walk, field, object, root);
        walk->path[length] = '\0';
    }
}

void view_items(const struct view *view, const void *result, view_take_item take, void *data)
{
    struct walk walk = {.take = take, .data = data};

    walk_fields(&walk, view->fields, result, result);
}
