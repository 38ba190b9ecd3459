/* Fields of a measurement's tool, host, target, setup, configuration and clock. */
#include <math.h>
#include <string.h>

#include "output/result/json.h"
#include "output/result/result_fields.h"

#define AT(member) FIELD_AT(struct result, member)
#define IF(member) FIELD_IF(struct result, member)

const struct field tool_fields[] = {
    {"name", FIELD_WORD, AT(tool.name)},
    {"version", FIELD_WORD, AT(tool.version)},
    {"build", FIELD_WORD, AT(tool.build)},
    FIELD_END,
};

const struct field host_fields[] = {
    {"name", FIELD_TEXT, AT(host.name), FIELD_OR_NONE},
    {"kernel", FIELD_TEXT, AT(host.kernel)},
    {"machine", FIELD_TEXT, AT(host.machine)},
    {"cpu", FIELD_TEXT, AT(host.cpu)},
    {"cpus", FIELD_COUNT, AT(host.cpus), .maximum = FIELD_CPUS},
    {"virtualisation", FIELD_FLAG, AT(host.virtual)},
    {"clocksource", FIELD_TEXT, AT(host.clocksource)},
    {"tsc_hz", FIELD_QUANTITY, AT(host.tsc_hz)},
    {"steal", FIELD_NUMBER, AT(host.steal), .merge = MERGE_MEAN},
    FIELD_END,
};

static const char *proto_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    return result_proto(((const struct result *)object)->target.transport);
}

void proto_read(struct json_reader *reader, const json_t *from, void *object)
{
    const char *proto = json_take_word(reader, from, "proto");
    struct result_target *target = &((struct result *)object)->target;

    if (proto && strcmp(proto, "tcp") == 0)
        target->transport = "TCP";
    if (proto && strcmp(proto, "udp") == 0)
        target->transport = "UDP";
}

#define LIMIT(member) AT(target.limits.member), FIELD_OR_NONE
#define SPACE(member) AT(target.limits.member), IF(target.limits.bytes)

const struct field limits_fields[] = {
    {"rtmax", FIELD_COUNT, LIMIT(rtmax)},
    {"rtpref", FIELD_COUNT, LIMIT(rtpref)},
    {"wtmax", FIELD_COUNT, LIMIT(wtmax)},
    {"wtpref", FIELD_COUNT, LIMIT(wtpref)},
    {"dtpref", FIELD_COUNT, LIMIT(dtpref)},
    {"properties", FIELD_COUNT, LIMIT(properties)},
    {"name_max", FIELD_COUNT, LIMIT(name_max)},
    {"link_max", FIELD_COUNT, LIMIT(link_max)},
    {"bytes", FIELD_COUNT, SPACE(bytes)},
    {"bytes_free", FIELD_COUNT, SPACE(bytes_free)},
    {"files", FIELD_COUNT, SPACE(files)},
    {"files_free", FIELD_COUNT, SPACE(files_free)},
    FIELD_END,
};

const struct field target_fields[] = {
    {"text", FIELD_TEXT, AT(target.text)},
    {"host", FIELD_TEXT, AT(target.host)},
    {"address", FIELD_WORD, AT(target.address)},
    {"export", FIELD_TEXT, AT(target.export)},
    {"path", FIELD_TEXT, AT(target.path)},
    {"proto", FIELD_WORD, .text = proto_of, .read = proto_read},
    {"transport", FIELD_WORD, AT(target.transport), FIELD_SHOWN},
    {"nfs_port", FIELD_COUNT, AT(target.nfs_port)},
    {"mount_port", FIELD_COUNT, AT(target.mount_port)},
    {"auth", FIELD_WORD, AT(target.auth)},
    {"auth_offered", FIELD_WORD, AT(target.flavors)},
    {"limits", FIELD_OBJECT, IF(target.limits.rtmax), .fields = limits_fields},
    {"xprtsec", FIELD_WORD, AT(target.xprtsec), FIELD_OR_NONE},
    {"tls", FIELD_WORD, AT(target.tls), FIELD_OR_NONE},
    {"mount_point", FIELD_TEXT, AT(target.mount_point), FIELD_OR_NONE},
    {"mount_options", FIELD_TEXT, AT(target.mount_options), FIELD_OR_NONE},
    FIELD_END,
};

#define CONTEXTS(member) FIELD_AT(struct result_contexts, member)

static const struct field contexts_fields[] = {
    {"made", FIELD_COUNT, CONTEXTS(made)},
    {"creation_ns", FIELD_INTERVAL, CONTEXTS(creation)},
    {"init_ns", FIELD_INTERVAL, CONTEXTS(init)},
    {"continue_ns", FIELD_INTERVAL, CONTEXTS(continued)},
    {"destroy_ns", FIELD_INTERVAL, CONTEXTS(destroy)},
    FIELD_END,
};

#define HANDSHAKES(member) FIELD_AT(struct result_handshakes, member)

static const struct field handshakes_fields[] = {
    {"made", FIELD_COUNT, HANDSHAKES(full)},
    {"probe_ns", FIELD_INTERVAL, HANDSHAKES(probe)},
    {"tls_ns", FIELD_INTERVAL, HANDSHAKES(full_ns)},
    {"resumed", FIELD_COUNT, HANDSHAKES(resumed)},
    {"resumed_tls_ns", FIELD_INTERVAL, HANDSHAKES(resumed_ns)},
    {"run_connections", FIELD_COUNT, HANDSHAKES(run_connections), .merge = MERGE_SUM},
    {"run_resumed", FIELD_COUNT, HANDSHAKES(run_resumed), .merge = MERGE_SUM},
    FIELD_END,
};

const struct field setup_fields[] = {
    {"mount_ns", FIELD_COUNT, AT(target.mount_ns)},
    {"look_up_ns", FIELD_COUNT, AT(target.look_up_ns), FIELD_OR_NONE},
    {"port_mapper_ns", FIELD_COUNT, AT(target.port_mapper_ns), FIELD_OR_NONE},
    {"connect_ns", FIELD_COUNT, AT(target.connect_ns), FIELD_OR_NONE},
    {"unmount_ns", FIELD_COUNT, AT(target.unmount_ns), FIELD_OR_NULL},
    {"contexts", FIELD_POINTER, FIELD_TO(struct result, target.contexts, contexts_fields)},
    {"handshakes", FIELD_POINTER, FIELD_TO(struct result, target.handshakes, handshakes_fields),
     .merge = MERGE_PARTS},
    FIELD_END,
};

static const struct field weight_fields[] = {
    {"op", FIELD_TEXT, FIELD_AT(struct result_mix_op, op)},
    {"weight", FIELD_COUNT, FIELD_AT(struct result_mix_op, weight)},
    FIELD_END,
};

static const struct field mix_fields[] = {
    {"name", FIELD_TEXT, FIELD_AT(struct result_mix, name)},
    {"weights", FIELD_ARRAY, FIELD_ITEMS(struct result_mix, ops, count, weight_fields),
     FIELD_BY_NAME, .maximum = RESULT_MIX_MAXIMUM},
    FIELD_END,
};

static bool is_batched(const void *object, const void *root)
{
    const struct result *result = root;

    return result->config.load.batch > 1;
}

static bool is_load(const void *object, const void *root)
{
    const struct result *result = root;

    return !load_is_single(&result->config.load);
}

static bool is_until_precise(const void *object, const void *root)
{
    const struct result *result = root;

    return result->config.calls == 0;
}

static const struct field config_load_fields[] = {
    {"clients", FIELD_COUNT, AT(config.load.clients), FIELD_UNREAD},
    {"connections", FIELD_COUNT, AT(config.load.connections)},
    {"depth", FIELD_COUNT, AT(config.load.depth), FIELD_UNREAD},
    {"threads", FIELD_COUNT, AT(config.load.threads)},
    {"batch", FIELD_COUNT, AT(config.load.batch), .known = is_batched},
    {"shared_contexts", FIELD_FLAG, AT(config.load.shared_contexts), FIELD_OR_NONE},
    {"rate_per_s", FIELD_QUANTITY, AT(config.load.rate), FIELD_OR_NULL},
    {"ranks", FIELD_COUNT, AT(config.load.ranks), FIELD_OR_NONE},
    {"arrival", FIELD_CHOICE, AT(config.load.arrival), IF(config.load.rate),
     .names = arrivals_names},
    FIELD_END,
};

static const struct field precision_fields[] = {
    {"share", FIELD_QUANTITY, AT(config.precision.share)},
    {"ns", FIELD_QUANTITY, AT(config.precision.ns)},
    {"max_time_ns", FIELD_COUNT, AT(config.maximum_ns)},
    {"reached", FIELD_FLAG, AT(config.precision_reached)},
    FIELD_END,
};

static bool gave_up(const void *object, const void *root)
{
    return ((const struct result *)object)->config.given_up.usual_seconds > 0;
}

#define GIVEN_UP(member) AT(config.given_up.member)

static const struct field given_up_fields[] = {
    {"launches", FIELD_COUNT, GIVEN_UP(launches)},
    {"launches_usual", FIELD_COUNT, GIVEN_UP(launches_usual)},
    {"block", FIELD_COUNT, GIVEN_UP(block)},
    {"block_usual", FIELD_COUNT, GIVEN_UP(block_usual)},
    {"warmup", FIELD_FLAG, GIVEN_UP(warmup)},
    {"model", FIELD_FLAG, GIVEN_UP(model)},
    {"control", FIELD_FLAG, GIVEN_UP(control)},
    {"ledger", FIELD_FLAG, GIVEN_UP(ledger)},
    {"usual_seconds", FIELD_QUANTITY, GIVEN_UP(usual_seconds)},
    FIELD_END,
};

#define TREE(member) FIELD_AT(struct result_tree, member)

static const struct field tree_fields[] = {
    {"path", FIELD_TEXT, TREE(path)},
    {"files", FIELD_COUNT, TREE(files)},
    {"bytes", FIELD_COUNT, TREE(bytes)},
    {"symlinks", FIELD_COUNT, TREE(symlinks)},
    {"directories", FIELD_COUNT, TREE(directories)},
    {"others", FIELD_COUNT, TREE(others)},
    {"vanished", FIELD_COUNT, TREE(vanished)},
    {"denied", FIELD_COUNT, TREE(denied)},
    {"loops", FIELD_COUNT, TREE(loops)},
    {"calls", FIELD_COUNT, TREE(calls)},
    {"elapsed_ns", FIELD_COUNT, TREE(elapsed_ns)},
    {"cut", FIELD_FLAG, TREE(cut)},
    FIELD_END,
};

#define DIRECTORY(member) FIELD_AT(struct result_baseline_directory, member)

static const struct field baseline_directory_fields[] = {
    {"path", FIELD_TEXT, DIRECTORY(path)},
    {"file_system", FIELD_TEXT, DIRECTORY(file_system), FIELD_OR_NONE},
    {"bytes", FIELD_COUNT, DIRECTORY(bytes)},
    {"direct", FIELD_FLAG, DIRECTORY(direct)},
    {"cached_share", FIELD_QUANTITY, DIRECTORY(cached_share)},
    FIELD_END,
};

static bool is_on_one(const void *object, const void *root)
{
    return ((const struct result *)object)->config.one_processor.of > 0;
}

static const struct field one_processor_fields[] = {
    {"cpu", FIELD_COUNT, AT(config.one_processor.cpu)},
    {"chosen_from", FIELD_COUNT, AT(config.one_processor.of)},
    {"busy_share", FIELD_QUANTITY, AT(config.one_processor.busy_share), FIELD_OR_NAN},
    FIELD_END,
};

static const char *const waits[] = {"block", "spin", NULL};

/* Fields of the configuration. If a file lacks "baseline", null calls are the baseline. "rounds" is
 * not read: a file has as many rounds as each op has blocks. */
const struct field config_fields[] = {
    {"engine", FIELD_WORD, AT(config.engine)},
    {"clock", FIELD_WORD, AT(clock.name), FIELD_UNREAD},
    {"wait", FIELD_CHOICE, AT(config.spin), .names = waits},
    {"baseline", FIELD_FLAG, AT(config.baseline), FIELD_OR_TRUE},
    {"clients", FIELD_COUNT, AT(config.load.clients)},
    {"depth", FIELD_COUNT, AT(config.load.depth)},
    {"calls", FIELD_COUNT, AT(config.calls), FIELD_OR_NULL},
    {"block", FIELD_COUNT, AT(config.block)},
    {"timeout_ns", FIELD_COUNT, AT(config.timeout_ns)},
    {"retrans", FIELD_COUNT, AT(config.retransmissions)},
    {"receive_window", FIELD_COUNT, AT(config.receive_window), FIELD_OR_NONE},
    {"verify", FIELD_FLAG, AT(config.verify)},
    {"count_resent", FIELD_FLAG, AT(config.count_resent)},
    {"check_in_time", FIELD_FLAG, AT(config.check_in_time), FIELD_OR_NONE},
    {"client_cpus", FIELD_WORD, AT(config.client_cpus)},
    {"server_cpu", FIELD_CPU, AT(config.server_cpu)},
    {"one_processor", FIELD_OBJECT, .fields = one_processor_fields, .known = is_on_one},
    {"kept_awake", FIELD_FLAG, AT(config.awake)},
    {"rounds", FIELD_COUNT, AT(rounds.done), FIELD_UNREAD, .merge = MERGE_ROUNDS},
    {"rounds_planned", FIELD_COUNT, AT(rounds.planned), .merge = MERGE_ROUNDS},
    {"warmup_rounds", FIELD_COUNT, AT(rounds.warmup), .merge = MERGE_ROUNDS},
    {"warmup_steady", FIELD_FLAG, AT(rounds.steady), .merge = MERGE_ALL},
    {"load", FIELD_OBJECT, .fields = config_load_fields, .known = is_load},
    {"mix", FIELD_POINTER, FIELD_TO(struct result, config.mix, mix_fields)},
    {"precision", FIELD_OBJECT, .fields = precision_fields, .known = is_until_precise},
    {"over_ns", FIELD_COUNT, AT(config.over_ns), FIELD_OR_NONE},
    {"given_up", FIELD_OBJECT, .fields = given_up_fields, .known = gave_up},
    {"read_size", FIELD_COUNT, AT(config.read_size), FIELD_OR_NONE},
    {"read_offset", FIELD_COUNT, AT(config.read_offset), IF(config.read_size)},
    {"write_size", FIELD_COUNT, AT(config.write_size), FIELD_OR_NONE},
    {"files", FIELD_COUNT, AT(config.files), FIELD_OR_NONE},
    {"file_size", FIELD_COUNT, AT(config.file_size), IF(config.files)},
    {"tree", FIELD_POINTER, FIELD_TO(struct result, config.tree, tree_fields)},
    {"pattern", FIELD_WORD, AT(config.pattern), FIELD_OR_NONE},
    {"cold", FIELD_FLAG, AT(config.cold), FIELD_OR_NONE},
    {"working_set_bytes", FIELD_COUNT, AT(config.working_set_bytes), FIELD_OR_NONE},
    {"working_set_files", FIELD_COUNT, AT(config.working_set_files), FIELD_OR_NONE},
    {"dir_size", FIELD_COUNT, AT(config.directory_size), FIELD_OR_NONE},
    {"baseline_dir", FIELD_POINTER,
     FIELD_TO(struct result, config.baseline_directory, baseline_directory_fields)},
    FIELD_END,
};

static json_t *clock_cost_write(const void *object, const void *root)
{
    const struct result *result = root;
    const uint64_t *cost_log2 = result->clock.cost_log2;
    json_t *lows = json_array(), *counts = json_array();

    for (size_t i = 0; i < CLOCK_COST_LOG2; i++) {
        if (cost_log2[i] == 0)
            continue;
        json_array_append_new(lows, json_count(i ? UINT64_C(1) << i : 0));
        json_array_append_new(counts, json_count(cost_log2[i]));
    }
    return json_pack("{s:o, s:o}", "low_ns", lows, "count", counts);
}

static void clock_cost_read(struct json_reader *reader, const json_t *from, void *object)
{
    size_t count, lows;
    const json_t *low =
        json_take_array(reader, from, "cost_histogram.low_ns", CLOCK_COST_LOG2, &lows);
    const json_t *counts =
        json_take_array(reader, from, "cost_histogram.count", CLOCK_COST_LOG2, &count);
    struct result *result = object;

    for (size_t i = 0; i < count && i < lows; i++) {
        json_int_t value = json_integer_value(json_array_get(low, i));
        json_int_t windows = json_integer_value(json_array_get(counts, i));
        int power = value > 1 ? ilogb((double)value) : 0;

        if (power >= CLOCK_COST_LOG2 || windows < 0)
            json_refuse(reader, ".cost_histogram is broken");
        else
            result->clock.cost_log2[power] = (uint64_t)windows;
    }
}

static json_t *true_write(const void *object, const void *root)
{
    return json_true();
}

const struct field clock_fields[] = {
    {"name", FIELD_WORD, AT(clock.name)},
    {"ns_per_tick", FIELD_QUANTITY, AT(clock.ns_per_tick)},
    {"cost_ns", FIELD_NUMBER, AT(clock.cost_ns), .merge = MERGE_MEAN},
    {"disagreement_ppm", FIELD_NUMBER, AT(clock.disagreement_ppm)},
    {"largest_step_ns", FIELD_NUMBER, AT(clock.largest_step_ns), .merge = MERGE_MOST},
    {"cost_taken_off", FIELD_OWN, .write = true_write, .schema = "{\"const\": true}"},
    {"cost_histogram", FIELD_OWN, .write = clock_cost_write, .read = clock_cost_read,
     .schema = "{\"type\": \"object\", \"properties\": {\"low_ns\": " FIELD_NUMBERS_SCHEMA
               ", \"count\": " FIELD_NUMBERS_SCHEMA
               "}, \"additionalProperties\": false, \"required\": [\"low_ns\", \"count\"]}"},
    FIELD_END,
};
