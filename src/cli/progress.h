/* Progress on standard error while a run goes on, where that is a terminal. */
#ifndef NFSBENCH_CLI_PROGRESS_H
#define NFSBENCH_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool shown;               /* there is a terminal, and nobody said --quiet */
    size_t rounds;            /* planned; 0: until it is precise, or the time is over */
    uint64_t maximum_ns;      /* that time */
    uint64_t calls_per_round; /* of all series */
    uint64_t started_ns;      /* 0: still warming up */
    uint64_t last_ns;
};

void progress_start(struct progress *progress, bool quiet, size_t rounds, uint64_t maximum_ns,
                    uint64_t calls_per_round);

/* The warm-up is over. */
void progress_begin(struct progress *progress);

/* ROUND rounds are done, of the warm-up or of the run; prints a few times a second. */
void progress_update(struct progress *progress, size_t round);

/* Clear the line. */
void progress_end(struct progress *progress);

#endif
