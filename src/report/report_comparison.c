/* Differences between a report's results, in words and as tables. */
#include <math.h>

#include "output/view/difference.h"
#include "output/view/number.h"
#include "picture/html.h"
#include "report/report_parts.h"

/* Make RESULT a comparison that has one pair, PAIR. Returns the root row of a view that shows
 * RESULT. The row's name is LETTER: the letter of PAIR's second side, or NULL. */
static struct view_row root_of(struct compare_pair *pair, const char *letter,
                               struct compare_result *result)
{
    struct view_row root;

    *result =
        (struct compare_result){.pairs = pair, .count = 1, .threshold = {.share = NAN, .ns = NAN}};
    root = view_root(&view_comparison, result, false);
    root.name = letter;
    return root;
}

static bool any_differs(const struct compare_pair *pair)
{
    for (size_t i = 0; i < pair->row_count; i++)
        if (pair->rows[i].word == COMPARISON_FASTER || pair->rows[i].word == COMPARISON_SLOWER)
            return true;
    return false;
}

size_t report_differences(const struct report *report, size_t most, FILE *out)
{
    static const struct view_line found[] = {
        {"{label} is {!{word} in {^^@}} than in A, by {difference_ns/1000:+3} us "
         "{difference_ns.ci95/1000:+3}{?, {share/0.01:+1} %}",
         "pairs/rows", .when = "shown word=slower|word=faster"},
        {NULL}};
    static const struct view_line none[] = {
        {"No difference was seen between {^@} and A{?; {basis}}", "pairs"}, {NULL}};
    size_t count = report->pair_count < most ? report->pair_count : most;

    for (size_t i = 0; i < count; i++) {
        const char letter[] = {result_set_letter(i + 1), '\0'};
        struct compare_result result;
        const struct view_row root = root_of(&report->pairs[i], letter, &result);

        page_print_lines(&report_form, any_differs(&report->pairs[i]) ? found : none, &root,
                         PAGE_HEAD, out);
    }
    return count;
}

enum { HEADING_SIZE = 24 };

static void print_tables(const struct view_row *root, char letter, FILE *out)
{
    static const struct view_line open[] = {{"{open}.", "pairs/figures"}, {NULL}};
    static const struct view_line of_row[] = {
        DIFFERENCE_REMARKS("{word}{?: {reason}}" DIFFERENCE_BELOW)};
    static const struct view_line of_figure[] = {DIFFERENCE_REMARKS("{?(!reason){word}}")};
    char name[] = {letter, '\0'}, us_of[HEADING_SIZE], less[HEADING_SIZE], less_us[HEADING_SIZE];
    const struct view_column rows[] = {
        {"label", "op"},
        {"quantity", "quantity", .flags = VIEW_LEFT},
        {"first_ns", "A µs", 0, 3, VIEW_US},
        {"second_ns", us_of, 0, 3, VIEW_US},
        {"difference_ns", less_us, 0, 3, VIEW_US, VIEW_SIGNED | VIEW_BOTH},
        {"share", "% of A", 0, 1, 100},
        {"shown_p", "p"},
        {NULL},
    };
    const struct view_column figures[] = {
        {"of", "point"},
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
    static const struct view_line path[] = {{"The path: {path_said}.", "pairs"}, {NULL}};
    struct compare_result result;
    const struct view_row root = root_of(pair, NULL, &result);

    html_print(out, "<h3>%c, %s, against A, %s</h3>\n", letter, pair->second->path,
               pair->first->path);
    page_print_lines(&report_form, path, &root, PAGE_NOTE, out);
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
    if (result_file_has_ops(report->set->files[0]))
        fputs("<p class=soft>Means over the launches; with one launch on each side, medians over "
              "the rounds. A difference counts if it is significant (p below 0.05, adjusted for "
              "the number of ops by Holm’s procedure) and larger than the noise floor of both "
              "runs.</p>\n",
              out);
}
