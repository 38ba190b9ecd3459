/* Ops that can be made without NFS, on files of this machine. */
#pragma once

#include "engine/local.h"

/* Which files an op is made on, if there is no file set: READ, WRITE and COMMIT have one each, as
 * on the server. With a file set all ops have the first. */
enum local_op_files { LOCAL_FILES_READ, LOCAL_FILES_WRITTEN, LOCAL_FILES_COMMITTED, LOCAL_FILES };

struct local_op {
    const char *op, *local_op; /* the op's name, and that of its series on local files */
    enum local_kind kind;
    int flags; /* of pwritev2(2) */
    enum local_op_files files;
};

/* What the op called OP is on a local file; NULL: it can't be made without NFS. */
const struct local_op *local_op_find(const char *op);
