/* What a rank has measured, as bytes to be sent to rank 0, which runs the same program on a machine
 * of the same kind. */
#pragma once

#include "output/result.h"
#include "run/session.h"

/* The head of the part. */
struct part_head {
    struct result_rank rank;
    uint64_t rounds, series;
    uint64_t began_ns; /* start of measuring, on the rank's own CLOCK_MONOTONIC_RAW */
    double ns_per_tick;
    unsigned threads;
    double process[COUNTERS]; /* counters of its process over the rounds; others are 0 */
    struct tls_counts tls;    /* sessions that its run began */
};

/* Then follows each series. Pointers in it are meaningless here; what they pointed to follows. */
struct part_series {
    struct series series;
    struct engine_tally tally;
    struct load_series load;
    double rate_per_s;
};

/* The rest of a part that is being read. */
struct part_reader {
    const char *at;
    size_t left;
};

/* Write the part of SESSION, a rank on HOST, whose own result is RESULT. 0, with *DATA to be freed;
 * or -ENOMEM, with *DATA NULL. */
int part_write(const struct session *session, const struct result *result, const char *host,
               char **data, size_t *size);

/* Copy SIZE bytes to OUT. 0, or -EBADMSG if fewer are left. */
int part_read(struct part_reader *reader, void *out, size_t size);

/* Step over COUNT items of SIZE bytes. Returns where they are, which may be unaligned; NULL if
 * fewer are left. */
const void *part_skip(struct part_reader *reader, size_t count, size_t size);
