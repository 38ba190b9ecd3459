#include "job/launch_options.h"

#include <errno.h>
#include <stdio.h>

#include "job/options.h"
#include "output/result/result.h"
#include "run/load_block.h"

enum {
    LAUNCHES_USUAL = 5,       /* default number of launches */
    LAUNCHES_USUAL_SELF = 10, /* default number of launches for self:, if each is long enough */
    LAUNCH_BLOCK_USUAL = 100, /* default number of calls in a block */
};

/* minimum duration of a launch if neither --launches nor --over is given */
#define LAUNCH_NS_LEAST UINT64_C(1000000000)

int option_parse_launches(const struct option_entry *entry, const char *text, void *member,
                          struct error *error)
{
    struct launches_request *request = member;
    unsigned servers, clients = 0;
    int end = 0;

    if (sscanf(text, "%4u%n", &servers, &end) == 1 && text[end] == 'x' && text[end + 1] != '-' &&
        text[end + 1] != '+') {
        int first = end + 1;

        if (sscanf(text + first, "%4u%n", &clients, &end) != 1 || clients == 0)
            end = -1;
        else
            end += first;
    }
    if (end <= 0 || text[end] != '\0' || text[0] < '0' || text[0] > '9' || servers == 0 ||
        servers * (clients ? clients : 1) > RESULT_LAUNCHES_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--%s '%.60s': expected a number of launches, such as 5, or of server "
                         "processes and launches with each, such as 5x2; %d launches at most",
                         entry->name, text, RESULT_LAUNCHES_MAXIMUM);
    *request = (struct launches_request){servers, clients};
    return 0;
}

/* Return LAUNCH's share of WHOLE calls. The calls are divided evenly; if a remainder is left, each
 * of the first launches gets one more call. */
static uint64_t launch_part(uint64_t whole, const struct run_launch *launch)
{
    return whole / launch->of + (launch->number < whole % launch->of ? 1 : 0);
}

/* Does nfsbench start PLAN's server? */
static bool starts_server(const struct run_plan *plan)
{
    return plan->target.self || plan->server_start;
}

static void apply_order(const struct launch_order *order, uint16_t port, struct run_plan *plan)
{
    plan->launch = order->launch;
    plan->seed = plan->load.seed = order->seed;
    plan->calls = launch_part(plan->calls, &order->launch);
    plan->deadline.at_ns = order->end_ns;
    plan->share = order->share;
    plan->no_model |= order->no_model;
    plan->no_control |= order->no_control;
    plan->no_ledger |= order->no_ledger;
    plan->self_server = order->server;
    plan->one_processor = order->one_processor;
    plan->server_runs = true;
    if (port)
        plan->target.nfs_port = plan->target.mount_port = port;
    if (!starts_server(plan))
        plan->launch.server = 0;
}

static bool has_second_target(const struct run_plan plans[SIDES])
{
    return plans[SIDE_SECOND].target_text &&
           plans[SIDE_SECOND].target_text != plans[SIDE_FIRST].target_text;
}

void launch_order_apply(const struct launch_order *order, struct run_plan plans[SIDES])
{
    const bool own = has_second_target(plans);

    apply_order(order, order->port, &plans[SIDE_FIRST]);
    if (!plans[SIDE_SECOND].target_text)
        return;
    apply_order(order, own ? order->second_port : order->port, &plans[SIDE_SECOND]);
    if (!own)
        plans[SIDE_SECOND].launch.server = plans[SIDE_FIRST].launch.server;
}

/* Would each of LAUNCHES launches be long enough? With COUNT, a launch must have enough rounds.
 * Without COUNT, it must last LAUNCH_NS_LEAST. */
static bool are_long_enough(const struct run_plan *plan, uint32_t launches)
{
    uint64_t usual =
        run_plan_makes_load(plan) ? load_block(&plan->load, 0) : (uint64_t)LAUNCH_BLOCK_USUAL;
    uint64_t block = plan->block ? plan->block : usual;

    return plan->calls ? plan->calls / launches >= VALIDITY_ROUNDS_SUSPECT * block
                       : plan->maximum_ns / launches >= LAUNCH_NS_LEAST;
}

/* Return the default number of launches. Many short launches are preferred: if launches differ more
 * than rounds, short launches give narrower intervals in the same time (doc/METHOD.md). */
static uint32_t usual_launches(const struct options *options, const struct run_plan *plan)
{
    if (plan->working_set.once) /* further launches would access the same places in files */
        return 1;
    if (plan->over_ns)
        return plan->target.self ? LAUNCHES_USUAL_SELF : LAUNCHES_USUAL;
    if (!forms_are_wanted(options->forms) || plan->scratch)
        return 1;
    if (plan->target.self && are_long_enough(plan, LAUNCHES_USUAL_SELF))
        return LAUNCHES_USUAL_SELF;
    return are_long_enough(plan, LAUNCHES_USUAL) ? LAUNCHES_USUAL : 1;
}

static int refuse_launches(struct error *error, const char *text)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "%s", text);
}

static int check_launches(const struct launches_request *asked, const struct run_plan plans[SIDES],
                          const struct launches_shape *shape, struct error *error)
{
    const struct run_plan *plan = &plans[SIDE_FIRST], *second = &plans[SIDE_SECOND];
    uint64_t launches = (uint64_t)shape->servers * shape->clients;

    if (asked->clients && second->target_text && (plan->target.self || second->target.self))
        return refuse_launches(error,
                               "--launches SxC with two sides needs servers that --server-start or "
                               "--versus server-start=COMMAND starts, because each launch of self: "
                               "starts its own; give a single number");
    if (asked->clients && !shape->restarts)
        return refuse_launches(error, "--launches SxC needs a server that nfsbench starts; give "
                                      "--server-start, or a single number");
    if (launches > launches_most(second->target_text))
        return refuse_launches(error, "--launches: two sides take 64 launches at most");
    if (plan->over_ns && launches < 2)
        return refuse_launches(
            error, "--over spreads several launches over a time; give --launches 2 or more");
    if (plan->calls && plan->calls < launches)
        return refuse_launches(error,
                               "--launches: COUNT is less than one call per launch; raise COUNT");
    if (plan->interval_ns && asked->servers && launches > 1)
        return refuse_launches(error,
                               "--interval is for one launch; leave out --interval or --launches");
    if (launches > 1 && plan->scratch && plan->keep_scratch)
        return refuse_launches(error,
                               "--scratch names one directory, and with --keep-scratch each launch "
                               "needs its own; leave out --scratch or --keep-scratch");
    return 0;
}

bool launches_are_several(const struct launches_shape *shape, const struct run_plan plans[SIDES])
{
    return shape->servers * shape->clients > 1 || plans[SIDE_FIRST].server_start ||
           plans[SIDE_SECOND].server_start;
}

int launches_choose_shape(const struct options *options, const struct run_plan plans[SIDES],
                          struct launches_shape *shape, struct error *error)
{
    const struct launches_request *asked = &options->launches;

    shape->restarts = starts_server(&plans[SIDE_FIRST]) || starts_server(&plans[SIDE_SECOND]);
    shape->servers = asked->servers ? asked->servers : usual_launches(options, plans);
    shape->clients = asked->clients ? asked->clients : 1;
    if (options->launch.launch.of)
        shape->servers = shape->clients = 1;
    if (!shape->restarts && !asked->clients) {
        shape->clients = shape->servers;
        shape->servers = 1;
    }
    return check_launches(asked, plans, shape, error);
}
