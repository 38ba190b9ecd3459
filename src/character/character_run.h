/* A run of 'nfsbench characterize', from its plan to its result. */
#pragma once

#include "character/character.h"
#include "character/experiment.h"
#include "character/lab.h"

struct character_run {
    struct lab lab;
    struct character character;
};

/* Mount and make the scratch directory. PLAN must outlive RUN. Returns 0, or a negative errno with
 * ERROR set; call character_run_close() in either case. */
int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error);

/* That EXPERIMENT begins, NUMBER (from 1 on) of COUNT. */
typedef void character_progress(const struct experiment *experiment, size_t number, size_t count);

/* Make the experiments, one after the other; SHOW (may be NULL) is called before each. RUN's
 * character is the result. Returns 0, or -EINTR with ERROR set after Ctrl-C: it then has what was
 * found. */
int character_run_all(struct character_run *run, character_progress *show, struct error *error);

/* Remove the scratch directory and unmount. Returns 0, or a negative errno with ERROR set. */
int character_run_unmount(struct character_run *run, struct error *error);
void character_run_close(struct character_run *run);
