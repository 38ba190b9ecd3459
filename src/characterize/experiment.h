/* Experiments, and a run of 'nfsbench characterize', which makes them one after the other. An
 * experiment is a file with a struct experiment, and its name in EXPERIMENTS. */
#pragma once

#include "characterize/character.h"
#include "characterize/schedule.h"
#include "characterize/testbed.h"

/* All experiments in their order: for --only, in results, and in a run. If time is short, the last
 * ones are the first to have fewer calls (characterize/schedule.h). */
#define EXPERIMENTS(name)                                                                          \
    name(order) name(parallel) name(locks) name(duplicates) name(stability) name(attributes)       \
        name(times) name(connections) name(sizes) name(caches)

struct experiment {
    const char *name;
    const char *question;
    const char *unknown;     /* the question that the experiment leaves open */
    bool works_in_directory; /* needs the scratch directory */
    struct schedule_need need;
    size_t state_size; /* size of the functions' STATE, which is zeroed before prepare() */
    /* Make preparations, and measurements that need no rounds. May be NULL. After prepare() or
     * conclude(), a failure in TESTBED is the reason why the answer is not known. -EINTR ends the
     * run. */
    void (*prepare)(struct testbed *testbed, void *state);
    struct timing_plan timing; /* prepare() may change the testbed's copy; 0 series: no rounds */
    /* Judge the figures, and set the text and meaning of TESTBED's answer. */
    void (*conclude)(struct testbed *testbed, void *state);
};

/* Return the experiment NAME, or NULL. */
const struct experiment *experiment_find(const char *name);

/* The run */

struct character_run {
    struct testbed testbed;
    struct character character;
};

/* Mount and make the scratch directory. PLAN must outlive RUN. Returns 0, or a negative errno with
 * ERROR set. In either case, the caller takes down and closes the setup of RUN's testbed. */
int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error);

/* Called when EXPERIMENT begins, as number NUMBER (from 1) of COUNT. */
typedef void character_progress(const struct experiment *experiment, size_t number, size_t count);

/* Make the experiments within the plan's time. SHOW (may be NULL) is called before each. Returns 0
 * with the result in RUN's character; -ETIME (ERROR_USAGE) without any answer if not even the first
 * one fits; or -EINTR after Ctrl-C with the answers so far. */
int character_run_all(struct character_run *run, character_progress *show, struct error *error);
