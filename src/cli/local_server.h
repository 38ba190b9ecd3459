/* A server on this machine, as the commands that run beside it are told of it: --port, --proto,
 * --pid. */
#ifndef NFSBENCH_CLI_LOCAL_SERVER_H
#define NFSBENCH_CLI_LOCAL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct local_server {
    uint16_t port; /* 0: not given, it is 2049 */
    uint32_t pid;  /* 0: to be found by the port */
    const char *proto;
};

/* The options of a command whose settings have a struct local_server at OFFSET. */
#define LOCAL_SERVER_OPTIONS(offset)                                                               \
    {"port",      0,                                                                               \
     OPTION_PORT, (offset) + offsetof(struct local_server, port),                                  \
     "N",         "the port that the server listens on (default 2049)"},                           \
        {"proto",     'p',                                                                         \
         OPTION_TEXT, (offset) + offsetof(struct local_server, proto),                             \
         "NAME",      "tcp (default) or udp"},                                                     \
    {                                                                                              \
        "pid", 0, OPTION_NUMBER, (offset) + offsetof(struct local_server, pid), "N",               \
            "the server's process; else found by the port"                                         \
    }

/* Check what was given, and fill in the port. 0, or a negative errno with ERROR set (ERROR_USAGE).
 */
int local_server_check(struct local_server *server, struct error *error);

bool local_server_is_udp(const struct local_server *server);

/* Its process; 0: none that can be seen listens on the port. */
pid_t local_server_process(const struct local_server *server);

#endif
