/* A session's part in rounds, by itself: for rounds that two sessions share (cli/versus.h). */
#ifndef NFSBENCH_CLI_SESSION_ROUNDS_H
#define NFSBENCH_CLI_SESSION_ROUNDS_H

#include "cli/session.h"

/* Where SESSION's blocks come from; the series are its own, by their index. */
struct block_source session_blocks(struct session *session);

/* By series of SESSION: the calls in its BLOCKS, and whether it FOLLOWS the others (struct
 * rounds_plan). Returns the calls in a round. */
uint64_t session_shape(const struct session *session, uint32_t *blocks, bool *follows);

/* Have room for what SESSION keeps of the rounds beside them. 0, or a negative errno with ERROR
 * set.
 */
int session_rounds_begin(struct session *session, struct error *error);

/* No call of a block of SERIES can be timed: say why. Returns -ENODATA. */
int session_explain_failed_block(const struct session_series *series, struct error *error);

/* The rounds have ended with CODE, and session->rounds holds them: take the readings that belong to
 * their end. */
void session_rounds_end(struct session *session, int code);

#endif
