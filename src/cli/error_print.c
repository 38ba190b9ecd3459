#include "cli/error_print.h"

#include <stdio.h>

void error_print(const struct error *error)
{
    fprintf(stderr, "nfsbench: %s\n", error->text);
}
