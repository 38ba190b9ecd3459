/* Results over time as CSV (RFC 4180): a line for each result of each series; one with which the
 * level changed has the change, too. Times are in ns; what is not known is empty. */
#include <math.h>

#include "output/compare.h"
#include "output/csv.h"
#include "output/history.h"
#include "output/number.h"

static void write_text(const char *text, FILE *out)
{
    csv_write_text(text, out);
    fputc(',', out);
}

/* The change with which the result at INDEX begins; NULL: none does. */
static const struct change *change_at(const struct history_series *series, size_t index)
{
    for (size_t i = 0; i < series->changes.count; i++)
        if (series->changes.list[i].at == index)
            return &series->changes.list[i];
    return NULL;
}

static void write_point(const struct history_series *series, size_t index, FILE *out)
{
    const struct interval none = {NAN, NAN, NAN};
    const struct history_point *point = &series->points[index];
    const struct change *change = change_at(series, index);

    write_text(series->op, out);
    write_text(series->size, out);
    fprintf(out, "%s,", compare_quantity_key(series->quantity));
    write_text(series->settings, out);
    write_text(point->result->start, out);
    write_text(point->result->path, out);
    fputs(verdict_name(point->result->verdict), out);
    csv_write_interval(&point->value, NUMBER_WRITTEN_DIGITS, out);
    fprintf(out, ",%d", change != NULL);
    csv_write_number(change ? change->p : NAN, NUMBER_WRITTEN_DIGITS, out);
    csv_write_interval(change ? &change->means.difference : &none, NUMBER_WRITTEN_DIGITS, out);
    fputs("\r\n", out);
}

int history_write_csv(const void *data, FILE *out)
{
    const struct history *history = data;

    fputs("op,size,value,settings,start,file,verdict,value_ns,low_ns,high_ns,changed,p,"
          "difference_ns,difference_low_ns,difference_high_ns\r\n",
          out);
    for (size_t i = 0; i < history->series_count; i++)
        for (size_t j = 0; j < history->series[i].count; j++)
            write_point(&history->series[i], j, out);
    return 0;
}
