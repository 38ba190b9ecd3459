/* The series of a run: the null baseline and its control, the ops, and the calls of chosen length
 * that the cost model is made from. */
#ifndef NFSBENCH_CLI_SERIES_H
#define NFSBENCH_CLI_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/session.h"
#include "common/error.h"

/* Add a series called NAME: calls of PROCEDURE on SUBJECT's objects as IDENTITY, all of which must
 * outlive it; and take the last one away again. 0, or a negative errno with ERROR set. */
int series_add(struct session *session, enum series_role role, const char *name,
               const struct nfs_procedure *procedure, const struct nfs_subject *subject,
               const struct identity *identity, struct error *error);
void series_drop_last(struct session *session);

/* Is the op called OP among them? */
bool series_has_op(const struct session *session, const char *op);

/* Make them, each called once to see that the server will have it. An op that a group named is left
 * out and listed where it can't be had; what the cost model lacks, it does without. 0, or a
 * negative errno with ERROR set. */
int series_make(struct session *session, struct error *error);

/* Settle what depends on how long calls take, by a few of each op over SESSION's engine: the calls
 * in a block, where the user gave none, and the cost model's pauses, which are as long as the
 * dearest op takes longer than null. 0, or what engine_run() returned. */
int series_settle(struct session *session, struct error *error);

/* Give SESSION's blocks about BLOCK calls: as near to it as a mix's shares allow. 0 or -ENOMEM. */
int series_set_block(struct session *session, uint32_t block, struct error *error);

/* Calls in a block of the series at INDEX, where SESSION's blocks have as many as they have: fewer
 * for those of the cost model, and its share for an op of a mix. */
uint32_t series_block(const struct session *session, size_t index);

/* Does it get its calls out of the mix's block? */
bool series_is_in_mix(const struct session *session, size_t index);

void series_free(struct session *session);

#endif
