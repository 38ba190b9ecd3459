/* Tables and lines of views as HTML. */
#include <ctype.h>
#include <string.h>

#include "output/view/view_page.h"
#include "picture/html.h"
#include "report/report_parts.h"

void report_text(const char *text, FILE *out)
{
    static const char *const tags[] = {[1] = "<b>", "</b>", "<b class=letter>", "</b> "};
    const char *at = text;

    for (size_t length; *at; at += length) {
        const bool is_unit = strncmp(at, "us", 2) == 0 && !isalnum((unsigned char)at[2]) &&
                             (at == text || !isalnum((unsigned char)at[-1]));
        const size_t range = *at == '[' ? 1 + strspn(at + 1, "+-.0123456789, ") : 0;

        length = strcspn(at, " [\1\2\3\4");
        length = is_unit ? 2 : range && at[range] == ']' ? range + 1 : length ? length : 1;
        if (*at >= 1 && *at <= 4)
            fputs(tags[(int)*at], out);
        else if (is_unit)
            fputs("\u00b5s", out);
        else
            html_print(out, length > 1 && *at == '[' ? "<span class=ci>%.*s</span>" : "%.*s",
                       (int)length, at);
    }
}

/* Return whether COLUMN is the interval of the column before; the two are printed in one cell. */
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

static size_t longest_word(const char *text)
{
    size_t longest = 0;

    while (*text) {
        const size_t length = strcspn(text, " ");

        longest = length > longest ? length : longest;
        text += length + strspn(text + length, " ");
    }
    return longest;
}

enum {
    BREAKS = 20 /* number of letters after which a text in a cell may be broken */,
    PADDING = 3
};

/* Return the width that COLUMN needs, in letters, without its interval, which may be on a line
 * below the estimate. */
static size_t column_letters(const struct page_table *table, size_t column)
{
    size_t letters = longest_word(table->columns[column].heading);

    for (size_t i = 0; i < table->row_count; i++) {
        const struct page_row *row = &table->rows[i];
        size_t own = row->part && column > 0 ? 0 : strlen(row->cells[column]);

        if ((table->left[column] || column == 0) && own > BREAKS)
            own = BREAKS;
        letters = own > letters ? own : letters;
    }
    return letters;
}

static size_t table_letters(const struct page_table *table)
{
    size_t letters = table->remarks ? BREAKS + PADDING : 0, last = 0;

    for (size_t i = 0; i < table->column_count; i++) {
        const size_t own = column_letters(table, i);

        if (is_range(table, i)) {
            letters += own > last ? own - last : 0;
        } else if (table->shown[i]) {
            letters += own + PADDING;
            last = own;
        }
    }
    return letters;
}

void report_begin_table(size_t letters, const char *class, FILE *out)
{
    enum { SMALL = 38, MEDIUM = 82, LARGE = 120 };

    fprintf(out, "<div class='wide%s' tabindex=0><table%s>\n",
            letters <= SMALL    ? ""
            : letters <= MEDIUM ? " medium"
            : letters <= LARGE  ? " large"
                                : " huge",
            class);
}

static bool has_files(const struct page_table *table)
{
    return strcmp(table->columns[1].path, REPORT_FILE) == 0;
}

/* Print TEXT in COLUMN. A mark in the op's colour precedes an op's name. In the name of a row
 * (path "@"), underscores become spaces. */
static void print_cell(const struct page_table *table, size_t column, const char *text, FILE *out)
{
    const char *path = table->columns[column].path;
    char name[64];

    snprintf(name, sizeof name, "%s", text);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    if (strcmp(text, "-") == 0)
        fputs("\u2013", out);
    else if (column == 0 && (strcmp(path, "op") == 0 || strncmp(path, "{op}", 4) == 0))
        report_op(strstr(text, " control") ? "null_control" : text, text, out);
    else if (strcmp(path, REPORT_FILE) == 0)
        html_print(out, "<b class=letter>%s</b> ", text);
    else
        report_text(strcmp(path, "@") == 0 ? name : text, out);
}

static void print_headings(const struct page_table *table, FILE *out)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_shown(table, i)) {
            fputs(table->left[i] ? "<th class=text>" : "<th>", out);
            report_text(table->columns[i].heading, out);
        }
    fputs(table->remarks ? "<th class=text></tr></thead>\n" : "</tr></thead>\n", out);
}

static void print_remark(const struct page_row *row, size_t columns, FILE *out)
{
    fputs("<td class='text remark", out);
    fputs(row->tone == TERMINAL_WORSE    ? " slower'"
          : row->tone == TERMINAL_BETTER ? " faster'"
                                         : "'",
          out);
    if (columns > 1)
        html_print(out, " colspan=%zu", columns);
    fputc('>', out);
    report_text(row->remark ? row->remark : "", out);
}

static size_t count_shown(const struct page_table *table)
{
    size_t count = 0;

    for (size_t i = 0; i < table->column_count; i++)
        count += is_shown(table, i);
    return count;
}

/* Print RANGE, the interval of the estimate that was just printed. */
static void print_range(const char *range, FILE *out)
{
    if (*range == '[')
        html_print(out, " <span class=ci>%s</span>", range);
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

/* Begin a cell. Its attribute data-of is the heading of its column, which narrow windows show. */
static void begin_cell(const struct page_table *table, size_t column, bool is_first, FILE *out)
{
    fprintf(out, "<%s%s", is_first ? "th" : "td", table->left[column] ? " class=text" : "");
    fputs(" data-of='", out);
    report_text(table->columns[column].heading, out);
    fputs("'>", out);
}

/* Print ROW. NAME is the name in the row above. With several files, ROW's name is left out if it is
 * the same. */
static void print_row(const struct page_table *table, const struct page_row *row, const char *name,
                      FILE *out)
{
    const bool is_more = has_files(table) && strcmp(name, row->cells[0]) == 0;
    size_t first = 0;

    while (!is_shown(table, first))
        first++;
    fputs(is_more ? "<tr class=more>" : "<tr>", out);
    for (size_t i = 0; i < table->column_count; i++) {
        if (!is_shown(table, i))
            continue;
        begin_cell(table, i, i == first, out);
        if (i > 0 || !is_more)
            print_cell(table, i, row->cells[i], out);
        if (i + 1 < table->column_count && is_range(table, i + 1))
            print_range(row->cells[i + 1], out);
    }
    if (table->remarks)
        print_remark(row, 1, out);
    fputs("</tr>\n", out);
}

static void print_table(struct page_table *table, FILE *out)
{
    const char *name = "";

    if (table->heading)
        html_print(out, "<h2>%s</h2>\n", table->heading);
    if (table->title)
        html_print(out, "<p>%s</p>\n", table->title);
    report_begin_table(table_letters(table), "", out);
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

static const char *begin_tone(enum terminal_tone tone, FILE *out)
{
    return REPORT_BOLD;
}

static const char *end_tone(enum terminal_tone tone, FILE *out)
{
    return REPORT_BOLD_END;
}

static void print_line(const char *text, enum page_line kind, bool each, FILE *out)
{
    if (!*text)
        return;
    fputs(kind == PAGE_NOTE ? "<p class=soft>" : "<li>", out);
    report_text(text + strspn(text, " "), out);
    fputs(kind == PAGE_NOTE ? "</p>\n" : "</li>\n", out);
}

const struct page_form report_form = {begin_tone, end_tone, print_line, print_table};
