/* Attributes that a caller sets (RFC 1813 section 2.6, sattr3): reading them, checking permission,
 * setting them. */
#ifndef NFSBENCH_SERVER_ATTRIBUTES_H
#define NFSBENCH_SERVER_ATTRIBUTES_H

#include "server/call.h"

struct attribute_time {
    time_how how;
    bool valid;  /* a client's time has less than a second's nanoseconds */
    uint64_t ns; /* the client's */
};

struct attributes {
    bool set_mode, set_uid, set_gid, set_size;
    uint32_t mode, uid, gid;
    uint64_t size;
    struct attribute_time accessed, modified;
};

/* Read a sattr3 from the arguments. */
struct attributes attributes_get(struct call *call);

/* May the caller set them on NODE, and can they be? NFS3_OK, or PERM, ACCES, ROFS, INVAL, ISDIR. */
nfsstat3 attributes_check(const struct call *call, const struct tree_node *node,
                          const struct attributes *attributes);

/* Set them, after attributes_check() allowed it. */
void attributes_set(const struct call *call, struct tree_node *node,
                    const struct attributes *attributes);

/* Set them on NODE, which the caller has just made in DIRECTORY: it belongs to the caller, and what
 * only the superuser may choose is left out. MODE is what it gets where none was asked for. */
void attributes_set_first(const struct call *call, struct tree_node *node,
                          const struct tree_node *directory, const struct attributes *attributes,
                          uint32_t mode);

/* The caller has changed NODE's data: clear the bits by which whoever runs it gets its owner's
 * rights. */
void attributes_drop_privileges(const struct call *call, struct tree_node *node);

#endif
