/* The connections of one thread of the server: accepted, served in turns, dropped. */
#ifndef NFSBENCH_SERVER_STREAMS_H
#define NFSBENCH_SERVER_STREAMS_H

#include "server/worker.h"

/* LISTENER has a connection: hand it to the thread whose turn it is. */
void streams_accept(struct worker *worker, int listener);

/* Handle EVENTS of epoll for STREAM, which may no longer exist afterwards. */
void streams_serve(struct worker *worker, struct stream *stream, uint32_t events);

/* Send the delayed REPLY to its connection. */
void streams_send_delayed(struct worker *worker, const struct delayed_reply *reply);

/* Continue with connections that waited for memory, and drop those that have owed for too long. */
void streams_see_to_waits(struct worker *worker);

/* Drop them all. */
void streams_close(struct worker *worker);

#endif
