/* Experiments, and a run of 'nfsbench characterize', which makes experiments one after the other.
 * Each experiment is a file with a struct experiment, and has its name in EXPERIMENTS. */
#pragma once

#include "characterize/character.h"
#include "characterize/schedule.h"
#include "characterize/testbed.h"

/* All experiments, in the order of a run and of results. If time is short, the last experiments are
 * the first to have fewer calls (characterize/schedule.h). */
#define EXPERIMENTS(name)                                                                          \
    name(order) name(parallel) name(locks) name(duplicates) name(stability) name(attributes)       \
        name(times) name(connections) name(sizes) name(caches)

struct experiment {
    const char *name;
    const char *question;
    const char *unknown;     /* what remains unknown even if the experiment has an answer */
    bool works_in_directory; /* the experiment needs the scratch directory */
    struct schedule_need need;
    size_t state_size; /* size of STATE, bytes; STATE is zeroed before prepare() */
    /* Make preparations, and measurements that need no rounds. NULL if there are none. If
     * prepare(), the rounds or conclude() leave a failure in TESTBED, the answer is not known
     * because of this failure. The failure -EINTR ends the run. */
    void (*prepare)(struct testbed *testbed, void *state);
    /* Plan of the rounds. prepare() may change the testbed's copy; 0 series: no rounds. */
    struct timing_plan timing;
    /* Judge the figures, and set the text and meaning of TESTBED's answer. */
    void (*conclude)(struct testbed *testbed, void *state);
};

/* Return the experiment called NAME; NULL if there is none. */
const struct experiment *experiment_find(const char *name);

/* The run */

struct character_run {
    struct testbed testbed;
    struct character character;
};

/* Mount, and make the scratch directory if possible. PLAN must outlive RUN. Returns 0, or a
 * negative errno with ERROR set. In either case, the caller takes down and closes the setup of
 * RUN's testbed. */
int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error);

/* Called when EXPERIMENT begins. NUMBER is its number from 1, of COUNT experiments. */
typedef void character_progress(const struct experiment *experiment, size_t number, size_t count);

/* Make the experiments within the plan's time. SHOW, unless NULL, is called before each. Returns 0
 * with the answers in RUN's character; -ETIME (ERROR_USAGE) without answers if no experiment fits
 * into the time; -EINTR after Ctrl-C with the answers so far; or another negative errno. ERROR is
 * set unless 0 is returned. */
int character_run_all(struct character_run *run, character_progress *show, struct error *error);
