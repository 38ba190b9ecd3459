#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/statistics/estimate.h"

enum { NUMBER_SIZE = 64, NUMBER_INTERVAL_SIZE = 136 };

/* Return NANOSECONDS in us; 0 between -0.5 and 0.5 ns, so that noise around 0 has no sign. */
static inline double us(double nanoseconds)
{
    return fabs(nanoseconds) < 0.5 ? 0 : nanoseconds / 1000;
}

/* Return VALUE rounded to NUMBER_WRITTEN_DIGITS digits as in a JSON file, so that a run and its
 * file show the same digits. */
double number_as_written(double value);

enum { NUMBER_WRITTEN_DIGITS = 12 };

/* Return whether VALUE with DECIMALS is 0. Such a VALUE is written without its sign. */
bool number_rounds_to_zero(double value, int decimals);

/* Write VALUE without decimals, grouped as "1,234,567". Returns OUT. */
const char *number_grouped(double value, char out[NUMBER_SIZE]);

/* Write multiples of 1024 as "64Ki", of 1024^2 as "1Mi", other numbers as they are. Returns OUT. */
const char *number_binary(uint64_t value, char out[NUMBER_SIZE]);

/* Write NANOSECONDS in us with as many decimals (3 at most) as fit in WIDTH characters; a dash for
 * NAN. Returns OUT. */
const char *number_us(double nanoseconds, int width, char out[NUMBER_SIZE]);

/* Return the number of decimals that show INTERVAL's half width with two significant digits. If the
 * half width is 0 or unknown, the decimals show the estimate with four digits instead. If no
 * decimals are needed, rounds INTERVAL to these digits and returns NUMBER_GROUPED. However wide the
 * interval, the rounding keeps the first digit of an estimate of 1 or more. */
int number_round_known(struct interval *interval);

/* Write VALUE with DECIMALS: a number of decimals, NUMBER_DIGITS(n) for n significant digits, or
 * NUMBER_GROUPED for number_grouped(). SIGN adds "+" if VALUE is not negative, except for
 * NUMBER_GROUPED. A VALUE that its decimals round to 0 loses its minus sign. Returns OUT. */
const char *number_print(double value, int decimals, bool sign, char out[NUMBER_SIZE]);
#define NUMBER_DIGITS(count) (-100 - (count))
enum { NUMBER_GROUPED = -1 };

/* Write a p-value as "0.033" or "<0.001". Returns OUT. */
const char *number_p(double p, char out[NUMBER_SIZE]);

/* Write the ends of INTERVAL in brackets, divided by UNIT (1000 for us), as number_print() writes
 * numbers. Writes only a dash if an end is NAN. Returns OUT. */
const char *number_interval(const struct interval *interval, double unit, int decimals, bool sign,
                            char out[NUMBER_INTERVAL_SIZE]);
