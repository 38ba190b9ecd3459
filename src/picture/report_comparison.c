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

static void print_largest(const struct compare_pair *pair, const struct compare_row *row,
                          size_t judged, char letter, FILE *out)
{
    const size_t slower = count_word(pair, COMPARISON_SLOWER);

    html_print(out, "%s is <b class=%s>%s in %c</b> than in A, by ", row->first->op,
               row->word == COMPARISON_SLOWER ? "slower" : "faster",
               comparison_verdict_names[row->word], letter);
    report_interval(&row->comparison.difference, true, out);
    if (!isnan(row->share))
        html_print(out, ", %+.1f %%", 100 * row->share);
    html_print(out, ". Of %zu comparable ops, %zu %s slower in %c, and %zu faster.", judged, slower,
               slower == 1 ? "is" : "are", letter, count_word(pair, COMPARISON_FASTER));
    if (strcmp(row->first->op, "null") != 0)
        print_null_difference(pair, out);
}

static void print_difference(const struct compare_pair *pair, char letter, FILE *out)
{
    const struct compare_row *row = largest_difference(pair);
    size_t judged = pair->count - count_word(pair, COMPARISON_NOT_COMPARABLE);

    if (row)
        print_largest(pair, row, judged, letter, out);
    else if (count_word(pair, COMPARISON_UNKNOWN) == judged && judged > 0)
        html_print(out,
                   "Whether %c and A differ is not known: there is one launch of each, which does "
                   "not show how much launches vary.",
                   letter);
    else
        html_print(out, "No difference was seen between %c and A, of %zu comparable ops.", letter,
                   judged);
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

/* As tables, in which the sides have letters of their own */

enum { HEADING_SIZE = 24 };

static void print_tables(const struct view_row *root, char letter, FILE *out)
{
    static const struct view_line open[] = {{"{open}.", "pairs/figures"}, {NULL}};
    static const struct view_line of_row[] = {COMPARE_REMARKS("{word}{?: {reason}}" COMPARE_BELOW)};
    static const struct view_line of_figure[] = {COMPARE_REMARKS("{?(!reason){word}}")};
    char name[] = {letter, '\0'}, us_of[HEADING_SIZE], less[HEADING_SIZE], less_us[HEADING_SIZE];
    const struct view_column rows[] = {
        {"op", "op"},
        {"quantity", "compared", .flags = VIEW_LEFT},
        {"first_ns", "A µs", 0, 3, VIEW_US},
        {"second_ns", us_of, 0, 3, VIEW_US},
        {"difference_ns", less_us, 0, 3, VIEW_US, VIEW_SIGNED | VIEW_BOTH},
        {"share", "% of A", 0, 1, 100},
        {"shown_p", "p"},
        {NULL},
    };
    const struct view_column figures[] = {
        {"of", ""},
        {"name", "figure", .flags = VIEW_LEFT},
        {"a", "A", .decimals = VIEW_FIT, .width = 7},
        {"b", name, .decimals = VIEW_FIT, .width = 7},
        {"b_less_a", less, .decimals = VIEW_FIT, .flags = VIEW_SIGNED, .width = 7},
        {"range", "95 %"},
        {NULL},
    };

    snprintf(us_of, sizeof us_of, "%c µs", letter);
    snprintf(less, sizeof less, "%c − A", letter);
    snprintf(less_us, sizeof less_us, "%c − A µs", letter);
    page_print_table(
        &report_form,
        &(struct view_table){"pairs/rows", .columns = rows, .remarks = of_row, .when = "shown"},
        root, out);
    page_print_table(&report_form,
                     &(struct view_table){"pairs/figures", .columns = figures, .remarks = of_figure,
                                          .notes = open},
                     root, out);
}

static void print_pair(struct compare_pair *pair, char letter, FILE *out)
{
    static const struct view_line notes[] = {{"{}", "pairs/notes"}, {NULL}};
    const struct compare_result result = {
        .pairs = pair, .count = 1, .threshold = {.share = NAN, .ns = NAN}};
    const struct view_row root = view_root(&view_comparison, &result, false);

    html_print(out, "<h3>%c, %s, against A, %s</h3>\n", letter, pair->second->path,
               pair->first->path);
    print_tables(&root, letter, out);
    if (pair->count == 0)
        page_print_lines(&report_form, notes, &root, PAGE_NOTE, out);
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
