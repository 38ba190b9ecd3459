/* Experiments, and a run of 'nfsbench characterize', which makes them one after the other. Each is
 * a file with a struct experiment, and its name in the list. */
#pragma once

#include "characterize/character.h"
#include "characterize/lab.h"
#include "characterize/schedule.h"

/* All experiments, in their order: for --only, in results, and as they are made. Where time is
 * short, the last ones are the first to have fewer calls (characterize/schedule.h). */
#define EXPERIMENTS(name)                                                                          \
    name(order) name(parallel) name(locks) name(duplicates) name(stability) name(attributes)       \
        name(times) name(connections) name(sizes) name(caches)

struct experiment {
    const char *name;
    const char *question;
    const char *unknown;     /* what it leaves unknown */
    bool works_in_directory; /* it needs the scratch directory */
    struct schedule_need need;
    size_t state_size; /* of STATE, which begins as zeros */
    /* Make what is needed, or find out what needs no rounds. May be NULL. A failure of LAB is then
     * why the answer is not known; -EINTR ends all. The same is true of conclude(). */
    void (*prepare)(struct lab *lab, void *state);
    struct timing_plan timing; /* of the lab's, which prepare() may change; without series: none */
    /* Judge the figures, and fill in the lab's answer, whose name, question and unknown are set. */
    void (*conclude)(struct lab *lab, void *state);
};

/* The experiment called NAME, or NULL. */
const struct experiment *experiment_find(const char *name);

/* The run */

struct character_run {
    struct lab lab;
    struct character character;
};

/* Mount and make the scratch directory. PLAN must outlive RUN. Returns 0, or a negative errno with
 * ERROR set; take down and close the setup of its lab in either case. */
int character_run_open(struct character_run *run, const struct character_plan *plan,
                       struct error *error);

/* That EXPERIMENT begins, NUMBER (from 1 on) of COUNT. */
typedef void character_progress(const struct experiment *experiment, size_t number, size_t count);

/* Make the experiments, one after the other, within the plan's time; SHOW (may be NULL) is called
 * before each. RUN's character is the result, which is empty if not even the first one fits
 * (-ETIME, ERROR_USAGE). Returns 0, or -EINTR with ERROR set after Ctrl-C: it then has what was
 * found. */
int character_run_all(struct character_run *run, character_progress *show, struct error *error);
