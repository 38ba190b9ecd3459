/* The result of --xdr as JSON (doc/FORMAT.md) and as CSV, with a line per op. */
#include <errno.h>
#include <math.h>

#include "explain/xdr.h"
#include "output/csv.h"
#include "output/json.h"

static const char *const figure_names[XDR_FIGURES] = {
    [XDR_FIGURE_ENCODE] = "encode_ns",
    [XDR_FIGURE_DECODE] = "decode_ns",
    [XDR_FIGURE_STAMP] = "stamp_ns",
    [XDR_FIGURE_CHECK] = "check_ns",
    [XDR_FIGURE_ROUND_TRIP] = "round_trip_ns",
    [XDR_FIGURE_SHARE_RPCGEN] = "share_rpcgen",
    [XDR_FIGURE_SHARE_WIRE] = "share_wire",
    [XDR_FIGURE_MIC] = "mic_ns",
    [XDR_FIGURE_WRAP] = "wrap_ns",
    [XDR_FIGURE_VERIFY] = "verify_ns",
    [XDR_FIGURE_UNWRAP] = "unwrap_ns",
};

/* JSON */

static json_t *row_object(const struct xdr_row *row)
{
    json_t *object =
        json_pack("{s:s, s:I, s:I}", "op", row->op, "call_bytes", (json_int_t)row->call_bytes,
                  "reply_bytes", (json_int_t)row->reply_bytes);

    for (size_t i = 0; i < XDR_FIGURES; i++)
        if (i < XDR_FIGURE_MIC || !isnan(row->figures[i].estimate))
            json_object_set_new(object, figure_names[i], json_interval(&row->figures[i]));
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

static void set_environment(json_t *object, const struct xdr_result *result)
{
    origin_add_json(object, &result->origin);
    origin_add_security(object, &result->origin);
    json_object_set_new(object, "client_cpus", json_text(result->client_cpus));
    json_object_set_new(object, "server_cpu",
                        result->server_cpu >= 0 ? json_integer(result->server_cpu) : json_null());
    json_object_set_new(object, "clock",
                        json_pack("{s:o, s:o}", "name", json_text(result->clock), "cost_ns",
                                  json_known(result->clock_cost_ns)));
}

int xdr_write_json(const void *data, FILE *out)
{
    const struct xdr_result *result = data;
    json_t *object = json_begin(RESULT_XDR);

    set_environment(object, result);
    json_object_set_new(object, "rounds", json_count(result->rounds));
    json_object_set_new(object, "round_trips_per_round", json_count(result->round_trips));
    json_object_set_new(object, "batches_per_round", json_count(result->batches));
    json_object_set_new(object, "batch_ns", json_known(result->batch_ns));
    json_object_set_new(object, "ops", ops_array(result));
    json_object_set_new(object, "skipped", skipped_array(result));
    json_object_set_new(object, "cut_short_by", json_text(result->cut_short_by));
    return json_write_object(object, out);
}

/* CSV */

int xdr_write_csv(const void *data, FILE *out)
{
    const struct xdr_result *result = data;

    fputs(ORIGIN_CSV_COLUMNS "op,call_bytes,reply_bytes", out);
    for (size_t i = 0; i < XDR_FIGURES; i++)
        fprintf(out, ",%s,%s_low,%s_high", figure_names[i], figure_names[i], figure_names[i]);
    fputs("\r\n", out);
    for (size_t i = 0; i < result->row_count; i++) {
        const struct xdr_row *row = &result->rows[i];

        origin_write_csv(&result->origin, out);
        fprintf(out, "%s,%zu,%zu", row->op, row->call_bytes, row->reply_bytes);
        for (size_t f = 0; f < XDR_FIGURES; f++)
            csv_write_interval(&row->figures[f], 6, out);
        fputs("\r\n", out);
    }
    return ferror(out) ? -EIO : 0;
}
