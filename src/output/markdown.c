/* A comparison as Markdown tables, for a pull request or a note. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/compare.h"
#include "output/form.h"
#include "output/number.h"
#include "output/origin.h"
#include "output/result.h"

/* Can a name only be a word, in any form? */
static bool is_word(const char *name)
{
    return name[0] && name[0] != '-' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* TEXT as code, in which nothing means anything but what ends it, or a table's column. */
static void print_code(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputc('`', out);
    for (const char *c = shown.text; *c; c++)
        if (*c == '`' || *c == '|')
            fprintf(out, "\\x%02x", *c);
        else
            fputc(*c, out);
    fputc('`', out);
}

/* An op's name stands as it is where it can only be a word. */
static void print_name(const char *op, FILE *out)
{
    if (is_word(op))
        fputs(op, out);
    else
        print_code(op, out);
}

static void print_cell(double value, int decimals, FILE *out)
{
    if (isnan(value))
        fputs(" - |", out);
    else
        fprintf(out, " %.*f |", decimals, value);
}

/* A comparison */

static const char *const quantity_names[RESULT_QUANTITIES] = {
    "round trip", "cost above null", "mean cost above null", "p99 above null"};

/* "-0.1 to +0.2"; brackets would make a link. */
static const char *range_text(const struct interval *interval, char text[NUMBER_INTERVAL_SIZE])
{
    if (isnan(interval->low))
        return "-";
    snprintf(text, NUMBER_INTERVAL_SIZE, "%+.3f to %+.3f", interval->low / 1000,
             interval->high / 1000);
    return text;
}

static void print_row(const struct compare_row *row, FILE *out)
{
    const struct comparison *comparison = &row->comparison;
    char range[NUMBER_INTERVAL_SIZE];
    const char *bold = row->regression ? "**" : "";
    char ratio[80] = "";

    fputs("| ", out);
    print_name(row->first->op, out);
    if (row->word == COMPARISON_NOT_COMPARABLE) {
        fputs(" | | | | | | not comparable: ", out);
        print_code(row->reason, out);
        fputs(" | |\n", out);
        return;
    }
    if (!isnan(row->ratio.estimate))
        snprintf(ratio, sizeof ratio, ", %.3g times [%.3g, %.3g]", row->ratio.estimate,
                 row->ratio.low, row->ratio.high);
    fprintf(out, " | %s | %.3f | %.3f | %+.3f | %s | %s%s%s%s | %.3f |\n",
            quantity_names[row->compared], comparison->first.estimate / 1000,
            comparison->second.estimate / 1000, comparison->difference.estimate / 1000,
            range_text(&comparison->difference, range), bold, comparison_verdict_name(row->word),
            bold, ratio, comparison->adjusted_p);
}

/* What the gate says, and which files are doubtful: a list of lines that hold names, as code. */
static int write_remarks(const struct compare_result *result, FILE *out)
{
    char *text = NULL, *rest, *line;
    size_t length;
    FILE *memory = open_memstream(&text, &length);

    if (!memory)
        return -ENOMEM;
    compare_print_gate(result, "", memory);
    compare_print_doubts(result, "", memory);
    if (fclose(memory) != 0) {
        free(text);
        return -ENOMEM;
    }
    if (length > 0)
        fputc('\n', out);
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        fputs("- ", out);
        print_code(line, out);
        fputc('\n', out);
    }
    free(text);
    return 0;
}

static void print_figure(const struct compare_figure *figure, FILE *out)
{
    const struct comparison *comparison = &figure->comparison;
    int decimals = figure->unit > 1 ? 3 : 1;
    char bracket[NUMBER_INTERVAL_SIZE];

    fputs("| ", out);
    print_code(figure->of, out);
    fputs(" | ", out);
    print_code(figure->name, out);
    fputs(" |", out);
    print_cell(comparison->first.estimate / figure->unit, decimals, out);
    print_cell(comparison->second.estimate / figure->unit, decimals, out);
    print_cell(comparison->difference.estimate / figure->unit, decimals, out);
    fprintf(out, " %s | %s |",
            number_interval(&comparison->difference, figure->unit, decimals, true, bracket),
            figure->reason ? figure->reason : comparison_verdict_name(figure->word));
    print_cell(figure->reason ? NAN : comparison->adjusted_p, 3, out);
    fputc('\n', out);
}

static void print_rows(const struct compare_pair *pair, FILE *out)
{
    fputs("\n\n| op | compared | before us | after us | difference us | 95 % | | p |\n"
          "|---|---|---:|---:|---:|---|---|---:|\n",
          out);
    for (size_t i = 0; i < pair->count; i++) {
        print_row(&pair->rows[i], out);
        for (size_t k = 0; k < COMPARE_FURTHER; k++)
            if (compare_further_alone(&pair->rows[i], k))
                print_row(pair->rows[i].further[k], out);
    }
}

static void print_figures(const struct compare_pair *pair, FILE *out)
{
    fputs("\n\n| | figure | before | after | difference | 95 % | | p |\n"
          "|---|---|---:|---:|---:|---|---|---:|\n",
          out);
    for (size_t i = 0; i < pair->figure_count; i++)
        print_figure(&pair->figures[i], out);
}

static int write_comparison(const void *data, FILE *out)
{
    const struct compare_result *result = data;

    for (size_t i = 0; i < result->count; i++) {
        const struct compare_pair *pair = &result->pairs[i];

        fputs(i ? "\n" : "", out);
        print_code(pair->second->path, out);
        fputs(" against ", out);
        print_code(pair->first->path, out);
        if (pair->count > 0)
            print_rows(pair, out);
        if (pair->figure_count > 0)
            print_figures(pair, out);
        for (size_t j = 0; j < pair->note_count && pair->count == 0; j++) {
            fputs("\n- ", out);
            print_code(pair->notes[j], out);
            fputc('\n', out);
        }
    }
    return write_remarks(result, out);
}

const struct form form_markdown = {
    .writers = {[RESULT_COMPARISON] = write_comparison},
    .write_view = view_write_markdown,
};
