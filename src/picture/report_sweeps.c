/* What sweeps and security ladders found at each point, and what that teaches. */
#include <string.h>

#include "picture/html.h"
#include "picture/report_parts.h"

static const struct view_column point_columns[] = {
    {"clients", "clients"},
    {"depth", "depth"},
    {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^swept_size"},
    {"rate_per_s", "rate", .flags = VIEW_IF_ANY, .when = "^swept_rate|^find_max"},
    {"throughput_per_s.level", "calls/s", .flags = VIEW_BOTH},
    {"mean_ns.level", "mean µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"p50_ns.level", "p50 µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"p99_ns.level", "p99 µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"above_null_ns.level", "above null µs", 0, 3, VIEW_US, VIEW_BOTH},
    {"mb_per_s.level", "MB/s", .decimals = 1, .flags = VIEW_BOTH},
    {"trials", "trials"},
    {"limited_by", "limited by", .flags = VIEW_LEFT},
    {NULL},
};

static const struct view_column rung_columns[] = {
    {"name", "op"},
    {"security", "sec", .flags = VIEW_LEFT},
    {"depth", "depth"},
    {"round_trip_ns.level", "round trip µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"above_sys_ns.level", "above AUTH_SYS µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"client_cpu_ns_per_call.level", "client CPU µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"server_cpu_ns_per_call.level", "server CPU µs", 0, 2, VIEW_US, VIEW_BOTH},
    {"throughput_per_s.level", "calls/s", .flags = VIEW_BOTH},
    {"throughput_of_sys.level", "% of AUTH_SYS", 0, 1, 100, VIEW_BOTH},
    {"trials", "trials"},
    {NULL},
};

/* A kind's points are shown with the intervals of all figures; the rest is what its view shows. */
static const struct kind {
    const struct view *view;
    struct view_table points;
    const char *heading, *about;
} kinds[] = {
    {&view_sweep,
     {"points", .columns = point_columns},
     "Points",
     "Levels over the trials of each point, with 95 % intervals."},
    {&view_sec_ladder,
     {"points", .columns = rung_columns},
     "What security costs",
     "Each flavor against AUTH_SYS in the same rounds; levels over the trials, with 95 % "
     "intervals. Processor time is per call."},
};

/* The verdict, which is the last of the notes, is among the doubts. */
static void print_rest(const struct view *view, const struct view_row *root, FILE *out)
{
    for (const struct view_table *table = view->tables; table->rows; table++)
        if (strcmp(table->rows, "points") != 0)
            page_print_table(&report_form, table, root, out);
    for (const struct view_line *note = view->notes; !strstr(note->text, "verdict"); note++)
        page_print_lines(&report_form, (const struct view_line[]){*note, {NULL}}, root, PAGE_NOTE,
                         out);
}

static void print_file(const struct report *report, size_t number, const struct kind *kind,
                       FILE *out)
{
    const struct result_file *file = &report->set->files[number];
    const void *result = file->sweep ? (const void *)file->sweep : file->sec_ladder;
    const struct view_row root = view_root(kind->view, result, false);

    report_letter(report, number, "<h3>", out);
    if (file->sweep)
        report_op(file->sweep->op, file->sweep->op, out);
    else
        html_print(out, "%s", file->result.path);
    fputs("</h3>\n", out);
    page_print_table(&report_form, &kind->points, &root, out);
    print_rest(kind->view, &root, out);
}

void report_sweeps(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].view->kind != report->set->kind)
            continue;
        html_print(out, "<h2>%s</h2>\n<p class=soft>%s</p>\n", kinds[i].heading, kinds[i].about);
        for (size_t file = 0; file < report->set->file_count; file++)
            print_file(report, file, &kinds[i], out);
    }
}
