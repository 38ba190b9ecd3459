/* The parts of nfsbench agent. */
#ifndef NFSBENCH_CLI_AGENT_H
#define NFSBENCH_CLI_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A server on this machine, and the client that asks about it. */
struct agent_server {
    pid_t process; /* 0: none that can be seen listens on the port */
    uint16_t port;
    bool is_udp;
    uint16_t client_port; /* that the calls come from */
};

/* Print LINE, NULL where there was no memory for it, and free it. 0, or -EIO with ERROR set. */
int agent_print(char *line, struct error *error);

/* Answer the lines 'begin' and 'end' by what the server does between them, until standard input
 * ends. 0, or a negative errno with ERROR set. */
int agent_answer_events(const struct agent_server *server, struct error *error);

#endif
