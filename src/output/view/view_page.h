/* A view as a page of lines and tables whose cells are texts. The forms for people (text, Markdown,
 * HTML) print pages in different ways. */
#pragma once

#include "output/view/view.h"

enum { PAGE_COLUMNS = 48, PAGE_LINE_SIZE = 4096 };

/* A line of a table: the cells of a row, or the name, value and range of one of its parts. */
struct page_row {
    const char *cells[PAGE_COLUMNS];
    size_t count; /* number of cells up to the last known one; the remark follows it */
    bool part;
    const char *remark;      /* NULL for none */
    enum terminal_tone tone; /* of the remark */
};

struct page_table {
    const struct view_column *columns;
    size_t column_count;
    bool shown[PAGE_COLUMNS];    /* a row has a value, or the column is always shown */
    bool left[PAGE_COLUMNS];     /* cells are left-aligned */
    const char *title;           /* or NULL */
    const char *heading, *about; /* as in struct view_table; or NULL */
    const struct page_row *rows;
    size_t row_count;
    bool remarks; /* some row has a remark */
    bool narrow;  /* VIEW_NARROW without -v */
};

enum page_line { PAGE_HEAD, PAGE_NOTE };

/* A form. A line may be "". BEGIN and END return the texts around a tone. TABLE clears SHOWN for
 * columns for which there is no room. */
struct page_form {
    const char *(*begin)(enum terminal_tone tone, FILE *out);
    const char *(*end)(enum terminal_tone tone, FILE *out);
    void (*line)(const char *text, enum page_line kind, bool each, FILE *out);
    void (*table)(struct page_table *table, FILE *out);
    bool draws; /* the form uses the function DRAW of tables */
};

/* Print VIEW of RESULT to OUT. Returns 0, -ENOMEM or -EIO. */
int page_print(const struct page_form *form, const struct view *view, const void *result,
               bool verbose, FILE *out);

/* Print only LINES. */
int page_print_lines(const struct page_form *form, const struct view_line *lines,
                     const struct view_row *row, enum page_line kind, FILE *out);

/* Print TABLE with its notes. */
int page_print_table(const struct page_form *form, const struct view_table *table,
                     const struct view_row *root, FILE *out);

/* Print ROWS, from several results, as TABLE without its title and notes. */
int page_print_rows(const struct page_form *form, const struct view_table *table,
                    const struct view_row *rows, size_t count, FILE *out);
