/* Calls of a session's series outside of its rounds: connections to the services that they go to,
 * and runs of a few with what they need made ready and cleared away. */
#ifndef NFSBENCH_CLI_CALLS_H
#define NFSBENCH_CLI_CALLS_H

#include "cli/session.h"

/* Where SERVICE is. */
struct endpoint calls_endpoint(const struct session *session, enum service_kind service);

/* Have a connection for single calls to SERVICE in SESSION's clients. 0, or a negative errno with
 * ERROR set. */
int calls_connect(struct session *session, enum service_kind service, struct error *error);

/* Make COUNT calls of the series at INDEX, as engine_run() does, with what they need made ready
 * before them and cleared away after them. */
int calls_run(struct session *session, size_t index, size_t count, uint64_t *ticks,
              size_t *recorded, struct engine_tally *tally, struct error *error);

/* Which of its variants SERIES begins its next COUNT calls with: where they are spread over a file
 * set, they go on where the last ones ended; else 0. */
size_t calls_next_variant(struct session_series *series, size_t count);

#endif
