/* Numbers for people. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "measure/statistics/estimate.h"

enum { NUMBER_SIZE = 64, NUMBER_INTERVAL_SIZE = 136 };

/* Nanoseconds in us; what is within the noise of a computation about 0 has no sign. */
static inline double us(double nanoseconds)
{
    return fabs(nanoseconds) < 0.5 ? 0 : nanoseconds / 1000;
}

/* VALUE with as many digits as a JSON file has of it: so that what is rounded further comes out
 * alike from a run and from its file. */
double number_as_written(double value);

enum { NUMBER_WRITTEN_DIGITS = 12 };

/* 1234567 as "1,234,567". Returns OUT. */
const char *number_grouped(double value, char out[NUMBER_SIZE]);

/* 65536 as "64Ki", 1048576 as "1Mi", and what is no multiple as it is. Returns OUT. */
const char *number_binary(uint64_t value, char out[NUMBER_SIZE]);

/* NANOSECONDS in us, with as many decimals as fit into WIDTH characters, 3 at most; a dash for NAN.
 * Returns OUT. */
const char *number_us(double nanoseconds, int width, char out[NUMBER_SIZE]);

/* VALUE with so many DECIMALS, without a sign if it is rounded to 0; or NUMBER_DIGITS(4) for 4
 * significant digits. With SIGN "+" is printed, too. NUMBER_GROUPED: as number_grouped() does,
 * whatever SIGN is. Returns OUT. */
const char *number_print(double value, int decimals, bool sign, char out[NUMBER_SIZE]);
#define NUMBER_DIGITS(count) (-100 - (count))
enum { NUMBER_GROUPED = -1 };

/* A p-value: "0.033", or "<0.001". Returns OUT. */
const char *number_p(double p, char out[NUMBER_SIZE]);

/* INTERVAL's ends in brackets, in units of UNIT (1000 for us), as number_print() does. A dash where
 * there is none, as of one round. Returns OUT. */
const char *number_interval(const struct interval *interval, double unit, int decimals, bool sign,
                            char out[NUMBER_INTERVAL_SIZE]);
