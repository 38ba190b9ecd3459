/* A view as a page: its lines and its tables with all cells as text, for the forms that people
 * read, which differ in how they print these. */
#pragma once

#include "output/view/view.h"

enum { PAGE_COLUMNS = 48, PAGE_LINE_SIZE = 4096 };

/* A line of a table: a row's cells, or the name, value and range of one of its parts. */
struct page_row {
    const char *cells[PAGE_COLUMNS];
    size_t count; /* of cells; what stands behind the row follows the last one that is known */
    bool part;
    const char *remark;      /* NULL: none */
    enum terminal_tone tone; /* of the remark */
};

struct page_table {
    const struct view_column *columns;
    size_t column_count;
    bool shown[PAGE_COLUMNS];    /* a row has it, or it is always there */
    bool left[PAGE_COLUMNS];     /* cells stand at the left end */
    const char *title;           /* or NULL */
    const char *heading, *about; /* likewise, as in struct view_table */
    const struct page_row *rows;
    size_t row_count;
    bool remarks; /* a row has one */
    bool narrow;  /* VIEW_NARROW, and without -v */
};

enum page_line { PAGE_HEAD, PAGE_NOTE };

/* A form. A line may be ""; BEGIN and END of its tone stand around what has one. Columns of a table
 * that it has no room for are no longer SHOWN then. */
struct page_form {
    const char *(*begin)(enum terminal_tone tone, FILE *out);
    const char *(*end)(enum terminal_tone tone, FILE *out);
    void (*line)(const char *text, enum page_line kind, bool each, FILE *out);
    void (*table)(struct page_table *table, FILE *out);
    bool draws; /* it has what tables draw */
};

/* Print VIEW of RESULT to OUT. 0, or -ENOMEM or -EIO. */
int page_print(const struct page_form *form, const struct view *view, const void *result,
               bool verbose, FILE *out);

/* Only some LINES. */
int page_print_lines(const struct page_form *form, const struct view_line *lines,
                     const struct view_row *row, enum page_line kind, FILE *out);

/* One TABLE, with its notes. */
int page_print_table(const struct page_form *form, const struct view_table *table,
                     const struct view_row *root, FILE *out);

/* ROWS as TABLE, without its title and notes: those of several results, side by side. */
int page_print_rows(const struct page_form *form, const struct view_table *table,
                    const struct view_row *rows, size_t count, FILE *out);
