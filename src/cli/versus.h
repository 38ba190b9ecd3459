/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds. */
#ifndef NFSBENCH_CLI_VERSUS_H
#define NFSBENCH_CLI_VERSUS_H

#include "cli/session.h"
#include "output/versus.h"

enum { SIDE_FIRST, SIDE_SECOND, SIDES };

/* Two sessions, each whole by itself, and the rounds that they share. */
struct versus {
    struct settings settings[SIDES];
    struct session sessions[SIDES];
    struct rounds rounds; /* the first's series, then the second's */
    struct block_source sources[SIDES];
    size_t side; /* of the last block: where one fails, it is this one's */
};

/* Measure as FIRST says, which came from the command line ARGV, and beside it the second side that
 * is also named there. Returns the exit status. */
int versus_measure(const struct settings *first, int argc, char **argv);

/* Open both sessions (versus->settings are there), which then have the same series: ops of a group
 * that one side lacks are left out on the other, too. 0, or a negative errno with ERROR set, which
 * names the side. */
int versus_open(struct versus *versus, struct error *error);

/* Release both; unmounts where that is still to be done. */
void versus_close(struct versus *versus);

/* Begin ERROR with the side it is of. */
void versus_name_side(const struct versus *versus, size_t side, struct error *error);

/* Fill RESULT in from both sides' RESULTS, which it points into; its rows are to be freed. 0 or
 * -ENOMEM. */
int versus_compare(struct versus_result *result, const struct result results[SIDES],
                   struct error *error);

/* The bootstrap's block length that all costs and differences of VERSUS ask for. 0 or -ENOMEM. */
int versus_block_length(const struct versus *versus, size_t *length, struct error *error);

#endif
