/* Writes a character, or two, as a page of HTML. */
#include <math.h>

#include "characterize/character_compare.h"
#include "output/result/result_file.h"
#include "picture/html.h"
#include "version.h"

/* Return the largest figure in us, to which the bars of an answer are scaled. */
static double largest_time(const struct character_answer *answer)
{
    double largest = 0;

    for (size_t i = 0; i < answer->detail_count; i++) {
        const struct character_detail *detail = &answer->details[i];

        if (detail->has_figure && detail->unit[0] == 'u' && detail->figure.estimate > largest)
            largest = detail->figure.estimate;
    }
    return largest;
}

/* Print a bar of SHARE, 0 to 1, as a picture. */
static void print_bar(double share, FILE *out)
{
    fprintf(out,
            "<svg width=120 height=10 role=img aria-hidden=true><rect width=%.1f height=10 "
            "fill='#0060a0'/></svg>",
            fmin(1, fmax(0, share)) * 120);
}

/* Print a bar for DETAIL if its figure is a share or, relative to LARGEST, a time. */
static void print_bar_of(const struct character_detail *detail, double largest, FILE *out)
{
    const char unit = detail->has_figure ? detail->unit[0] : '\0';

    if (unit == '%')
        print_bar(detail->figure.estimate / 100, out);
    else if (unit == 'u' && largest > 0)
        print_bar(detail->figure.estimate / largest, out);
}

static void print_detail(const struct character_detail *detail, double largest, FILE *out)
{
    char figure[CHARACTER_FIGURE_SIZE];

    html_print(out, "<tr><th>%s</th><td>%s</td><td>", detail->name,
               character_figure(detail, figure));
    print_bar_of(detail, largest, out);
    html_print(out, "</td><td class=text>%s</td></tr>\n", detail->text);
}

static void print_paragraph(const char *label, const char *text, FILE *out)
{
    if (text[0])
        html_print(out, "<p><b>%s</b> %s</p>\n", label, text);
}

static void print_answer(const struct character_answer *answer, FILE *out)
{
    const double largest = largest_time(answer);

    html_print(out, "<h2>%s</h2>\n", answer->question);
    print_paragraph(answer->known ? "Answer:" : "", answer->text, out);
    if (answer->detail_count > 0) {
        fputs("<div class=wide><table class=answers>\n", out);
        for (size_t i = 0; i < answer->detail_count; i++)
            print_detail(&answer->details[i], largest, out);
        fputs("</table></div>\n", out);
    }
    print_paragraph("For users:", answer->meaning, out);
    print_paragraph("Still unknown:", answer->unknown, out);
}

static void begin_page(const char *title, FILE *out)
{
    fprintf(out,
            "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
            "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
            "<meta name=color-scheme content='light dark'>\n<title>nfsbench: %s</title>\n"
            "<style>\n%s</style>\n</head>\n<body>\n<header>\n<p class=tool>nfsbench %s</p>\n<h1>",
            title, page_style, NFSBENCH_VERSION);
}

int character_write_page(const void *data, FILE *out)
{
    const struct character *character = data;

    begin_page("character", out);
    html_print(out,
               "The character of %s</h1>\n<p class=soft>NFSv3 over %s, %s</p>\n</header>\n<main>\n",
               character->origin.target, character->origin.transport, character->origin.start);
    for (size_t i = 0; i < character->answer_count; i++)
        print_answer(&character->answers[i], out);
    fputs("</main>\n</body>\n</html>\n", out);
    return 0;
}

/* Two characters */

static void print_side(const struct character_detail *detail, double largest, FILE *out)
{
    char figure[CHARACTER_FIGURE_SIZE];

    fputs("<td>", out);
    if (detail) {
        html_print(out, "%s ", character_figure(detail, figure));
        print_bar_of(detail, largest, out);
        html_print(out, "<small>%s</small>", detail->text);
    }
    fputs("</td>", out);
}

static void print_row(const struct character_detail *first, const struct character_detail *second,
                      double largest, FILE *out)
{
    html_print(out, "<tr><th>%s", first ? first->name : second->name);
    if (first && second && first->has_figure && second->has_figure &&
        character_figures_differ(first, second))
        fputs(" <span class='verdict suspect'>differ</span>", out);
    fputs("</th>", out);
    print_side(first, largest, out);
    print_side(second, largest, out);
    fputs("</tr>\n", out);
}

static const struct character_detail *find_in(const struct character_answer *answer,
                                              const char *name)
{
    return answer ? answer_find(answer, name) : NULL;
}

/* Print the answers FIRST and SECOND, one of which may be NULL. EITHER is one that is not NULL. */
static void print_both(const struct character_answer *first, const struct character_answer *second,
                       const struct character_answer *either, FILE *out)
{
    const double largest = fmax(first ? largest_time(first) : 0, second ? largest_time(second) : 0);

    html_print(out, "<h2>%s</h2>\n", either->question);
    print_paragraph("A", first ? first->text : "This experiment was not made.", out);
    print_paragraph("B", second ? second->text : "This experiment was not made.", out);
    fputs("<div class=wide><table class=answers>\n<tr><th></th><th>A</th><th>B</th></tr>\n", out);
    for (size_t i = 0; first && i < first->detail_count; i++)
        print_row(&first->details[i], find_in(second, first->details[i].name), largest, out);
    for (size_t i = 0; second && i < second->detail_count; i++)
        if (!find_in(first, second->details[i].name))
            print_row(NULL, &second->details[i], largest, out);
    fputs("</table></div>\n", out);
}

static void print_origin(char side, const struct character *character, FILE *out)
{
    html_print(out, "%c: %s, %s%s. ", side,
               character->origin.target ? character->origin.target : "?", character->origin.start,
               character->quick ? ", quick" : "");
}

int character_pair_write_page(const void *data, FILE *out)
{
    const struct result_file *files = data;
    const struct character *first = files[0].own, *second = files[1].own;

    begin_page("two characters", out);
    fputs("Two characters</h1>\n<p class=soft>", out);
    print_origin('A', first, out);
    print_origin('B', second, out);
    fputs(
        "Figures are marked as different if their intervals do not overlap or, without intervals, "
        "if they differ by a fifth. Each figure is from one run.</p>\n</header>\n<main>\n",
        out);
    for (size_t i = 0; i < first->answer_count; i++)
        print_both(&first->answers[i], character_find(second, first->answers[i].name),
                   &first->answers[i], out);
    for (size_t i = 0; i < second->answer_count; i++)
        if (!character_find(first, second->answers[i].name))
            print_both(NULL, &second->answers[i], &second->answers[i], out);
    fputs("</main>\n</body>\n</html>\n", out);
    return 0;
}
