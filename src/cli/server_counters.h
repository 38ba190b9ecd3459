/* The server's side of the ledger: where its counters come from. */
#ifndef NFSBENCH_CLI_SERVER_COUNTERS_H
#define NFSBENCH_CLI_SERVER_COUNTERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "cli/remote_command.h"
#include "common/error.h"
#include "engine/endpoint.h"
#include "measure/counters.h"

struct server_counters {
    pid_t pid;                     /* the server's process, on this machine; 0: not known */
    struct remote_command command; /* `nfsbench ledger` on the server's machine, where it runs */
    /* Why some are not known, or none any more; "" when all are. */
    char lacking[512];
};

struct server_counters_request {
    const struct endpoint *endpoint;
    const char *command; /* prefix of a command line, such as "ssh server"; NULL: none */
    pid_t pid;           /* known beforehand; 0: to be found by its port */
};

/* Find the server's counters. Where there are none, LACKING says why. */
void server_counters_open(struct server_counters *server,
                          const struct server_counters_request *request);

/* Read them: those of its process alone where it is on this machine, else its machine's, too.
 * Without, all are unknown. */
void server_counters_read(struct server_counters *server, struct counters *counters);

void server_counters_close(struct server_counters *server);

#endif
