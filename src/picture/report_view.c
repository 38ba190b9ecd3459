/* Tables and lines of views as HTML. */
#include <ctype.h>
#include <string.h>

#include "output/view_page.h"
#include "picture/html.h"
#include "picture/report_parts.h"

/* With the unit "us" as it is written on paper. */
static void print_text(const char *text, FILE *out)
{
    const char *at = text;

    for (size_t length; *at; at += length) {
        const bool is_unit = strncmp(at, "us", 2) == 0 && !isalnum((unsigned char)at[2]);

        length = is_unit ? 2 : 1 + strcspn(at + 1, " ");
        length += !is_unit && at[length] == ' ';
        html_print(out, "%.*s", is_unit ? 3 : (int)length, is_unit ? "\u00b5s" : at);
    }
}

/* Is COLUMN the interval of the one before it, behind whose estimate it stands? */
static bool is_range(const struct page_table *table, size_t column)
{
    const struct view_column *columns = table->columns;

    return column > 0 && columns[column].flags & VIEW_RANGE &&
           strcmp(columns[column].path, columns[column - 1].path) == 0;
}

static bool is_shown(const struct page_table *table, size_t column)
{
    return !is_range(table, column) && table->shown[column];
}

static bool has_files(const struct page_table *table)
{
    return strcmp(table->columns[1].path, REPORT_FILE) == 0;
}

static void print_range(const char *range, FILE *out)
{
    if (*range == '[')
        html_print(out, " <span class=ci>%s</span>", range);
}

/* A number, and its interval behind a space. */
static void print_number(const char *text, FILE *out)
{
    const char *range = strstr(text, " [");

    html_print(out, "%.*s", range ? (int)(range - text) : (int)strlen(text), text);
    if (range)
        print_range(range + 1, out);
}

/* An op's name has a mark in its colour, and the name of one of the parts that a row has no
 * underscores. */
static void print_cell(const struct page_table *table, size_t column, const char *text, FILE *out)
{
    const char *path = table->columns[column].path;
    char name[64];

    snprintf(name, sizeof name, "%s", text);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    if (strcmp(text, "-") == 0)
        fputs("\u2013", out);
    else if (column == 0 && strstr(path, "op"))
        report_op(strstr(text, " control") ? "null_control" : text, text, out);
    else if (strcmp(path, REPORT_FILE) == 0)
        html_print(out, "<b class=letter>%s</b> ", text);
    else
        print_number(strcmp(path, "@") == 0 ? name : text, out);
}

static void print_headings(const struct page_table *table, FILE *out)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_shown(table, i)) {
            fputs(table->columns[i].flags & VIEW_LEFT ? "<th class=text>" : "<th>", out);
            print_text(table->columns[i].heading, out);
        }
    fputs(table->remarks ? "<th class=text></tr></thead>\n" : "</tr></thead>\n", out);
}

static void print_remark(const struct page_row *row, size_t columns, FILE *out)
{
    fputs("<td class='text", out);
    fputs(row->tone == TERMINAL_WORSE    ? " slower'"
          : row->tone == TERMINAL_BETTER ? " faster'"
                                         : "'",
          out);
    if (columns > 1)
        html_print(out, " colspan=%zu", columns);
    fputc('>', out);
    print_text(row->remark ? row->remark : "", out);
}

static size_t count_shown(const struct page_table *table)
{
    size_t count = 0;

    for (size_t i = 0; i < table->column_count; i++)
        count += is_shown(table, i);
    return count;
}

static void print_part(const struct page_table *table, const struct page_row *row, FILE *out)
{
    const size_t before = 2 + has_files(table);

    html_print(out, "<tr class=more><th class=part>%s", row->cells[0] + strspn(row->cells[0], " "));
    html_print(out, has_files(table) ? "<td><td>%s" : "<td>%s", row->cells[1]);
    print_range(row->cells[2], out);
    print_remark(row, count_shown(table) + 1 - before, out);
    fputs("</tr>\n", out);
}

/* NAME is what the row above is called; of several files it is not repeated. */
static void print_row(const struct page_table *table, const struct page_row *row, const char *name,
                      FILE *out)
{
    const bool is_more = has_files(table) && strcmp(name, row->cells[0]) == 0;

    fputs(is_more ? "<tr class=more>" : "<tr>", out);
    for (size_t i = 0; i < table->column_count; i++) {
        if (!is_shown(table, i))
            continue;
        fprintf(out, "<%s%s>", i == 0 ? "th" : "td",
                table->columns[i].flags & VIEW_LEFT ? " class=text" : "");
        if (i > 0 || !is_more)
            print_cell(table, i, row->cells[i], out);
        if (i + 1 < table->column_count && is_range(table, i + 1))
            print_range(row->cells[i + 1], out);
    }
    if (table->remarks)
        print_remark(row, 1, out);
    fputs("</tr>\n", out);
}

static void print_table(const struct page_table *table, FILE *out)
{
    const char *name = "";

    if (table->heading)
        html_print(out, "<h2>%s</h2>\n", table->heading);
    if (table->title)
        html_print(out, "<p>%s</p>\n", table->title);
    fputs("<div class=wide tabindex=0><table>\n", out);
    print_headings(table, out);
    fputs("<tbody>\n", out);
    for (size_t i = 0; i < table->row_count; i++) {
        if (table->rows[i].part)
            print_part(table, &table->rows[i], out);
        else
            print_row(table, &table->rows[i], name, out);
        name = table->rows[i].part ? name : table->rows[i].cells[0];
    }
    fputs("</tbody></table></div>\n", out);
    if (table->about)
        html_print(out, "<p class=soft>%s</p>\n", table->about);
}

/* Lines */

static const char *no_tone(enum terminal_tone tone, FILE *out)
{
    return "";
}

static void print_line(const char *text, enum page_line kind, bool each, FILE *out)
{
    if (!*text)
        return;
    fputs(kind == PAGE_NOTE ? "<p class=soft>" : "<li>", out);
    print_text(text + strspn(text, " "), out);
    fputs(kind == PAGE_NOTE ? "</p>\n" : "</li>\n", out);
}

const struct page_form report_form = {no_tone, no_tone, print_line, print_table};

void report_list(const struct view_row *root, const struct view_line *lines, FILE *out)
{
    fputs("<ul>\n", out);
    page_print_lines(&report_form, lines, root, PAGE_HEAD, out);
    fputs("</ul>\n", out);
}
