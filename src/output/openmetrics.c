/* A measurement as OpenMetrics, for the node exporter's textfile collector. Its names and labels
 * are older than those that follow from a view's fields, and stay, as people have dashboards of
 * them. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "output/form.h"
#include "output/measurement_view.h"
#include "output/openmetrics.h"
#include "output/result.h"

/* Lines that follow each other and have the same name are samples of one metric, row by row. */
struct metric {
    const char *name, *help;
    const char *rows;          /* NULL: it is of the result itself */
    const char *path;          /* of the value, */
    double scale;              /* times this */
    const char *label, *value; /* of the sample alone; VALUE is a text as in struct view_line */
    bool bounds;               /* an interval, with its ends */
    const char *when;          /* what holds of the result, or there is no such metric */
};

#define NS      1e-9
#define LATENCY "latency_seconds", "Round trip of a call, by quantile.", "ops"
#define CPU     "cpu_seconds_per_mebibyte", "Processor time that 1048576 bytes of files take.", "ops"
#define SPREAD                                                                                     \
    "spread_seconds",                                                                              \
        "Standard deviation that a level of repetition adds to a launch's cost, or to its round "  \
        "trip for null.",                                                                          \
        "ops"

static const struct metric metrics[] = {
    {LATENCY, "latency_ns.p50", NS, "quantile", "0.5"},
    {LATENCY, "latency_ns.p90", NS, "quantile", "0.9"},
    {LATENCY, "latency_ns.p99", NS, "quantile", "0.99"},
    {LATENCY, "latency_ns.p999", NS, "quantile", "0.999"},
    {"latency_mean_seconds", "Mean round trip of a call.", "ops", "latency_ns.mean", NS},
    {"above_null_seconds",
     "Typical cost of a call above the null call: estimate and 95 percent interval.", "ops",
     "above_null_ns", NS, .bounds = true},
    {"mean_above_null_seconds",
     "The same in the mean, rare slow calls included: estimate and 95 percent interval.", "ops",
     "mean_above_null_ns", NS, .bounds = true},
    {"server_seconds", "The server's part of that: estimate and 95 percent interval.", "ops",
     "model.server_ns", NS, .bounds = true},
    {"bandwidth_bytes_per_second", "Bytes of files per second: estimate and 95 percent interval.",
     "ops", "bandwidth.mb_per_s", 1e6, .bounds = true},
    {CPU, "bandwidth.client_cpu_ns_per_mib", NS, "side", "client"},
    {CPU, "bandwidth.server_cpu_ns_per_mib", NS, "side", "server"},
    {"of_local_ratio",
     "Rate over that of the local directory (--baseline-dir): estimate and 95 percent interval.",
     "ops", "of_local", 1, .bounds = true},
    {"launch_above_null_seconds", "Typical cost of a call above the null call in each launch.",
     "launches/ops", "cost_ns", NS, "launch", "{^#}", .when = "launches>1"},
    {SPREAD, "spread_ns.rounds", NS, "level", "rounds", .when = "launches>1"},
    {SPREAD, "spread_ns.clients", NS, "level", "clients", .when = "launches>1"},
    {SPREAD, "spread_ns.servers", NS, "level", "servers", .when = "launches>1"},
    {"calls", "Calls that the run made.", "ops", "calls", 1},
    {"calls_per_second", "Calls over the time that was spent on this op.", "ops", "rate_per_s", 1},
    {"data_bytes_per_second", "Bytes of files over that time.", "ops", "mb_per_s", 1e6},
    {"failed_calls", "Calls that were answered by an error.", "ops", "failed", 1},
    {"run", "Always 1, labelled with the client's host.", NULL, "host", 1, "host", "{host.name}",
     .when = "host.name"},
    {"verdict", "May the run be believed: 0 yes, 1 suspect, 2 no.", NULL, "validity.number", 1},
    {NULL},
};

/* What was measured, and under which load. */
static const struct {
    const char *name, *path;
    bool of_row;
    const char *when; /* what holds of the row */
} labels[] = {
    {"target", "target.text"},
    {"transport", "target.proto"},
    {"clients", "config.clients"},
    {"depth", "config.depth"},
    {"op", "op", .of_row = true},
    {"size", "config.read_size", .when = "op=read|op=read" RESULT_LOCAL_END},
    {"size", "config.write_size", .when = "op=write|op=write" RESULT_LOCAL_END},
};

struct writing {
    const struct view_row *root;
    const struct metric *metric, *end; /* those of one name */
    FILE *out;
};

static void print_labels(const struct view_row *root, const struct view_row *row, FILE *out)
{
    const char *before = "{";
    struct view_cell cell;

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if ((labels[i].of_row || labels[i].when) &&
            (row == root || !view_holds(row, labels[i].when)))
            continue;
        view_cell(labels[i].of_row ? row : root, labels[i].path, &cell);
        openmetrics_print_label(&before, labels[i].name, &cell, out);
    }
}

static void print_sample(const struct writing *writing, const struct metric *metric,
                         const struct view_row *row, const char *label, const char *value,
                         double number)
{
    const char *before = ",";
    const struct view_cell text = {.type = CELL_TEXT, .text = value};

    if (!isfinite(number))
        return;
    fprintf(writing->out, "nfsbench_%s", metric->name);
    print_labels(writing->root, row, writing->out);
    if (label)
        openmetrics_print_label(&before, label, &text, writing->out);
    fprintf(writing->out, "} %.12g\n", number * metric->scale);
}

/* The samples of ROW. */
static void print_row(const struct view_row *row, void *data)
{
    const struct writing *writing = data;

    for (const struct metric *metric = writing->metric; metric < writing->end; metric++) {
        struct view_cell cell;
        char value[FIELD_ROOM];

        view_cell(row, metric->path, &cell);
        if (cell.type != CELL_NUMBER)
            continue;
        view_expand(row, metric->value ? metric->value : "", "", "", value, sizeof value);
        print_sample(writing, metric, row, metric->bounds ? "bound" : metric->label,
                     metric->bounds ? "estimate" : value, cell.number.estimate);
        if (!metric->bounds)
            continue;
        print_sample(writing, metric, row, "bound", "low", cell.number.low);
        print_sample(writing, metric, row, "bound", "high", cell.number.high);
    }
}

static int write_openmetrics(const void *result, FILE *out)
{
    const struct view_row root = view_root(&view_measurement, result, false);
    struct writing writing = {.root = &root, .out = out};

    for (const struct metric *metric = metrics; metric->name; metric = writing.end) {
        writing.metric = metric;
        for (writing.end = metric; writing.end->name && !strcmp(writing.end->name, metric->name);)
            writing.end++;
        if (!view_holds(&root, metric->when))
            continue;
        fprintf(out, "# TYPE nfsbench_%s gauge\n# HELP nfsbench_%s %s\n", metric->name,
                metric->name, metric->help);
        if (metric->rows)
            view_each(&root, metric->rows, print_row, &writing);
        else
            print_row(&root, &writing);
    }
    fputs("# EOF\n", out);
    return ferror(out) ? -EIO : 0;
}

const struct form form_openmetrics = {
    .writers = {[RESULT_MEASUREMENT] = write_openmetrics},
    .write_view = view_write_openmetrics,
};
