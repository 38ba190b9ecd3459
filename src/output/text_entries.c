/* Ops of several calls, as text: what each is made of, and what an entry takes. */
#include <math.h>

#include "output/number.h"
#include "output/table.h"
#include "output/text.h"

static const struct table_column columns[] = {
    {"", 16, true, 0},
    {"calls each", 11, false, 0},
    {"entries each", 13, false, 0},
    {"us an entry", 11, false, 0},
    {"entries/s", 11, false, 0},
};

static void print_known(struct table *table, double value, int decimals)
{
    char text[NUMBER_SIZE];

    if (!(value > 0))
        table_cell(table, "-");
    else if (decimals > 0)
        table_cell(table, "%.*f", decimals, value);
    else
        table_cell(table, "%s", number_grouped(value, text));
}

/* Calls and entries are whole, unless the directory changes. */
static int decimals_of(double value)
{
    return value == round(value) ? 0 : 1;
}

static bool has_entries(const struct result_op *op)
{
    return op->entries_each > 0;
}

static void print_row(const struct result_op *op, struct table *table)
{
    table_cell(table, "%s", op->op);
    print_known(table, op->calls_each, decimals_of(op->calls_each));
    print_known(table, op->entries_each, decimals_of(op->entries_each));
    print_known(table, us(op->entry_ns), 3);
    print_known(table, op->entries_per_s, 0);
    table_end_row(table, "");
}

void text_print_entries(const struct result *result, FILE *out)
{
    text_print_rows(result, columns, sizeof columns / sizeof columns[0], has_entries, print_row,
                    out);
}
