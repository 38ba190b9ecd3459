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

#endif
