/* One end of an RPC service: where it is, and how to connect a socket to it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/deadline.h"
#include "common/error.h"

enum transport { TRANSPORT_TCP, TRANSPORT_UDP };

struct endpoint {
    struct sockaddr_storage address; /* IPv4 or IPv6, port included */
    enum transport transport;
    bool reserved_port;   /* bind to a port below 1024 where the process is allowed to */
    uint16_t source_port; /* of the last connection, over TCP; 0: there was none */
    /* To connect, over TCP: */
    uint32_t receive_window; /* bytes (common/receive_window.h); 0: the kernel chooses it */
    uint64_t timeout_ns;
    struct deadline deadline; /* it gives up then (-ETIMEDOUT), or after a signal (-EINTR) */
};

enum { ENDPOINT_NAME_SIZE = 80 };

/* "TCP" or "UDP". */
const char *transport_name(enum transport transport);

/* "127.0.0.1 port 2049 over TCP", for messages. Returns BUFFER. */
const char *endpoint_describe(const struct endpoint *endpoint, char buffer[ENDPOINT_NAME_SIZE]);

/* Return a connected blocking socket (with TCP_NODELAY over TCP, close-on-exec). Its source port is
 * a reserved one where ENDPOINT asks for that and the process is allowed to, else an ephemeral one.
 * Over TCP the port of the last connection is used again if possible, because by it servers
 * recognise a retransmitted request, which must not be carried out twice. Errors: a negative errno
 * with ERROR set (ERROR_UNREACHABLE); -EINTR when asked to stop. */
int endpoint_connect(struct endpoint *endpoint, int *fd, struct error *error);

/* Begin to connect as endpoint_connect() does, without waiting. Returns 0 with *FD, a non-blocking
 * socket, which becomes writable when the attempt has succeeded or failed; or a negative errno. */
int endpoint_begin(const struct endpoint *endpoint, int *fd);

/* The socket FD of endpoint_begin() has become writable. Returns 0 if it is connected: it is then
 * as endpoint_connect() would return it. Otherwise returns a negative errno, and the caller closes
 * FD. */
int endpoint_complete(struct endpoint *endpoint, int fd);
