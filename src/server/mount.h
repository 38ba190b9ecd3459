/* MOUNT version 3 (RFC 1813 section 5): the procedures, and the list of who mounted what. */
#ifndef NFSBENCH_SERVER_MOUNT_H
#define NFSBENCH_SERVER_MOUNT_H

#include "server/call.h"

enum {
    MOUNT_PROGRAM = 100005,
    MOUNT_VERSION = 3,
    MOUNT_PATH_MAXIMUM = 1024,
    MOUNTS_MAXIMUM = 64, /* remembered; who comes later is served, and not listed */
};

struct mounts {
    struct {
        char host[48]; /* an address */
        char path[MOUNT_PATH_MAXIMUM + 1];
    } list[MOUNTS_MAXIMUM];
    size_t count;
};

/* By procedure number. */
extern const call_procedure mount_table[];
extern const size_t mount_table_size;

#endif
