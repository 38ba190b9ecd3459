/* The options of a measurement in launches: their number (--launches), and, within a launch, its
 * order (--launch, which the program passes to itself). */
#pragma once

#include <stdint.h>

#include "job/option_entry.h"
#include "output/result/result.h"
#include "run/plan.h"

struct options;

/* The value of --launches; "N" sets SERVERS to N, and CLIENTS to 0. */
struct launches_request {
    uint32_t servers, clients;
};

/* The order that a launch gets from its parent process. */
struct launch_order {
    struct run_launch launch; /* OF is 0 if the process is not a launch */
    uint64_t seed;
    /* time when all launches must have ended, on the clock of deadlines; 0: no limit */
    uint64_t end_ns;
    struct run_share share; /* how the time until END_NS is shared */
    /* Parts of the measurement that the first launch left out. */
    bool no_model, no_control, no_ledger;
    /* Descriptor of a file in memory, which contains this order until the launch replaces it by its
     * result as JSON. */
    int file;
    struct run_server server;        /* server of the target self: */
    struct cpu_choice one_processor; /* processor that parent and launch are bound to */
    /* Ports of servers that --server-start and --versus server-start started; 0: see the target. */
    uint16_t port, second_port;
};

/* Parse "5" or "5x2" into a struct launches_request. */
int option_parse_launches(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

/* Parse the number of an order's file into a struct launch_order (launch_process.c). */
int option_parse_launch(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* Change the PLANS of both sides to those of the launch of ORDER: seed, share of
 * the calls, times, and servers. A server process that nfsbench does not start has number 0 in all
 * launches. A second side without a target does not exist. */
void launch_order_apply(const struct launch_order *order, struct run_plan plans[SIDES]);

/* The processes to start: SERVERS server processes in turn, and CLIENTS launches for each. */
struct launches_shape {
    uint32_t servers, clients;
    bool restarts; /* nfsbench starts the servers */
};

enum { LAUNCHES_MERGED_MAXIMUM = 64 };

/* Return the maximum number of launches in a measurement. MERGED: it has two sides, or its results
 * are merged in another way (launches_job.merge). */
static inline size_t launches_most(bool merged)
{
    return merged ? LAUNCHES_MERGED_MAXIMUM : RESULT_LAUNCHES_MAXIMUM;
}

/* Determine SHAPE from OPTIONS and the PLANS of both sides. With --over, or if a result is written
 * and each launch gets enough rounds or time, the default is ten launches for self: (five if ten
 * are too many) and five for other servers. Otherwise, and with --cold or, without --over,
 * --scratch, it is one. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int launches_choose_shape(const struct options *options, const struct run_plan plans[SIDES],
                          struct launches_shape *shape, struct error *error);

/* Must a measurement of SHAPE and PLANS be made in processes of its own? True for several launches
 * or a --server-start. */
bool launches_are_several(const struct launches_shape *shape, const struct run_plan plans[SIDES]);
