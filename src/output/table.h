/* A table for people, as wide as what shows it: columns that do not fit are given up, the least
 * important first. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { TABLE_COLUMNS_MAXIMUM = 24 };

struct table_column {
    const char *heading;
    int width;      /* of its cells, at least; two spaces stand before each. A cell that is longer
                       takes what those after it leave. */
    bool left;      /* cells stand at its left end */
    unsigned spare; /* 0: always shown; else the column with the highest number is given up first */
};

struct table {
    FILE *out;
    const struct table_column *columns;
    size_t count;
    unsigned width; /* of what shows it */
    bool shown[TABLE_COLUMNS_MAXIMUM];
    size_t next; /* the column that the next cell belongs to */
    int ahead;   /* how much longer than their columns the row's cells so far were */
};

/* A table of COUNT columns on OUT, which is WIDTH characters wide (terminal_width()). Where that is
 * too few, columns are given up. */
void table_begin(struct table *table, const struct table_column *columns, size_t count,
                 unsigned width, FILE *out);

/* The line of headings. */
void table_headings(struct table *table);

/* The next cell of a row; every column has one, also those that are not shown. */
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The end of a row, with REMARK, unless that is empty: it stands after the last cell where there is
 * room for it, else below the row. Cells that were not given remain empty. */
void table_end_row(struct table *table, const char *remark);
