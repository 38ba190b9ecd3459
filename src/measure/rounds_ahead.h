/* The blocks of an open loop are submitted before those ahead of them are over, so that one
 * schedule runs through all of them. Rounds that need preparation are prepared together; the
 * schedule is interrupted for it. Internal to measure/rounds.c. */
#pragma once

#include "measure/rounds_run.h"

/* Begin and end the run's use of its source. After the end no block is submitted. */
void rounds_ahead_open(struct rounds_run *run);
void rounds_ahead_close(struct rounds_run *run);

/* Submit blocks as long as the source wants some, and at least one if none is under way. Returns 0,
 * or the source's error. */
int rounds_ahead_submit(struct rounds_run *run);

/* Set *BLOCK to the oldest block that was submitted; submit one if there is none. Returns 0, the
 * source's error, or -ENODATA if no round is left. */
int rounds_ahead_oldest(struct rounds_run *run, struct rounds_submitted *block);

/* The oldest block was taken. */
void rounds_ahead_forget(struct rounds_run *run);

/* The number of rounds that were begun, the warm-up's included: the most of all processes that make
 * these rounds. */
size_t rounds_ahead_begun(struct rounds_run *run);

/* Clear up after the rounds that were prepared together. Returns 0, or the source's error. */
int rounds_ahead_clear(struct rounds_run *run);
