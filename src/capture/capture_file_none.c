/* Without libpcap. */
#include <errno.h>

#include "capture/capture_file.h"

int capture_file_profile(struct profile *profile, struct workload_fill *fill, const char *path,
                         const char *filter, struct error *error)
{
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "this nfsbench can't read captures: it was built without libpcap (Debian: "
                     "libpcap-dev)");
}
