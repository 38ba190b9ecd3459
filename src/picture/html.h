/* Text into HTML. */
#ifndef NFSBENCH_PICTURE_HTML_H
#define NFSBENCH_PICTURE_HTML_H

#include <stdint.h>
#include <stdio.h>

/* Print as printf() does, and escape all that came of it: it can only be text, in an element or in
 * a quoted attribute, whatever it was made from. Control characters, characters that reverse or
 * hide other text (common/printable.h), and bytes that are no UTF-8 become question marks. What is
 * longer than 8191 bytes is cut. */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A whole number with a comma between thousands: "1,000,000". */
void html_count(FILE *out, double count);

/* VALUE with so many decimals, without a sign where it is 0 by them; a dash where it is NAN. */
void html_number(FILE *out, double value, int decimals);

#endif
