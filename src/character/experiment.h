/* The table of experiments. Each is a file with a struct experiment, and its line in
 * experiments.c. */
#pragma once

#include "character/character.h"
#include "character/lab.h"

struct experiment {
    const char *name; /* for --only and in results */
    const char *question;
    const char *unknown;     /* what it leaves unknown */
    bool works_in_directory; /* it needs the scratch directory */
    /* Find out, and fill in ANSWER, whose name, question and unknown are set. 0, or a negative
     * errno with ERROR set, which is then why the answer is not known; -EINTR ends all. */
    int (*run)(struct lab *lab, struct character_answer *answer, struct error *error);
};

/* Each is defined in the file of its name. */
extern const struct experiment experiment_order, experiment_duplicates, experiment_stability,
    experiment_attributes, experiment_times, experiment_connections, experiment_parallel,
    experiment_locks, experiment_sizes, experiment_caches;

/* Number INDEX, or NULL after the last. */
const struct experiment *experiment_at(size_t index);

/* How many there are. */
size_t experiment_count(void);

/* The experiment called NAME, or NULL. */
const struct experiment *experiment_find(const char *name);
