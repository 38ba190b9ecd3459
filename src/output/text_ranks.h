/* The ranks of a run by several, below the table. */
#ifndef NFSBENCH_OUTPUT_TEXT_RANKS_H
#define NFSBENCH_OUTPUT_TEXT_RANKS_H

#include <stdio.h>

#include "output/result.h"

/* Print each one's part; nothing for a run by one. */
void text_print_ranks(const struct result *result, FILE *out);

#endif
