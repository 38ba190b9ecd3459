/* MOUNT version 3 (RFC 1813 section 5): the procedures, and the list of who mounted what. */
#ifndef NFSBENCH_SERVER_MOUNT_H
#define NFSBENCH_SERVER_MOUNT_H

#include "common/address.h"
#include "mount3.h"
#include "server/call.h"

/* The most mounts that are remembered; beyond that, the oldest is dropped. */
enum { MOUNTS_MAXIMUM = 64, MOUNT_PROCEDURES = 6 };

struct mounts {
    struct {
        char host[ADDRESS_TEXT_SIZE];
        char path[MNTPATHLEN + 1];
    } list[MOUNTS_MAXIMUM];
    size_t count;
};

/* By procedure number. */
extern const struct procedure mount_table[MOUNT_PROCEDURES];

#endif
