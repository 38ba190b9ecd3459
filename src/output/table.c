#include "output/table.h"

#include <stdarg.h>

#include "output/terminal.h"

static unsigned width_of(const struct table *table)
{
    unsigned width = 0;

    for (size_t i = 0; i < table->count; i++)
        if (table->shown[i])
            width += 2 + (unsigned)table->columns[i].width;
    return width;
}

/* False where every column that is still shown has to stay. */
static bool give_one_up(struct table *table)
{
    size_t found = table->count;

    for (size_t i = 0; i < table->count; i++)
        if (table->shown[i] && table->columns[i].spare > 0 &&
            (found == table->count || table->columns[i].spare > table->columns[found].spare))
            found = i;
    if (found == table->count)
        return false;
    table->shown[found] = false;
    return true;
}

void table_begin(struct table *table, const struct table_column *columns, size_t count,
                 unsigned width, FILE *out)
{
    *table = (struct table){.out = out, .columns = columns, .count = count, .width = width};
    for (size_t i = 0; i < count; i++)
        table->shown[i] = true;
    while (width_of(table) > width && give_one_up(table))
        ;
}

static bool is_last(const struct table *table, size_t at)
{
    for (size_t i = at + 1; i < table->count; i++)
        if (table->shown[i])
            return false;
    return true;
}

void table_headings(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        table_cell(table, "%s", table->columns[i].heading);
    table_end_row(table, "");
}

void table_cell(struct table *table, const char *format, ...)
{
    const size_t at = table->next++;
    char text[256];
    const struct table_column *column = &table->columns[at];
    int width, printed;
    va_list arguments;

    if (!table->shown[at])
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    width = column->width > table->ahead ? column->width - table->ahead : 0;
    /* What stands at the left end of the last column needs no spaces after it. */
    printed = fprintf(table->out, "  %*s",
                      !column->left        ? width
                      : is_last(table, at) ? 0
                                           : -width,
                      text);
    table->ahead += printed - 2 - column->width;
}

/* Below the row, and lines of their own. */
static void print_below(const struct table *table, const char *remark)
{
    enum { INDENT = 6, SIZE = 1024 };
    char line[SIZE];

    snprintf(line, sizeof line, "%*s%s", INDENT, "", remark);
    terminal_print_wrapped(line, INDENT + 2, table->out);
}

void table_end_row(struct table *table, const char *remark)
{
    const unsigned ahead = table->ahead > 0 ? (unsigned)table->ahead : 0;
    const bool beside = width_of(table) + ahead + 2 + terminal_length(remark) <= table->width;

    fprintf(table->out, "%s%s\n", *remark && beside ? "  " : "", beside ? remark : "");
    if (*remark && !beside)
        print_below(table, remark);
    table->next = 0;
    table->ahead = 0;
}
