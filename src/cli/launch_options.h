/* A measurement made of launches, as the command line has it: how many (--launches), and, within
 * one of them, which it is (--launch, which the program gives itself). */
#ifndef NFSBENCH_CLI_LAUNCH_OPTIONS_H
#define NFSBENCH_CLI_LAUNCH_OPTIONS_H

#include <stdint.h>

#include "cli/option_entry.h"
#include "run/plan.h"

struct options;

/* As it is asked for: N has CLIENTS 0. */
struct launches_request {
    uint32_t servers, clients;
};

/* What is told to a launch. */
struct launch_order {
    struct run_launch launch; /* OF 0: the process is none */
    uint64_t seed;
    int output;               /* where its result goes, as JSON */
    struct run_server server; /* of self: */
    uint16_t port;            /* of a server that --server-start started; 0: the target says */
};

/* struct launches_request: "5" or "5x2". */
int option_parse_launches(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

/* struct launch_order, as launch_order_text() has written it. */
int option_parse_launch(const struct option_entry *entry, const char *text, void *member,
                        struct error *error);

enum { LAUNCH_ORDER_SIZE = 256 };

/* The option's value. Returns TEXT. */
const char *launch_order_text(const struct launch_order *order, char text[LAUNCH_ORDER_SIZE]);

/* Make PLAN, of the whole measurement, that of the launch of ORDER: its seed, its part of the calls
 * or of the time, its server. */
void launch_order_apply(const struct launch_order *order, struct run_plan *plan);

/* What is started: SERVERS processes of the server, one after the other, and CLIENTS of the client
 * with each. */
struct launches_shape {
    uint32_t servers, clients;
    bool restarts; /* the tool starts the servers */
};

/* As OPTIONS and PLAN ask for it; by default LAUNCHES_USUAL where a result is written, and each
 * launch gets rounds or time enough for that, else one. 0, or -EINVAL with ERROR set (ERROR_USAGE).
 */
int launches_settle(const struct options *options, const struct run_plan *plan,
                    struct launches_shape *shape, struct error *error);

#endif
