#include "report/report.h"

#include <string.h>

#include "experiment/experiment.h"
#include "picture/html.h"
#include "report/report_parts.h"

/* Print the names of SET's ops, "getattr, lookup and read", or their number if there are many. The
 * op null is left out if there are other ops. */
static void print_ops(const struct result_set *set, FILE *out)
{
    enum { LISTED = 6 };
    size_t first = set->op_count > 1 && strcmp(set->ops[0], "null") == 0;
    size_t count = set->op_count - first;

    if (count > LISTED) {
        html_print(out, "%zu ops", count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        html_print(out, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", set->ops[first + i]);
}

/* Print the kind of SET's results and what was measured: "a sweep of getattr". */
static void print_kind(const struct result_set *set, FILE *out)
{
    static const char *const presets[] = {[PRESET_SWEEP] = "a sweep",
                                          [PRESET_SEC_LADDER] = "a security ladder",
                                          [PRESET_VARY] = "an experiment"};
    const struct result_file *file = set->files[0];
    const struct experiment_result *experiment = experiment_of(file);

    html_print(out, "%s", experiment ? presets[experiment->preset] : result_kind_name(file->kind));
    if (experiment)
        html_print(out, " of %s", experiment->ops);
    else if (file->breakdown_count == 1)
        html_print(out, " of %s", file->breakdowns[0].op);
}

void report_title(const struct report *report, FILE *out)
{
    if (report->title) {
        html_print(out, "%s", report->title);
        return;
    }
    if (result_file_has_ops(report->set->files[0]))
        print_ops(report->set, out);
    else
        print_kind(report->set, out);
    if (report->set->count > 1)
        html_print(out, ", %zu results compared", report->set->count);
    else
        html_print(out, " on %s", report_target(report->set->results[0]));
}

/* Print the names of the reasons for RESULT's verdict, and a link to their explanations. */
static void print_reasons(const struct report *report, const struct result *result, FILE *out)
{
    const struct validity *validity = &result->validity;

    for (size_t i = 0; i < validity->count; i++)
        html_print(out, "%s%s", i ? ", " : " ", validity->reasons[i].name);
    if (validity->count > 0)
        html_print(out, " <a href='#wary%zu'>details</a>", report->number);
}

/* Print each result's verdict and origin, first, so that a phone shows them without scrolling. */
static void print_files(const struct report *report, FILE *out)
{
    fputs("<ul class=files>\n", out);
    for (size_t i = 0; i < report->set->count; i++) {
        const struct result *result = report->set->results[i];

        report_letter(report, i, "<li>", out);
        report_verdict(result, out);
        print_reasons(report, result, out);
        html_print(out, "<br>%s · %s · %s · nfsbench %s</li>\n", result->path,
                   report_known(result->target.text), report_known(result->start),
                   report_known(result->tool.version));
    }
    fputs("</ul>\n", out);
}

void report_write(const struct report *report, FILE *out)
{
    if (!report->is_part) {
        print_files(report, out);
        fputs("<div class=pictures>\n", out);
        report_leading_pictures(report, out);
        fputs("</div>\n", out);
    }
    if (result_file_has_ops(report->set->files[0]))
        report_summary(report, out);
    else
        report_doubts(report, out);
    report_experiments(report, out);
    report_breakdowns(report, out);
    report_comparison(report, out);
    report_tables(report, out);
    report_pictures(report, out);
    if (!report->is_part) {
        report_environment(report, out);
        report_commands(report, out);
    }
}
