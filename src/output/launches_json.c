/* A measurement's launches as JSON, written and read back. */
#include <math.h>
#include <string.h>

#include "output/json.h"
#include "output/result_json.h"

enum { BYTES_MAXIMUM = 1 << 30, CPUS_MAXIMUM = 1 << 20 };

static const char *const scope_keys[] = {
    [LAUNCHES_CONNECTION] = "connection",
    [LAUNCHES_SERVER] = "server",
    [LAUNCHES_PROGRAM] = "program",
};

/* Written */

static json_t *ops_array(const struct result_launch *launch)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < launch->op_count; i++) {
        const struct result_launch_op *op = &launch->ops[i];

        json_array_append_new(ops, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "op",
                                             json_text(op->op), "calls", json_count(op->calls),
                                             "mean_ns", json_known(op->mean), "p50_ns",
                                             json_known(op->p50), "cost_ns",
                                             op->has_cost ? json_interval(&op->cost) : json_null(),
                                             "round_trip_ns", json_interval(&op->round_trip)));
    }
    return ops;
}

static json_t *cpu_number(int cpu)
{
    return cpu >= 0 ? json_integer(cpu) : json_null();
}

static json_t *launch_object(const struct result_launch *launch)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "server", json_count(launch->server),
        "seed", json_count(launch->seed), "start", json_text(launch->start), "environment_bytes",
        json_count(launch->environment), "heap_bytes", json_count(launch->heap), "rounds",
        json_count(launch->rounds), "cut_short", launch->cut_short, "server_pid",
        launch->server_pid ? json_integer(launch->server_pid) : json_null(), "client_cpu",
        cpu_number(launch->client_cpu), "server_cpu", cpu_number(launch->server_cpu));

    json_object_update_new(object, json_validity(&launch->validity));
    json_object_set_new(object, "ops", ops_array(launch));
    return object;
}

void json_set_launches(json_t *object, const struct result *result)
{
    json_t *launches = json_array();

    for (size_t i = 0; i < result->launch_count; i++)
        json_array_append_new(launches, launch_object(&result->launches[i]));
    json_set_text(object, "intervals_speak_of", scope_keys[result_scope(result)]);
    json_object_set_new(object, "launches_planned", json_count(result->launches_planned));
    json_object_set_new(object, "launches", launches);
}

static json_t *levels_object(const struct launches_levels *levels)
{
    return json_pack("{s:[o, o], s:[o, o], s:o}", "level_ns", json_known(levels->level[0]),
                     json_known(levels->level[1]), "members", json_count(levels->members[0]),
                     json_count(levels->members[1]), "p", json_known(levels->p));
}

void json_set_spread(json_t *object, const struct result_op *op)
{
    json_object_set_new(object, "spread_ns",
                        json_pack("{s:o, s:o, s:o}", "rounds", json_known(op->spread.rounds),
                                  "clients", json_known(op->spread.clients), "servers",
                                  json_known(op->spread.servers)));
    if (op->levels.groups == 2)
        json_object_set_new(object, "levels", levels_object(&op->levels));
}

/* Read */

static void read_op(struct json_reader *reader, const json_t *from, struct result_launch_op *op)
{
    if (!json_is_object(from))
        json_refuse(reader, " is not an object");
    op->op = json_take_word(reader, from, "op");
    if (!op->op)
        json_refuse(reader, " has no name");
    op->calls = json_take_count(reader, from, "calls", INT64_MAX);
    op->mean = json_take_quantity(reader, from, "mean_ns");
    op->p50 = json_take_quantity(reader, from, "p50_ns");
    op->has_cost = json_take_interval(reader, from, "cost_ns", &op->cost);
    json_take_interval(reader, from, "round_trip_ns", &op->round_trip);
}

static int read_cpu(struct json_reader *reader, const json_t *from, const char *key)
{
    return json_find(from, key) ? (int)json_take_count(reader, from, key, CPUS_MAXIMUM) : -1;
}

static void read_ops(struct json_reader *reader, const json_t *from, size_t number,
                     struct result_launch *launch)
{
    size_t count;
    const json_t *ops = json_take_array(reader, from, "ops", RESULT_OPS_MAXIMUM, &count);

    launch->ops = json_room(reader, count, sizeof *launch->ops);
    launch->op_count = launch->ops ? count : 0;
    for (size_t i = 0; i < launch->op_count; i++) {
        snprintf(reader->where, sizeof reader->where, "launches[%zu].ops[%zu].", number, i);
        read_op(reader, json_array_get(ops, i), &launch->ops[i]);
    }
}

static void read_launch(struct json_reader *reader, const json_t *launches, size_t number,
                        struct result_launch *launch)
{
    const json_t *from = json_array_get(launches, number), *seed = json_find(from, "seed");

    snprintf(reader->where, sizeof reader->where, "launches[%zu].", number);
    if (!json_is_object(from) || (seed && !json_is_integer(seed)))
        json_refuse(reader, " is no launch");
    launch->server = (unsigned)json_take_count(reader, from, "server", RESULT_LAUNCHES_MAXIMUM);
    launch->seed = (uint64_t)json_integer_value(seed); /* the upper half of them is below 0 */
    launch->start = json_take_word(reader, from, "start");
    launch->environment =
        (uint32_t)json_take_count(reader, from, "environment_bytes", BYTES_MAXIMUM);
    launch->heap = (uint32_t)json_take_count(reader, from, "heap_bytes", BYTES_MAXIMUM);
    launch->rounds = json_take_count(reader, from, "rounds", INT64_MAX);
    launch->cut_short = json_take_flag(reader, from, "cut_short");
    launch->server_pid = (int)json_take_count(reader, from, "server_pid", INT32_MAX);
    launch->client_cpu = read_cpu(reader, from, "client_cpu");
    launch->server_cpu = read_cpu(reader, from, "server_cpu");
    read_ops(reader, from, number, launch);
    snprintf(reader->where, sizeof reader->where, "launches[%zu].", number);
    result_read_validity(reader, from, &launch->validity);
}

void launches_read(struct json_reader *reader, const json_t *root, struct result *result)
{
    size_t count;
    const json_t *from = json_take_array(reader, root, "launches", RESULT_LAUNCHES_MAXIMUM, &count);

    result->launches = json_room(reader, count, sizeof *result->launches);
    result->launch_count = result->launches ? count : 0;
    result->launches_planned =
        json_take_count(reader, root, "launches_planned", RESULT_LAUNCHES_MAXIMUM);
    for (size_t i = 0; i < result->launch_count && reader->code == 0; i++)
        read_launch(reader, from, i, &result->launches[i]);
    reader->where[0] = '\0';
}

static void read_levels(struct json_reader *reader, const json_t *from,
                        struct launches_levels *levels)
{
    size_t values, members;
    const json_t *level = json_take_array(reader, from, "level_ns", 2, &values);
    const json_t *member = json_take_array(reader, from, "members", 2, &members);

    if (values != 2 || members != 2) {
        json_refuse(reader, ".levels are not two");
        return;
    }
    levels->groups = 2;
    levels->p = json_take_quantity(reader, from, "p");
    for (size_t i = 0; i < 2; i++) {
        json_int_t in_it = json_integer_value(json_array_get(member, i));

        if (in_it < 0 || in_it > RESULT_LAUNCHES_MAXIMUM)
            json_refuse(reader, ".levels have members that can't be");
        levels->level[i] = json_number_value(json_array_get(level, i));
        levels->members[i] = (size_t)in_it;
    }
}

void launches_read_spread(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const json_t *spread = json_take_object(reader, from, "spread_ns");
    const json_t *levels = json_take_object(reader, from, "levels");

    op->levels.groups = 1;
    op->has_spread = spread != NULL;
    if (!spread)
        return;
    op->spread = (struct launches_spread){json_take_quantity(reader, spread, "rounds"),
                                          json_take_quantity(reader, spread, "clients"),
                                          json_take_quantity(reader, spread, "servers")};
    if (levels)
        read_levels(reader, levels, &op->levels);
}
