/* Checks of views: paths must be those of fields; texts, conditions and columns must be valid. */
#include "tables.h"

enum { TEXT_SIZE = 1024, NAME_SIZE = 80 };

static const char *of; /* name of the view that is checked, for messages */

static void check_text(const struct view_row *row, const char *text);

/* Return the field at PATH, found as view_cell() does. Returns NULL if PATH means a row's number
 * ("#") or name ("@"). If PATH leads nowhere, reports a mistake and returns NULL. */
static const struct field *find(const struct view_row *row, const char *path)
{
    const char *whole = path;
    const struct field *field;

    for (; *path == '^'; path++)
        if (!(row = row->outer)) {
            table_report_mistake("%s: '%s' goes up beyond the result: write it with fewer '^'", of,
                                 whole);
            return NULL;
        }
    if (strcmp(path, "#") == 0 || strcmp(path, "@") == 0)
        return NULL;
    field = field_find(row->fields, NULL, NULL, path).field;
    if (!field)
        table_report_mistake(
            "%s: no field has the path '%s': write that of a field, or add the field", of, whole);
    return field;
}

/* Rows of nested lists, the outermost first. VIEW_KEYS is the greatest depth. */
struct rows {
    struct view_row row[VIEW_KEYS];
    size_t count;
};

/* PATH, such as "ops/phases", names nested lists, the first of them in ROW. Store one row of each
 * in ROWS, and return the innermost. If a name is no list's, report a mistake and return NULL. */
static const struct view_row *enter(const struct view_row *row, const char *path, struct rows *rows)
{
    const size_t length = strcspn(path, "/");
    char list[NAME_SIZE];
    const struct field *field;

    snprintf(list, sizeof list, "%.*s", (int)length, path);
    field = find(row, list);
    if (field && field->kind != FIELD_ARRAY && field->kind != FIELD_LIST)
        table_report_mistake("%s: '%s' is no list, and has no rows", of, list);
    if (!field || !field->fields || (field->kind != FIELD_ARRAY && field->kind != FIELD_LIST))
        return NULL;
    assert_true(rows->count < VIEW_KEYS);
    rows->row[rows->count] = (struct view_row){.fields = field->fields, .outer = row};
    row = &rows->row[rows->count++];
    return path[length] ? enter(row, path + length + 1, rows) : row;
}

static void check_term(const struct view_row *row, const char *term)
{
    const size_t length = strcspn(term += *term == '!', "=~><");
    char path[NAME_SIZE];
    const struct field *field;

    if (strcmp(term, "-v") == 0)
        return;
    snprintf(path, sizeof path, "%.*s", (int)length, term);
    if (strchr(path, '{')) {
        check_text(row, path);
        return;
    }
    field = find(row, path);
    if (!field || term[length] != '=' || field->kind != FIELD_CHOICE || !field->names)
        return;
    for (const char *const *name = field->names; *name; name++)
        if (strcmp(*name, term + length + 1) == 0)
            return;
    table_report_mistake("%s: '%s' is never '%s': write one of its .names", of, path,
                         term + length + 1);
}

static void check_when(const struct view_row *row, const char *when)
{
    while (when && *when) {
        const size_t length = strcspn(when, " |");
        char term[120];

        snprintf(term, sizeof term, "%.*s", (int)length, when);
        check_term(row, term);
        when += length + (when[length] != '\0');
    }
}

/* Check INNER, the text between the braces of a member, such as "path:2" (src/output/README.md). */
static void check_member(const struct view_row *row, const char *inner)
{
    struct view_member member;

    if (view_member_parse(inner, &member))
        find(row, member.path);
    else
        table_report_mistake(
            "%s: '{%s}' is no member: write {path}, {path:2} (decimals), {path:+2} (with "
            "its sign), {path:3g} (significant digits), {path:,} (grouped), {path:-16} (a "
            "text's width), {path/1000:2} (divided before) or {path#round} (counted)",
            of, inner);
}

/* Check LIST, "PATH[(WHEN)]|TEXT". */
static void check_list(const struct view_row *row, const char *list)
{
    const size_t length = strcspn(list, "(|");
    const char *rest = list + length;
    struct rows rows = {.count = 0};
    char path[NAME_SIZE], when[200] = "";

    snprintf(path, sizeof path, "%.*s", (int)length, list);
    row = enter(row, path, &rows);
    if (*rest == '(') {
        snprintf(when, sizeof when, "%.*s", (int)strcspn(rest, ")") - 1, rest + 1);
        rest += strcspn(rest, ")");
        rest += *rest == ')';
    }
    if (*rest != '|')
        table_report_mistake("%s: '{*%s}' has no text: write {*LIST|A} or {*LIST(WHEN)|A}", of,
                             list);
    if (!row || *rest != '|')
        return;
    check_when(row, when);
    check_text(row, rest + 1);
}

static void check_inner(const struct view_row *row, const char *inner)
{
    const size_t length = strcspn(inner, ")");
    char when[200];

    if (*inner == '*') {
        check_list(row, inner + 1);
        return;
    }
    if (*inner != '?' && *inner != '!') {
        check_member(row, inner);
    } else if (*inner == '!' || inner[1] != '(') {
        check_text(row, inner + 1);
    } else if (inner[length] == '\0') {
        table_report_mistake("%s: '{%s}' has a condition without end: write {?(WHEN)A|B}", of,
                             inner);
    } else {
        snprintf(when, sizeof when, "%.*s", (int)length - 2, inner + 2);
        check_when(row, when);
        check_text(row, inner + length + 1);
    }
}

static void check_text(const struct view_row *row, const char *text)
{
    for (; text && (text = strchr(text, '{')); text++) {
        char inner[TEXT_SIZE];
        int depth = 1;
        size_t length = 0;

        while (text[++length] && depth > 0)
            depth += (text[length] == '{') - (text[length] == '}');
        if (depth > 0) {
            table_report_mistake("%s: '%s' has no '}' to its first '{'", of, text);
            return;
        }
        snprintf(inner, sizeof inner, "%.*s", (int)length - 2, text + 1);
        check_inner(row, inner);
        text += length - 1;
    }
}

static void check_lines(const struct view_row *row, const struct view_line *lines)
{
    for (const struct view_line *line = lines; line && line->text; line++) {
        struct rows rows = {.count = 0};
        const struct view_row *each = line->each ? enter(row, line->each, &rows) : row;

        if (!each)
            continue;
        check_text(each, line->text);
        check_when(each, line->when);
    }
}

static void check_columns(const struct view_row *row, const struct view_column *columns)
{
    for (const struct view_column *column = columns; column && column->path; column++) {
        if (strchr(column->path, '{'))
            check_text(row, column->path);
        else
            find(row, column->path);
        check_when(row, column->when);
        check_text(row, column->remark);
        if (!column->heading)
            table_report_mistake("%s: the column '%s' has no heading", of, column->path);
    }
}

static void check_table(const struct view_row *root, const struct view_table *table)
{
    struct rows rows = {.count = 0};
    const struct view_row *row;

    if (table->draw) {
        check_when(root, table->rows);
        return;
    }
    row = enter(root, table->rows, &rows);
    if (!row)
        return;
    check_text(row->outer, table->title);
    check_when(row, table->when);
    check_columns(row, table->columns);
    check_columns(row, table->parts);
    check_lines(row, table->remarks);
    check_lines(root, table->notes);
    for (const struct view_line *note = table->notes; note && note->text; note++) {
        const struct view_column *column = table->columns;

        while (note->column && column->path && strcmp(column->heading, note->column) != 0)
            column++;
        if (note->column && !column->path)
            table_report_mistake("%s: a note is of the column '%s', which the table does not have",
                                 of, note->column);
    }
}

void table_check_view(const struct view *view, const char *what)
{
    const struct view_row root = {.fields = view->fields};

    of = what;
    check_lines(&root, view->head);
    for (const struct view_table *table = view->tables; table && table->rows; table++)
        check_table(&root, table);
    check_lines(&root, view->notes);
}
