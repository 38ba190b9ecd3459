/* What sweeps and security ladders found at each point, and what that teaches, as tables. */
#include <math.h>

#include "output/number.h"
#include "picture/html.h"
#include "picture/report_parts.h"

static void print_cell(const struct interval *level, double unit, int decimals, FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fputs("<td>", out);
    html_number(out, level->estimate / unit, decimals);
    if (isnan(level->estimate) || isnan(level->low) || isnan(level->high))
        return;
    fputs(" <span class=ci>", out);
    html_print(out, "%s", number_interval(level, unit, decimals, false, bracket));
    fputs("</span>", out);
}

/* The columns that say which point it is. */
static void print_setting(const struct sweep *sweep, const struct sweep_setting *setting, FILE *out)
{
    fprintf(out, "<tr><th>%u<td>%u", setting->clients, setting->depth);
    if (sweep->swept_size)
        fprintf(out, "<td>%u", setting->size);
    if (sweep->swept_rate) {
        fputs("<td>", out);
        html_number(out, setting->rate, 0);
    }
}

static void print_point(const struct sweep *sweep, const struct sweep_point *point, FILE *out)
{
    const struct interval *levels = point->intervals;

    print_setting(sweep, &point->setting, out);
    print_cell(&levels[SWEEP_THROUGHPUT], 1, 0, out);
    print_cell(&levels[SWEEP_MEAN], 1000, 2, out);
    print_cell(&levels[SWEEP_P50], 1000, 2, out);
    print_cell(&levels[SWEEP_P99], 1000, 2, out);
    print_cell(&levels[SWEEP_COST], 1000, 3, out);
    print_cell(&levels[SWEEP_MEGABYTES], 1, 1, out);
    fprintf(out, "<td>%zu<td class=text>%s</tr>\n", point->repeats,
            bottleneck_name(point->bottleneck));
}

static void print_points(const struct sweep *sweep, FILE *out)
{
    fprintf(out,
            "<div class=wide tabindex=0><table>\n<thead><tr><th>clients<th>depth%s%s<th>calls/s"
            "<th>mean µs<th>p50 µs<th>p99 µs<th>above null µs<th>MB/s<th>trials"
            "<th class=text>limited by</tr></thead>\n<tbody>\n",
            sweep->swept_size ? "<th>bytes" : "", sweep->swept_rate ? "<th>rate" : "");
    for (size_t i = 0; i < sweep->point_count; i++)
        print_point(sweep, &sweep->points[i], out);
    fputs("</tbody></table></div>\n", out);
}

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
                   objective_outcome_name(sweep->objective.outcome));
        print_bracketed(", at ", &sweep->objective.rate, 0, " calls/s", out);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

/* Security ladders */

static void print_rung(const struct sec_point *point, FILE *out)
{
    const struct interval *levels = point->intervals;
    const struct interval share = {100 * levels[SEC_RATE_SHARE].estimate,
                                   100 * levels[SEC_RATE_SHARE].low,
                                   100 * levels[SEC_RATE_SHARE].high};
    char name[SEC_NAME_SIZE];

    fputs("<tr><th>", out);
    html_print(out, "%s<td class=text>%s", sec_point_name(point, name), point->security);
    fprintf(out, "<td>%u", point->depth);
    print_cell(&levels[SEC_ROUND_TRIP], 1000, 2, out);
    print_cell(&levels[SEC_ABOVE], 1000, 2, out);
    print_cell(&levels[SEC_CLIENT_CPU], 1000, 2, out);
    print_cell(&levels[SEC_SERVER_CPU], 1000, 2, out);
    print_cell(&levels[SEC_RATE], 1, 0, out);
    print_cell(&share, 1, 1, out);
    fprintf(out, "<td>%zu</tr>\n", point->repeats);
}

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
    fputs("<div class=wide tabindex=0><table>\n<thead><tr><th>op<th class=text>sec<th>depth"
          "<th>round trip µs<th>above AUTH_SYS µs<th>client CPU µs<th>server CPU µs<th>calls/s"
          "<th>% of AUTH_SYS<th>trials</tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < ladder->point_count; i++)
        print_rung(&ladder->points[i], out);
    fputs("</tbody></table></div>\n", out);
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

        fputs("<h3>", out);
        report_letter(report, i, out);
        report_op(sweep->op, sweep->op, out);
        fputs("</h3>\n", out);
        print_points(sweep, out);
        print_analysis(sweep, out);
    }
}
