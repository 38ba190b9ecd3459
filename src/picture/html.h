/* Writing HTML. */
#pragma once

#include <stdio.h>

/* Print FORMAT, which is HTML, with its arguments as printf() does: what is in strings and
 * characters is escaped, so it is only text, in an element or in a quoted attribute, whatever it
 * was made from. Control characters, characters that reverse or hide other text
 * (common/printable.h), and bytes that are not UTF-8 become question marks. A string is cut at 8191
 * bytes. */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text between <style> and </style> of a page. */
extern const char page_style[];

/* Print VALUE with DECIMALS, without a sign if it rounds to 0; a dash if it is NAN. */
void html_number(FILE *out, double value, int decimals);
