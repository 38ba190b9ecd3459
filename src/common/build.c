#include "common/build.h"

/* Both are made by the build: the commit anew each time, the rest when it is configured. */
#include "build_commit.h"
#include "build_features.h"

const char *build_description(void)
{
    return NFSBENCH_COMMIT " " NFSBENCH_COMPILER " " NFSBENCH_FEATURES;
}
