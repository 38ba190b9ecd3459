/* The server processes of a launch that nfsbench starts: the embedded server, and those of
 * --server-start and --versus-server-start. */
#pragma once

#include "cli/options.h"
#include "run/plan.h"
#include "target/self.h"
#include "target/server_command.h"

struct launch_servers {
    struct self_server self; /* of a single side; of two, the launch starts self: itself */
    uint16_t self_port;
    struct server_command commands[2]; /* of both sides */
};

/* Stop those of the launch before, and start those of the next, of one side or two (PLANS; the
 * second is NULL without one), as far as OPTIONS ask for it. 0, or a negative errno with ERROR set.
 */
int launch_servers_start(struct launch_servers *servers, const struct run_plan *const plans[2],
                         const struct options *options, struct error *error);
void launch_servers_stop(struct launch_servers *servers);

/* The port of SIDE's server where its PLAN (NULL: no such side) does not say it; 0: as it says. */
uint16_t launch_servers_port(const struct launch_servers *servers, const struct run_plan *plan,
                             size_t side);

/* Write to TEXT that a command has ended by itself, and how; "" if none has. */
void launch_servers_describe_end(struct launch_servers *servers, char *text, size_t size);
