/* A replay as JSON, and as CSV: a line for each op. */
#include <inttypes.h>
#include <math.h>

#include "capture/errors_json.h"
#include "capture/replay.h"
#include "output/csv.h"
#include "output/json.h"
#include "output/origin.h"
#include "output/result_json.h"

/* JSON */

static json_t *captured_object(const struct workload_op *op)
{
    return json_pack("{s:f, s:o, s:o, s:f, s:f, s:f}", "calls", op->calls, "failed",
                     json_count(op->tally.failed), "errors", errors_json(&op->tally), "p50_ns",
                     op->p50 * 1e3, "p99_ns", op->p99 * 1e3, "mean_ns", op->mean * 1e3);
}

/* Null where the op was left out. */
static json_t *here_object(const struct result_op *op)
{
    if (!op)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "calls", json_count(op->calls), "failed",
                     json_count(op->failed), "latency_ns", json_latency(&op->latency));
}

static json_t *ops_array(const struct replay *replay)
{
    json_t *array = json_array();

    for (size_t i = 0; i < replay->workload.mix.count; i++)
        json_array_append_new(
            array, json_pack("{s:s, s:o, s:o}", "op", replay->workload.mix.ops[i].procedure->op,
                             "captured", captured_object(&replay->workload.ops[i]), "here",
                             here_object(replay_op(replay, i))));
    return array;
}

int replay_write_json(const void *data, FILE *out)
{
    const struct replay *replay = data;
    const struct result *result = replay->result;
    json_t *object = json_begin(RESULT_REPLAY), *host = json_object();

    json_object_set_new(object, "workload", json_text(replay->path));
    json_object_set_new(object, "start", json_text(result->start));
    json_object_set_new(object, "command",
                        origin_command_json(result->command, result->command_count));
    json_set_text(host, "name", result->host.name);
    json_object_set_new(host, "kernel", json_text(result->host.kernel));
    json_object_set_new(host, "cpu", json_text(result->host.cpu));
    json_object_set_new(object, "host", host);
    json_object_set_new(object, "target", json_text(result->target.text));
    json_object_set_new(object, "proto", json_text(result_proto(result->target.transport)));
    json_object_set_new(object, "seed", json_count(result->seed));
    json_object_set_new(object, "loop", json_string(replay->closed ? "closed" : "open"));
    json_object_set_new(object, "speed", replay->closed ? json_null() : json_real(replay->speed));
    json_object_set_new(object, "captured_rate_per_s", json_real(replay->workload.rate));
    json_object_set_new(object, "rate_per_s", json_known(replay_rate(replay)));
    json_object_set_new(object, "size", json_count(replay->size));
    json_object_set_new(object, "files", json_count(replay->files));
    json_object_set_new(object, "file_size", json_count(replay->file_size));
    json_object_set_new(object, "pattern", json_text(replay->pattern));
    json_object_set_new(object, "ops", ops_array(replay));
    json_object_set_new(object, "validity", json_validity(&result->validity));
    json_set_text(object, "cut_short_by", result->cut_short_by);
    return json_write_object(object, out);
}

/* CSV */

enum { DIGITS = CSV_DECIMALS(0) };

int replay_write_csv(const void *data, FILE *out)
{
    const struct replay *replay = data;

    fputs("op,captured_calls,captured_failed,captured_p50_ns,captured_p99_ns,calls,failed,p50_ns,"
          "p99_ns\r\n",
          out);
    for (size_t i = 0; i < replay->workload.mix.count; i++) {
        const struct workload_op *captured = &replay->workload.ops[i];
        const struct result_op *here = replay_op(replay, i);

        fprintf(out, "%s,%.0f,%" PRIu64, replay->workload.mix.ops[i].procedure->op, captured->calls,
                captured->tally.failed);
        csv_write_number(captured->p50 * 1e3, DIGITS, out);
        csv_write_number(captured->p99 * 1e3, DIGITS, out);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, here ? here->calls : 0, here ? here->failed : 0);
        csv_write_number(here ? here->latency.p50 : NAN, DIGITS, out);
        csv_write_number(here ? here->latency.p99 : NAN, DIGITS, out);
        fputs("\r\n", out);
    }
    return 0;
}
