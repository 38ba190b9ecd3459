/* Prints a view as text for people, fitted to the terminal. */
#include <string.h>

#include "output/view/view_page.h"

static const char *begin_tone(enum terminal_tone tone, FILE *out)
{
    return terminal_tone(out, tone);
}

static const char *end_tone(enum terminal_tone tone, FILE *out)
{
    return tone == TERMINAL_PLAIN ? "" : terminal_tone(out, TERMINAL_PLAIN);
}

static void print_line(const char *text, enum page_line kind, bool each, FILE *out)
{
    terminal_print_wrapped(text, each ? (unsigned)strspn(text, " ") + 4 : 4, out);
}

struct printing {
    const struct page_table *table;
    FILE *out;
    unsigned most; /* maximum length of a line in characters */
    bool shown[PAGE_COLUMNS];
    unsigned width[PAGE_COLUMNS];
    /* for each column: length of the longest remark that replaces the cells after it */
    unsigned remark[PAGE_COLUMNS];
};

/* Return whether the last shown cells of ROW are missing, so that its remark takes their place. */
static bool lacks_cells(const struct page_table *table, const struct page_row *row)
{
    for (size_t i = row->count; i < table->column_count; i++)
        if (table->shown[i])
            return true;
    return false;
}

static void measure_row(struct printing *printing, const struct page_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        const unsigned length = terminal_length(row->cells[i]);

        if (length > printing->width[i])
            printing->width[i] = length;
    }
    if (row->remark && lacks_cells(printing->table, row)) {
        const unsigned length = terminal_length(row->remark);

        if (length > printing->remark[row->count - 1])
            printing->remark[row->count - 1] = length;
    }
}

static void measure(struct printing *printing)
{
    const struct page_table *table = printing->table;

    for (size_t i = 0; i < table->column_count; i++) {
        const struct view_column *column = &table->columns[i];
        const unsigned length = terminal_length(column->heading);

        printing->width[i] = length > (unsigned)column->width ? length : (unsigned)column->width;
        printing->shown[i] = table->shown[i];
    }
    for (size_t i = 0; i < table->row_count; i++)
        measure_row(printing, &table->rows[i]);
}

/* Return the length of the longest line. A remark after a complete row does not count, because it
 * can be printed below the row. */
static unsigned needed(const struct printing *printing)
{
    unsigned at = 0, most = 0;

    for (size_t i = 0; i < printing->table->column_count; i++) {
        at += printing->shown[i] ? 2 + printing->width[i] : 0;
        if (at + (printing->remark[i] ? 2 + printing->remark[i] : 0) > most)
            most = at + (printing->remark[i] ? 2 + printing->remark[i] : 0);
    }
    return most;
}

/* Return the number of the column to drop next; the number of columns if none can be dropped. */
static size_t next_to_go(const struct printing *printing)
{
    const struct view_column *columns = printing->table->columns;
    size_t found = printing->table->column_count;

    for (size_t i = 0; i < printing->table->column_count; i++)
        if (printing->shown[i] && columns[i].spare > 0 &&
            (found == printing->table->column_count || columns[i].spare > columns[found].spare))
            found = i;
    return found;
}

static void choose_columns(struct printing *printing)
{
    size_t found = next_to_go(printing);

    for (; found < printing->table->column_count && needed(printing) > printing->most;
         found = next_to_go(printing))
        printing->shown[found] = false;
}

/* Append a gap of 2 + SPACES characters and TEXT to LINE. TEXT is right-aligned in WIDTH characters
 * or, if LEFT is true, left-aligned. The spaces after a left-aligned TEXT are not appended; their
 * number is returned, as SPACES for the next cell. Returns 0 if LEFT is false. */
static unsigned add_cell(char line[PAGE_LINE_SIZE], const char *text, unsigned width, bool left,
                         unsigned spaces)
{
    const unsigned length = terminal_length(text), short_of = length < width ? width - length : 0;
    const size_t used = strlen(line);

    snprintf(line + used, PAGE_LINE_SIZE - used, "%*s%s", (int)(spaces + 2 + (left ? 0 : short_of)),
             "", text);
    return left ? short_of : 0;
}

/* Print ROW with its remark after its cells, or below them if the line would be too long. */
static void print_row(const struct printing *printing, const struct page_row *row)
{
    FILE *out = printing->out;
    char line[PAGE_LINE_SIZE] = "", text[FIELD_ROOM + 40];
    unsigned at = 0, spaces = 0;
    bool beside;

    for (size_t i = 0; i < row->count; i++)
        if (printing->shown[i]) {
            spaces =
                add_cell(line, row->cells[i], printing->width[i], printing->table->left[i], spaces);
            at += 2 + printing->width[i];
        }
    beside = row->remark && at + 2 + terminal_length(row->remark) <= printing->most;
    if (row->remark)
        snprintf(text, sizeof text, "%*s%s%s%s", beside ? 0 : 6, "", begin_tone(row->tone, out),
                 row->remark, end_tone(row->tone, out));
    if (beside)
        add_cell(line, text, 0, true, spaces);
    terminal_print_wrapped(line, 6, out);
    if (row->remark && !beside)
        terminal_print_wrapped(text, 8, out);
}

static void print_table(struct page_table *table, FILE *out)
{
    struct printing printing = {.table = table,
                                .out = out,
                                .most = table->narrow ? terminal_narrow(out) : terminal_width(out)};
    struct page_row headings = {.count = table->column_count};

    measure(&printing);
    choose_columns(&printing);
    memcpy(table->shown, printing.shown, sizeof table->shown);
    fputc('\n', out);
    if (table->title)
        terminal_print_wrapped(table->title, 6, out);
    for (size_t i = 0; i < table->column_count; i++)
        headings.cells[i] = table->columns[i].heading;
    print_row(&printing, &headings);
    for (size_t i = 0; i < table->row_count; i++)
        print_row(&printing, &table->rows[i]);
}

static const struct page_form text = {begin_tone, end_tone, print_line, print_table, .draws = true};

int view_write_text(const struct view *view, const void *result, bool verbose, FILE *out)
{
    return page_print(&text, view, result, verbose, out);
}

void view_print_lines(const struct view *view, const struct view_line *lines, const void *result,
                      bool verbose, FILE *out)
{
    const struct view_row root = view_root(view, result, verbose);

    page_print_lines(&text, lines, &root, PAGE_HEAD, out);
}
