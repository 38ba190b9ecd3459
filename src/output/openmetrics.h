/* What all OpenMetrics of this program shares. */
#pragma once

#include <stdio.h>

/* TEXT as the value of a label, in quotes. */
void openmetrics_print_quoted(const char *text, FILE *out);
