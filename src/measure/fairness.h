/* How evenly something is shared. */
#ifndef NFSBENCH_MEASURE_FAIRNESS_H
#define NFSBENCH_MEASURE_FAIRNESS_H

#include <stddef.h>

/* Jain's index of N shares, none below 0, such as the clients' throughputs: the squared sum over N
 * times the sum of squares. 1 where all are equal, 1/N where one has everything; k/N where k have
 * the same and the others nothing (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness and
 * Discrimination for Resource Allocation in Shared Computer Systems", 1984). 1 where there is
 * nothing to share. */
double fairness_index(const double *shares, size_t n);

#endif
