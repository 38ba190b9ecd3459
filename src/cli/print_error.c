#include "cli/print_error.h"

#include <stdio.h>

void print_error(const struct error *error)
{
    fprintf(stderr, "nfsbench: %s\n", error->text);
}
