/* What experiments found at each point, and what that teaches. */
#include <string.h>

#include "picture/html.h"
#include "picture/report_parts.h"

/* With the intervals of all figures; the rest is what the view shows. */
static const struct view_column columns[] = {
    {"name", "op", .flags = VIEW_IF_ANY, .when = "^several_ops"},
    {"variant", "variant", .flags = VIEW_LEFT | VIEW_IF_ANY},
    {"clients", "clients"},
    {"depth", "depth"},
    {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^varies_size !^several_ops"},
    {"rate_per_s", "rate", .flags = VIEW_IF_ANY},
    {"throughput_per_s.level", "calls/s", .flags = VIEW_BOTH},
    {"typical_rate_per_s.level", "typical calls/s", .flags = VIEW_BOTH | VIEW_IF_ANY},
    {"typical_ns.level", "typical µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"{+above/1000:2} [{above_low/1000:2}, {above_high/1000:2}]", "above the reference µs",
     .flags = VIEW_IF_ANY},
    {"mean_ns.level", "mean µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"p50_ns.level", "p50 µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"p99_ns.level", "p99 µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"above_null_ns.level", "above null µs", 0, 3, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"mb_per_s.level", "MB/s", .decimals = 1, .flags = VIEW_BOTH | VIEW_IF_ANY},
    {"client_cpu_ns_per_call.level", "client CPU µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"server_cpu_ns_per_call.level", "server CPU µs", 0, 2, VIEW_US, VIEW_BOTH | VIEW_IF_ANY},
    {"units", "trials"},
    {"limited_by", "limited by", .flags = VIEW_LEFT},
    {NULL},
};

static const struct view_table cells = {"cells", .columns = columns};

/* The verdict, which is the last of the notes, is among the doubts. */
static void print_file(const struct report *report, size_t number, FILE *out)
{
    const struct result_file *file = &report->set->files[number];
    const struct view *view = &view_experiment;
    const struct view_row root = view_root(view, file->experiment, false);

    report_letter(report, number, "<h3>", out);
    if (strchr(file->experiment->ops, ','))
        html_print(out, "%s", file->experiment->ops);
    else
        report_op(file->experiment->ops, file->experiment->ops, out);
    fputs("</h3>\n", out);
    page_print_table(&report_form, &cells, &root, out);
    for (const struct view_table *table = view->tables; table->rows; table++)
        if (strcmp(table->rows, "cells") != 0)
            page_print_table(&report_form, table, &root, out);
    for (const struct view_line *note = view->notes; !strstr(note->text, "verdict"); note++)
        page_print_lines(&report_form, (const struct view_line[]){*note, {NULL}}, &root, PAGE_NOTE,
                         out);
}

void report_experiments(const struct report *report, FILE *out)
{
    if (report->set->kind != RESULT_EXPERIMENT)
        return;
    fputs("<h2>Points</h2>\n<p class=soft>Levels over the trials of each point, with 95 % "
          "intervals. Processor time is per call.</p>\n",
          out);
    for (size_t file = 0; file < report->set->file_count; file++)
        print_file(report, file, out);
}
