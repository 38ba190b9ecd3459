/* A name in a directory, as procedures are given it (RFC 1813 section 2.6, diropargs3). */
#ifndef NFSBENCH_SERVER_PLACE_H
#define NFSBENCH_SERVER_PLACE_H

#include "server/call.h"

struct place {
    struct tree_node *directory; /* NULL: the handle is invalid */
    const char *name;
    uint32_t length;
    struct call_before before; /* of the directory */
    struct tree_node *node;    /* the node of that name, after the search; NULL: none */
    nfsstat3 status;           /* of the handle */
};

/* Read one from the arguments. */
void place_get(struct call *call, struct place *place);

/* Is it "." or ".."? */
bool place_is_dot(const struct place *place);
bool place_is_dot_dot(const struct place *place);

/* Look up the name, if the caller may. NFS3_OK, or the reason against it: the handle's status,
 * ACCES, NAMETOOLONG; a missing name is not an error here. */
nfsstat3 place_find(const struct call *call, struct place *place);

/* The same, and the directory is to be changed: ROFS and ACCES for one that may not be. */
nfsstat3 place_find_to_change(const struct call *call, struct place *place);

#endif
