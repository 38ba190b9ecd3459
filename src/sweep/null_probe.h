/* NULL calls beside a load, one at a time, by a thread with a connection of its own: do calls that
 * need nothing of the server but its RPC layer wait as long as those of the load? A call follows
 * the one before it after 1 ms, so that the probe takes less than 2 % of a processor, and in a
 * queue that it shares with the load the place of one call. */
#pragma once

#include "run/session.h"

struct null_probe;

/* Connect to the NFS service of SESSION, which is open, over the same transport and with the same
 * protection as its calls, and make calls for a tenth of a second. Returns 0, or a negative errno
 * with ERROR set. */
int null_probe_open(struct null_probe **probe, const struct session *session, struct error *error);

/* The median round trip of these calls, ns; NAN: too few were answered. */
double null_probe_alone_ns(struct null_probe *probe);

/* Make calls in a thread while SESSION's rounds run, which begin afterwards. SESSION has one
 * series. Returns 0 or a negative errno. */
int null_probe_begin(struct null_probe *probe, struct session *session);

/* The rounds are over: end the thread, within two seconds. Returns the median round trip of the
 * calls that were sent while a block of the load was under way, ns; NAN: too few were answered. */
double null_probe_end(struct null_probe *probe);

/* Disconnect; PROBE, whose thread has ended, may be NULL. */
void null_probe_close(struct null_probe *probe);
