#include "characterize/character_compare.h"

#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/result/result_file.h"
#include "output/view/terminal.h"

enum { INDENT = 4, LINE_SIZE = 4 * PRINTABLE_SIZE };

const struct character_answer *character_find(const struct character *character, const char *name)
{
    for (size_t i = 0; i < character->answer_count; i++)
        if (strcmp(character->answers[i].name, name) == 0)
            return &character->answers[i];
    return NULL;
}

const struct character_detail *answer_find(const struct character_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->detail_count; i++)
        if (strcmp(answer->details[i].name, name) == 0)
            return &answer->details[i];
    return NULL;
}

bool character_figures_differ(const struct character_detail *first,
                              const struct character_detail *second)
{
    const struct interval *a = &first->figure, *b = &second->figure;
    const double apart = fabs(a->estimate - b->estimate);

    if (isnan(a->low) || isnan(b->low))
        return apart > 0.2 * fmax(fabs(a->estimate), fabs(b->estimate));
    return a->high < b->low || b->high < a->low;
}

static void print_line(const char *line, unsigned indent, FILE *out)
{
    terminal_print_wrapped_to(terminal_of(out).columns, line, indent, out);
}

static void print_words(char side, const struct character_answer *answer, FILE *out)
{
    char line[LINE_SIZE];

    snprintf(line, sizeof line, "%*s%c: %s", INDENT, "", side,
             answer ? printable(answer->text).text : "this experiment was not made");
    print_line(line, INDENT + 3, out);
}

/* Print two details if both have figures that differ. Returns whether they were printed. */
static bool print_difference(const struct character_detail *first,
                             const struct character_detail *second, FILE *out)
{
    char a[CHARACTER_FIGURE_SIZE], b[CHARACTER_FIGURE_SIZE], line[LINE_SIZE];

    if (!first->has_figure || !second->has_figure || !character_figures_differ(first, second))
        return false;
    character_figure(first, a);
    character_figure(second, b);
    snprintf(line, sizeof line, "%*s%-30s  A %s  B %s", INDENT, "", printable(first->name).text,
             printable(a).text, printable(b).text);
    print_line(line, INDENT + 32, out);
    return true;
}

static void print_differences(const struct character_answer *first,
                              const struct character_answer *second, FILE *out)
{
    size_t compared = 0, differ = 0;

    for (size_t i = 0; i < first->detail_count; i++) {
        const struct character_detail *detail = &first->details[i];
        const struct character_detail *other = answer_find(second, detail->name);

        compared += other && detail->has_figure && other->has_figure;
        differ += other && print_difference(detail, other, out);
    }
    if (compared > 0)
        fprintf(out, "%*s%zu of %s differ\n", INDENT, "", differ, counted(compared, "figure").text);
}

static void print_pair(const struct character_answer *first, const struct character_answer *second,
                       FILE *out)
{
    const struct character_answer *either = first ? first : second;
    char line[LINE_SIZE];

    snprintf(line, sizeof line, "%s: %s", either->name, printable(either->question).text);
    fputc('\n', out);
    print_line(line, INDENT, out);
    if (first && second && strcmp(first->text, second->text) == 0) {
        snprintf(line, sizeof line, "%*sboth: %s", INDENT, "", printable(first->text).text);
        print_line(line, INDENT + 3, out);
    } else {
        print_words('A', first, out);
        print_words('B', second, out);
    }
    if (first && second && first->known && second->known)
        print_differences(first, second, out);
}

static void print_side(char side, const struct result_file *file, FILE *out)
{
    const struct character *character = file->own;

    fprintf(out, "%c  %s", side, printable(file->result.path).text);
    fprintf(out, "  character of %s%s\n",
            printable(character->origin.target ? character->origin.target : "?").text,
            character->quick ? ", quick" : "");
}

int character_pair_print(const void *data, FILE *out)
{
    const struct result_file *files = data;
    const struct character *first = files[0].own, *second = files[1].own;

    print_side('A', &files[0], out);
    print_side('B', &files[1], out);
    for (size_t i = 0; i < first->answer_count; i++)
        print_pair(&first->answers[i], character_find(second, first->answers[i].name), out);
    for (size_t i = 0; i < second->answer_count; i++)
        if (!character_find(first, second->answers[i].name))
            print_pair(NULL, &second->answers[i], out);
    print_line("\nTwo figures differ if their intervals do not overlap or, without intervals, if "
               "they are a fifth apart. Each figure is of one run.",
               0, out);
    return 0;
}
