/* Writing text as HTML. */
#pragma once

#include <stdio.h>

/* Format as printf() does, escape the result, and print it: so it is only text, in an element or in
 * a quoted attribute, whatever it was made from. Control characters, characters that reverse or
 * hide other text (common/printable.h), and bytes that are not UTF-8 become question marks. The
 * result is cut at 8191 bytes. */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print a whole number with commas between thousands: "1,000,000". */
void html_count(FILE *out, double count);

/* Print VALUE with DECIMALS, without a sign if it rounds to 0; a dash if it is NAN. */
void html_number(FILE *out, double value, int decimals);
