/* Student's t: how far an estimate may lie from the truth where its spread is itself estimated,
 * from a few values. Both functions are exact (to 1e-9 relative) for any number of degrees above 0,
 * whole or not, and INFINITY gives the normal distribution. */
#ifndef NFSBENCH_MEASURE_STUDENT_H
#define NFSBENCH_MEASURE_STUDENT_H

/* The probability that |t| with DEGREES of freedom is at least |T|: the two-sided p. It is the
 * incomplete beta function of degrees / (degrees + T^2) with parameters degrees / 2 and 1/2
 * (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.5.27). */
double student_p(double t, double degrees);

/* The T of which student_p() is 0.05: the factor on a standard error for a 95 % interval. */
double student_975(double degrees);

#endif
