/* The parts of nfsbench agent. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/* A server on this machine, and the client whose calls are observed. */
struct agent_server {
    pid_t process; /* 0: no visible process listens on the port */
    uint16_t port;
    bool is_udp;
    uint16_t client_port; /* source port of the calls */
};

/* Answer each pair of objects with 'begin' and 'end' with what the server did between them, until
 * standard input ends. 0, or a negative errno with ERROR set. */
int agent_answer_events(const struct agent_server *server, struct error *error);
