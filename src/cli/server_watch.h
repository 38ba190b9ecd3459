/* The watch over a server on another machine: `nfsbench watch` there, by a command's prefix. */
#ifndef NFSBENCH_CLI_SERVER_WATCH_H
#define NFSBENCH_CLI_SERVER_WATCH_H

#include "cli/remote_command.h"
#include "engine/endpoint.h"
#include "explain/watch_answer.h"

struct server_watch;

struct server_watch_request {
    const char *prefix; /* such as "ssh server" */
    const struct endpoint *endpoint;
    uint16_t client_port;
};

/* Start it. 0, or a negative errno with ERROR set, as below: -EINTR when interrupted, else why it
 * is of no use. */
int server_watch_open(struct server_watch **watch, const struct server_watch_request *request,
                      struct error *error);

/* Around a block of calls. */
int server_watch_begin(struct server_watch *watch, struct error *error);
/* Its answer is of the kind WATCH_HALVES, and lasts until the next call. */
int server_watch_end(struct server_watch *watch, struct watch_answer **answer, struct error *error);

/* End it; NULL is allowed. */
void server_watch_close(struct server_watch *watch);

#endif
