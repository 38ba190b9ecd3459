/* Ops that can be made without NFS, on files of this machine. */
#pragma once

#include "engine/local.h"

/* The local files that an op uses. Without a file set, there is one file for all READs, one for all
 * WRITEs and one for all COMMITs, as on the server. With a file set, all ops use the files
 * LOCAL_FILES_READ. */
enum local_op_files { LOCAL_FILES_READ, LOCAL_FILES_WRITTEN, LOCAL_FILES_COMMITTED, LOCAL_FILES };

struct local_op {
    /* OP: name of the NFS op; LOCAL_OP: name of its series on local files */
    const char *op, *local_op;
    enum local_kind kind;
    int flags; /* flags of pwritev2(2) */
    enum local_op_files files;
};

/* Return the local equivalent of the op called OP, or NULL if there is none. */
const struct local_op *local_op_find(const char *op);
