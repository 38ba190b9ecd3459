/* Arms of an experiment that take turns in the same rounds (measure/rounds.h), so that a drift of
 * machine or network affects all of them. Figures are in us, but for ratios. */
#pragma once

#include "character/lab.h"
#include "measure/rounds.h"

struct arms {
    struct lab *lab;
    size_t count;
    unsigned calls; /* of an arm in a round */
    /* Make one call of ARM, and set its ticks. 0, or a negative errno with ERROR set. */
    int (*call)(void *context, size_t arm, uint64_t *ticks, struct error *error);
    void *context;
    uint64_t time_ns; /* after which no further round begins; 0: the experiment's time */
    struct rounds rounds;
    uint64_t ends_ns;
};

/* Make ROUNDS rounds, or as many as there is time for, 5 at least. ARMS has all but the rounds.
 * Returns 0, or a negative errno with ERROR set; call arms_close() in either case. */
int arms_run(struct arms *arms, unsigned rounds, struct error *error);
void arms_close(struct arms *arms);

/* What a call of ARM takes. */
int arms_level(const struct arms *arms, size_t arm, struct interval *us, struct error *error);

/* How much longer a call of SECOND takes than one of FIRST. */
int arms_difference(const struct arms *arms, size_t first, size_t second, struct interval *us,
                    struct error *error);

/* How many times as long as a call of SECOND a call of FIRST takes. */
int arms_ratio(const struct arms *arms, size_t first, size_t second, struct interval *ratio,
               struct error *error);
