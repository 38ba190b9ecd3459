/* Writing CSV. */
#pragma once

#include <stdio.h>

/* Write TEXT as a quoted field. If TEXT begins like a formula, put an apostrophe before it, because
 * spreadsheets take even quoted formulas for formulas. */
void csv_write_text(const char *text, FILE *out);
