/* What a measurement's intervals speak of, and how its launches differ, as text. */
#include <math.h>
#include <string.h>

#include "common/counted.h"
#include "output/number.h"
#include "output/text.h"

static size_t count_servers(const struct result *result)
{
    size_t servers = 0;

    for (size_t i = 0; i < result->launch_count; i++)
        if (result->launches[i].server + (size_t)1 > servers)
            servers = result->launches[i].server + (size_t)1;
    return servers;
}

void text_print_scope(const struct result *result, FILE *out)
{
    size_t servers = count_servers(result);

    switch (result_scope(result)) {
    case LAUNCHES_CONNECTION:
        fputs("one launch: the intervals speak of this connection only\n", out);
        break;
    case LAUNCHES_SERVER:
        fprintf(out,
                "%zu launches of the client: the intervals speak of this server, any connection\n",
                result->launch_count);
        break;
    case LAUNCHES_PROGRAM:
        if (servers == result->launch_count)
            fprintf(out, "%zu launches, each with a new server", servers);
        else
            fprintf(out, "%zu launches with %s", result->launch_count,
                    counted(servers, "server").text);
        fputs(": the intervals speak of this program, any launch\n", out);
        break;
    }
}

/* Two levels */

/* The figure by which OP is compared, in launch INDEX; NAN if it has none. */
static double estimate_of(const struct result *result, const struct result_op *op, size_t index)
{
    const struct result_launch *launch = &result->launches[index];

    for (size_t i = 0; i < launch->op_count; i++)
        if (strcmp(launch->ops[i].op, op->op) == 0)
            return op->has_above_null ? launch->ops[i].cost.estimate
                                      : launch->ops[i].round_trip.estimate;
    return NAN;
}

/* The processor on which all launches of a group ran, for each of two groups; -1 if it was not the
 * same for all. */
struct processors {
    int client[2], server[2];
};

static int join(int known, int other)
{
    const int none_yet = -2;

    return known == none_yet || known == other ? other : -1;
}

static void find_processors(const struct result *result, const struct result_op *op,
                            struct processors *found)
{
    double middle = (op->levels.level[0] + op->levels.level[1]) / 2;

    *found = (struct processors){{-2, -2}, {-2, -2}};
    for (size_t i = 0; i < result->launch_count; i++) {
        const struct result_launch *launch = &result->launches[i];
        double estimate = estimate_of(result, op, i);
        size_t group = estimate > middle;

        if (isnan(estimate))
            continue;
        found->client[group] = join(found->client[group], launch->client_cpu);
        found->server[group] = join(found->server[group], launch->server_cpu);
    }
}

static bool explains(const int cpus[2])
{
    return cpus[0] >= 0 && cpus[1] >= 0 && cpus[0] != cpus[1];
}

static void print_difference(const struct result *result, const struct result_op *op, FILE *out)
{
    struct processors found;

    find_processors(result, op, &found);
    if (explains(found.client))
        fprintf(out, "; the client ran on CPU %d in the lower, on CPU %d in the upper",
                found.client[0], found.client[1]);
    if (explains(found.server))
        fprintf(out,
                "; the server's busiest thread ran on CPU %d in the lower, on CPU %d in the "
                "upper",
                found.server[0], found.server[1]);
    if (!explains(found.client) && !explains(found.server))
        fputs("; not by the processors that client and server ran on", out);
}

static void print_levels(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct launches_levels *levels = &op->levels;
    size_t units = levels->members[0] + levels->members[1];

    fprintf(out, "  %s: two levels, %.3f us in %zu of %zu %s, %.3f us in %zu", op->op,
            us(levels->level[0]), levels->members[0], units,
            units == result->launch_count ? "launches" : "servers", us(levels->level[1]),
            levels->members[1]);
    print_difference(result, op, out);
    fputc('\n', out);
}

void text_print_levels(const struct result *result, FILE *out)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].has_spread && result->ops[i].levels.groups == 2)
            print_levels(result, &result->ops[i], out);
}

/* Spread */

static const char *deviation(double ns, char text[NUMBER_SIZE])
{
    if (isnan(ns))
        return "-";
    snprintf(text, NUMBER_SIZE, "%.3f", us(ns));
    return text;
}

static void print_spread(const struct result_op *op, FILE *out)
{
    char rounds[NUMBER_SIZE], clients[NUMBER_SIZE], servers[NUMBER_SIZE];

    if (op->has_spread)
        fprintf(out, "  %-16s %-11s %9s %9s %9s\n", op->op,
                op->has_above_null ? "cost" : "round trip", deviation(op->spread.rounds, rounds),
                deviation(op->spread.clients, clients), deviation(op->spread.servers, servers));
}

/* A column for each launch's op, as many as there are. */
static void print_launch(const struct result *result, size_t index, FILE *out)
{
    const struct result_launch *launch = &result->launches[index];

    fprintf(out, "  launch %-3zu server %-3u %7zu rounds  verdict %-8s", index + 1, launch->server,
            launch->rounds, verdict_name(launch->validity.verdict));
    if (launch->client_cpu >= 0)
        fprintf(out, "  client CPU %d", launch->client_cpu);
    if (launch->server_cpu >= 0)
        fprintf(out, ", server CPU %d", launch->server_cpu);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].role >= RESULT_MIX)
            fprintf(out, "  %s %.3f us", result->ops[i].op,
                    us(estimate_of(result, &result->ops[i], index)));
    fputc('\n', out);
}

/* "for getattr to +-0.010 us: 12 launches of 0.8 s (410 rounds each), 9.6 s in all" */
static void print_plan(const struct result_op *op, FILE *out)
{
    const struct launches_plan *plan = &op->plan.launches;
    size_t launches = plan->servers * plan->clients;

    if (!op->has_plan)
        return;
    fprintf(out, "  for %s to +-%.3f us: %zu launches", op->op, us(op->plan.half_width_ns),
            launches);
    if (plan->servers > 1 && plan->clients > 1)
        fprintf(out, " (%zux%zu)", plan->servers, plan->clients);
    fprintf(out, " of %.2g s (%s), %.3g s in all\n", plan->seconds / (double)launches,
            counted(plan->rounds, "round").text, plan->seconds);
}

void text_print_spread(const struct result *result, FILE *out)
{
    if (result->launch_count < 2)
        return;
    fputc('\n', out);
    for (size_t i = 0; i < result->launch_count; i++)
        print_launch(result, i, out);
    fprintf(out, "\n  %-28s %9s %9s %9s\n", "standard deviation, us, by", "rounds", "clients",
            "servers");
    for (size_t i = 0; i < result->op_count; i++)
        print_spread(&result->ops[i], out);
    if (result_longest_plan(result))
        fputs("\n  the least time to reach --precision, by these deviations and times:\n", out);
    for (size_t i = 0; i < result->op_count; i++)
        print_plan(&result->ops[i], out);
}
