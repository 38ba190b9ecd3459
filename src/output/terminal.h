/* What the other end of a stream can show. */
#ifndef NFSBENCH_OUTPUT_TERMINAL_H
#define NFSBENCH_OUTPUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal {
    unsigned columns; /* to fill; 80 where there is no terminal */
    bool colour;      /* a terminal, and NO_COLOR isn't set */
    bool utf8;        /* by the locale: else only ASCII */
};

/* Find out for OUT. */
struct terminal terminal_of(FILE *out);

/* How many characters a line of a table on OUT may have: what the environment's COLUMNS says, else
 * as many as a terminal has, 80 at least; without a terminal UINT_MAX, since programs take what
 * they need. */
unsigned terminal_width(FILE *out);

/* TEXT, which is harmless (common/printable.h), as lines of that width, broken at spaces; all but
 * the first begin with INDENT spaces. */
void terminal_print_wrapped(const char *text, unsigned indent, FILE *out);

#endif
