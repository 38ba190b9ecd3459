/* What the forms of an explanation share. */
#ifndef NFSBENCH_EXPLAIN_EXPLAIN_PARTS_H
#define NFSBENCH_EXPLAIN_EXPLAIN_PARTS_H

#include "explain/explain.h"

/* "client", "network and server": for people, and with a dash for programs. */
const char *explain_kind_name(enum phase_kind kind);
const char *explain_kind_key(enum phase_kind kind);

/* The interval after the request's sending in which the client's send() has not yet returned: its
 * mean begin and length in ns. False where there is none. */
bool explain_overlap(const struct explanation *explanation, double *begins, double *length);

/* The end of the axis that holds all bars, in ns; more than 0. */
double explain_axis_end(const struct explanation *explanation);

/* The distance in ns of the axis' marks, in steps of 1, 2 and 5, so that there are at most MARKS.
 */
double explain_axis_step(double end_ns, unsigned marks);

/* A row's prediction: -1 for a mean below the range, 1 above, 0 within it or not predicted. */
int explain_misses(const struct explain_row *row);

/* The bars, in the terminal, and what they add up to. */
void explain_print_waterfall(const struct explanation *explanation, const struct terminal *terminal,
                             FILE *out);

#endif
