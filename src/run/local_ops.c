#include "run/local_ops.h"

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

#include "output/result/result.h"

static const struct local_op local_ops[] = {
    {"read", "read" RESULT_LOCAL_END, LOCAL_READ, 0, LOCAL_FILES_READ},
    {"write", "write" RESULT_LOCAL_END, LOCAL_WRITE, 0, LOCAL_FILES_WRITTEN},
    {"write-data-sync", "write-data-sync" RESULT_LOCAL_END, LOCAL_WRITE, RWF_DSYNC,
     LOCAL_FILES_WRITTEN},
    {"write-file-sync", "write-file-sync" RESULT_LOCAL_END, LOCAL_WRITE, RWF_SYNC,
     LOCAL_FILES_WRITTEN},
    {"commit", "commit" RESULT_LOCAL_END, LOCAL_COMMIT, 0, LOCAL_FILES_COMMITTED},
};

const struct local_op *local_op_find(const char *op)
{
    for (size_t i = 0; i < sizeof local_ops / sizeof local_ops[0]; i++)
        if (strcmp(local_ops[i].op, op) == 0)
            return &local_ops[i];
    return NULL;
}
