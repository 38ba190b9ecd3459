/* A measurement, a sweep and a comparison as CSV (RFC 4180): a line for each op, for each trial,
 * for each op of each pair. Times are in ns; what is not known is empty. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/compare.h"
#include "output/fields.h"
#include "output/number.h"
#include "output/result.h"
#include "output/sweep.h"
#include "output/text.h"

/* A measurement */

enum { DECIMALS = NUMBER_DECIMALS(3) }; /* of ns */

static const struct interval not_known = {NAN, NAN, NAN};

static void print_number(double value, FILE *out)
{
    number_write_csv(value, DECIMALS, out);
}

static void print_interval(bool known, const struct interval *interval, FILE *out)
{
    number_write_csv_interval(known ? interval : &not_known, DECIMALS, out);
}

static void print_counters(const struct ledger_entry *entry, FILE *out)
{
    static const enum counter counters[] = {COUNTER_CPU_NS, COUNTER_VOLUNTARY, COUNTER_INVOLUNTARY};

    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        print_number(entry ? entry->values[counters[i]] : NAN, out);
}

static void print_latency(const struct result_latency *latency, FILE *out)
{
    for (const struct field *field = latency_fields; field->kind; field++)
        print_number(*(const double *)field_in(field, latency), out);
}

static void print_op(const struct result_op *op, FILE *out)
{
    fprintf(out, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, op->op, op->calls, op->timed, op->failed);
    print_latency(&op->latency, out);
    print_number(op->call_bytes, out);
    print_number(op->reply_bytes, out);
    print_interval(op->has_above_null, &op->above_null.cost, out);
    print_interval(op->has_split, &op->split.bytes, out);
    print_interval(op->has_split, &op->split.pause, out);
    print_interval(op->has_split, &op->split.server, out);
    print_counters(op->client, out);
    print_counters(op->server, out);
    print_interval(op->has_mean_cost, &op->mean_cost.cost, out);
    fputs("\r\n", out);
}

int result_write_csv(const void *data, FILE *out)
{
    const struct result *result = data;

    fputs("op,calls,timed,failed,min_ns,mean_ns,stddev_ns,p50_ns,p90_ns,p99_ns,p999_ns,p9999_ns,"
          "max_ns,call_bytes,reply_bytes,above_null_ns,above_null_low_ns,above_null_high_ns,"
          "bytes_ns,bytes_low_ns,bytes_high_ns,pause_ns,pause_low_ns,pause_high_ns,server_ns,"
          "server_low_ns,server_high_ns,client_cpu_ns,client_voluntary_switches,"
          "client_involuntary_switches,server_cpu_ns,server_voluntary_switches,"
          "server_involuntary_switches,mean_above_null_ns,mean_above_null_low_ns,"
          "mean_above_null_high_ns\r\n",
          out);
    for (size_t i = 0; i < result->op_count; i++)
        print_op(&result->ops[i], out);
    return 0;
}

/* A sweep */

static void print_trial(const struct sweep_point *point, size_t trial, FILE *out)
{
    const struct sweep_setting *setting = &point->setting;

    fprintf(out, "%u,%u,%u,%" PRIu32 ",", setting->clients, setting->connections, setting->depth,
            setting->size);
    if (setting->rate > 0)
        fprintf(out, "%.0f", setting->rate);
    for (int i = 0; i < SWEEP_FIGURES; i++)
        number_write_csv(point->figures[i][trial], 9, out);
    fputs("\r\n", out);
}

int sweep_write_csv(const void *data, FILE *out)
{
    const struct sweep *sweep = data;

    fputs("clients,connections,depth,size,rate", out);
    for (int i = 0; i < SWEEP_FIGURES; i++)
        fprintf(out, ",%s", sweep_figure_names[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < sweep->point_count; i++)
        for (size_t trial = 0; trial < sweep->points[i].repeats; trial++)
            print_trial(&sweep->points[i], trial, out);
    return 0;
}

/* A comparison */

/* Can a name only be a word, in any form? */
static bool is_word(const char *name)
{
    return name[0] && name[0] != '-' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* TEXT as a field. A spreadsheet takes a text that begins like a formula for one, quoted or not; an
 * apostrophe before it says that it is text. */
static void print_field(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputs(strchr("=+-@", text[0]) && text[0] ? "\"'" : "\"", out);
    for (const char *c = shown.text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

/* An op's name, which is no field in quotes where it can only be a word. */
static void print_op_field(const char *op, FILE *out)
{
    if (is_word(op))
        fputs(op, out);
    else
        print_field(op, out);
}

static void print_figures(const struct compare_row *row, FILE *out)
{
    const struct comparison *comparison = &row->comparison;

    if (row->word == COMPARISON_NOT_COMPARABLE) {
        fputs(",,,,,,,,", out);
        return;
    }
    print_number(comparison->first.estimate, out);
    print_number(comparison->second.estimate, out);
    print_interval(true, &comparison->difference, out);
    number_write_csv(compare_share_is_known(row) ? row->share : NAN, NUMBER_DECIMALS(6), out);
    number_write_csv(comparison->p, 6, out);
    number_write_csv(comparison->adjusted_p, 6, out);
}

int compare_write_csv(const void *data, FILE *out)
{
    const struct compare_result *result = data;

    fputs("first,second,op,compared,first_ns,second_ns,difference_ns,low_ns,high_ns,share,p,"
          "adjusted_p,word,reason,regression,ratio,ratio_low,ratio_high,first_launches,"
          "second_launches\r\n",
          out);
    for (size_t i = 0; i < result->count; i++)
        for (size_t j = 0; j < result->pairs[i].count; j++) {
            const struct compare_row *row = &result->pairs[i].rows[j];

            print_field(result->pairs[i].first->path, out);
            fputc(',', out);
            print_field(result->pairs[i].second->path, out);
            fputc(',', out);
            print_op_field(row->first->op, out);
            fprintf(out, ",%s", row->above_null ? "above_null" : "round_trip");
            print_figures(row, out);
            fprintf(out, ",%s,", comparison_verdict_name(row->word));
            if (row->reason[0])
                print_field(row->reason, out);
            fprintf(out, ",%d", row->regression);
            number_write_csv_interval(row->word == COMPARISON_NOT_COMPARABLE ? &not_known
                                                                             : &row->ratio,
                                      NUMBER_DECIMALS(6), out);
            fprintf(out, ",%zu,%zu\r\n", row->first_launches, row->second_launches);
        }
    return 0;
}
