/* What sweeps and security ladders found at each point, and what that teaches. */
#include "picture/html.h"
#include "picture/report_parts.h"

/* A line by size and, where there is none, why. */
#define PIECE(what)                                                                                \
    "From {first:0} to {last:0} bytes, " what ": {?{fixed_ns/1000:3} µs {fixed_ns/1000[3} }"      \
    "{?and {ns_per_byte:4} {ns_per_byte[4} ns a byte}{?(" SWEEP_IS_NO_LINE ")" SWEEP_NO_LINE "}."
#define NO_LINE(what, missing) "There is no line by size, " what ": {" missing "}."

static const struct view_column point_columns[] = {
    {"clients", "clients"},
    {"depth", "depth"},
    {"size", "bytes", .flags = VIEW_IF_ANY, .when = "^swept_size"},
    {"rate_per_s", "rate", .flags = VIEW_IF_ANY, .when = "^swept_rate|^find_max"},
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

static const struct view_table points = {"points", .columns = point_columns};

#define KNEE                                                                                       \
    "{?(^swept_size)Of {size} bytes: }the knee is at {knee.concurrency:2} {knee.concurrency[2} "   \
    "calls in "                                                                                    \
    "flight"
#define HIGHEST                                                                                    \
    "; the highest throughput is {knee.throughput_maximum:0} {knee.throughput_maximum[0} calls/s."

static const struct view_line analysis[] = {
    {KNEE HIGHEST, "scaling", .when = "!knee.lower_bound"},
    {KNEE " or higher" HIGHEST, "scaling", .when = "knee.lower_bound"},
    {"{?(^swept_size)Of {size} bytes: }the scalability law: contention {law.sigma:4} "
     "{law.sigma[4}, "
     "coherency {law.kappa:6} {law.kappa[6}.",
     "scaling"},
    {"{?(^swept_size)Of {size} bytes: }there is no scalability law: {law_missing}.", "scaling"},
    {PIECE("{^basis}"), "sizes/pieces"},
    {NO_LINE("{basis}", "missing"), "sizes"},
    {"{find_max.objective}: {find_max.outcome}{?, at {find_max.rate_per_s:0} "
     "{find_max.rate_per_s[0} calls/s}"},
    {NULL},
};

/* Security ladders */

static const struct view_column rung_columns[] = {
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

static const struct view_table rungs = {"points", .columns = rung_columns};

static const struct view_line lines_and_left_out[] = {
    {PIECE("{^op} by {^security} above AUTH_SYS"), "lines/sizes.pieces"},
    {NO_LINE("{op} by {security} above AUTH_SYS", "sizes.missing"), "lines"},
    {"Left out: {security}{? with {op}}{?, depth {depth}}: {reason}", "left_out"},
    {NULL},
};

static void print_sec_ladder(const struct report *report, size_t file, FILE *out)
{
    const struct view_row root =
        view_root(&view_sec_ladder, report->set->files[file].sec_ladder, false);

    if (report->set->file_count > 1) {
        report_letter(report, file, "<h3>", out);
        html_print(out, "%s</h3>\n", report->set->files[file].result.path);
    }
    report_table(&root, &rungs, out);
    report_list(&root, lines_and_left_out, out);
}

static void print_sweep(const struct report *report, size_t file, FILE *out)
{
    const struct sweep *sweep = report->set->files[file].sweep;
    const struct view_row root = view_root(&view_sweep, sweep, false);

    report_letter(report, file, "<h3>", out);
    report_op(sweep->op, sweep->op, out);
    fputs("</h3>\n", out);
    report_table(&root, &points, out);
    report_list(&root, analysis, out);
}

void report_sweeps(const struct report *report, FILE *out)
{
    const enum result_kind kind = report->set->kind;

    if (kind == RESULT_SEC_LADDER)
        fputs("<h2>What security costs</h2>\n<p class=soft>Each flavor against AUTH_SYS in the "
              "same rounds; levels over the trials, with 95 % intervals. Processor time is per "
              "call.</p>\n",
              out);
    if (kind == RESULT_SWEEP)
        fputs("<h2>Points</h2>\n<p class=soft>Levels over the trials of each point, with 95 % "
              "intervals.</p>\n",
              out);
    for (size_t i = 0; i < report->set->file_count; i++) {
        if (kind == RESULT_SEC_LADDER)
            print_sec_ladder(report, i, out);
        if (kind == RESULT_SWEEP)
            print_sweep(report, i, out);
    }
}
