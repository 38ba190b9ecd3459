/* How far a server's directories are read: it may make up entries, and directories in directories,
 * without end. Whatever goes through directories asks traversal_allows() after each reply and
 * before it keeps anything, and ends where that says no. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

/* More than any tree is expected to have, and to take. */
#define TRAVERSAL_ENTRIES_MAXIMUM UINT64_C(10000000)
#define TRAVERSAL_BYTES_MAXIMUM   (UINT64_C(512) << 20) /* of memory */
#define TRAVERSAL_TIME_NS         UINT64_C(120000000000)

struct traversal_limit {
    uint64_t entries, bytes; /* so far */
    uint64_t until_ns;       /* on clock_raw_ns() */
    int met;                 /* the bound that was met: a finding of nfs/status.h; 0: none */
};

/* Begin, with TIME_NS from now on; 0: the usual time. */
void traversal_limit_begin(struct traversal_limit *limit, uint64_t time_ns);

/* May it go on, with so many ENTRIES more, and BYTES more of memory? Once it may not, it never may.
 */
bool traversal_allows(struct traversal_limit *limit, uint64_t entries, uint64_t bytes);

/* What FINDING means, and what to do, if it is a bound that was met, or NFS_COOKIE_REPEATED; else
 * NULL. */
const char *traversal_describe(int finding);

/* Set ERROR: PROCEDURE of PATH can't go on because of FINDING, one of these. Returns -EBADMSG. */
int traversal_refuse(int finding, const char *procedure, const char *path, struct error *error);
