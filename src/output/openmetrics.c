#include "output/openmetrics.h"

#include <math.h>
#include <string.h>

/* What the labels of every sample are. */
static void print_labels(const struct result *result, const struct result_op *op, FILE *out)
{
    fputs("{target=\"", out);
    for (const char *at = result->target.text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', out);
        fputc(*at == '\n' ? ' ' : *at, out);
    }
    fprintf(out, "\",transport=\"%s\"",
            strcmp(result->target.transport, "TCP") == 0 ? "tcp" : "udp");
    if (op)
        fprintf(out, ",op=\"%s\"", op->op);
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
    static const struct {
        double quantile;
        const char *label;
    } quantiles[] = {{0.5, ",quantile=\"0.5\""},
                     {0.9, ",quantile=\"0.9\""},
                     {0.99, ",quantile=\"0.99\""},
                     {0.999, ",quantile=\"0.999\""}};

    print_heading("latency_seconds", "Round trip of a call, by quantile.", out);
    for (size_t i = 0; i < result->op_count; i++)
        for (size_t q = 0; q < sizeof quantiles / sizeof quantiles[0]; q++)
            print_sample(
                result, &result->ops[i], "latency_seconds", quantiles[q].label,
                histogram_quantile(&result->ops[i].series->histogram, quantiles[q].quantile) / 1e9,
                out);
    print_heading("latency_mean_seconds", "Mean round trip of a call.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "latency_mean_seconds", "",
                     result->ops[i].series->histogram.mean / 1e9, out);
}

static void print_interval(const struct result *result, const struct result_op *op,
                           const char *name, const struct interval *interval, FILE *out)
{
    print_sample(result, op, name, ",bound=\"estimate\"", interval->estimate / 1e9, out);
    print_sample(result, op, name, ",bound=\"low\"", interval->low / 1e9, out);
    print_sample(result, op, name, ",bound=\"high\"", interval->high / 1e9, out);
}

static void print_costs(const struct result *result, FILE *out)
{
    print_heading("above_null_seconds",
                  "Cost of a call above the null call: estimate and 95 percent interval.", out);
    for (size_t i = 1; i < result->op_count; i++)
        if (result->ops[i].has_above_null)
            print_interval(result, &result->ops[i], "above_null_seconds",
                           &result->ops[i].above_null.cost, out);
    print_heading("server_seconds", "The server's part of that: estimate and 95 percent interval.",
                  out);
    for (size_t i = 1; i < result->op_count; i++)
        if (result->ops[i].has_split)
            print_interval(result, &result->ops[i], "server_seconds", &result->ops[i].split.server,
                           out);
}

static void print_counts(const struct result *result, FILE *out)
{
    print_heading("calls", "Calls that the run made.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "calls", "", (double)result->ops[i].series->calls,
                     out);
    print_heading("failed_calls", "Calls that were answered by an error.", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_sample(result, &result->ops[i], "failed_calls", "", (double)result->ops[i].failed,
                     out);
    print_heading("verdict", "May the run be believed: 0 yes, 1 suspect, 2 no.", out);
    print_sample(result, NULL, "verdict", "", (double)result->validity.verdict, out);
}

int openmetrics_write(const struct result *result, FILE *out)
{
    print_latencies(result, out);
    print_costs(result, out);
    print_counts(result, out);
    fputs("# EOF\n", out);
    return 0;
}
