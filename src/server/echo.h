/* The bare echo: the messages of rpc/echo.h in, their answers out, over TCP and UDP. It is what a
 * server would be that had nothing to do: each connection has a thread of its own that waits in
 * recv() and answers by send(), which is the shortest way for one message at a time. There are
 * PROVEN_MAXIMUM connections at once; one more is closed. A datagram has an answer that is longer
 * than itself only while its host has a connection, too: else a forged address would have a
 * stranger flooded. */
#ifndef NFSBENCH_SERVER_ECHO_H
#define NFSBENCH_SERVER_ECHO_H

#include <signal.h>

#include "server/sockets.h"

/* Start to echo what comes over SOCKETS, in threads that go on until the process ends: they, and
 * what they have allocated, end with it. Signals that the caller has blocked stay blocked in them.
 * 0, or a negative errno with ERROR set. */
int echo_start(const struct sockets *sockets, struct error *error);

#endif
