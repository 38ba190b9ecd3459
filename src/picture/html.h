#pragma once

#include <stdio.h>

/* Print FORMAT, which is HTML, with arguments like printf(), but only with the conversions s, c, u,
 * f, g and %, precisions, l, z and, for f, the flag +. Arguments that are strings or characters are
 * escaped, so that they can only be text, in an element or in a quoted attribute. Control
 * characters, invisible characters, characters that reverse other text (common/printable.h), and
 * bytes that are not UTF-8 become question marks. Each string is cut at 8191 bytes first. */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text between <style> and </style> of a page. */
extern const char page_style[];

/* Print VALUE with DECIMALS decimals (a dash if NAN). A VALUE that rounds to 0 has no sign. */
void html_number(FILE *out, double value, int decimals);
