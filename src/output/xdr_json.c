/* What XDR takes of each call as JSON, schema "nfsbench-xdr/1" (doc/FORMAT.md). */
#include "output/json.h"
#include "output/xdr.h"
#include "version.h"

static json_t *row_object(const struct xdr_row *row)
{
    json_t *object =
        json_pack("{s:s, s:I, s:I}", "op", row->op, "call_bytes", (json_int_t)row->call_bytes,
                  "reply_bytes", (json_int_t)row->reply_bytes);

    for (size_t i = 0; i < XDR_FIGURES; i++) {
        const struct interval *figure = &row->figures[i];

        json_object_set_new(object, xdr_figure_names[i],
                            json_pack("{s:f, s:[f, f]}", "estimate", figure->estimate, "ci95",
                                      figure->low, figure->high));
    }
    return object;
}

static json_t *ops_array(const struct xdr_result *result)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->row_count; i++)
        json_array_append_new(ops, row_object(&result->rows[i]));
    return ops;
}

static json_t *skipped_array(const struct xdr_result *result)
{
    json_t *skipped = json_array();

    for (size_t i = 0; i < result->skipped_count; i++)
        json_array_append_new(skipped, json_pack("{s:s, s:o}", "op", result->skipped[i].op,
                                                 "reason", json_text(result->skipped[i].reason)));
    return skipped;
}

int xdr_write_json(const void *data, FILE *out)
{
    const struct xdr_result *result = data;
    json_t *object = json_pack(
        "{s:s, s:{s:s, s:s}, s:s, s:I, s:{s:o, s:o}, s:o, s:s, s:s, s:s, s:o, s:{s:s, s:f}, s:I, "
        "s:I, s:I, s:f, s:o, s:o, s:o}",
        "schema", "nfsbench-xdr/1", "tool", "name", "nfsbench", "version", NFSBENCH_VERSION,
        "start", result->start, "seed", (json_int_t)result->seed, "host", "kernel",
        json_text(result->kernel), "cpu", json_text(result->cpu), "target",
        json_text(result->target), "proto", result->transport, "auth", result->auth, "client_cpus",
        result->client_cpus, "server_cpu",
        result->server_cpu >= 0 ? json_integer(result->server_cpu) : json_null(), "clock", "name",
        result->clock, "cost_ns", result->clock_cost_ns, "rounds", (json_int_t)result->rounds,
        "round_trips_per_round", (json_int_t)result->round_trips, "batches_per_round",
        (json_int_t)result->batches, "batch_ns", result->batch_ns, "ops", ops_array(result),
        "skipped", skipped_array(result), "cut_short_by", json_text(result->cut_short_by));

    return json_write_object(object, out);
}
