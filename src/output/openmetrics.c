/* A measurement as OpenMetrics, for the node exporter's textfile collector. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/form.h"
#include "output/openmetrics.h"
#include "output/origin.h"
#include "output/result.h"

void openmetrics_print_quoted(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputc('"', out);
    for (const char *at = shown.text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
    fputc('"', out);
}

/* The labels of every sample: what was measured, and under which load. */
static void print_labels(const struct result *result, const struct result_op *op, FILE *out)
{
    fputs("{target=", out);
    openmetrics_print_quoted(result->target.text, out);
    fprintf(out, ",transport=\"%s\",clients=\"%u\",depth=\"%u\"",
            strcmp(result->target.transport, "TCP") == 0 ? "tcp" : "udp",
            result->config.load.clients, result->config.load.depth);
    if (op)
        fprintf(out, ",op=\"%s\"", op->op);
    if (op && result_size_of(result, op) > 0)
        fprintf(out, ",size=\"%" PRIu32 "\"", result_size_of(result, op));
}

static void print_sample(const struct result *result, const struct result_op *op, const char *name,
                         const char *label, double value, FILE *out)
{
    if (!isfinite(value))
        return;
    fprintf(out, "nfsbench_%s", name);
    print_labels(result, op, out);
    fprintf(out, "%s} %.12g\n", label, value);
}

static void print_heading(const char *name, const char *help, FILE *out)
{
    fprintf(out, "# TYPE nfsbench_%s gauge\n# HELP nfsbench_%s %s\n", name, name, help);
}

static void print_latencies(const struct result *result, FILE *out)
{
    print_heading("latency_seconds", "Round trip of a call, by quantile.", out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];
        const struct result_latency *latency = &op->latency;

        print_sample(result, op, "latency_seconds", ",quantile=\"0.5\"", latency->p50 / 1e9, out);
        print_sample(result, op, "latency_seconds", ",quantile=\"0.9\"", latency->p90 / 1e9, out);
        print_sample(result, op, "latency_seconds", ",quantile=\"0.99\"", latency->p99 / 1e9, out);
        print_sample(result, op, "latency_seconds", ",quantile=\"0.999\"", latency->p999 / 1e9,
                     out);
    }
    print_heading("latency_mean_seconds", "Mean round trip of a call.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "latency_mean_seconds", "",
                     result->ops[i].latency.mean / 1e9, out);
}

static void print_bounds(const struct result *result, const struct result_op *op, const char *name,
                         const struct interval *interval, double unit, FILE *out)
{
    print_sample(result, op, name, ",bound=\"estimate\"", interval->estimate * unit, out);
    print_sample(result, op, name, ",bound=\"low\"", interval->low * unit, out);
    print_sample(result, op, name, ",bound=\"high\"", interval->high * unit, out);
}

static void print_interval(const struct result *result, const struct result_op *op,
                           const char *name, const struct interval *interval, FILE *out)
{
    print_bounds(result, op, name, interval, 1e-9, out);
}

static void print_costs(const struct result *result, FILE *out)
{
    print_heading("above_null_seconds",
                  "Typical cost of a call above the null call: estimate and 95 percent interval.",
                  out);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].has_above_null)
            print_interval(result, &result->ops[i], "above_null_seconds",
                           &result->ops[i].above_null.cost, out);
    print_heading("mean_above_null_seconds",
                  "The same in the mean, rare slow calls included: estimate and 95 percent "
                  "interval.",
                  out);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].has_mean_cost)
            print_interval(result, &result->ops[i], "mean_above_null_seconds",
                           &result->ops[i].mean_cost.cost, out);
    print_heading("server_seconds", "The server's part of that: estimate and 95 percent interval.",
                  out);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].has_split)
            print_interval(result, &result->ops[i], "server_seconds", &result->ops[i].split.server,
                           out);
}

static void print_bandwidth(const struct result *result, FILE *out)
{
    const size_t count = result->op_count;

    print_heading("bandwidth_bytes_per_second",
                  "Bytes of files per second: estimate and 95 percent interval.", out);
    for (size_t i = 0; i < count; i++)
        if (result->ops[i].has_bandwidth)
            print_bounds(result, &result->ops[i], "bandwidth_bytes_per_second",
                         &result->ops[i].bandwidth.megabytes_per_s, 1e6, out);
    print_heading("cpu_seconds_per_mebibyte", "Processor time that 1048576 bytes of files take.",
                  out);
    for (size_t i = 0; i < count; i++) {
        const struct result_op *op = &result->ops[i];

        if (!op->has_bandwidth)
            continue;
        print_sample(result, op, "cpu_seconds_per_mebibyte", ",side=\"client\"",
                     op->bandwidth.client_cpu_ns / 1e9, out);
        print_sample(result, op, "cpu_seconds_per_mebibyte", ",side=\"server\"",
                     op->bandwidth.server_cpu_ns / 1e9, out);
    }
    print_heading("of_local_ratio",
                  "Rate over that of the local directory (--baseline-dir): estimate and 95 percent "
                  "interval.",
                  out);
    for (size_t i = 0; i < count; i++)
        if (result->ops[i].has_of_local)
            print_bounds(result, &result->ops[i], "of_local_ratio", &result->ops[i].of_local, 1,
                         out);
}

static void print_launch_ops(const struct result *result, const struct result_op *op, FILE *out)
{
    char label[40];

    for (size_t i = 0; i < result->launch_count && op->has_spread; i++) {
        const struct result_launch_op *own = result_launch_find(&result->launches[i], op->op);

        snprintf(label, sizeof label, ",launch=\"%zu\"", i + 1);
        if (own && own->has_cost)
            print_sample(result, op, "launch_above_null_seconds", label, own->cost.estimate / 1e9,
                         out);
    }
}

static void print_launches(const struct result *result, FILE *out)
{
    print_heading("launch_above_null_seconds",
                  "Typical cost of a call above the null call in each launch.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_launch_ops(result, &result->ops[i], out);
    print_heading(
        "spread_seconds",
        "Standard deviation that a level of repetition adds to a launch's cost, or to its "
        "round trip for null.",
        out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (!op->has_spread)
            continue;
        print_sample(result, op, "spread_seconds", ",level=\"rounds\"", op->spread.rounds / 1e9,
                     out);
        print_sample(result, op, "spread_seconds", ",level=\"clients\"", op->spread.clients / 1e9,
                     out);
        print_sample(result, op, "spread_seconds", ",level=\"servers\"", op->spread.servers / 1e9,
                     out);
    }
}

static void print_counts(const struct result *result, FILE *out)
{
    print_heading("calls", "Calls that the run made.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "calls", "", (double)result->ops[i].calls, out);
    print_heading("calls_per_second", "Calls over the time that was spent on this op.", out);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].rate_per_s > 0)
            print_sample(result, &result->ops[i], "calls_per_second", "", result->ops[i].rate_per_s,
                         out);
    print_heading("data_bytes_per_second", "Bytes of files over that time.", out);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].megabytes_per_s > 0)
            print_sample(result, &result->ops[i], "data_bytes_per_second", "",
                         1e6 * result->ops[i].megabytes_per_s, out);
    print_heading("failed_calls", "Calls that were answered by an error.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "failed_calls", "", (double)result->ops[i].failed,
                     out);
    if (result->host.name) {
        print_heading("run", "Always 1, labelled with the client's host.", out);
        fputs("nfsbench_run", out);
        print_labels(result, NULL, out);
        fputs(",host=", out);
        openmetrics_print_quoted(result->host.name, out);
        fputs("} 1\n", out);
    }
    print_heading("verdict", "May the run be believed: 0 yes, 1 suspect, 2 no.", out);
    print_sample(result, NULL, "verdict", "", (double)result->validity.verdict, out);
}

static int write_openmetrics(const void *data, FILE *out)
{
    const struct result *result = data;

    print_latencies(result, out);
    print_costs(result, out);
    print_bandwidth(result, out);
    if (result->launch_count > 1)
        print_launches(result, out);
    print_counts(result, out);
    fputs("# EOF\n", out);
    return 0;
}

const struct form form_openmetrics = {
    .writers = {[RESULT_MEASUREMENT] = write_openmetrics},
    .write_view = view_write_openmetrics,
};
