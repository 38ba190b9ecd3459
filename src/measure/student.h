/* Student's t distribution. Both functions have a relative error of at most 1e-9 for any degrees of
 * freedom above 0, integer or not; INFINITY gives the normal distribution. */
#ifndef NFSBENCH_MEASURE_STUDENT_H
#define NFSBENCH_MEASURE_STUDENT_H

/* The two-sided p-value: the probability that |t| with DEGREES of freedom is at least |T|. It is
 * the regularised incomplete beta function of degrees / (degrees + T^2) with parameters degrees / 2
 * and 1/2 (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.27). */
double student_p(double t, double degrees);

/* The 0.975 quantile: the T for which student_p() is 0.05, and so the factor on a standard error
 * for a 95 % interval. */
double student_975(double degrees);

#endif
