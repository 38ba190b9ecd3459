/* Reads, checks and sets the attributes in a caller's request (RFC 1813 section 2.6, sattr3). */
#pragma once

#include "serve/programs/call.h"

struct attribute_time {
    time_how how;
    bool valid;  /* false if the client's time has 10^9 nanoseconds or more */
    uint64_t ns; /* the client's time, ns since 1970 */
};

struct attributes {
    bool set_mode, set_uid, set_gid, set_size;
    uint32_t mode, uid, gid;
    uint64_t size;
    struct attribute_time accessed, modified;
};

struct attributes attributes_get(struct call *call);

/* Check whether ATTRIBUTES are valid, and the caller may set them on NODE. Returns NFS3_OK, or
 * PERM, ACCES, ROFS, INVAL, ISDIR. */
nfsstat3 attributes_check(const struct call *call, const struct tree_node *node,
                          const struct attributes *attributes);

/* Set ATTRIBUTES and the ctime of NODE, after attributes_check() has allowed it. */
void attributes_set(const struct call *call, struct tree_node *node,
                    const struct attributes *attributes);

/* Set ATTRIBUTES on NODE, a new object in DIRECTORY. NODE gets the caller's user and group. If
 * DIRECTORY has the set-group-id bit, NODE gets DIRECTORY's group instead, and a NODE that is a
 * directory also gets the bit. MODE is used if ATTRIBUTES has no mode. These ATTRIBUTES are
 * ignored: invalid times; a size that is above TREE_SIZE_MAXIMUM, or for a NODE that is no file;
 * owner and group, unless the superuser calls. */
void attributes_set_first(const struct call *call, struct tree_node *node,
                          const struct tree_node *directory, const struct attributes *attributes,
                          uint32_t mode);

/* If NODE is a file, clear its set-user-id bit and, if its group may execute it, the set-group-id
 * bit, because the caller has changed NODE's data. The superuser's changes clear nothing. */
void attributes_drop_privileges(const struct call *call, struct tree_node *node);
