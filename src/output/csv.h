/* Fields of CSV (RFC 4180), written alike for every kind of result. */
#pragma once

#include <stdio.h>

#include "measure/estimate.h"

/* TEXT as a field, in quotes. A spreadsheet takes a text that begins like a formula for one, quoted
 * or not; an apostrophe before it says that it is text. */
void csv_write_text(const char *text, FILE *out);

/* VALUE as a further column of a line of CSV, after a comma, with so many significant DIGITS, or
 * with CSV_DECIMALS() after the point; empty where it is not known. */
#define CSV_DECIMALS(decimals) (-(decimals))
void csv_write_number(double value, int digits, FILE *out);

/* An interval as three such columns: estimate, low, high. */
void csv_write_interval(const struct interval *interval, int digits, FILE *out);
