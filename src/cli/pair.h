/* Two results, compared op by op. */
#ifndef NFSBENCH_CLI_PAIR_H
#define NFSBENCH_CLI_PAIR_H

#include "output/compare.h"

/* Fill in the rows of PAIR, whose files are given; the caller frees them, after an error, too. An
 * op that is slower by more than THRESHOLD (a share) is a regression. 0, -ENOENT (ERROR_USAGE)
 * where the files have no op in common, or -ENOMEM, with ERROR set. */
int pair_compare(struct compare_pair *pair, double threshold, struct error *error);

#endif
