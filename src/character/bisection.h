/* Finding a limit by trials: up to which number something holds, where it holds for all smaller
 * ones. First the numbers are doubled until one fails, then halved between the two. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct bisection {
    uint64_t holds; /* the largest number for which it held; 0: none yet */
    uint64_t fails; /* the smallest for which it failed; 0: none yet */
    uint64_t first, maximum;
    double
        width; /* share of FAILS by which the two may differ in the end; 0: they are neighbours */
};

/* Begin at FIRST (1 or more), and go no further than to MAXIMUM. */
void bisection_begin(struct bisection *bisection, uint64_t first, uint64_t maximum, double width);

/* The next number to try; 0: the limit is known, or above the maximum. */
uint64_t bisection_next(const struct bisection *bisection);

/* What the trial of NUMBER said. */
void bisection_note(struct bisection *bisection, uint64_t number, bool holds);
