#include "common/build.h"

/* Both are generated: the commit by each build, the rest when the build is configured. */
#include "build_commit.h"
#include "build_features.h"

const char *build_description(void)
{
    return NFSBENCH_COMMIT " " NFSBENCH_COMPILER " " NFSBENCH_FEATURES;
}
