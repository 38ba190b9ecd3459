/* One end of an RPC service: where it is, and how to connect a socket to it. */
#ifndef NFSBENCH_ENGINE_ENDPOINT_H
#define NFSBENCH_ENGINE_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/error.h"

enum transport { TRANSPORT_TCP, TRANSPORT_UDP };

struct endpoint {
    struct sockaddr_storage address; /* IPv4 or IPv6, port included */
    enum transport transport;
    bool reserved_port;  /* bind to a port below 1024 where the process may */
    uint64_t timeout_ns; /* to connect, over TCP */
};

enum { ENDPOINT_NAME_SIZE = 80 };

/* "TCP" or "UDP". */
const char *transport_name(enum transport transport);

/* "127.0.0.1 port 2049 over TCP", for people. Returns BUFFER. */
const char *endpoint_describe(const struct endpoint *endpoint, char buffer[ENDPOINT_NAME_SIZE]);

/* A connected blocking socket (TCP_NODELAY over TCP, close-on-exec), from a reserved source port
 * where asked for and allowed, else from an ephemeral one. 0, or a negative errno with ERROR set
 * (ERROR_UNREACHABLE); -EINTR when a signal came. */
int endpoint_connect(const struct endpoint *endpoint, int *fd, struct error *error);

#endif
