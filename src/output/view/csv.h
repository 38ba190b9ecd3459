/* What all CSV of this program shares. */
#pragma once

#include <stdio.h>

/* TEXT as a field, in quotes. A spreadsheet takes a text that begins like a formula for one, quoted
 * or not; an apostrophe before it says that it is text. */
void csv_write_text(const char *text, FILE *out);
