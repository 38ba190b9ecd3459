/* A comparison as CSV (RFC 4180): a line for each cost of each op of each pair. Times are in ns;
 * what is not known is empty. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/compare.h"
#include "output/csv.h"

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

void csv_write_number(double value, int digits, FILE *out)
{
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, digits > 0 ? "%.*g" : "%.*f", abs(digits), value);
}

void csv_write_interval(const struct interval *interval, int digits, FILE *out)
{
    csv_write_number(interval->estimate, digits, out);
    csv_write_number(interval->low, digits, out);
    csv_write_number(interval->high, digits, out);
}

enum { DECIMALS = CSV_DECIMALS(3) }; /* of ns */

static const struct interval not_known = {NAN, NAN, NAN};

static void print_number(double value, FILE *out)
{
    csv_write_number(value, DECIMALS, out);
}

/* A comparison */

/* Can a name only be a word, in any form? */
static bool is_word(const char *name)
{
    return name[0] && name[0] != '-' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* An op's name, without quotes if it can only be a word. */
static void print_op_field(const char *op, FILE *out)
{
    if (is_word(op))
        fputs(op, out);
    else
        csv_write_text(op, out);
}

static void print_figures(const struct compare_row *row, FILE *out)
{
    const struct comparison *comparison = &row->comparison;

    if (row->word == COMPARISON_NOT_COMPARABLE) {
        fputs(",,,,,,,,", out);
        return;
    }
    print_number(comparison->first.estimate, out);
    print_number(comparison->second.estimate, out);
    csv_write_interval(&comparison->difference, DECIMALS, out);
    csv_write_number(compare_share_is_known(row) ? row->share : NAN, CSV_DECIMALS(6), out);
    csv_write_number(comparison->p, 6, out);
    csv_write_number(comparison->adjusted_p, 6, out);
}

static void print_comparison(const struct compare_pair *pair, const struct compare_row *row,
                             FILE *out)
{
    csv_write_text(pair->first->path, out);
    fputc(',', out);
    csv_write_text(pair->second->path, out);
    fputc(',', out);
    print_op_field(row->first->op, out);
    fprintf(out, ",%s", compare_quantity_key(row->compared));
    print_figures(row, out);
    fprintf(out, ",%s,", comparison_verdict_name(row->word));
    if (row->reason[0])
        csv_write_text(row->reason, out);
    fprintf(out, ",%d", row->regression);
    csv_write_interval(row->word == COMPARISON_NOT_COMPARABLE ? &not_known : &row->ratio,
                       CSV_DECIMALS(6), out);
    fprintf(out, ",%zu,%zu\r\n", row->first_launches, row->second_launches);
}

/* In the same columns, in the unit that its key names. */
static void print_figure(const struct compare_pair *pair, const struct compare_figure *figure,
                         FILE *out)
{
    const struct comparison *comparison = &figure->comparison;
    bool judged = !figure->reason;

    csv_write_text(pair->first->path, out);
    fputc(',', out);
    csv_write_text(pair->second->path, out);
    fputc(',', out);
    csv_write_text(figure->of, out);
    fprintf(out, ",%s", figure->key);
    csv_write_number(comparison->first.estimate, DECIMALS, out);
    csv_write_number(comparison->second.estimate, DECIMALS, out);
    csv_write_interval(&comparison->difference, DECIMALS, out);
    fputc(',', out);
    csv_write_number(judged ? comparison->p : NAN, 6, out);
    csv_write_number(judged ? comparison->adjusted_p : NAN, 6, out);
    fprintf(out, ",%s,", comparison_verdict_name(figure->word));
    if (figure->reason)
        csv_write_text(figure->reason, out);
    fprintf(out, ",%d", figure->regression);
    csv_write_interval(&figure->ratio, CSV_DECIMALS(6), out);
    fputs(",,\r\n", out);
}

int compare_write_csv(const void *data, FILE *out)
{
    const struct compare_result *result = data;

    fputs("first,second,op,compared,first_ns,second_ns,difference_ns,low_ns,high_ns,share,p,"
          "adjusted_p,word,reason,regression,ratio,ratio_low,ratio_high,first_launches,"
          "second_launches\r\n",
          out);
    for (size_t i = 0; i < result->count; i++) {
        const struct compare_pair *pair = &result->pairs[i];

        for (size_t j = 0; j < pair->count; j++) {
            print_comparison(pair, &pair->rows[j], out);
            for (size_t k = 0; k < COMPARE_FURTHER; k++)
                if (pair->rows[j].further[k])
                    print_comparison(pair, pair->rows[j].further[k], out);
        }
        for (size_t j = 0; j < pair->figure_count; j++)
            print_figure(pair, &pair->figures[j], out);
    }
    return 0;
}
