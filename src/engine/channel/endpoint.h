/* Address of an RPC service, and how to connect a socket to it. */
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
    bool reserved_port;   /* true: use a source port below 1024 if allowed */
    uint16_t source_port; /* TCP: source port of the last connection; 0: none */
    /* Members for TCP: */
    uint32_t receive_window;  /* in bytes (common/receive_window.h); 0: the kernel chooses it */
    uint64_t timeout_ns;      /* longest time to connect */
    struct deadline deadline; /* end of connecting (-ETIMEDOUT); a signal ends it, too (-EINTR) */
};

enum { ENDPOINT_NAME_SIZE = 80 };

const char *transport_name(enum transport transport);

/* Write text such as "127.0.0.1 port 2049 over TCP" to BUFFER. Returns BUFFER. */
const char *endpoint_describe(const struct endpoint *endpoint, char buffer[ENDPOINT_NAME_SIZE]);

/* Set *FD to a new, connected, blocking socket (close-on-exec; over TCP with TCP_NODELAY). Over
 * TCP, the socket has the source port of ENDPOINT's last connection if possible, because servers
 * use the port to recognise a retransmitted request, which they must not execute twice. Otherwise
 * the port is a reserved one if ENDPOINT requests it and the process can get one, or else an
 * ephemeral one. Returns 0, or a negative errno with ERROR set: ERROR_FAILED for -EINTR (asked to
 * stop), -EMFILE and -ENFILE, ERROR_UNREACHABLE for all others. */
int endpoint_connect(struct endpoint *endpoint, int *fd, struct error *error);

/* Begin to connect as endpoint_connect() does, but don't wait. Returns 0 with a non-blocking socket
 * *FD, which becomes writable when the attempt has succeeded or failed; or a negative errno. */
int endpoint_begin(const struct endpoint *endpoint, int *fd);

/* Finish connecting FD, which endpoint_begin() made and which has become writable. Returns 0 if FD
 * is now a connected, blocking socket with all options, or a negative errno. The caller must close
 * FD after an error. */
int endpoint_complete(struct endpoint *endpoint, int fd);
