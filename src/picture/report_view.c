/* Tables and lines of views as HTML. */
#include <math.h>
#include <string.h>

#include "output/view_page.h"
#include "picture/html.h"
#include "picture/report_parts.h"

/* An op's name has a mark in its colour, and the name of one of the parts that a row has no
 * underscores. */
static void print_text(const struct view_column *column, char *text, FILE *out)
{
    for (char *c = text; *c && strcmp(column->path, "@") == 0; c++)
        *c = *c == '_' ? ' ' : *c;
    if (strcmp(column->heading, "op") == 0 && strcmp(column->path, "name") != 0)
        report_op(text, text, out);
    else
        html_print(out, "%s", text);
}

static void print_cell(const struct view_cell *cell, const struct view_column *column, FILE *out)
{
    struct view_column estimate = *column;
    char text[FIELD_ROOM];

    if (cell->type == CELL_NONE) {
        fputs("–", out);
        return;
    }
    estimate.flags &= ~(unsigned)VIEW_RANGE;
    view_cell_text(cell, &estimate, text);
    print_text(column, text, out);
    if (column->flags & VIEW_RANGE && !isnan(cell->number.low))
        html_print(out, " <span class=ci>%s</span>", view_cell_text(cell, column, text));
}

/* The cells of ROW, of which that of NAME names it (NULL: none does), or their headings. */
static void print_cells(const struct view_row *row, const struct view_column *columns,
                        const struct view_column *name, bool headings, FILE *out)
{
    for (const struct view_column *column = columns; column->path; column++) {
        struct view_cell cell;

        view_column_cell(row, column, &cell);
        if (cell.type == CELL_NONE && column->flags & VIEW_IF_ANY)
            continue;
        fprintf(out, "<%s%s>", headings || column == name ? "th" : "td",
                column->flags & VIEW_LEFT ? " class=text" : "");
        if (headings)
            fputs(column->heading, out);
        else
            print_cell(&cell, column, out);
    }
}

void report_cells(const struct view_row *row, const struct view_column *columns, FILE *out)
{
    print_cells(row, columns, NULL, false, out);
}

struct printing {
    const struct view_table *table;
    FILE *out;
    bool begun;
};

static void print_remark(const struct view_row *row, const struct view_table *table, FILE *out)
{
    char text[FIELD_ROOM];
    const struct view_line *remark = view_remark(row, table->remarks, text);
    const enum terminal_tone tone = remark ? remark->tone : TERMINAL_PLAIN;

    html_print(out, "<td class='text%s'>%s",
               tone == TERMINAL_WORSE    ? " slower"
               : tone == TERMINAL_BETTER ? " faster"
                                         : "",
               remark ? text : "");
}

static void print_row(const struct view_row *row, void *data)
{
    struct printing *printing = data;
    const struct view_table *table = printing->table;
    FILE *out = printing->out;

    if (!view_holds(row, table->when))
        return;
    if (!printing->begun) {
        fputs("<div class=wide tabindex=0><table>\n<thead><tr>", out);
        print_cells(row, table->columns, NULL, true, out);
        fputs(table->remarks ? "<th class=text></tr></thead>\n<tbody>\n"
                             : "</tr></thead>\n<tbody>\n",
              out);
    }
    printing->begun = true;
    fputs("<tr>", out);
    print_cells(row, table->columns, table->columns, false, out);
    if (table->remarks)
        print_remark(row, table, out);
    fputs("</tr>\n", out);
}

/* Lines */

static const char *no_tone(enum terminal_tone tone, FILE *out)
{
    return "";
}

static void print_line(const char *text, enum page_line kind, bool each, FILE *out)
{
    if (kind == PAGE_NOTE)
        html_print(out, "<p class=soft>%s</p>\n", text);
    else
        html_print(out, "<li>%s</li>\n", text);
}

static const struct page_form form = {no_tone, no_tone, print_line, NULL};

void report_list(const struct view_row *root, const struct view_line *lines, FILE *out)
{
    fputs("<ul>\n", out);
    page_print_lines(&form, lines, root, PAGE_HEAD, out);
    fputs("</ul>\n", out);
}

void report_table(const struct view_row *root, const struct view_table *table, FILE *out)
{
    struct printing printing = {table, out, false};

    view_each(root, table->rows, print_row, &printing);
    if (!printing.begun)
        return;
    fputs("</tbody></table></div>\n", out);
    page_print_lines(&form, table->notes, root, PAGE_NOTE, out);
}
