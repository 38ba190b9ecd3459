/* NULL calls during a load, one at a time, by a thread with a connection. They show whether calls
 * that need only the server's RPC layer wait as long as the load's calls. Each call follows 1 ms
 * after a reply, so the probe uses below 2 % of a processor, and one place in a queue. */
#pragma once

#include "run/session.h"

struct null_probe;

/* Set *PROBE. Connect to the NFS service of SESSION, which is open, with SESSION's options. Then
 * make calls without a load for 0.1 s. If fewer than three are answered by then, go on until three
 * are, but for at most 1 s. A failed call ends the calls, without an error. Returns 0, or a
 * negative errno with ERROR set; call null_probe_close() in either case. */
int null_probe_open(struct null_probe **probe, const struct session *session, struct error *error);

/* Return the median round trip of the calls without a load, ns; NAN: too few calls were answered.
 * Call this once, before null_probe_begin(). */
double null_probe_alone_ns(struct null_probe *probe);

/* Begin calls in a thread before SESSION's rounds. SESSION has one series. Returns 0 or -errno. */
int null_probe_begin(struct null_probe *probe, struct session *session);

/* End the thread, within two seconds. Call this after the rounds. Returns the median round trip of
 * the calls that were sent during a block of the load, ns; NAN: too few calls were answered. */
double null_probe_end(struct null_probe *probe);

/* Disconnect, and free PROBE (may be NULL), whose thread does not run. */
void null_probe_close(struct null_probe *probe);
