/* A measurement read back from its JSON: all but its ops. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "output/json_reader.h"
#include "output/result_json.h"

#define FILE_MAXIMUM ((size_t)256 << 20) /* a day of rounds, and more */

enum { WORDS_MAXIMUM = 1 << 16, POINTS_MAXIMUM = 1024, CPUS_MAXIMUM = 1 << 20 };

/* The file */

static int check_kind(const json_t *root, const char *path, const char *command,
                      struct error *error)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *key = json_string_value(json_object_get(root, "kind"));
    enum result_kind kind = schema ? result_kind_of(schema, key) : RESULT_KINDS;

    if (!schema)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s is no whole result of nfsbench: it has no schema", path);
    if (kind == RESULT_KINDS)
        return error_set(error, ERROR_USAGE, -EBADMSG,
                         "%.200s has the schema %.60s%s%.60s; this version reads " RESULT_SCHEMA
                         " and " RESULT_SCHEMA_1,
                         path, schema, key ? " and the kind " : "", key ? key : "");
    if (kind != RESULT_MEASUREMENT)
        return error_set(error, ERROR_USAGE, -EBADMSG, "%s takes measurements; %.200s is %s%s",
                         command, path, result_kind_name(kind),
                         kind == RESULT_VERSUS ? ", and 'jq .first' or 'jq .second' takes one out"
                                               : "");
    return 0;
}

static int load(const char *text, size_t length, const char *path, json_t **root,
                struct error *error)
{
    json_error_t found;

    *root = json_loadb(text, length, 0, &found);
    return *root
               ? 0
               : error_set(error, ERROR_USAGE, -EBADMSG, "%.200s is no whole JSON, line %d: %.100s",
                           path, found.line, found.text);
}

/* What schema 1 called otherwise: the value at KEYS, or at its name of then. */
static const char *either(const json_t *object, const char *keys, const char *first)
{
    return json_find(object, keys) ? keys : first;
}

/* Where it was */

static void read_host(struct json_reader *reader, const json_t *root, struct result_host *host)
{
    host->kernel = json_take_text(reader, root, "host.kernel");
    host->machine = json_take_text(reader, root, "host.machine");
    host->cpu = json_take_text(reader, root, "host.cpu");
    host->clocksource = json_take_text(reader, root, "host.clocksource");
    host->cpus = (unsigned)json_take_count(reader, root, "host.cpus", CPUS_MAXIMUM);
    host->virtual = json_take_flag(reader, root, "host.virtualisation");
    host->tsc_hz = json_take_quantity(reader, root, "host.tsc_hz");
    host->steal = json_take_number(reader, root, "host.steal");
}

static const char *transport_of(const char *proto)
{
    if (proto && strcmp(proto, "tcp") == 0)
        return "TCP";
    return proto && strcmp(proto, "udp") == 0 ? "UDP" : NULL;
}

static void read_target(struct json_reader *reader, const json_t *root,
                        struct result_target *target)
{
    target->text = json_take_text(reader, root, "target.text");
    target->host = json_take_text(reader, root, "target.host");
    target->address = json_take_word(reader, root, "target.address");
    target->export = json_take_text(reader, root, "target.export");
    target->path = json_take_text(reader, root, "target.path");
    target->transport = transport_of(json_take_word(reader, root, "target.proto"));
    target->nfs_port = (uint16_t)json_take_count(reader, root, "target.nfs_port", UINT16_MAX);
    target->mount_port = (uint16_t)json_take_count(reader, root, "target.mount_port", UINT16_MAX);
    target->auth = json_take_word(reader, root, "target.auth");
    target->flavors = json_take_word(reader, root, "target.auth_offered");
    target->mount_ns = json_take_count(reader, root, "setup.mount_ns", INT64_MAX);
    target->unmount_ns = json_take_count(reader, root, "setup.unmount_ns", INT64_MAX);
}

/* How */

static void read_mix(struct json_reader *reader, const json_t *root, struct result_config *config)
{
    json_t *weights = json_take_object(reader, root, "config.mix.weights");
    struct result_mix *mix = weights ? json_room(reader, 1, sizeof *mix) : NULL;
    const char *op;
    json_t *weight;

    if (!mix)
        return;
    config->mix = mix;
    mix->name = json_take_text(reader, root, "config.mix.name");
    json_object_foreach(weights, op, weight)
    {
        if (mix->count == RESULT_MIX_MAXIMUM || !json_is_integer(weight) ||
            json_integer_value(weight) < 0 || json_integer_value(weight) > UINT32_MAX) {
            json_refuse(reader, "config.mix.weights are none");
            return;
        }
        mix->ops[mix->count].op = arena_copy(reader->arena, op);
        mix->ops[mix->count++].weight = (uint32_t)json_integer_value(weight);
    }
}

static void read_load(struct json_reader *reader, const json_t *root, struct load *load)
{
    const char *arrival = json_take_word(reader, root, "config.load.arrival");
    double rate = json_take_quantity(reader, root, "config.load.rate_per_s");

    load->clients = (unsigned)json_take_count(reader, root, "config.clients", UINT32_MAX);
    load->depth = (unsigned)json_take_count(reader, root, "config.depth", UINT32_MAX);
    load->connections =
        (unsigned)json_take_count(reader, root, "config.load.connections", UINT32_MAX);
    load->threads = (unsigned)json_take_count(reader, root, "config.load.threads", UINT32_MAX);
    load->batch = (unsigned)json_take_count(reader, root, "config.load.batch", UINT32_MAX);
    load->ranks = (unsigned)json_take_count(reader, root, "config.load.ranks", UINT32_MAX);
    load->rate = isnan(rate) ? 0 : rate;
    if (load->rate > 0 && !arrival)
        json_refuse(reader, "config.load has a rate, and no arrival");
    load->arrival =
        arrival && strcmp(arrival, "poisson") == 0 ? ARRIVALS_POISSON : ARRIVALS_CONSTANT;
}

static void read_precision(struct json_reader *reader, const json_t *root,
                           struct result_config *config)
{
    config->precision.share = json_take_quantity(reader, root, "config.precision.share");
    config->precision.ns = json_take_quantity(reader, root, "config.precision.ns");
    config->maximum_ns = json_take_count(reader, root, "config.precision.max_time_ns", INT64_MAX);
    config->precision_reached = json_take_flag(reader, root, "config.precision.reached");
}

static void read_config(struct json_reader *reader, const json_t *root,
                        struct result_config *config)
{
    const char *wait = json_take_word(reader, root, "config.wait");

    config->engine = json_take_word(reader, root, "config.engine");
    config->spin = wait && strcmp(wait, "spin") == 0;
    /* Where it is not said, null calls that are there are what costs are above. */
    config->baseline =
        json_take_flag(reader, root, "config.baseline") || !json_find(root, "config.baseline");
    config->verify = json_take_flag(reader, root, "config.verify");
    config->awake = json_take_flag(reader, root, "config.kept_awake");
    config->calls = json_take_count(reader, root, "config.calls", INT64_MAX);
    config->block = (uint32_t)json_take_count(reader, root, "config.block", UINT32_MAX);
    config->timeout_ns = json_take_count(reader, root, "config.timeout_ns", INT64_MAX);
    config->retransmissions = (unsigned)json_take_count(reader, root, "config.retrans", UINT32_MAX);
    config->read_size = (uint32_t)json_take_count(reader, root, "config.read_size", UINT32_MAX);
    config->read_offset = json_take_count(reader, root, "config.read_offset", INT64_MAX);
    config->write_size = (uint32_t)json_take_count(reader, root, "config.write_size", UINT32_MAX);
    config->files = (uint32_t)json_take_count(reader, root, "config.files", UINT32_MAX);
    config->file_size = json_take_count(reader, root, "config.file_size", INT64_MAX);
    config->directory_size = (uint32_t)json_take_count(reader, root, "config.dir_size", UINT32_MAX);
    config->client_cpus = json_take_word(reader, root, "config.client_cpus");
    config->server_cpu = json_find(root, "config.server_cpu")
                             ? (int)json_take_count(reader, root, "config.server_cpu", INT32_MAX)
                             : -1;
    read_load(reader, root, &config->load);
    read_mix(reader, root, config);
    read_precision(reader, root, config);
}

static void read_clock(struct json_reader *reader, const json_t *root, struct result_clock *clock)
{
    size_t count, lows;
    const json_t *low =
        json_take_array(reader, root, "clock.cost_histogram.low_ns", CLOCK_COST_LOG2, &lows);
    const json_t *counts =
        json_take_array(reader, root, "clock.cost_histogram.count", CLOCK_COST_LOG2, &count);

    clock->name = json_take_word(reader, root, "clock.name");
    clock->ns_per_tick = json_take_quantity(reader, root, "clock.ns_per_tick");
    clock->cost_ns = json_take_number(reader, root, "clock.cost_ns");
    clock->disagreement_ppm = json_take_number(reader, root, "clock.disagreement_ppm");
    clock->largest_step_ns = json_take_number(reader, root, "clock.largest_step_ns");
    for (size_t i = 0; i < count && i < lows; i++) {
        json_int_t value = json_integer_value(json_array_get(low, i));
        int power = value > 1 ? ilogb((double)value) : 0;

        if (power >= CLOCK_COST_LOG2 || json_integer_value(json_array_get(counts, i)) < 0)
            json_refuse(reader, "clock.cost_histogram is broken");
        else
            clock->cost_log2[power] = (uint64_t)json_integer_value(json_array_get(counts, i));
    }
}

/* The model */

static void read_rate(struct json_reader *reader, const json_t *model, const char *key,
                      struct result_rate *rate)
{
    rate->known = json_take_interval(reader, model, key, &rate->ns);
}

static void read_points(struct json_reader *reader, const json_t *root, struct result_model *model)
{
    size_t count;
    const json_t *points = json_take_array(reader, root, "model.points", POINTS_MAXIMUM, &count);

    model->points = json_room(reader, count, sizeof *model->points);
    model->point_count = model->points ? count : 0;
    for (size_t i = 0; i < model->point_count; i++) {
        struct result_point *point = &model->points[i];
        const json_t *from = json_array_get(points, i);

        snprintf(reader->where, sizeof reader->where, "model.points[%zu].", i);
        point->op = json_take_word(reader, from, "op");
        point->call = json_take_quantity(reader, from, "call");
        point->reply = json_take_quantity(reader, from, "reply");
        point->reply_packets = json_take_quantity(reader, from, "reply_packets");
        point->pause_ns = json_take_quantity(reader, from, "pause_ns");
        point->calls = json_take_count(reader, from, "calls", INT64_MAX);
        point->p50 = json_take_quantity(reader, from, "p50");
    }
    reader->where[0] = '\0';
}

static void read_model(struct json_reader *reader, const json_t *root, struct result *result)
{
    const json_t *from = json_take_object(reader, root, "model");
    struct result_model *model = from ? json_room(reader, 1, sizeof *model) : NULL;

    if (!model)
        return;
    result->model = model;
    read_rate(reader, from, either(from, "call_ns_per_byte", "tx_ns_per_byte"), &model->call);
    read_rate(reader, from, either(from, "reply_ns_per_byte", "rx_ns_per_byte"), &model->reply);
    read_rate(reader, from, "rx_ns_per_packet", &model->packet);
    read_rate(reader, from, either(from, "pause_ns_per_ns", "pace_ns_per_ns"), &model->pause);
    model->call_misfit_ns =
        json_take_number(reader, from, either(from, "call_misfit_ns", "tx_misfit_ns"));
    model->reply_misfit_ns =
        json_take_number(reader, from, either(from, "reply_misfit_ns", "rx_misfit_ns"));
    model->pause_misfit_ns =
        json_take_number(reader, from, either(from, "pause_misfit_ns", "pace_misfit_ns"));
    read_points(reader, root, model);
}

/* The ledger */

static void read_usage(struct json_reader *reader, const json_t *root, struct result *result)
{
    json_take_counters(reader, root, "ledger.client_per_call", counter_names, COUNTERS,
                       result->usage);
    result->client_cpu_share = json_take_number(reader, root, "ledger.client_per_call.cpu_share");
}

static void read_links(struct json_reader *reader, const json_t *root, struct result_ledger *ledger)
{
    json_t *links = json_take_object(reader, root, "ledger.link_bits_per_s");
    const char *name;
    json_t *speed;

    json_object_foreach(links, name, speed)
    {
        struct result_link *link = &ledger->links[ledger->link_count];

        if (ledger->link_count == COUNTERS_INTERFACES_MAXIMUM || !json_is_number(speed))
            continue;
        snprintf(link->name, sizeof link->name, "%s", name);
        link->bits_per_s = json_number_value(speed);
        ledger->link_count++;
    }
}

static void read_ledger(struct json_reader *reader, const json_t *root, struct result *result)
{
    struct result_ledger *ledger = &result->ledger;

    read_usage(reader, root, result);
    ledger->passes = json_take_count(reader, root, "ledger.passes", INT64_MAX);
    ledger->calls = json_take_count(reader, root, "ledger.calls_per_pass", INT64_MAX);
    ledger->client_idle = op_read_ledger_entry(reader, root, "ledger.client_idle_per_ns");
    ledger->server_idle = op_read_ledger_entry(reader, root, "ledger.server_idle_per_ns");
    ledger->counted = ledger->passes && ledger->client_idle && ledger->server_idle;
    ledger->server_pid = (int)json_take_count(reader, root, "ledger.server_pid", INT32_MAX);
    ledger->server_missing = json_take_text(
        reader, root, either(root, "ledger.server_missing", "ledger.server_lacking"));
    ledger->cut_short_by = json_take_text(reader, root, "ledger.cut_short_by");
    read_links(reader, root, ledger);
}

/* Verdicts */

static enum verdict read_verdict(struct json_reader *reader, const json_t *object, const char *keys)
{
    const char *text = json_take_word(reader, object, keys);

    if (text && strcmp(text, "ok") == 0)
        return VERDICT_OK;
    return text && strcmp(text, "suspect") == 0 ? VERDICT_SUSPECT : VERDICT_INVALID;
}

static void read_evidence(struct json_reader *reader, const json_t *root,
                          struct result_evidence *evidence)
{
    const json_t *from = json_take_object(reader, root, "validity.evidence");

    evidence->client_waited = json_take_number(reader, from, "client_waited");
    evidence->server_waited = json_take_number(reader, from, "server_waited");
    evidence->others = json_take_number(reader, from, "others");
    evidence->core_shared = json_take_number(reader, from, "core_shared");
    evidence->mean_over_median = json_take_number(reader, from, "mean_over_median");
    evidence->outlier_share = json_take_number(reader, from, "outlier_share");
}

void result_read_validity(struct json_reader *reader, const json_t *from, struct validity *validity)
{
    const json_t *reasons =
        json_take_array(reader, from, "reasons", VALIDITY_REASONS_MAXIMUM, &validity->count);

    validity->verdict = read_verdict(reader, from, "verdict");
    for (size_t i = 0; i < validity->count; i++) {
        const json_t *reason = json_array_get(reasons, i);
        const char *name, *text;

        snprintf(reader->where, sizeof reader->where, "validity.reasons[%zu].", i);
        if (!json_is_object(reason))
            json_refuse(reader, " is not an object");
        name = json_take_word(reader, reason, "name");
        text = json_take_text(reader, reason, "text");
        validity->reasons[i].name = name ? name : "?";
        validity->reasons[i].verdict = read_verdict(reader, reason, "verdict");
        snprintf(validity->reasons[i].text, sizeof validity->reasons[i].text, "%s",
                 text ? text : "?");
    }
    reader->where[0] = '\0';
}

/* Ranks */

static void read_rank_ops(struct json_reader *reader, const json_t *from, struct result_rank *rank)
{
    size_t count;
    const json_t *ops = json_take_array(reader, from, "ops", RESULT_RANK_OPS_MAXIMUM, &count);

    for (size_t i = 0; i < count; i++) {
        const json_t *op = json_array_get(ops, i);

        rank->ops[i] =
            (struct result_rank_op){.calls = json_take_count(reader, op, "calls", INT64_MAX),
                                    .timed = json_take_count(reader, op, "timed", INT64_MAX),
                                    .failed = json_take_count(reader, op, "failed", INT64_MAX),
                                    .rate_per_s = json_take_quantity(reader, op, "rate_per_s"),
                                    .mean = json_take_quantity(reader, op, "latency_ns.mean"),
                                    .p50 = json_take_quantity(reader, op, "latency_ns.p50"),
                                    .p99 = json_take_quantity(reader, op, "latency_ns.p99")};
    }
}

static void copy_text(struct json_reader *reader, const json_t *from, const char *key, char *out,
                      size_t size)
{
    const char *text = json_take_text(reader, from, key);

    snprintf(out, size, "%s", text ? text : "?");
}

static void read_rank(struct json_reader *reader, const json_t *from, struct result_rank *rank)
{
    const json_t *reasons =
        json_take_array(reader, from, "reasons", VALIDITY_REASONS_MAXIMUM, &rank->reason_count);

    copy_text(reader, from, "host", rank->host, sizeof rank->host);
    rank->client_cpu_share = json_take_number(reader, from, "client_cpu_share");
    rank->verdict = read_verdict(reader, from, "verdict");
    for (size_t i = 0; i < rank->reason_count; i++) {
        const json_t *reason = json_array_get(reasons, i);

        copy_text(reader, reason, "name", rank->reasons[i].name, sizeof rank->reasons[i].name);
        copy_text(reader, reason, "text", rank->reasons[i].text, sizeof rank->reasons[i].text);
        rank->reasons[i].verdict = read_verdict(reader, reason, "verdict");
    }
    read_rank_ops(reader, from, rank);
}

static void read_ranks(struct json_reader *reader, const json_t *root, struct result *result)
{
    size_t count;
    const json_t *from = json_take_array(reader, root, "ranks", RESULT_RANKS_MAXIMUM, &count);
    struct result_rank *ranks = count ? json_room(reader, count, sizeof *ranks) : NULL;

    for (size_t i = 0; ranks && i < count; i++) {
        snprintf(reader->where, sizeof reader->where, "ranks[%zu].", i);
        read_rank(reader, json_array_get(from, i), &ranks[i]);
    }
    reader->where[0] = '\0';
    result->ranks = ranks;
    result->rank_count = ranks ? count : 0;
}

/* The whole */

static void read_command(struct json_reader *reader, const json_t *root, struct result *result)
{
    size_t count;
    const json_t *words = json_take_array(reader, root, "command", WORDS_MAXIMUM, &count);
    const char **command = count ? json_room(reader, count, sizeof *command) : NULL;

    for (size_t i = 0; command && i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));

        if (!word) {
            json_refuse(reader, "command has a word that is not a string");
            return;
        }
        command[i] = arena_copy(reader->arena, word);
    }
    result->command = command;
    result->command_count = command ? count : 0;
}

static void read_start(struct json_reader *reader, const json_t *root, struct result *result)
{
    struct tm broken_down = {.tm_isdst = -1};

    result->start = json_take_word(reader, root, "start");
    if (result->start && strptime(result->start, "%Y-%m-%dT%H:%M:%S%z", &broken_down))
        result->started = timegm(&broken_down) - broken_down.tm_gmtoff;
}

static void read_skipped(struct json_reader *reader, const json_t *root, struct result *result)
{
    size_t count;
    const json_t *skipped = json_take_array(reader, root, "skipped", RESULT_OPS_MAXIMUM, &count);

    result->skipped = json_room(reader, count, sizeof *result->skipped);
    result->skipped_count = result->skipped ? count : 0;
    for (size_t i = 0; i < result->skipped_count; i++) {
        const json_t *from = json_array_get(skipped, i);

        snprintf(reader->where, sizeof reader->where, "skipped[%zu].", i);
        if (!json_is_object(from))
            json_refuse(reader, " is not an object");
        result->skipped[i].op = json_take_word(reader, from, "op");
        result->skipped[i].reason = json_take_text(reader, from, "reason");
    }
    reader->where[0] = '\0';
}

static void read_rounds(struct json_reader *reader, const json_t *root,
                        struct result_rounds *rounds)
{
    rounds->planned = json_take_count(reader, root, "config.rounds_planned", INT64_MAX);
    rounds->warmup = json_take_count(reader, root, "config.warmup_rounds", INT64_MAX);
    rounds->steady = json_take_flag(reader, root, "config.warmup_steady");
}

static void read_seed(struct json_reader *reader, const json_t *root, struct result *result)
{
    const json_t *seed = json_find(root, "seed");

    if (seed && !json_is_integer(seed))
        json_refuse(reader, "seed is not an integer");
    result->seed = (uint64_t)json_integer_value(seed); /* the upper half of them is below 0 */
}

/* Whatever is read of these would only be missing. */
static void check_objects(struct json_reader *reader, const json_t *root)
{
    static const char *const names[] = {"tool",        "host",  "target", "setup", "config",
                                        "config.load", "clock", "ledger", "model", "validity"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        json_take_object(reader, root, names[i]);
}

static void read_whole(struct json_reader *reader, const json_t *root, struct result *result)
{
    check_objects(reader, root);
    result->tool = (struct result_tool){.name = json_take_word(reader, root, "tool.name"),
                                        .version = json_take_word(reader, root, "tool.version"),
                                        .build = json_take_word(reader, root, "tool.build")};
    read_command(reader, root, result);
    read_start(reader, root, result);
    read_seed(reader, root, result);
    result->cut_short = json_take_flag(reader, root, "cut_short");
    result->cut_short_by = json_take_text(reader, root, "cut_short_by");
    read_host(reader, root, &result->host);
    read_target(reader, root, &result->target);
    read_config(reader, root, &result->config);
    read_clock(reader, root, &result->clock);
    read_rounds(reader, root, &result->rounds);
    op_read_all(reader, root, result);
    read_skipped(reader, root, result);
    read_model(reader, root, result);
    read_ledger(reader, root, result);
    read_ranks(reader, root, result);
    read_evidence(reader, root, &result->evidence);
    launches_read(reader, root, result);
    snprintf(reader->where, sizeof reader->where, "validity.");
    result_read_validity(reader, json_take_object(reader, root, "validity"), &result->validity);
}

int result_read_text(struct result *result, const char *text, size_t length, const char *path,
                     const char *command, struct error *error)
{
    struct json_reader reader = {.arena = &result->arena, .path = path, .error = error};
    json_t *root = NULL;

    *result = (struct result){.path = path};
    reader.code = load(text, length, path, &root, error);
    if (reader.code == 0)
        reader.code = check_kind(root, path, command, error);
    if (reader.code == 0)
        read_whole(&reader, root, result);
    json_decref(root);
    if (reader.code)
        result_free(result);
    return reader.code;
}

int result_read(struct result *result, const char *path, const char *command, struct error *error)
{
    struct input input;
    int code = input_read(&input, path, path, FILE_MAXIMUM, error);

    *result = (struct result){.path = path};
    if (code)
        return code;
    code = result_read_text(result, input.text, input.length, path, command, error);
    free(input.text);
    return code;
}
