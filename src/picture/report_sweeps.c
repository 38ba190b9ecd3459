/* What sweeps and security ladders found at each point, and what that teaches, as tables. */
#include <math.h>

#include "output/number.h"
#include "picture/html.h"
#include "picture/report_parts.h"

static const struct view_column points[] = {
    {"clients", "clients"},
    {"depth", "depth"},
    {"swept.size", "bytes", .flags = VIEW_IF_ANY},
    {"swept.rate", "rate", .flags = VIEW_IF_ANY},
    {"throughput_per_s.level", "calls/s", .flags = VIEW_RANGE},
    {"mean_ns.level", "mean µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"p50_ns.level", "p50 µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"p99_ns.level", "p99 µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"above_null_ns.level", "above null µs", 0, 3, VIEW_US, VIEW_RANGE},
    {"mb_per_s.level", "MB/s", .decimals = 1, .flags = VIEW_RANGE},
    {"trials", "trials"},
    {"limited_by", "limited by", .flags = VIEW_LEFT},
    {NULL},
};

static void print_bracketed(const char *what, const struct interval *value, int decimals,
                            const char *unit, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    if (!isnan(value->estimate))
        html_print(out, "%s%.*f %s%s", what, decimals, value->estimate,
                   isnan(value->low) ? "" : number_interval(value, 1, decimals, false, bracket),
                   unit);
}

static void print_scaling(const struct sweep *sweep, const struct sweep_scaling *scaling, FILE *out)
{
    fputs("<li>", out);
    if (sweep->swept_size)
        html_print(out, "Of %u bytes: ", scaling->size);
    if (scaling->has_knee) {
        print_bracketed("the knee is at ", &scaling->knee.concurrency, 2, " calls in flight", out);
        html_print(out, "%s; ", scaling->knee.lower_bound ? " or higher" : "");
        print_bracketed("the highest throughput is ", &scaling->knee.throughput_maximum, 0,
                        " calls/s", out);
        html_print(out, ". ");
    }
    if (scaling->has_law) {
        print_bracketed("The scalability law: contention ", &scaling->law.sigma, 4, "", out);
        print_bracketed(", coherency ", &scaling->law.kappa, 6, ".", out);
    } else {
        html_print(out, "There is no scalability law: %s.", scaling->missing);
    }
    fputs("</li>\n", out);
}

/* Of what WHAT names. */
static void print_pieces(const struct sweep_sizes *sizes, const char *what, FILE *out)
{
    for (size_t i = 0; i < sizes->piece_count; i++) {
        const struct piecewise_piece *piece = &sizes->cost.piece[i];

        fputs("<li>", out);
        html_print(out, "From %.0f to %.0f bytes, %s: ", piece->first, piece->last, what);
        if (piece->fixed_known) {
            report_interval(&piece->fixed_ns, false, out);
            html_print(out, " and ");
        }
        if (piece->slope_known)
            print_bracketed("", &piece->ns_per_byte, 4, " ns a byte.", out);
        if (!piece->fixed_known && !piece->slope_known)
            html_print(out, "the points are on no line.");
        fputs("</li>\n", out);
    }
    if (sizes->piece_count == 0) {
        fputs("<li>", out);
        html_print(out, "There is no line by size, %s: %s.", what, sizes->missing);
        fputs("</li>\n", out);
    }
}

static void print_analysis(const struct sweep *sweep, FILE *out)
{
    fputs("<ul>\n", out);
    for (size_t i = 0; i < sweep->scaling_count; i++)
        print_scaling(sweep, &sweep->scaling[i], out);
    for (size_t i = 0; i < sweep->sizes_count; i++)
        print_pieces(&sweep->sizes[i], sweep->sizes[i].above_null ? "above null" : "a typical call",
                     out);
    if (sweep->objective_text) {
        fputs("<li>", out);
        html_print(out, "%s: %s", sweep->objective_text,
                   objective_outcome_names[sweep->objective.outcome]);
        print_bracketed(", at ", &sweep->objective.rate, 0, " calls/s", out);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

/* Security ladders */

static const struct view_column rungs[] = {
    {"name", "op"},
    {"security", "sec", .flags = VIEW_LEFT},
    {"depth", "depth"},
    {"round_trip_ns.level", "round trip µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"above_sys_ns.level", "above AUTH_SYS µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"client_cpu_ns_per_call.level", "client CPU µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"server_cpu_ns_per_call.level", "server CPU µs", 0, 2, VIEW_US, VIEW_RANGE},
    {"throughput_per_s.level", "calls/s", .flags = VIEW_RANGE},
    {"throughput_of_sys.level", "% of AUTH_SYS", 0, 1, 100, VIEW_RANGE},
    {"trials", "trials"},
    {NULL},
};

static void print_lines(const struct sec_ladder *ladder, FILE *out)
{
    char what[80];

    fputs("<ul>\n", out);
    for (size_t i = 0; i < ladder->line_count; i++) {
        const struct sec_line *line = &ladder->lines[i];

        snprintf(what, sizeof what, "%.30s by %.20s above AUTH_SYS", line->op, line->security);
        print_pieces(&line->sizes, what, out);
    }
    for (size_t i = 0; i < ladder->left_out_count; i++) {
        const struct sec_left_out *left_out = &ladder->left_out[i];

        fputs("<li>", out);
        html_print(out, "Left out: %s%s%s", left_out->security, left_out->op ? " with " : "",
                   left_out->op ? left_out->op : "");
        if (left_out->op)
            html_print(out, ", depth %u", left_out->depth);
        html_print(out, ": %s", report_known(left_out->reason));
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void print_sec_ladder(const struct sec_ladder *ladder, FILE *out)
{
    const struct view_row root = view_root(&view_sec_ladder, ladder, false);

    report_list(&root, "points", rungs, out);
    print_lines(ladder, out);
}

static void report_sec_ladders(const struct report *report, FILE *out)
{
    fputs("<h2>What security costs</h2>\n<p class=soft>Each flavor against AUTH_SYS in the same "
          "rounds; levels over the trials, with 95 % intervals. Processor time is per call.</p>\n",
          out);
    for (size_t i = 0; i < report->set->file_count; i++) {
        if (report->set->file_count > 1) {
            fputs("<h3>", out);
            report_letter(report, i, out);
            html_print(out, "%s", report->set->files[i].result.path);
            fputs("</h3>\n", out);
        }
        print_sec_ladder(report->set->files[i].sec_ladder, out);
    }
}

void report_sweeps(const struct report *report, FILE *out)
{
    if (report->set->kind == RESULT_SEC_LADDER)
        report_sec_ladders(report, out);
    if (report->set->kind != RESULT_SWEEP)
        return;
    fputs("<h2>Points</h2>\n<p class=soft>Levels over the trials of each point, with 95 % "
          "intervals.</p>\n",
          out);
    for (size_t i = 0; i < report->set->file_count; i++) {
        const struct sweep *sweep = report->set->files[i].sweep;
        const struct view_row root = view_root(&view_sweep, sweep, false);

        fputs("<h3>", out);
        report_letter(report, i, out);
        report_op(sweep->op, sweep->op, out);
        fputs("</h3>\n", out);
        report_list(&root, "points", points, out);
        print_analysis(sweep, out);
    }
}
