/* A measurement in JSON: its launches, and how an op's estimates spread over them. */
#include <math.h>

#include "output/json.h"
#include "output/result_fields.h"

enum { BYTES_MAXIMUM = 1 << 30 };

#define NS_MAXIMUM INT64_C(1000000000000000000) /* 30 years */

#define OP(member) FIELD_AT(struct result_launch_op, member)

static const struct field launch_op_fields[] = {
    {"op", FIELD_WORD, OP(op), FIELD_NAME},
    {"calls", FIELD_COUNT, OP(calls)},
    {"mean_ns", FIELD_QUANTITY, OP(mean)},
    {"p50_ns", FIELD_QUANTITY, OP(p50)},
    {"cost_ns", FIELD_INTERVAL, OP(cost), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct result_launch_op, has_cost)},
    {"mean_cost_ns", FIELD_INTERVAL, OP(mean_cost), FIELD_OR_NONE | FIELD_SETS_IF,
     FIELD_IF(struct result_launch_op, has_mean_cost)},
    {"p99_cost_ns", FIELD_INTERVAL, OP(p99_cost), FIELD_OR_NONE | FIELD_SETS_IF,
     FIELD_IF(struct result_launch_op, has_p99_cost)},
    {"round_trip_ns", FIELD_INTERVAL, OP(round_trip)},
    FIELD_END,
};

#define SPEED(member) FIELD_AT(struct core_speed, member)

static const struct field speed_fields[] = {
    {"additions", FIELD_QUANTITY, SPEED(additions)},
    {"multiplications", FIELD_QUANTITY, SPEED(multiplications)},
    FIELD_END,
};

static bool has_speed(const void *object, const void *root)
{
    return !isnan(((const struct result_launch *)object)->speed.additions);
}

#define LAUNCH(member) FIELD_AT(struct result_launch, member)

static const struct field launch_fields[] = {
    {"server", FIELD_COUNT, LAUNCH(server), .maximum = RESULT_LAUNCHES_MAXIMUM},
    {"seed", FIELD_SEED, LAUNCH(seed)},
    {"start", FIELD_WORD, LAUNCH(start)},
    {"environment_bytes", FIELD_COUNT, LAUNCH(environment), .maximum = BYTES_MAXIMUM},
    {"heap_bytes", FIELD_COUNT, LAUNCH(heap), .maximum = BYTES_MAXIMUM},
    {"rounds", FIELD_COUNT, LAUNCH(rounds)},
    {"cut_short", FIELD_FLAG, LAUNCH(cut_short)},
    {"rounds_ns", FIELD_COUNT, LAUNCH(rounds_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"process_ns", FIELD_COUNT, LAUNCH(process_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"server_start_ns", FIELD_COUNT, LAUNCH(server_start_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"server_pid", FIELD_COUNT, LAUNCH(server_pid), FIELD_OR_NULL, .maximum = INT32_MAX},
    {"client_cpu", FIELD_CPU, LAUNCH(client_cpu)},
    {"server_cpu", FIELD_CPU, LAUNCH(server_cpu)},
    {"speed_ns", FIELD_OBJECT, LAUNCH(speed), .fields = speed_fields, .known = has_speed},
    {NULL, FIELD_OBJECT, LAUNCH(validity), .fields = verdict_fields},
    {"ops", FIELD_LIST, FIELD_ITEMS(struct result_launch, ops, op_count, launch_op_fields),
     .maximum = RESULT_OPS_MAXIMUM},
    FIELD_END,
};

static const char *scope(const void *object, const void *root, char room[FIELD_ROOM])
{
    static const char *const scopes[] = {
        [LAUNCHES_CONNECTION] = "connection",
        [LAUNCHES_SERVER] = "server",
        [LAUNCHES_PROGRAM] = "program",
    };

    return scopes[result_scope(root)];
}

const struct field launches_fields[] = {
    {"intervals_speak_of", FIELD_WORD, .text = scope},
    {"launches_planned", FIELD_COUNT, FIELD_AT(struct result, launches_planned),
     .maximum = RESULT_LAUNCHES_MAXIMUM},
    {"launches", FIELD_LIST, FIELD_ITEMS(struct result, launches, launch_count, launch_fields),
     .maximum = RESULT_LAUNCHES_MAXIMUM, .merge = MERGE_JOIN},
    FIELD_END,
};

/* Spread */

static json_t *levels_write(const void *object, const void *root)
{
    const struct launches_levels *levels = &((const struct result_op *)object)->levels;

    if (levels->groups != 2)
        return NULL;
    return json_pack("{s:[o, o], s:[o, o], s:o}", "level_ns", json_known(levels->level[0]),
                     json_known(levels->level[1]), "members", json_count(levels->members[0]),
                     json_count(levels->members[1]), "p", json_known(levels->p));
}

static void levels_read(struct json_reader *reader, const json_t *from, void *object)
{
    const json_t *levels = json_take_object(reader, from, "levels");
    struct launches_levels *read = &((struct result_op *)object)->levels;
    size_t values, members;
    const json_t *level = json_take_array(reader, levels, "level_ns", 2, &values);
    const json_t *member = json_take_array(reader, levels, "members", 2, &members);

    read->groups = levels ? 2 : 1;
    read->p = json_take_quantity(reader, levels, "p");
    if (levels && (values != 2 || members != 2))
        json_refuse(reader, ".levels are not two");
    for (size_t i = 0; levels && i < 2; i++) {
        json_int_t in_it = json_integer_value(json_array_get(member, i));

        if (in_it < 0 || in_it > RESULT_LAUNCHES_MAXIMUM)
            json_refuse(reader, ".levels have members that can't be");
        read->level[i] = json_number_value(json_array_get(level, i));
        read->members[i] = (size_t)in_it;
    }
}

#define SPREAD(member) FIELD_AT(struct launches_spread, member)

static const struct field deviations_fields[] = {
    {"rounds", FIELD_QUANTITY, SPREAD(rounds)},
    {"clients", FIELD_QUANTITY, SPREAD(clients)},
    {"servers", FIELD_QUANTITY, SPREAD(servers)},
    FIELD_END,
};

const struct field spread_fields[] = {
    {"spread_ns", FIELD_OBJECT, FIELD_AT(struct result_op, spread), FIELD_PART,
     .fields = deviations_fields},
    {"levels", FIELD_OWN, .write = levels_write, .read = levels_read},
    FIELD_END,
};

/* What it would take to be precise */

#define PLAN(member) FIELD_AT(struct result_plan, member)

const struct field plan_fields[] = {
    {"half_width_ns", FIELD_QUANTITY, PLAN(half_width_ns)},
    {"servers", FIELD_COUNT, PLAN(launches.servers), .maximum = LAUNCHES_MOST},
    {"clients", FIELD_COUNT, PLAN(launches.clients), .maximum = LAUNCHES_MOST},
    {"rounds", FIELD_COUNT, PLAN(launches.rounds), .maximum = LAUNCHES_MOST_ROUNDS},
    {"rounds_seconds", FIELD_QUANTITY, PLAN(rounds_seconds)},
    {"seconds", FIELD_QUANTITY, PLAN(launches.seconds)},
    FIELD_END,
};
