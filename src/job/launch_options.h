/* The options of a measurement that consists of launches: how many (--launches), and, within a
 * launch, which one it is (--launch, which the program passes to itself). */
#pragma once

#include <stdint.h>

#include "job/option_entry.h"
#include "output/result/result.h"
#include "run/plan.h"

struct options;

/* The value of --launches; "N" sets CLIENTS to 0. */
struct launches_request {
    uint32_t servers, clients;
};

/* What a launch is given by its parent. */
struct launch_order {
    struct run_launch launch; /* OF is 0 if the process is not a launch */
    uint64_t seed;
    uint64_t end_ns;        /* when all launches must have ended, as in a deadline; 0: never */
    struct run_share share; /* of that time */
    /* What the first launch gave up. */
    bool no_model, no_control, no_ledger;
    int file;                        /* it is in, and its result, as JSON, afterwards */
    struct run_server server;        /* the embedded server */
    struct cpu_choice one_processor; /* to which the parent is bound, and so the launch */
    /* Of servers that --server-start and --versus server-start started; 0: as the target says. */
    uint16_t port, second_port;
};

/* struct launches_request: "5" or "5x2". */
int option_parse_launches(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

/* struct launch_order: the number of its file (launch_process.c). */
int option_parse_launch(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* Turn the PLANS of the whole measurement's sides into those of the launch of ORDER: its seed, its
 * part of the calls, what the time is divided by, its servers. A server process that nfsbench does
 * not start is the same, number 0, in all launches. A second side without a target does not exist.
 */
void launch_order_apply(const struct launch_order *order, struct run_plan plans[SIDES]);

/* The processes to start: SERVERS of the server, one after another, and for each of them CLIENTS of
 * the client. */
struct launches_shape {
    uint32_t servers, clients;
    bool restarts; /* nfsbench starts the servers */
};

enum { LAUNCHES_MERGED_MAXIMUM = 64 };

/* The most launches of a measurement; or of what is MERGED of their results in another way. */
static inline size_t launches_most(bool merged)
{
    return merged ? LAUNCHES_MERGED_MAXIMUM : RESULT_LAUNCHES_MAXIMUM;
}

/* Determine SHAPE from OPTIONS and the PLANS of both sides. The default is ten launches of self:
 * and five of other servers if a result is written and each launch gets enough rounds or time, else
 * one. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int launches_settle(const struct options *options, const struct run_plan plans[SIDES],
                    struct launches_shape *shape, struct error *error);

/* Must a measurement of SHAPE and PLANS be divided into processes? */
bool launches_are_several(const struct launches_shape *shape, const struct run_plan plans[SIDES]);
