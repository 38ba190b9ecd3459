/* Results that a run would overwrite. */
#ifndef NFSBENCH_OUTPUT_EXISTING_H
#define NFSBENCH_OUTPUT_EXISTING_H

#include "common/error.h"
#include "output/kind.h"

/* A result that is about to be written. */
struct existing_run {
    enum result_kind kind;
    const char *target;   /* as the user wrote it; NULL: none, such as a comparison's */
    const char *hostname; /* this machine's; NULL: not recorded */
};

/* May RUN's JSON replace what is at PATH? A result of another kind, of another target or of another
 * machine must not be lost by accident: -EEXIST with ERROR set (ERROR_USAGE), which begins with
 * OPTION. 0 for anything else: nothing, a device, another text, an earlier result of the same. */
int existing_check(const char *option, const char *path, const struct existing_run *run,
                   struct error *error);

#endif
