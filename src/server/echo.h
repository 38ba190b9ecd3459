/* The bare echo: it answers the messages of rpc/echo.h, over TCP and UDP, like a server without any
 * work to do. Each connection has its own thread, which waits in recv() and answers by send(), the
 * fastest way for one message at a time. There are at most PROVEN_MAXIMUM connections; further ones
 * are closed. A datagram gets an answer longer than itself only while its host also has a
 * connection: otherwise, datagrams with a forged source address could be used to flood another
 * host. */
#ifndef NFSBENCH_SERVER_ECHO_H
#define NFSBENCH_SERVER_ECHO_H

#include <signal.h>

#include "server/sockets.h"

/* Start to answer messages from SOCKETS, in threads that run until the process ends; their memory
 * is never freed. Signals that the caller has blocked stay blocked in them. 0, or a negative errno
 * with ERROR set. */
int echo_start(const struct sockets *sockets, struct error *error);

#endif
