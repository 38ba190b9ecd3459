/* A ladder as JSON (doc/FORMAT.md), and as CSV with a line for each rung and its step. */
#include <errno.h>
#include <inttypes.h>

#include "explain/ladder.h"
#include "output/csv.h"
#include "output/json.h"
#include "output/origin.h"
#include "output/result_json.h"

/* JSON */

static json_t *bytes_value(size_t bytes)
{
    return bytes ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *rung_object(const struct ladder_result *result, enum ladder_rung rung)
{
    const struct series *series = result->series[rung];
    const struct histogram *histogram = &series->histogram;

    return json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:f, s:f, s:f}", "rung", ladder_rungs[rung].name, "calls",
        (json_int_t)series->calls, "call_bytes", bytes_value(result->bytes[rung].call),
        "reply_bytes", bytes_value(result->bytes[rung].reply), "level_ns",
        json_interval(&result->ladder.levels[rung]), "mean_ns", histogram->mean, "p50_ns",
        histogram_quantile(histogram, 0.5), "p99_ns", histogram_quantile(histogram, 0.99));
}

static json_t *step_object(const struct ladder_result *result, enum ladder_rung rung)
{
    const struct ladder_rung_type *type = &ladder_rungs[rung];
    const struct interval *step = &result->ladder.steps[rung];
    json_t *share = type->beside ? json_null() : json_real(ladder_share(&result->ladder, rung));

    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:b, s:b}", "step", type->step, "rung", type->name, "above",
        rung == LADDER_TIMER ? json_null() : json_string(ladder_rungs[type->above].name), "cost_ns",
        json_interval(step), "share", share, "in_sum", !type->beside, "distinguishable",
        ladder_is_distinguishable(&result->ladder, rung));
}

int ladder_write_json(const void *data, FILE *out)
{
    const struct ladder_result *result = data;
    const struct ladder *ladder = &result->ladder;
    json_t *object = json_begin(RESULT_LADDER), *rungs = json_array(), *steps = json_array();

    for (unsigned i = 0; i < LADDER_RUNGS; i++) {
        json_array_append_new(rungs, rung_object(result, i));
        json_array_append_new(steps, step_object(result, i));
    }
    json_object_set_new(object, "op", json_text(result->op));
    json_object_set_new(object, "null_op", json_text(result->null_op));
    json_object_set_new(object, "echo", json_text(result->echo));
    json_object_set_new(object, "echo_is_own", json_boolean(result->echo_is_own));
    json_object_set_new(object, "rungs", rungs);
    json_object_set_new(object, "steps", steps);
    json_object_set_new(object, "sum_ns", json_interval(&ladder->sum));
    json_object_set_new(object, "discrepancy", json_known(ladder->discrepancy));
    json_object_set_new(object, "with_xdr_ns", json_interval(&ladder->whole));
    json_object_set_new(object, "null_control_ns", json_interval(&ladder->control));
    json_object_set_new(object, "run", json_result(result->run));
    return json_write_object(object, out);
}

/* CSV */

static void write_rung(const struct ladder_result *result, enum ladder_rung rung, FILE *out)
{
    const struct ladder_rung_type *type = &ladder_rungs[rung];
    const struct interval *step = &result->ladder.steps[rung];

    origin_write_csv_of(result->run, out);
    fprintf(out, "%s,%s,%s,%" PRIu64 ",%zu,%zu", verdict_name(result->run->validity.verdict),
            result->op, type->name, result->series[rung]->calls, result->bytes[rung].call,
            result->bytes[rung].reply);
    csv_write_interval(&result->ladder.levels[rung], 9, out);
    fprintf(out, ",%s,%s", type->step, rung == LADDER_TIMER ? "" : ladder_rungs[type->above].name);
    csv_write_interval(step, 9, out);
    fputc(',', out);
    if (!type->beside)
        fprintf(out, "%.9g", ladder_share(&result->ladder, rung));
    fputs("\r\n", out);
}

int ladder_write_csv(const void *data, FILE *out)
{
    fputs(ORIGIN_CSV_COLUMNS "verdict,op,rung,calls,call_bytes,reply_bytes,level_ns,level_low_ns,"
                             "level_high_ns,step,above,cost_ns,"
                             "cost_low_ns,cost_high_ns,share\r\n",
          out);
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        write_rung(data, i, out);
    return ferror(out) ? -EIO : 0;
}
