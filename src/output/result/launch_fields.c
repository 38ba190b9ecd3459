/* Fields of a measurement's launches, of how estimates vary over launches, and of an op's plan. */
#include "output/result/result_fields.h"

enum { BYTES_MAXIMUM = 1 << 30 };

#define NS_MAXIMUM INT64_C(1000000000000000000) /* 30 years in ns */

#define OP(member) FIELD_AT(struct result_op, member)

static const struct field launch_split_fields[] = {
    {"bytes_ns", FIELD_INTERVAL, OP(split.bytes), FIELD_PART},
    {"pause_ns", FIELD_INTERVAL, OP(split.pause), FIELD_PART},
    {"server_ns", FIELD_INTERVAL, OP(split.server), FIELD_PART},
    FIELD_END,
};

static const struct field launch_op_fields[] = {
    {"op", FIELD_WORD, OP(op), FIELD_NAME},
    {"calls", FIELD_COUNT, OP(calls)},
    {"mean_ns", FIELD_QUANTITY, OP(latency.mean)},
    {"p50_ns", FIELD_QUANTITY, OP(latency.p50)},
    {"cost_ns", FIELD_INTERVAL, OP(above_null.cost), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct result_op, has_above_null)},
    {"mean_cost_ns", FIELD_INTERVAL, OP(mean_cost.cost), FIELD_OR_NONE | FIELD_SETS_IF,
     FIELD_IF(struct result_op, has_mean_cost)},
    {"p99_cost_ns", FIELD_INTERVAL, OP(p99_cost), FIELD_OR_NONE | FIELD_SETS_IF,
     FIELD_IF(struct result_op, has_p99_cost)},
    {"round_trip_ns", FIELD_INTERVAL, OP(round_trip)},
    {"model", FIELD_OBJECT, .flags = FIELD_SETS_IF, FIELD_IF(struct result_op, has_split),
     .fields = launch_split_fields},
    {"echo_ns", FIELD_INTERVAL, OP(echo), FIELD_OR_NONE | FIELD_SETS_IF,
     FIELD_IF(struct result_op, has_echo)},
    FIELD_END,
};

#define SPEED(member) FIELD_AT(struct core_speed, member)

static const struct field speed_fields[] = {
    {"additions", FIELD_QUANTITY, SPEED(additions)},
    {"multiplications", FIELD_QUANTITY, SPEED(multiplications)},
    FIELD_END,
};

#define LAUNCH(member) FIELD_AT(struct result_launch, member)

static const struct field launch_fields[] = {
    {"server", FIELD_COUNT, LAUNCH(server), .maximum = RESULT_LAUNCHES_MAXIMUM},
    {"seed", FIELD_SEED, LAUNCH(seed)},
    {"start", FIELD_WORD, LAUNCH(start)},
    {"environment_bytes", FIELD_COUNT, LAUNCH(environment), .maximum = BYTES_MAXIMUM},
    {"heap_bytes", FIELD_COUNT, LAUNCH(heap), .maximum = BYTES_MAXIMUM},
    {"rounds", FIELD_COUNT, LAUNCH(rounds)},
    {"cut_short", FIELD_FLAG, LAUNCH(cut_short)},
    {"other_state", FIELD_FLAG, LAUNCH(other_state)},
    {"rounds_ns", FIELD_COUNT, LAUNCH(rounds_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"process_ns", FIELD_COUNT, LAUNCH(process_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"server_start_ns", FIELD_COUNT, LAUNCH(server_start_ns), FIELD_OR_NONE, .maximum = NS_MAXIMUM},
    {"server_pid", FIELD_COUNT, LAUNCH(server_pid), FIELD_OR_NULL, .maximum = INT32_MAX},
    {"client_cpu", FIELD_CPU, LAUNCH(client_cpu)},
    {"server_cpu", FIELD_CPU, LAUNCH(server_cpu)},
    {"speed_ns", FIELD_OBJECT, LAUNCH(speed), FIELD_OR_NAN, .fields = speed_fields},
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

#define LEVELS(member) FIELD_AT(struct launches_levels, member)

static const struct field level_field[] = {
    {NULL, FIELD_NUMBER, .size = sizeof(double)},
    FIELD_END,
};

static const struct field members_field[] = {
    {NULL, FIELD_COUNT, .size = sizeof(size_t), .maximum = RESULT_LAUNCHES_MAXIMUM},
    FIELD_END,
};

static const struct field levels_fields[] = {
    {"level_ns", FIELD_ARRAY, FIELD_VALUES(struct launches_levels, level, groups, level_field),
     .maximum = 2},
    {"members", FIELD_ARRAY, FIELD_VALUES(struct launches_levels, members, groups, members_field),
     .maximum = 2},
    {"p", FIELD_QUANTITY, LEVELS(p)},
    FIELD_END,
};

static bool has_two_levels(const void *op, const void *root)
{
    return ((const struct result_op *)op)->levels.groups == 2;
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
    {"levels", FIELD_OBJECT, FIELD_AT(struct result_op, levels), .known = has_two_levels,
     .fields = levels_fields},
    FIELD_END,
};

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
