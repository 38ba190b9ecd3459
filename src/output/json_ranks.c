#include "output/json_ranks.h"

#include "output/counters_json.h"

static json_t *ops_array(const struct result *result, const struct result_rank *rank)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->op_count && i < RESULT_RANK_OPS_MAXIMUM; i++) {
        const struct result_rank_op *op = &rank->ops[i];

        json_array_append_new(
            ops, json_pack("{s:s, s:I, s:I, s:I, s:f, s:{s:f, s:f, s:f}}", "op", result->ops[i].op,
                           "calls", (json_int_t)op->calls, "timed", (json_int_t)op->timed, "failed",
                           (json_int_t)op->failed, "rate_per_s", op->rate_per_s, "latency_ns",
                           "mean", op->mean, "p50", op->p50, "p99", op->p99));
    }
    return ops;
}

static json_t *reasons_array(const struct result_rank *rank)
{
    json_t *reasons = json_array();

    for (size_t i = 0; i < rank->reason_count; i++)
        json_array_append_new(reasons, json_pack("{s:s, s:s, s:s}", "name", rank->reasons[i].name,
                                                 "verdict", verdict_name(rank->reasons[i].verdict),
                                                 "text", rank->reasons[i].text));
    return reasons;
}

json_t *json_ranks(const struct result *result)
{
    json_t *ranks = json_array();

    for (size_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];

        json_array_append_new(
            ranks, json_pack("{s:I, s:s, s:o, s:s, s:o, s:o}", "rank", (json_int_t)i, "host",
                             rank->host, "client_cpu_share", json_known(rank->client_cpu_share),
                             "verdict", verdict_name(rank->verdict), "reasons", reasons_array(rank),
                             "ops", ops_array(result, rank)));
    }
    return ranks;
}
