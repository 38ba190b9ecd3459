/* What a rank has measured, as bytes on their way to rank 0, which is the same program on a machine
 * of the same kind. */
#ifndef NFSBENCH_MPI_RANKS_PART_H
#define NFSBENCH_MPI_RANKS_PART_H

#include <stdio.h>

#include "output/result.h"
#include "run/session.h"

/* What comes first. */
struct part_head {
    struct result_rank rank;
    uint64_t rounds, series;
    uint64_t began_ns; /* measuring, on the rank's own CLOCK_MONOTONIC_RAW */
    double ns_per_tick;
    unsigned threads;
    double process[COUNTERS]; /* what its process counted in the rounds; of others: 0 */
};

/* Then, of each series. Pointers in here are the sender's; what they point to is what follows. */
struct part_series {
    struct series series;
    struct engine_tally tally;
    struct load_series load;
    double rate_per_s;
};

/* Reading: what is left. */
struct part_reader {
    const char *at;
    size_t left;
};

/* Write the part of SESSION, a rank on HOST, whose own result is RESULT. 0, or -ENOMEM with *DATA
 * NULL; else *DATA is to be freed. */
int part_write(const struct session *session, const struct result *result, const char *host,
               char **data, size_t *size);

/* Copy SIZE bytes to OUT. 0, or -EBADMSG where there are not as many. */
int part_read(struct part_reader *reader, void *out, size_t size);

/* COUNT items of SIZE bytes as they stand, where they are; NULL where there are not as many. They
 * may not be aligned. */
const void *part_skip(struct part_reader *reader, size_t count, size_t size);

#endif
