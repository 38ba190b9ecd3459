/* Phases of calls and steps of ladders as tables. */
#include <math.h>

#include "output/view/number.h"
#include "picture/html.h"
#include "report/report_parts.h"

static void print_part(const struct breakdown *breakdown, const struct breakdown_part *part,
                       FILE *out)
{
    html_print(out, "<tr><th>%s<td class=text>%s<td>", part->name,
               part->kind     ? part->kind
               : part->in_sum ? ""
                              : "not in the sum");
    if (isnan(part->ns.low))
        html_number(out, us(part->ns.estimate), 3);
    else
        report_interval(&part->ns, false, out);
    fputs("<td>", out);
    html_number(out, part->in_sum ? 100 * part->ns.estimate / breakdown->whole.estimate : NAN, 1);
    fputs("</tr>\n", out);
}

static void print_breakdown(const struct report *report, size_t file,
                            const struct breakdown *breakdown, FILE *out)
{
    char kinds[FIELD_ROOM];

    report_letter(report, file, "<h3>", out);
    report_op(breakdown->op, breakdown->name, out);
    fputs("</h3>\n", out);
    if (breakdown->view) {
        fputs("<p>", out);
        report_text(breakdown_kinds(breakdown, kinds), out);
        fputs("</p>\n", out);
    }
    report_begin_table(0, "", out);
    html_print(out,
               "<thead><tr><th>%s<th class=text><th>µs<th>%% of the call</tr></thead>\n<tbody>\n",
               breakdown->view ? "phase" : "step");
    for (size_t i = 0; i < breakdown->part_count; i++)
        print_part(breakdown, &breakdown->parts[i], out);
    html_print(out, "<tr><th>%s<td><td>",
               breakdown->view ? "measured lifetime" : "sum of the steps");
    html_number(out, us(breakdown->whole.estimate), 3);
    fputs("<td></tr>\n<tr><th>discrepancy<td><td><td>", out);
    html_number(out, 100 * breakdown->discrepancy, 2);
    fputs("</tr>\n</tbody></table></div>\n", out);
}

void report_breakdowns(const struct report *report, FILE *out)
{
    const struct result_set *set = report->set;

    if (set->files[0]->breakdown_count == 0)
        return;
    fputs("<h2>Where the time of a call goes</h2>\n", out);
    for (size_t i = 0; i < set->file_count; i++)
        for (size_t j = 0; j < set->files[i]->breakdown_count; j++)
            print_breakdown(report, i, &set->files[i]->breakdowns[j], out);
}
