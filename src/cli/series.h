/* The series of a run: the null baseline and its control, the ops, and the calls of chosen length
 * that the cost model is made from. */
#ifndef NFSBENCH_CLI_SERIES_H
#define NFSBENCH_CLI_SERIES_H

#include <stdint.h>

#include "common/error.h"

struct session;
struct session_series;

/* Make them, each called once to see that the server will have it. An op that a group named is left
 * out and listed where it can't be had; what the cost model lacks, it does without. 0, or a
 * negative errno with ERROR set. */
int series_make(struct session *session, struct error *error);

/* Settle what depends on how long calls take, by a few of each op over SESSION's engine: the calls
 * in a block, where the user gave none, and the cost model's pauses, which are as long as the
 * dearest op takes longer than null. 0, or what engine_run() returned. */
int series_settle(struct session *session, struct error *error);

/* By how much SERIES' blocks are smaller than the others': those of the cost model are. */
uint32_t series_divisor(const struct session_series *series);

void series_free(struct session *session);

#endif
