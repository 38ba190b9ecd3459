/* How evenly clients share a resource. */
#ifndef NFSBENCH_MEASURE_FAIRNESS_H
#define NFSBENCH_MEASURE_FAIRNESS_H

#include <stddef.h>

/* Jain's fairness index of N nonnegative shares, such as the clients' throughputs: the squared sum
 * divided by N times the sum of squares. 1 if all are equal, 1/N if one has everything, k/N if k
 * are equal and the others have nothing (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness
 * and Discrimination for Resource Allocation in Shared Computer Systems", 1984). 1 if all shares
 * are 0. */
double fairness_index(const double *shares, size_t n);

#endif
