/* The options of a measurement in launches: --launches, the number of launches, and --launch, by
 * which the program passes an order to the process of a launch. */
#pragma once

#include <stdint.h>

#include "job/option_entry.h"
#include "output/result/result.h"
#include "run/plan.h"

struct options;

/* The value of --launches. "SxC": SERVERS is S, CLIENTS is C; "N": SERVERS is N, CLIENTS is 0. */
struct launches_request {
    uint32_t servers, clients;
};

/* The order that a launch gets from its parent process. */
struct launch_order {
    struct run_launch launch; /* OF is 0 if the process is not a launch */
    uint64_t seed;
    /* time when this launch and the later ones must have ended, on the clock of deadlines; 0: no
     * limit */
    uint64_t end_ns;
    struct run_share share; /* how the launches share the time until END_NS */
    /* parts that the first launch left out for lack of time, so that this launch leaves them out,
     * too */
    bool no_model, no_control, no_ledger;
    /* Descriptor of a file in memory, which contains this order until the launch replaces it by its
     * result or error (JSON). */
    int file;
    struct run_server server;        /* server of the target self: */
    struct cpu_choice one_processor; /* processor that parent and launch are bound to */
    /* Ports of the servers that --server-start (PORT) and --versus server-start (SECOND_PORT)
     * started; 0: the target's ports are used. */
    uint16_t port, second_port;
};

/* Parse "5" or "5x2" into a struct launches_request. */
int option_parse_launches(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

/* Read a struct launch_order from the open file with the descriptor TEXT (launch_process.c). */
int option_parse_launch(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

/* Set in the PLANS of both sides the seed, share of the calls, time limit, omitted parts, servers
 * and processor of ORDER's launch. A server that nfsbench does not start has number 0. There is no
 * second side if its plan has no target text. */
void launch_order_apply(const struct launch_order *order, struct run_plan plans[SIDES]);

/* The processes to start: SERVERS server processes in turn, and CLIENTS launches for each. If
 * nfsbench starts no server, SERVERS is 1. */
struct launches_shape {
    uint32_t servers, clients;
    bool restarts; /* nfsbench starts the server of a side */
};

enum { LAUNCHES_MERGED_MAXIMUM = 64 };

/* Return the maximum number of launches in a measurement. MERGED: the measurement has two sides or
 * a merge() of struct launches_job. */
static inline size_t launches_most(bool merged)
{
    return merged ? LAUNCHES_MERGED_MAXIMUM : RESULT_LAUNCHES_MAXIMUM;
}

/* Set SHAPE by OPTIONS and the PLANS of both sides. Within a launch, SHAPE is always one launch.
 * The default is one launch with --cold. With --over, it is ten launches for self: and five for
 * other servers. Otherwise, it is one launch if no form of result is wanted, or with --scratch; ten
 * for self: if each is long enough; else five if each is long enough; else one. Returns 0, or
 * -EINVAL with ERROR set (ERROR_USAGE). */
int launches_choose_shape(const struct options *options, const struct run_plan plans[SIDES],
                          struct launches_shape *shape, struct error *error);

/* Must a measurement of SHAPE and PLANS be made in separate processes? True for several launches,
 * and if a side has a --server-start. */
bool launches_are_several(const struct launches_shape *shape, const struct run_plan plans[SIDES]);
