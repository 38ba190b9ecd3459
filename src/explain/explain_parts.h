/* Shared by the forms of an explanation. */
#ifndef NFSBENCH_EXPLAIN_EXPLAIN_PARTS_H
#define NFSBENCH_EXPLAIN_EXPLAIN_PARTS_H

#include "explain/explain.h"

/* The name of a kind, such as "network and server", for people; with dashes, for programs. */
const char *explain_kind_name(enum phase_kind kind);
const char *explain_kind_key(enum phase_kind kind);

/* The time after the request was transmitted during which the client's send() has not yet returned:
 * its mean begin and length, ns. Returns false if there is none. */
bool explain_overlap(const struct explanation *explanation, double *begins, double *length);

/* The end of the axis for all bars, ns; above 0. */
double explain_axis_end(const struct explanation *explanation);

/* The distance between the axis' marks, ns: 1, 2 or 5 times a power of 10, so that there are at
 * most MARKS. */
double explain_axis_step(double end_ns, unsigned marks);

/* Compare a row's mean with its prediction: -1 below the range, 1 above, 0 within it or without
 * one. */
int explain_misses(const struct explain_row *row);

/* Print the bars and their sum. */
void explain_print_waterfall(const struct explanation *explanation, const struct terminal *terminal,
                             FILE *out);

#endif
