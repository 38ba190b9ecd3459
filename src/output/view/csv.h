#pragma once

#include <stdio.h>

/* Write TEXT, made printable, to OUT as a quoted field of CSV. A TEXT that begins like a formula
 * gets an apostrophe, because spreadsheets would compute even a quoted formula. */
void csv_write_text(const char *text, FILE *out);
