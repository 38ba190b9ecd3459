/* Results other than measurements, compared: the table for people. */
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/compare.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"

static const struct table_column columns[] = {
    {"", 22, true, 0},       {"figure", 21, true, 0}, {"A", 10, false, 0}, {"B", 10, false, 0},
    {"B - A", 10, false, 0}, {"95 %", 20, true, 2},   {"p", 7, false, 1},
};

enum { REMARK_SIZE = 256 };

static void describe(const struct compare_figure *figure, FILE *out, char remark[REMARK_SIZE])
{
    const struct interval *ratio = &figure->ratio;
    enum terminal_tone tone = figure->word == COMPARISON_SLOWER   ? TERMINAL_WORSE
                              : figure->word == COMPARISON_FASTER ? TERMINAL_BETTER
                                                                  : TERMINAL_FAINT;
    int length = snprintf(remark, REMARK_SIZE, "%s%s%s", terminal_tone(out, tone),
                          figure->reason ? "" : comparison_verdict_name(figure->word),
                          terminal_tone(out, TERMINAL_PLAIN));

    if (!figure->reason && !isnan(ratio->estimate))
        snprintf(remark + length, REMARK_SIZE - (size_t)length, "; B is %.3g times A [%.3g, %.3g]",
                 ratio->estimate, ratio->low, ratio->high);
}

static void print_figure(const struct compare_figure *figure, bool same_as_before,
                         struct table *table)
{
    const struct comparison *comparison = &figure->comparison;
    char bracket[NUMBER_INTERVAL_SIZE], remark[REMARK_SIZE];
    int decimals = figure->unit > 1 ? 3 : 1;

    describe(figure, table->out, remark);
    table_cell(table, "%s", same_as_before ? "" : printable(figure->of).text);
    table_cell(table, "%s", printable(figure->name).text);
    table_cell(table, "%.*f", decimals, comparison->first.estimate / figure->unit);
    table_cell(table, "%.*f", decimals, comparison->second.estimate / figure->unit);
    table_cell(table, "%+.*f", decimals, comparison->difference.estimate / figure->unit);
    table_cell(table, "%s",
               number_interval(&comparison->difference, figure->unit, decimals, true, bracket));
    if (isnan(comparison->difference.low))
        table_cell(table, "-");
    else
        table_cell(table, comparison->adjusted_p < 0.001 ? "<0.001" : "%.3f",
                   comparison->adjusted_p);
    table_end_row(table, remark);
}

size_t figures_with_reason(const struct compare_pair *pair, size_t index)
{
    const char *reason = pair->figures[index].reason;
    size_t count = 0;

    for (size_t i = 0; reason && i < pair->figure_count; i++) {
        const char *other = pair->figures[i].reason;

        if (!other || strcmp(other, reason) != 0)
            continue;
        if (i < index)
            return 0;
        count++;
    }
    return count;
}

static void print_reasons(const struct compare_pair *pair, FILE *out)
{
    for (size_t i = 0; i < pair->figure_count; i++) {
        size_t count = figures_with_reason(pair, i);

        if (count > 0)
            fprintf(out, "  %zu without a verdict: %s\n", count, pair->figures[i].reason);
    }
}

void figures_print(const struct compare_pair *pair, FILE *out)
{
    struct table table;

    if (pair->figure_count == 0)
        return;
    fputc('\n', out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < pair->figure_count; i++)
        print_figure(&pair->figures[i],
                     i > 0 && strcmp(pair->figures[i].of, pair->figures[i - 1].of) == 0, &table);
    fputc('\n', out);
    print_reasons(pair, out);
}
