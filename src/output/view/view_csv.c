/* Writes a view as CSV (RFC 4180) in tidy form: one line per item (struct view_item). Each line
 * begins with the result's settings, so that the lines of many files can be joined to one table. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/view/csv.h"
#include "output/view/number.h"
#include "output/view/view.h"

struct csv {
    FILE *out;
    struct view_row root;
};

void csv_write_text(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputs(strchr("=+-@", text[0]) && text[0] ? "\"'" : "\"", out);
    for (const char *c = shown.text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

/* Write VALUE, with all digits if EXACT is true; nothing if VALUE is infinite or unknown. */
static void write_number(double value, bool exact, FILE *out)
{
    if (isfinite(value))
        fprintf(out, "%.*g", exact ? 17 : NUMBER_WRITTEN_DIGITS, value);
}

static void write_cell(const struct view_cell *cell, FILE *out)
{
    if (cell->type == CELL_TEXT)
        csv_write_text(cell->text, out);
    else if (cell->type == CELL_NUMBER)
        write_number(cell->number.estimate, cell->exact, out);
}

static void write_item(const struct view_item *item, void *data)
{
    const struct csv *csv = data;

    for (size_t i = 0; i < VIEW_SETTINGS; i++) {
        struct view_cell cell;

        view_setting(&csv->root, i, &cell);
        write_cell(&cell, csv->out);
        fputc(',', csv->out);
    }
    fputs(item->list, csv->out);
    for (size_t i = 0; i < VIEW_KEYS; i++) {
        fputc(',', csv->out);
        if (i < item->key_count)
            csv_write_text(item->keys[i], csv->out);
    }
    fprintf(csv->out, ",%s,", item->path);
    write_cell(item->cell, csv->out);
    for (size_t i = 0; i < 2; i++) {
        fputc(',', csv->out);
        if (item->cell->type == CELL_NUMBER)
            write_number(i ? item->cell->number.high : item->cell->number.low, item->cell->exact,
                         csv->out);
    }
    fputs("\r\n", csv->out);
}

int view_write_csv(const struct view *view, const void *result, FILE *out)
{
    struct csv csv = {out, view_root(view, result, false)};

    for (size_t i = 0; i < VIEW_SETTINGS; i++)
        fprintf(out, "%s,", view_setting_names[i]);
    fputs("table,row,row2,row3,quantity,value,low,high\r\n", out);
    view_items(view, result, write_item, &csv);
    return ferror(out) ? -EIO : 0;
}
