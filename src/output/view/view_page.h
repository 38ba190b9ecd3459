/* A view as a page of lines and tables whose cells are texts. The forms for people (text, Markdown,
 * HTML) print pages in different ways. */
#pragma once

#include "output/view/view.h"

enum { PAGE_COLUMNS = 48, PAGE_LINE_SIZE = 4096 };

/* A line of a table: the cells of a row or, for one of the table's PARTS (struct view_table), the
 * part's name, value and interval. */
struct page_row {
    const char *cells[PAGE_COLUMNS];
    /* number of cells; if there is a remark, without the unknown cells at the end of the row */
    size_t count;
    bool part;
    const char *remark;      /* text after the row's cells; NULL for none */
    enum terminal_tone tone; /* tone of REMARK */
};

struct page_table {
    const struct view_column *columns;
    size_t column_count;
    /* true if a row has a value in the column, or if the column is always shown */
    bool shown[PAGE_COLUMNS];
    bool left[PAGE_COLUMNS]; /* true if the column's cells are left-aligned */
    const char *title;       /* title of the table; NULL for none */
    /* heading and explanation as in struct view_table; NULL for none */
    const char *heading, *about;
    const struct page_row *rows;
    size_t row_count;
    bool remarks; /* true if at least one row has a remark */
    bool narrow;  /* true if the table has VIEW_NARROW, and -v was not given */
};

enum page_line { PAGE_HEAD, PAGE_NOTE };

/* A form that prints pages. BEGIN and END return the texts that begin and end TONE. LINE prints
 * TEXT, which may be "", as a line of KIND; EACH is true if TEXT is about a row of a list. TABLE
 * prints a table, and may clear members of SHOWN for columns that do not fit. */
struct page_form {
    const char *(*begin)(enum terminal_tone tone, FILE *out);
    const char *(*end)(enum terminal_tone tone, FILE *out);
    void (*line)(const char *text, enum page_line kind, bool each, FILE *out);
    void (*table)(struct page_table *table, FILE *out);
    bool draws; /* true if the form calls the function DRAW of tables */
};

/* Print RESULT, shown by VIEW, to OUT. VERBOSE is the option -v. Returns 0, -ENOMEM or -EIO. */
int page_print(const struct page_form *form, const struct view *view, const void *result,
               bool verbose, FILE *out);

/* Print LINES, which show members of ROW. Returns 0 or -EIO. */
int page_print_lines(const struct page_form *form, const struct view_line *lines,
                     const struct view_row *row, enum page_line kind, FILE *out);

/* Print TABLE with its notes, if it has rows. ROOT: the result's row. Returns as page_print(). */
int page_print_table(const struct page_form *form, const struct view_table *table,
                     const struct view_row *root, FILE *out);

/* Print COUNT ROWS, which can be from different results, as TABLE without its title and notes;
 * nothing if no row is shown. Returns 0 or -ENOMEM. */
int page_print_rows(const struct page_form *form, const struct view_table *table,
                    const struct view_row *rows, size_t count, FILE *out);
