/* A character as a page of HTML. */
#include <math.h>

#include "character/character.h"
#include "picture/html.h"
#include "picture/report_parts.h"
#include "version.h"

/* Figures in us of one answer are shown as bars beside one another. */
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

/* A bar of SHARE, 0 to 1, as a picture. */
static void print_bar(double share, FILE *out)
{
    fprintf(out,
            "<svg width=120 height=10 role=img aria-hidden=true><rect width=%.1f height=10 "
            "fill='#0060a0'/></svg>",
            fmin(1, fmax(0, share)) * 120);
}

static void print_detail(const struct character_detail *detail, double largest, FILE *out)
{
    char figure[CHARACTER_FIGURE_SIZE];
    const char unit = detail->has_figure ? detail->unit[0] : '\0';

    fputs("<tr><th>", out);
    html_print(out, "%s", detail->name);
    fputs("</th><td>", out);
    html_print(out, "%s", character_figure(detail, figure));
    fputs("</td><td>", out);
    if (unit == '%')
        print_bar(detail->figure.estimate / 100, out);
    else if (unit == 'u' && largest > 0)
        print_bar(detail->figure.estimate / largest, out);
    fputs("</td><td class=text>", out);
    html_print(out, "%s", detail->text);
    fputs("</td></tr>\n", out);
}

static void print_paragraph(const char *label, const char *text, FILE *out)
{
    if (!text[0])
        return;
    fprintf(out, "<p><b>%s</b> ", label);
    html_print(out, "%s", text);
    fputs("</p>\n", out);
}

static void print_answer(const struct character_answer *answer, FILE *out)
{
    const double largest = largest_time(answer);

    fputs("<h2>", out);
    html_print(out, "%s", answer->question);
    fputs("</h2>\n", out);
    print_paragraph(answer->known ? "Answer:" : "", answer->text, out);
    if (answer->detail_count > 0) {
        fputs("<div class=wide><table>\n", out);
        for (size_t i = 0; i < answer->detail_count; i++)
            print_detail(&answer->details[i], largest, out);
        fputs("</table></div>\n", out);
    }
    print_paragraph("For users:", answer->meaning, out);
    print_paragraph("Left unknown:", answer->unknown, out);
}

int character_write_page(const void *data, FILE *out)
{
    const struct character *character = data;

    fprintf(out,
            "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
            "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
            "<meta name=color-scheme content='light dark'>\n<title>nfsbench: character</title>\n"
            "<style>\n%s</style>\n</head>\n<body>\n<header>\n<p class=tool>nfsbench %s</p>\n<h1>",
            report_style, NFSBENCH_VERSION);
    html_print(out, "The character of %s", character->target);
    fputs("</h1>\n<p class=soft>", out);
    html_print(out, "NFSv3 over %s, %s", character->transport, character->start);
    fputs("</p>\n</header>\n<main>\n", out);
    for (size_t i = 0; i < character->answer_count; i++)
        print_answer(&character->answers[i], out);
    fputs("</main>\n</body>\n</html>\n", out);
    return 0;
}
