/* Results that a run would overwrite. */
#ifndef NFSBENCH_OUTPUT_EXISTING_H
#define NFSBENCH_OUTPUT_EXISTING_H

#include "common/error.h"
#include "output/kind.h"

/* A result that is about to be written. */
struct existing_run {
    enum result_kind kind;
    const char *hostname; /* this machine's; NULL: not recorded */
};

/* May RUN's JSON replace what is at PATH? A result that another machine measured must not be lost
 * by accident, as where several write to one shared directory: -EEXIST with ERROR set
 * (ERROR_USAGE), which begins with OPTION. 0 for anything else: nothing, a device, another text, a
 * result of this machine or without a machine's name. */
int existing_check(const char *option, const char *path, const struct existing_run *run,
                   struct error *error);

#endif
