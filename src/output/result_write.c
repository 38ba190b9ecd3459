/* A measurement as JSON: all but its ops. */
#include <math.h>

#include "output/json.h"
#include "output/result_json.h"

static json_t *tool_object(const struct result_tool *tool)
{
    return json_pack("{s:o, s:o, s:o}", "name", json_text(tool->name), "version",
                     json_text(tool->version), "build", json_text(tool->build));
}

static json_t *host_object(const struct result_host *host)
{
    return json_pack("{s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o}", "kernel", json_text(host->kernel),
                     "machine", json_text(host->machine), "cpu", json_text(host->cpu), "cpus",
                     (int)host->cpus, "virtualisation", host->virtual, "clocksource",
                     json_text(host->clocksource), "tsc_hz", json_known(host->tsc_hz), "steal",
                     json_known(host->steal));
}

static json_t *target_object(const struct result_target *target)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:o, s:o}", "text",
                     json_text(target->text), "host", json_text(target->host), "address",
                     json_text(target->address), "export", json_text(target->export), "path",
                     json_text(target->path), "proto", json_text(result_proto(target->transport)),
                     "nfs_port", (int)target->nfs_port, "mount_port", (int)target->mount_port,
                     "auth", json_text(target->auth), "auth_offered", json_text(target->flavors));
}

/* Configuration */

static json_t *mix_object(const struct result_mix *mix)
{
    json_t *weights = json_object();

    for (size_t i = 0; i < mix->count; i++)
        json_object_set_new(weights, mix->ops[i].op, json_count(mix->ops[i].weight));
    return json_pack("{s:o, s:o}", "name", json_text(mix->name), "weights", weights);
}

static json_t *load_object(const struct load *load)
{
    json_t *object =
        json_pack("{s:i, s:i, s:i, s:i}", "clients", (int)load->clients, "connections",
                  (int)load->connections, "depth", (int)load->depth, "threads", (int)load->threads);

    if (load->batch > 1)
        json_object_set_new(object, "batch", json_count(load->batch));
    json_object_set_new(object, "rate_per_s", load->rate > 0 ? json_real(load->rate) : json_null());
    if (load->ranks > 0)
        json_object_set_new(object, "ranks", json_count(load->ranks));
    if (load->rate > 0)
        json_set_text(object, "arrival",
                      load->arrival == ARRIVALS_POISSON ? "poisson" : "constant");
    return object;
}

static json_t *precision_object(const struct result_config *config)
{
    return json_pack("{s:o, s:o, s:o, s:b}", "share", json_known(config->precision.share), "ns",
                     json_known(config->precision.ns), "max_time_ns",
                     json_count(config->maximum_ns), "reached", config->precision_reached);
}

static void set_rounds(json_t *object, const struct result_rounds *rounds)
{
    json_object_set_new(object, "rounds", json_count(rounds->done));
    json_object_set_new(object, "rounds_planned", json_count(rounds->planned));
    json_object_set_new(object, "warmup_rounds", json_count(rounds->warmup));
    json_object_set_new(object, "warmup_steady", json_boolean(rounds->steady));
}

static json_t *config_object(const struct result *result)
{
    const struct result_config *config = &result->config;
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:b, s:i, s:i, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:b}", "engine",
        json_text(config->engine), "clock", json_text(result->clock.name), "wait",
        config->spin ? "spin" : "block", "baseline", config->baseline, "clients",
        (int)config->load.clients, "depth", (int)config->load.depth, "calls",
        config->calls ? json_count(config->calls) : json_null(), "block", json_count(config->block),
        "timeout_ns", json_count(config->timeout_ns), "retrans", (int)config->retransmissions,
        "verify", config->verify, "client_cpus", json_text(config->client_cpus), "server_cpu",
        config->server_cpu >= 0 ? json_integer(config->server_cpu) : json_null(), "kept_awake",
        config->awake);

    set_rounds(object, &result->rounds);
    if (!load_is_single(&config->load))
        json_object_set_new(object, "load", load_object(&config->load));
    if (config->mix)
        json_object_set_new(object, "mix", mix_object(config->mix));
    if (config->calls == 0)
        json_object_set_new(object, "precision", precision_object(config));
    if (config->read_size) {
        json_object_set_new(object, "read_size", json_count(config->read_size));
        json_object_set_new(object, "read_offset", json_count(config->read_offset));
    }
    if (config->write_size)
        json_object_set_new(object, "write_size", json_count(config->write_size));
    if (config->files) {
        json_object_set_new(object, "files", json_count(config->files));
        json_object_set_new(object, "file_size", json_count(config->file_size));
    }
    if (config->directory_size)
        json_object_set_new(object, "dir_size", json_count(config->directory_size));
    return object;
}

/* Clock */

/* What empty windows measured: counts by powers of two. */
static json_t *clock_cost_object(const struct result_clock *clock)
{
    json_t *lows = json_array(), *counts = json_array();

    for (size_t i = 0; i < CLOCK_COST_LOG2; i++) {
        if (clock->cost_log2[i] == 0)
            continue;
        json_array_append_new(lows, json_count(i ? UINT64_C(1) << i : 0));
        json_array_append_new(counts, json_count(clock->cost_log2[i]));
    }
    return json_pack("{s:o, s:o}", "low_ns", lows, "count", counts);
}

static json_t *clock_object(const struct result_clock *clock)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:b, s:o}", "name", json_text(clock->name), "ns_per_tick",
        json_known(clock->ns_per_tick), "cost_ns", json_known(clock->cost_ns), "disagreement_ppm",
        json_known(clock->disagreement_ppm), "largest_step_ns", json_known(clock->largest_step_ns),
        "cost_taken_off", true, "cost_histogram", clock_cost_object(clock));
}

/* Model */

static json_t *rate_object(const struct result_rate *rate)
{
    return rate->known ? json_interval(&rate->ns) : json_null();
}

void json_set_rates(json_t *object, const struct result_model *model)
{
    json_object_set_new(object, "call_ns_per_byte", rate_object(&model->call));
    json_object_set_new(object, "reply_ns_per_byte", rate_object(&model->reply));
    json_object_set_new(object, "rx_ns_per_packet", rate_object(&model->packet));
    json_object_set_new(object, "pause_ns_per_ns", rate_object(&model->pause));
}

/* The lengths that the model was made from, each with the median of its series. */
static json_t *points_array(const struct result_model *model)
{
    json_t *points = json_array();

    for (size_t i = 0; i < model->point_count; i++) {
        const struct result_point *point = &model->points[i];

        json_array_append_new(
            points,
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "op", json_text(point->op), "call",
                      json_known(point->call), "reply", json_known(point->reply), "reply_packets",
                      json_known(point->reply_packets), "pause_ns", json_known(point->pause_ns),
                      "calls", json_count(point->calls), "p50", json_known(point->p50)));
    }
    return points;
}

static json_t *model_object(const struct result_model *model)
{
    json_t *object = json_object();

    json_set_rates(object, model);
    json_object_set_new(object, "call_misfit_ns", json_known(model->call_misfit_ns));
    json_object_set_new(object, "reply_misfit_ns", json_known(model->reply_misfit_ns));
    json_object_set_new(object, "pause_misfit_ns", json_known(model->pause_misfit_ns));
    json_object_set_new(object, "points", points_array(model));
    return object;
}

/* Ledger */

json_t *json_ledger_entry(const struct ledger_entry *entry)
{
    json_t *object = json_counters(entry->values);

    json_object_set_new(object, "interfaces",
                        json_interfaces(entry->interfaces, entry->interface_count));
    json_object_set_new(object, "disturbed", json_boolean(entry->disturbed));
    return object;
}

static json_t *usage_object(const struct result *result)
{
    const double *usage = result->usage;

    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "cpu_ns", json_known(usage[COUNTER_CPU_NS]), "user_ns",
        json_known(usage[COUNTER_USER_NS]), "system_ns", json_known(usage[COUNTER_SYSTEM_NS]),
        "voluntary_switches", json_known(usage[COUNTER_VOLUNTARY]), "involuntary_switches",
        json_known(usage[COUNTER_INVOLUNTARY]), "cpu_share", json_known(result->client_cpu_share));
}

static json_t *links_object(const struct result_ledger *ledger)
{
    json_t *links = json_object();

    for (size_t i = 0; i < ledger->link_count; i++)
        json_object_set_new(links, ledger->links[i].name, json_known(ledger->links[i].bits_per_s));
    return links;
}

static json_t *ledger_object(const struct result *result)
{
    const struct result_ledger *ledger = &result->ledger;
    json_t *object = json_pack("{s:o}", "client_per_call", usage_object(result));

    if (ledger->counted) {
        json_object_set_new(object, "passes", json_count(ledger->passes));
        json_object_set_new(object, "calls_per_pass", json_count(ledger->calls));
        json_object_set_new(object, "client_idle_per_ns", json_ledger_entry(ledger->client_idle));
        json_object_set_new(object, "server_idle_per_ns", json_ledger_entry(ledger->server_idle));
        json_object_set_new(object, "link_bits_per_s", links_object(ledger));
    }
    json_object_set_new(object, "server_pid",
                        ledger->server_pid ? json_integer(ledger->server_pid) : json_null());
    json_set_text(object, "server_missing", ledger->server_missing);
    json_set_text(object, "cut_short_by", ledger->cut_short_by);
    return object;
}

/* Ranks */

static json_t *rank_ops_array(const struct result *result, const struct result_rank *rank)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->op_count && i < RESULT_RANK_OPS_MAXIMUM; i++) {
        const struct result_rank_op *op = &rank->ops[i];

        json_array_append_new(
            ops, json_pack("{s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "op",
                           json_text(result->ops[i].op), "calls", json_count(op->calls), "timed",
                           json_count(op->timed), "failed", json_count(op->failed), "rate_per_s",
                           json_known(op->rate_per_s), "latency_ns", "mean", json_known(op->mean),
                           "p50", json_known(op->p50), "p99", json_known(op->p99)));
    }
    return ops;
}

static json_t *reason_object(const char *name, enum verdict verdict, const char *text)
{
    return json_pack("{s:o, s:s, s:o}", "name", json_text(name), "verdict", verdict_name(verdict),
                     "text", json_text(text));
}

static json_t *ranks_array(const struct result *result)
{
    json_t *ranks = json_array();

    for (size_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];
        json_t *reasons = json_array();

        for (size_t j = 0; j < rank->reason_count; j++)
            json_array_append_new(reasons,
                                  reason_object(rank->reasons[j].name, rank->reasons[j].verdict,
                                                rank->reasons[j].text));
        json_array_append_new(ranks,
                              json_pack("{s:o, s:o, s:o, s:s, s:o, s:o}", "rank", json_count(i),
                                        "host", json_text(rank->host), "client_cpu_share",
                                        json_known(rank->client_cpu_share), "verdict",
                                        verdict_name(rank->verdict), "reasons", reasons, "ops",
                                        rank_ops_array(result, rank)));
    }
    return ranks;
}

/* The whole */

static json_t *ops_array(const struct result *result)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->op_count; i++)
        json_array_append_new(ops, json_op(result, &result->ops[i]));
    return ops;
}

static json_t *skipped_array(const struct result *result)
{
    json_t *skipped = json_array();

    for (size_t i = 0; i < result->skipped_count; i++)
        json_array_append_new(skipped,
                              json_pack("{s:o, s:o}", "op", json_text(result->skipped[i].op),
                                        "reason", json_text(result->skipped[i].reason)));
    return skipped;
}

static json_t *evidence_object(const struct result_evidence *evidence)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "client_waited",
                     json_known(evidence->client_waited), "server_waited",
                     json_known(evidence->server_waited), "others", json_known(evidence->others),
                     "core_shared", json_known(evidence->core_shared), "mean_over_median",
                     json_known(evidence->mean_over_median), "outlier_share",
                     json_known(evidence->outlier_share));
}

json_t *json_validity(const struct validity *validity)
{
    json_t *reasons = json_array();

    for (size_t i = 0; i < validity->count; i++)
        json_array_append_new(reasons,
                              reason_object(validity->reasons[i].name, validity->reasons[i].verdict,
                                            validity->reasons[i].text));
    return json_pack("{s:s, s:o}", "verdict", verdict_name(validity->verdict), "reasons", reasons);
}

static json_t *validity_object(const struct result *result)
{
    json_t *object = json_validity(&result->validity);

    if (!isnan(result->evidence.mean_over_median)) /* not of an older file */
        json_object_set_new(object, "evidence", evidence_object(&result->evidence));
    return object;
}

/* As typed; null where a word is no UTF-8, for then the rest would be another command. */
static json_t *command_array(const struct result *result)
{
    json_t *words = json_array();

    for (size_t i = 0; i < result->command_count; i++)
        if (json_array_append_new(words, json_string(result->command[i])) != 0) {
            json_decref(words);
            return json_null();
        }
    return words;
}

static json_t *setup_object(const struct result_target *target)
{
    return json_pack("{s:o, s:o}", "mount_ns", json_count(target->mount_ns), "unmount_ns",
                     target->unmount_ns ? json_count(target->unmount_ns) : json_null());
}

json_t *json_result(const struct result *result)
{
    json_t *object = json_begin(RESULT_MEASUREMENT);

    if (!object)
        return NULL;
    json_object_set_new(object, "tool", tool_object(&result->tool));
    json_object_set_new(object, "command", command_array(result));
    json_object_set_new(object, "start", json_text(result->start));
    json_object_set_new(object, "seed", json_count(result->seed));
    json_object_set_new(object, "cut_short", json_boolean(result->cut_short));
    json_set_text(object, "cut_short_by", result->cut_short_by);
    json_object_set_new(object, "host", host_object(&result->host));
    json_object_set_new(object, "target", target_object(&result->target));
    json_object_set_new(object, "config", config_object(result));
    json_object_set_new(object, "clock", clock_object(&result->clock));
    json_object_set_new(object, "setup", setup_object(&result->target));
    json_object_set_new(object, "ops", ops_array(result));
    json_object_set_new(object, "skipped", skipped_array(result));
    if (result->model)
        json_object_set_new(object, "model", model_object(result->model));
    json_object_set_new(object, "ledger", ledger_object(result));
    if (result->rank_count > 0)
        json_object_set_new(object, "ranks", ranks_array(result));
    if (result->launch_count > 0)
        json_set_launches(object, result);
    json_object_set_new(object, "validity", validity_object(result));
    return object;
}

int result_write_json(const void *data, FILE *out)
{
    return json_write_object(json_result(data), out);
}
