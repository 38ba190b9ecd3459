/* Ops that can be made without NFS, on files of this machine. */
#pragma once

#include "engine/local.h"

/* The files of an op without a file set: READ, WRITE and COMMIT have one file each, as on the
 * server. With a file set, all ops use the first kind. */
enum local_op_files { LOCAL_FILES_READ, LOCAL_FILES_WRITTEN, LOCAL_FILES_COMMITTED, LOCAL_FILES };

struct local_op {
    const char *op, *local_op; /* names of the op and of its series on local files */
    enum local_kind kind;
    int flags; /* flags of pwritev2(2) */
    enum local_op_files files;
};

/* Return the local equivalent of the op called OP, or NULL if there is none. */
const struct local_op *local_op_find(const char *op);
