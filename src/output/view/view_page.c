#include "output/view/view_page.h"

#include <errno.h>
#include <string.h>

#include "common/memory.h"

struct lines {
    const struct page_form *form;
    const struct view_line *line;
    const struct view_line *end; /* end of the adjacent lines that show the same list */
    enum page_line kind;
    /* table that the lines are notes of; NULL if they are not notes of a table */
    const struct page_table *table;
    FILE *out;
    size_t printed, left_out;
};

static void print_left_out(const struct page_form *form, size_t count, FILE *out)
{
    char text[80];

    if (count == 0)
        return;
    snprintf(text, sizeof text, "  and %zu more, in --json", count);
    form->line(text, PAGE_NOTE, false, out);
}

/* Copy TEXT to OUT; replace VIEW_TONE and VIEW_TONE_END by the form's texts for the line's tone. */
static void set_tone(const struct lines *lines, const char *text, char out[PAGE_LINE_SIZE])
{
    const enum terminal_tone tone = lines->line->tone;
    size_t used = 0;

    for (out[0] = '\0'; *text && used < PAGE_LINE_SIZE; text++) {
        const char letter[] = {*text, '\0'};
        const char *piece = *text == *VIEW_TONE       ? lines->form->begin(tone, lines->out)
                            : *text == *VIEW_TONE_END ? lines->form->end(tone, lines->out)
                                                      : letter;

        used += (size_t)snprintf(out + used, PAGE_LINE_SIZE - used, "%s", piece);
    }
}

static void print_line(const struct view_row *row, void *data)
{
    struct lines *lines = data;
    const struct view_line *line = lines->line;
    char text[PAGE_LINE_SIZE], toned[PAGE_LINE_SIZE];

    if (!view_holds(row, line->when) || !view_expand(row, line->text, text, sizeof text))
        return;
    if (line->most && lines->printed == line->most) {
        lines->left_out++;
        return;
    }
    set_tone(lines, text, toned);
    lines->form->line(toned, lines->kind, line->each, lines->out);
    lines->printed++;
}

/* Return whether the line can be printed: its table shows the column that it is about, if any. */
static bool is_of_shown(const struct lines *lines)
{
    const struct page_table *table = lines->table;

    for (size_t i = 0; lines->line->column && table && i < table->column_count; i++)
        if (strcmp(table->columns[i].heading, lines->line->column) == 0)
            return table->shown[i];
    return true;
}

/* Print the line for ROW if EACH is NULL, or for each row of the list EACH within ROW. */
static void print_each(const struct view_row *row, const char *each, struct lines *lines)
{
    if ((!row->verbose && lines->line->flags & VIEW_VERBOSE) || !is_of_shown(lines))
        return;
    if (each)
        view_each(row, each, print_line, lines);
    else
        print_line(row, lines);
    print_left_out(lines->form, lines->left_out, lines->out);
}

/* Print all lines that show the same list for ROW, a row of that list. */
static void print_together(const struct view_row *row, void *data)
{
    const struct lines *lines = data;

    for (const struct view_line *line = lines->line; line < lines->end; line++) {
        struct lines one = *lines;
        const char *slash = strchr(line->each, '/');

        one.line = line;
        print_each(row, slash ? slash + 1 : NULL, &one);
    }
}

/* Return the end of the adjacent lines, LINE first, that show one list or lists in its rows. */
static const struct view_line *end_of_list(const struct view_line *line)
{
    const size_t length = strcspn(line->each, "/");
    const struct view_line *end = line + 1;

    while (end->text && end->each && strncmp(end->each, line->each, length) == 0 &&
           strcspn(end->each, "/") == length)
        end++;
    return end;
}

/* Print the lines from SOME's LINE on. Returns 0 or -EIO. */
static int print_lines(struct lines some, const struct view_row *row)
{
    char list[80];

    for (; some.line && some.line->text; some.line = some.end) {
        struct lines one = some;

        some.end = some.line->each ? end_of_list(some.line) : some.line + 1;
        if (some.end == some.line + 1) {
            print_each(row, some.line->each, &one);
            continue;
        }
        snprintf(list, sizeof list, "%.*s", (int)strcspn(some.line->each, "/"), some.line->each);
        view_each(row, list, print_together, &some);
    }
    return ferror(some.out) ? -EIO : 0;
}

int page_print_lines(const struct page_form *form, const struct view_line *lines,
                     const struct view_row *row, enum page_line kind, FILE *out)
{
    return print_lines((struct lines){.form = form, .line = lines, .kind = kind, .out = out}, row);
}

struct filling {
    const struct page_form *form;
    const struct view_table *table;
    const char *rows; /* path of the list whose items are the table's rows */
    bool verbose;     /* the option -v */
    FILE *out;
    struct arena arena;
    struct page_table page;
    struct page_row *list;
    size_t room, printed, rows_in, left_out;
    /* for VIEW_ACROSS: number of PASSES over the lists so far; rows MET in the current pass */
    size_t passes, met;
    int code;
};

static struct page_row *add_row(struct filling *filling)
{
    const struct page_row none = {.count = 0};

    if (array_add(&filling->list, &filling->page.row_count, &filling->room, &none, sizeof none) ==
        0)
        return &filling->list[filling->page.row_count - 1];
    filling->code = -ENOMEM;
    return NULL;
}

static const char *keep(struct filling *filling, const char *text)
{
    const char *copy = arena_copy(&filling->arena, text);

    if (!copy)
        filling->code = -ENOMEM;
    return copy ? copy : "";
}

static void fill_row(struct filling *filling, const struct view_row *row, struct page_row *line)
{
    const struct view_column *columns = filling->page.columns;
    const struct view_line *remark;
    char text[FIELD_ROOM];
    struct view_cell cell;
    size_t last = 0;

    for (size_t i = 0; i < filling->page.column_count; i++) {
        view_column_cell(row, &columns[i], &cell);
        line->cells[i] = keep(filling, view_cell_text(&cell, &columns[i], text));
        if (cell.type == CELL_NONE)
            continue;
        filling->page.shown[i] = true;
        filling->page.left[i] |= cell.type == CELL_TEXT;
        last = i;
    }
    remark = view_remark(row, filling->table->remarks, text);
    if (remark) {
        line->remark = keep(filling, text);
        line->tone = remark->tone;
        filling->page.remarks = true;
    }
    line->count = remark ? last + 1 : filling->page.column_count;
}

static void fill_part(struct filling *filling, const struct view_row *row,
                      const struct view_column *part)
{
    enum { INDENT = 4 };
    struct view_column range = *part;
    struct view_cell cell;
    struct page_row *line;
    char text[FIELD_ROOM];

    view_column_cell(row, part, &cell);
    if (cell.type == CELL_NONE || (part->flags & VIEW_VERBOSE && !row->verbose))
        return;
    line = add_row(filling);
    if (!line)
        return;
    range.flags |= VIEW_RANGE;
    line->part = true;
    line->count = 3;
    snprintf(text, sizeof text, "%*s%s", INDENT, "", part->heading);
    line->cells[0] = keep(filling, text);
    line->cells[1] = keep(filling, view_cell_text(&cell, part, text));
    line->cells[2] = keep(filling, view_cell_text(&cell, &range, text));
    if (part->remark && view_expand(row, part->remark, text, sizeof text) && *text)
        line->remark = keep(filling, text);
    filling->page.remarks |= line->remark != NULL;
}

static void add_rows(const struct view_row *row, void *data)
{
    struct filling *filling = data;
    const struct view_table *table = filling->table;
    struct page_row *line;

    if (table->flags & VIEW_ACROSS && row->number != filling->passes)
        return;
    filling->met++;
    if (!view_holds(row, table->when))
        return;
    if (table->most && filling->rows_in == table->most) {
        filling->left_out++;
        return;
    }
    filling->rows_in++;
    line = add_row(filling);
    if (line)
        fill_row(filling, row, line);
    for (const struct view_column *part = table->parts; part && part->path; part++)
        fill_part(filling, row, part);
}

static void begin_table(struct filling *filling)
{
    const struct view_table *table = filling->table;
    const struct view_column *column = table->columns;

    filling->page = (struct page_table){.columns = column,
                                        .heading = table->heading,
                                        .about = table->about,
                                        .narrow = table->flags & VIEW_NARROW && !filling->verbose};
    filling->rows_in = filling->left_out = filling->passes = 0;
    for (size_t i = 0; column->path; column++, i = ++filling->page.column_count) {
        filling->page.left[i] = column->flags & (VIEW_RANGE | VIEW_LEFT);
        filling->page.shown[i] = !(column->flags & VIEW_IF_ANY);
    }
}

static void end_table(struct filling *filling, const char *title)
{
    if (filling->page.row_count == 0 || filling->code)
        return;
    filling->page.title = title;
    filling->page.rows = filling->list;
    filling->form->table(&filling->page, filling->out);
    print_left_out(filling->form, filling->left_out, filling->out);
    filling->printed++;
}

static void print_table(const struct view_row *row, void *data)
{
    struct filling *filling = data;
    const char *title = filling->table->title;
    char text[PAGE_LINE_SIZE];

    begin_table(filling);
    do {
        filling->met = 0;
        view_each(row, filling->rows, add_rows, filling);
        filling->passes++;
    } while (filling->table->flags & VIEW_ACROSS && filling->met);
    end_table(filling, title && view_expand(row, title, text, sizeof text) ? text : NULL);
}

static int free_table(struct filling *filling)
{
    free(filling->list);
    arena_free(&filling->arena);
    return filling->code;
}

int page_print_table(const struct page_form *form, const struct view_table *table,
                     const struct view_row *root, FILE *out)
{
    const char *slash = table->title ? strrchr(table->rows, '/') : NULL;
    struct filling filling = {.form = form,
                              .table = table,
                              .rows = slash ? slash + 1 : table->rows,
                              .verbose = root->verbose,
                              .out = out};
    char outer[80];
    int code;

    snprintf(outer, sizeof outer, "%.*s", slash ? (int)(slash - table->rows) : 0, table->rows);
    /* Markdown and HTML show a table for -v only if the table has a heading */
    if (table->flags & VIEW_VERBOSE && !(root->verbose && (form->draws || table->heading)))
        return 0;
    if (slash)
        view_each(root, outer, print_table, &filling);
    else
        print_table(root, &filling);
    code = free_table(&filling);
    return code || filling.printed == 0 ? code
                                        : print_lines((struct lines){.form = form,
                                                                     .line = table->notes,
                                                                     .kind = PAGE_NOTE,
                                                                     .table = &filling.page,
                                                                     .out = out},
                                                      root);
}

int page_print_rows(const struct page_form *form, const struct view_table *table,
                    const struct view_row *rows, size_t count, FILE *out)
{
    struct filling filling = {.form = form, .table = table, .out = out};

    begin_table(&filling);
    for (size_t i = 0; i < count; i++)
        add_rows(&rows[i], &filling);
    end_table(&filling, NULL);
    return free_table(&filling);
}

int page_print(const struct page_form *form, const struct view *view, const void *result,
               bool verbose, FILE *out)
{
    const struct view_row root = view_root(view, result, verbose);
    int code = page_print_lines(form, view->head, &root, PAGE_HEAD, out);

    for (const struct view_table *table = view->tables; table && table->rows && code == 0; table++)
        if (!table->draw)
            code = page_print_table(form, table, &root, out);
        else if (form->draws && view_holds(&root, table->rows))
            table->draw(result, out);
    return code ? code : page_print_lines(form, view->notes, &root, PAGE_NOTE, out);
}
