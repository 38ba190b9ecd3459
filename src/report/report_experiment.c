/* Experiments: the results of each cell, and their analysis. */
#include <string.h>

#include "experiment/experiment.h"
#include "picture/html.h"
#include "report/report_parts.h"

/* Print the tables and notes of file NUMBER's view. The last note, the verdict, is left out,
 * because it is printed with the doubts. */
static void print_file(const struct report *report, size_t number, FILE *out)
{
    const struct experiment_result *experiment = experiment_of(report->set->files[number]);
    const struct view_row root = view_root(&view_experiment, experiment, false);

    report_letter(report, number, "<h3>", out);
    if (strchr(experiment->ops, ','))
        html_print(out, "%s", experiment->ops);
    else
        report_op(experiment->ops, experiment->ops, out);
    fputs("</h3>\n", out);
    for (const struct view_table *table = view_experiment.tables; table->rows; table++)
        page_print_table(&report_form, table, &root, out);
    for (const struct view_line *note = view_experiment.notes; !strstr(note->text, "verdict");
         note++)
        page_print_lines(&report_form, (const struct view_line[]){*note, {NULL}}, &root, PAGE_NOTE,
                         out);
}

void report_experiments(const struct report *report, FILE *out)
{
    if (!experiment_of(report->set->files[0]))
        return;
    fputs("<h2>Points</h2>\n<p class=soft>Levels over the trials of each point, with 95 % "
          "intervals. cost: above the null call; client, server: processor time, per call in µs or "
          "in percent of one processor.</p>\n",
          out);
    for (size_t file = 0; file < report->set->file_count; file++)
        print_file(report, file, out);
}
