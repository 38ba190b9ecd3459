/* A view as CSV (RFC 4180), in tidy form: a line for each number or choice that is known, after
 * where, when and with which settings it came to be, so that the lines of many files make one
 * table. */
#include <errno.h>

#include "output/csv.h"
#include "output/number.h"
#include "output/view.h"

enum { ROWS = 3 }; /* columns for the names of rows */

struct csv {
    FILE *out;
    struct view_row root;
};

static void write_cell(const struct view_cell *cell, FILE *out)
{
    if (cell->type == CELL_TEXT)
        csv_write_text(cell->text, out);
    else if (cell->type == CELL_NUMBER)
        fprintf(out, "%.*g", cell->exact ? 17 : NUMBER_WRITTEN_DIGITS, cell->number.estimate);
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
    for (size_t i = 0; i < ROWS; i++) {
        fputc(',', csv->out);
        if (i < item->key_count)
            csv_write_text(item->keys[i], csv->out);
    }
    fprintf(csv->out, ",%s", item->path);
    if (item->cell->type == CELL_NUMBER) {
        csv_write_interval(&item->cell->number, item->cell->exact ? 17 : NUMBER_WRITTEN_DIGITS,
                           csv->out);
    } else {
        fputc(',', csv->out);
        csv_write_text(item->cell->text, csv->out);
        fputs(",,", csv->out);
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
