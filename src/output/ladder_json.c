/* A ladder as JSON: doc/FORMAT.md describes it. */
#include <jansson.h>

#include "output/json.h"
#include "output/ladder.h"
#include "version.h"

static json_t *estimate_object(const struct interval *interval)
{
    return json_pack("{s:f, s:[f, f]}", "estimate", interval->estimate, "ci95", interval->low,
                     interval->high);
}

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
        estimate_object(&result->ladder.levels[rung]), "mean_ns", histogram->mean, "p50_ns",
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
        estimate_object(step), "share", share, "in_sum", !type->beside, "distinguishable",
        ladder_is_distinguishable(&result->ladder, rung));
}

static json_t *ladder_object(const struct ladder_result *result)
{
    json_t *rungs = json_array(), *steps = json_array();

    for (unsigned i = 0; i < LADDER_RUNGS; i++) {
        json_array_append_new(rungs, rung_object(result, i));
        json_array_append_new(steps, step_object(result, i));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:f, s:o, s:o, s:o}", "schema",
                     "nfsbench-ladder/1", "op", result->op, "null_op", result->null_op, "echo",
                     result->echo, "echo_is_own", result->echo_is_own, "rungs", rungs, "steps",
                     steps, "sum_ns", estimate_object(&result->ladder.sum), "discrepancy",
                     result->ladder.discrepancy, "with_xdr_ns",
                     estimate_object(&result->ladder.whole), "null_again_ns",
                     estimate_object(&result->ladder.control), "run", json_result(result->run));
}

int ladder_write_json(const void *data, FILE *out)
{
    return json_write_object(ladder_object(data), out);
}
