/* What all CSV of this program (RFC 4180) shares, beside the numbers (output/number.h). */
#ifndef NFSBENCH_OUTPUT_CSV_H
#define NFSBENCH_OUTPUT_CSV_H

#include <stdio.h>

/* TEXT as a field, in quotes. A spreadsheet takes a text that begins like a formula for one, quoted
 * or not; an apostrophe before it says that it is text. */
void csv_write_text(const char *text, FILE *out);

#endif
