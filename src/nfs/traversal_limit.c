#include "nfs/traversal_limit.h"

#include <errno.h>

#include "measure/clock.h"
#include "nfs/status.h"

void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns)
{
    *limit = (struct traversal_limit){.until_ns =
                                          clock_raw_ns() + (time_ns ? time_ns : TRAVERSAL_TIME_NS)};
}

bool traversal_allows(struct traversal_limit *limit, uint64_t entries, uint64_t bytes)
{
    limit->entries += entries;
    limit->bytes += bytes;
    if (limit->met == 0 && limit->entries > TRAVERSAL_ENTRIES_MAXIMUM)
        limit->met = NFS_LIST_ENDLESS;
    if (limit->met == 0 && limit->bytes > TRAVERSAL_BYTES_MAXIMUM)
        limit->met = NFS_LIST_TOO_LARGE;
    if (limit->met == 0 && clock_raw_ns() >= limit->until_ns)
        limit->met = NFS_LIST_TOO_SLOW;
    return limit->met == 0;
}

const char *traversal_describe(int finding)
{
    switch (finding) {
    case NFS_COOKIE_REPEATED:
        return "it makes no progress: its cookies lead back to an earlier place";
    case NFS_LIST_ENDLESS:
        return "it has more than 10,000,000 entries, or no end; choose a smaller directory";
    case NFS_LIST_TOO_LARGE:
        return "what is kept of it takes more than 512 MiB; choose a smaller directory";
    case NFS_LIST_TOO_SLOW:
        return "it was not read to its end in time (--max-time for an op without COUNT, else two "
               "minutes); choose a smaller directory";
    default:
        return NULL;
    }
}

int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error)
{
    return error_set(error, ERROR_FAILED, -EBADMSG, "%s of %.300s: %s", procedure, path,
                     traversal_describe(finding));
}
