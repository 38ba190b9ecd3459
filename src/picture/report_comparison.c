/* The differences between a report's results, in words and as tables. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/html.h"
#include "picture/report_parts.h"

/* In words */

static bool differs(const struct compare_row *row)
{
    return row->word == COMPARISON_FASTER || row->word == COMPARISON_SLOWER;
}

/* Of the rows that differ, the one that differs most; null only if no other does. NULL for none. */
static const struct compare_row *largest_difference(const struct compare_pair *pair)
{
    const struct compare_row *found = NULL;
    double largest = -1;

    for (size_t i = 0; i < pair->count; i++) {
        const struct compare_row *row = &pair->rows[i];
        double size =
            strcmp(row->first->op, "null") == 0 ? 0 : fabs(row->comparison.difference.estimate);

        if (differs(row) && size > largest) {
            found = row;
            largest = size;
        }
    }
    return found;
}

static void print_null_difference(const struct compare_pair *pair, FILE *out)
{
    const struct compare_row *row = &pair->rows[0];

    if (strcmp(row->first->op, "null") != 0 || !differs(row))
        return;
    fputs(" Null calls, which no op affects, differ by ", out);
    report_interval(&row->comparison.difference, true, out);
    fputs(".", out);
}

static size_t count_word(const struct compare_pair *pair, enum comparison_verdict word)
{
    size_t count = 0;

    for (size_t i = 0; i < pair->count; i++)
        count += pair->rows[i].word == word;
    return count;
}

static void print_difference(const struct compare_pair *pair, char letter, FILE *out)
{
    const struct compare_row *row = largest_difference(pair);
    size_t judged = pair->count - count_word(pair, COMPARISON_NOT_COMPARABLE);

    if (!row) {
        if (count_word(pair, COMPARISON_UNKNOWN) == judged && judged > 0) {
            html_print(out,
                       "Whether %c and A differ is not known: there is one launch of each, which "
                       "does not show how much launches vary.",
                       letter);
            return;
        }
        html_print(out, "No difference was found between %c and A: ", letter);
        html_print(out, "of %zu comparable ops, none differs by more than the noise.", judged);
        return;
    }
    html_print(out, "%s is ", row->first->op);
    fprintf(out, "<b class=%s>%s in %c</b> than in A, by ",
            row->word == COMPARISON_SLOWER ? "slower" : "faster",
            comparison_verdict_name(row->word), letter);
    report_interval(&row->comparison.difference, true, out);
    if (compare_share_is_known(row))
        html_print(out, ", %+.1f %%", 100 * row->share);
    html_print(out, ". Of %zu comparable ops, %zu %s slower in %c, and %zu faster.", judged,
               count_word(pair, COMPARISON_SLOWER),
               count_word(pair, COMPARISON_SLOWER) == 1 ? "is" : "are", letter,
               count_word(pair, COMPARISON_FASTER));
    if (strcmp(row->first->op, "null") != 0)
        print_null_difference(pair, out);
}

size_t report_differences(const struct report *report, size_t most, FILE *out)
{
    size_t count = report->pair_count < most ? report->pair_count : most;

    for (size_t i = 0; i < count; i++) {
        fputs("<li>", out);
        print_difference(&report->pairs[i], result_set_letter(i + 1), out);
        fputs("</li>\n", out);
    }
    return count;
}

/* As tables */

static void print_comparison_row(const struct compare_row *row, FILE *out)
{
    const struct comparison *comparison = &row->comparison;

    fputs("<tr><th>", out);
    report_op(row->first->op, row->first->op, out);
    if (row->word == COMPARISON_NOT_COMPARABLE) {
        fputs("<td class=text><td><td><td><td><td><td class=text>", out);
        html_print(out, "not comparable: %s", row->reason);
        fputs("</tr>\n", out);
        return;
    }
    fprintf(out, "<td class=text>%s<td>%.3f<td>%.3f<td>", compare_quantity_names[row->compared],
            us(comparison->first.estimate), us(comparison->second.estimate));
    report_interval(&comparison->difference, true, out);
    fputs("<td>", out);
    if (compare_share_is_known(row))
        html_number(out, 100 * row->share, 1);
    else
        fputs("–", out);
    fprintf(out, comparison->adjusted_p < 0.001 ? "<td>&lt;0.001" : "<td>%.3f",
            comparison->adjusted_p);
    fprintf(out, "<td class='text%s'>%s</tr>\n",
            row->word == COMPARISON_SLOWER   ? " slower"
            : row->word == COMPARISON_FASTER ? " faster"
                                             : "",
            comparison_verdict_name(row->word));
}

static void print_rows(const struct compare_pair *pair, char letter, FILE *out)
{
    fprintf(out,
            "<div class=wide tabindex=0><table>\n<thead><tr><th>op<th class=text>compared"
            "<th>A µs<th>%c µs<th>%c − A<th>%% of A<th>p<th class=text></tr></thead>\n<tbody>\n",
            letter, letter);
    for (size_t i = 0; i < pair->count; i++) {
        print_comparison_row(&pair->rows[i], out);
        for (size_t k = 0; k < COMPARE_FURTHER; k++)
            if (pair->rows[i].further[k] && compare_is_shown(pair->rows[i].further[k]))
                print_comparison_row(pair->rows[i].further[k], out);
    }
    fputs("</tbody></table></div>\n", out);
}

static const char *class_of(enum comparison_verdict word)
{
    return word == COMPARISON_SLOWER ? " slower" : word == COMPARISON_FASTER ? " faster" : "";
}

static void print_figure(const struct compare_figure *figure, FILE *out)
{
    const struct comparison *comparison = &figure->comparison;
    int decimals = figure->unit > 1 ? 3 : 1;
    char bracket[NUMBER_INTERVAL_SIZE];

    fputs("<tr><th>", out);
    html_print(out, "%s", figure->of);
    fputs("<td class=text>", out);
    html_print(out, "%s", figure->name);
    fputs("<td>", out);
    html_number(out, comparison->first.estimate / figure->unit, decimals);
    fputs("<td>", out);
    html_number(out, comparison->second.estimate / figure->unit, decimals);
    fputs("<td>", out);
    html_number(out, comparison->difference.estimate / figure->unit, decimals);
    if (!isnan(comparison->difference.low)) {
        fputs(" <span class=ci>", out);
        html_print(out, "%s",
                   number_interval(&comparison->difference, figure->unit, decimals, true, bracket));
        fputs("</span>", out);
    }
    fprintf(out, "<td class='text%s'>%s</tr>\n", class_of(figure->word),
            figure->reason ? "" : comparison_verdict_name(figure->word));
}

static void print_figures(const struct compare_pair *pair, char letter, FILE *out)
{
    fprintf(out,
            "<div class=wide tabindex=0><table>\n<thead><tr><th><th class=text>figure"
            "<th>A<th>%c<th>%c − A<th class=text></tr></thead>\n<tbody>\n",
            letter, letter);
    for (size_t i = 0; i < pair->figure_count; i++)
        print_figure(&pair->figures[i], out);
    fputs("</tbody></table></div>\n", out);
    for (size_t i = 0; i < pair->figure_count; i++) {
        size_t count = figures_with_reason(pair, i);

        if (count > 0)
            fprintf(out, "<p class=soft>%zu without a verdict: %s.</p>\n", count,
                    pair->figures[i].reason);
    }
}

static void print_pair(const struct compare_pair *pair, char letter, FILE *out)
{
    fputs("<h3>", out);
    html_print(out, "%c, %s, against A, %s", letter, pair->second->path, pair->first->path);
    fputs("</h3>\n", out);
    if (pair->count > 0)
        print_rows(pair, letter, out);
    if (pair->figure_count > 0)
        print_figures(pair, letter, out);
    for (size_t i = 0; i < pair->note_count && pair->count == 0; i++) {
        fputs("<p class=soft>", out);
        html_print(out, "%s", pair->notes[i]);
        fputs("</p>\n", out);
    }
}

void report_comparison(const struct report *report, FILE *out)
{
    if (report->pair_count == 0)
        return;
    fputs("<h2>What differs</h2>\n", out);
    for (size_t i = 0; i < report->pair_count; i++)
        print_pair(&report->pairs[i], result_set_letter(i + 1), out);
    if (result_file_has_ops(&report->set->files[0]))
        fputs("<p class=soft>Means over the launches; with one launch on each side, medians over "
              "the rounds. A difference counts if it is significant (p below 0.05, adjusted for "
              "the number of ops by Holm’s procedure) and larger than the noise floor of both "
              "runs.</p>\n",
              out);
}

/* Two sides of the same rounds */

static void print_side_part(const struct versus_row *row, enum versus_quantity quantity, FILE *out)
{
    const struct versus_part *part = &row->parts[quantity];
    char name[64];

    if (!part->judged)
        return;
    snprintf(name, sizeof name, "%s", versus_keys[quantity]);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    fputs("<tr><th>", out);
    report_op(row->first->op, row->first->op, out);
    fprintf(out, "<td class=text>%s<td>%.3f<td>%.3f<td>", name, us(part->comparison.first.estimate),
            us(part->comparison.second.estimate));
    report_interval(&part->comparison.difference, true, out);
    fputs("<td>", out);
    html_number(out, part->ratio.estimate, 3);
    fprintf(out, "<td class='text%s'>%s</tr>\n", class_of(part->word),
            comparison_verdict_name(part->word));
}

static void print_sides(const struct versus_result *versus, char first, FILE *out)
{
    char second = (char)(first + 1);

    fprintf(out,
            "<div class=wide tabindex=0><table>\n<thead><tr><th>op<th class=text>compared"
            "<th>%c µs<th>%c µs<th>%c − %c<th>%c over %c<th class=text></tr></thead>\n<tbody>\n",
            first, second, second, first, second, first);
    for (size_t i = 0; i < versus->count; i++)
        for (enum versus_quantity j = 0; j < VERSUS_QUANTITIES; j++)
            print_side_part(&versus->rows[i], j, out);
    fputs("</tbody></table></div>\n", out);
}

void report_sides(const struct report *report, FILE *out)
{
    if (report->set->kind != RESULT_VERSUS)
        return;
    fputs("<h2>How the sides differ</h2>\n<p class=soft>Both sides were measured in each round, so "
          "what disturbs both alike is not in the differences.</p>\n",
          out);
    for (size_t i = 0; i < report->set->file_count; i++)
        print_sides(&report->set->files[i].versus, result_set_letter(2 * i), out);
}
