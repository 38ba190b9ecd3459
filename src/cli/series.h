/* The series of a run: the null baseline and its control, the ops, and the calls of chosen length
 * that the cost model is made from. */
#ifndef NFSBENCH_CLI_SERIES_H
#define NFSBENCH_CLI_SERIES_H

#include "common/error.h"

struct session;

/* Make them, each called once to see that the server will have it. An op that a group named is left
 * out and listed where it can't be had; what the cost model lacks, it does without. 0, or a
 * negative errno with ERROR set. */
int series_make(struct session *session, struct error *error);

/* Make the cost model's pauses as long as the dearest op takes longer than null, found by a few
 * calls of each over SESSION's engine. 0, or what engine_run() returned. */
int series_set_pauses(struct session *session, struct error *error);

void series_free(struct session *session);

#endif
