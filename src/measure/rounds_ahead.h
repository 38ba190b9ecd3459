/* Blocks of an open loop are submitted before earlier blocks are over, so that one schedule runs
 * through all of them. If rounds need preparation, several rounds are prepared together, and the
 * schedule is interrupted for the preparation. Internal to measure/rounds.c. */
#pragma once

#include "measure/rounds_run.h"

/* rounds_ahead_open() lets RUN submit blocks while its source waits for other processes.
 * rounds_ahead_close() ends that, and the schedule. */
void rounds_ahead_open(struct rounds_run *run);
void rounds_ahead_close(struct rounds_run *run);

/* Submit blocks until at least one block is under way and wants_block() returns false. Ends earlier
 * if no round is left or the next round can't be prepared yet. Returns 0, or an error. */
int rounds_ahead_submit(struct rounds_run *run);

/* Set *BLOCK to the oldest submitted block; if no block is submitted, submit blocks first. Returns
 * 0, the source's error, -ENOMEM, or -ENODATA if no round is left. */
int rounds_ahead_oldest(struct rounds_run *run, struct rounds_submitted *block);

/* Forget the oldest submitted block, after its results were taken. */
void rounds_ahead_forget(struct rounds_run *run);

/* Return the number of rounds that have begun, including warm-up rounds. If several processes make
 * these rounds, return the largest number of any process. */
size_t rounds_ahead_begun(struct rounds_run *run);

/* Clear up after the calls of the prepared rounds. Returns 0, or the source's error. */
int rounds_ahead_clear(struct rounds_run *run);
