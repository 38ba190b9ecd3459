/* What all OpenMetrics of this program shares. */
#pragma once

#include <stdio.h>

#include "output/view.h"

/* TEXT as the value of a label, in quotes. */
void openmetrics_print_quoted(const char *text, FILE *out);

/* CELL as a label after *BEFORE, which is "," then; nothing where it is not known. */
void openmetrics_print_label(const char **before, const char *name, const struct view_cell *cell,
                             FILE *out);
