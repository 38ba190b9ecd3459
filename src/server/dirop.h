/* The operand of procedures that work on a name in a directory (RFC 1813 section 2.6, diropargs3).
 */
#pragma once

#include "server/call.h"

struct dirop {
    struct tree_node *directory; /* NULL: the handle is invalid */
    const char *name;
    uint32_t length;
    struct call_before before; /* of the directory */
    struct tree_node *node;    /* set by dirop_find(); NULL: the name does not exist */
    nfsstat3 status;           /* of the handle */
};

/* Read one from the arguments. */
void dirop_get(struct call *call, struct dirop *dirop);

/* Is it "." or ".."? */
bool dirop_is_dot(const struct dirop *dirop);
bool dirop_is_dot_dot(const struct dirop *dirop);

/* Look up the name, if the caller is permitted to. NFS3_OK, or the handle's status, ACCES or
 * NAMETOOLONG; a missing name is not an error. */
nfsstat3 dirop_find(const struct call *call, struct dirop *dirop);

/* The same for a directory that is going to be changed: also ROFS, and ACCES if it may not be
 * changed. */
nfsstat3 dirop_find_to_change(const struct call *call, struct dirop *dirop);
