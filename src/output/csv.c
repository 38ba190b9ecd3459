#include "output/csv.h"

#include <inttypes.h>
#include <math.h>

static void print_number(double value, FILE *out)
{
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, "%.3f", value);
}

static void print_interval(bool known, const struct interval *interval, FILE *out)
{
    print_number(known ? interval->estimate : NAN, out);
    print_number(known ? interval->low : NAN, out);
    print_number(known ? interval->high : NAN, out);
}

static void print_op(const struct result_op *op, FILE *out)
{
    static const double quantiles[] = {0.5, 0.9, 0.99, 0.999, 0.9999};
    static const enum counter counters[] = {COUNTER_CPU_NS, COUNTER_VOLUNTARY, COUNTER_INVOLUNTARY};
    const struct histogram *histogram = &op->series->histogram;

    fprintf(out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, op->op, op->series->calls, histogram->count,
            op->failed);
    print_number(histogram->minimum, out);
    print_number(histogram->mean, out);
    print_number(histogram_stddev(histogram), out);
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        print_number(histogram_quantile(histogram, quantiles[i]), out);
    print_number(histogram->maximum, out);
    print_number(op->lengths.call, out);
    print_number(op->lengths.reply, out);
    print_interval(op->has_above_null, &op->above_null.cost, out);
    print_interval(op->has_split, &op->split.bytes, out);
    print_interval(op->has_split, &op->split.pace, out);
    print_interval(op->has_split, &op->split.server, out);
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        print_number(op->client ? op->client->values[counters[i]] : NAN, out);
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        print_number(op->server ? op->server->values[counters[i]] : NAN, out);
    fputs("\r\n", out);
}

int csv_write(const struct result *result, FILE *out)
{
    fputs("op,calls,timed,failed,min_ns,mean_ns,stddev_ns,p50_ns,p90_ns,p99_ns,p999_ns,p9999_ns,"
          "max_ns,call_bytes,reply_bytes,above_null_ns,above_null_low_ns,above_null_high_ns,"
          "bytes_ns,bytes_low_ns,bytes_high_ns,pace_ns,pace_low_ns,pace_high_ns,server_ns,"
          "server_low_ns,server_high_ns,client_cpu_ns,client_voluntary_switches,"
          "client_involuntary_switches,server_cpu_ns,server_voluntary_switches,"
          "server_involuntary_switches\r\n",
          out);
    for (size_t i = 0; i < result->op_count; i++)
        print_op(&result->ops[i], out);
    return 0;
}
