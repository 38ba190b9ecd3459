#include "report/report_parts.h"

#include <string.h>

#include "output/result/result_fields.h"
#include "output/view/number.h"
#include "picture/html.h"
#include "picture/panel.h"

void report_letter(const struct report *report, size_t file, const char *before, FILE *out)
{
    fputs(before, out);
    if (report->set->count > 1)
        html_print(out, "<b class=letter>%c</b> ", result_set_letter(file));
}

struct view_row report_row(const struct report *report, size_t file)
{
    static const char letters[][2] = {"A", "B", "C", "D", "E", "F", "G", "H",
                                      "I", "J", "K", "L", "M", "N", "O", "P"};
    const struct result *result = report->set->results[file];

    return (struct view_row){.fields = result_file_fields,
                             .object = result,
                             .root = result,
                             .name = report->set->count > 1 ? letters[file] : NULL,
                             .verbose = true};
}

const char *report_known(const char *text)
{
    return text ? text : "?";
}

const char *report_target(const struct result *result)
{
    const char *text = report_known(result->target.text);

    return strncmp(text, "self:", 5) == 0 ? "the embedded server" : text;
}

void report_verdict(const struct result *result, FILE *out)
{
    const char *verdict = verdict_name(result->validity.verdict);

    html_print(out, "<span class='verdict %s'>verdict %s</span>", verdict, verdict);
}

void report_op(const char *op, const char *label, FILE *out)
{
    if (strcmp(op, "null") == 0) /* null has the colour of text, here as in pictures */
        html_print(out, "<i class='op ink'></i>%s", label);
    else
        html_print(out, "<i class=op style='background:%s'></i>%s", plot_style_of(op).colour,
                   label);
}

void report_interval(const struct interval *interval, bool with_sign, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    html_print(out,
               with_sign ? "%+.3f µs <span class=ci>%s</span>" : "%.3f µs <span class=ci>%s</span>",
               interval->estimate / 1000, number_interval(interval, 1000, 3, with_sign, bracket));
}
