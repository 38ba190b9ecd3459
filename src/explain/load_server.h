/* Derives from the kernel's events the timestamps of calls under load that the client can't take
 * itself. Calls are told apart by their place in the streams of their connection. Pure, except for
 * memory. */
#pragma once

#include "explain/load_log.h"
#include "explain/server_timestamps.h"

/* Fill in the server's and the network's timestamps, and those of the client's wake-up, of LOG's
 * calls from EVENTS, as far as they are known. Returns the number of calls whose way through the
 * server is known, or -ENOMEM.
 *
 * If a server's thread that did not sleep answers several calls by one send(), it worked on them
 * one after the other, in the order of their replies: each gets an equal part of the time, and
 * waits during the others'. */
long load_server_timestamps(const struct load_log *log, const struct server_events *events);
