/* What the parts of output/terminal.h share. */
#ifndef NFSBENCH_OUTPUT_TERMINAL_PARTS_H
#define NFSBENCH_OUTPUT_TERMINAL_PARTS_H

#include <stdio.h>

/* The stream that the lines of OUT go to: OUT itself, unless it is from terminal_begin_text(). */
FILE *terminal_beneath(FILE *out);

#endif
