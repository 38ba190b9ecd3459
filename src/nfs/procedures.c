#include "nfs/procedures.h"

#include <string.h>

#include "nfs/entry.h"

nfs_fh3 nfs_handle_argument(const struct nfs_handle *handle)
{
    nfs_fh3 argument;

    argument.data.data_len = handle->length;
    /* XDR encoding only reads it. */
    argument.data.data_val = (char *)(uintptr_t)handle->bytes;
    return argument;
}

const struct nfs_procedure *nfs_procedure_at(size_t index)
{
    if (index < nfs_procedures_read_count)
        return &nfs_procedures_read[index];
    index -= nfs_procedures_read_count;
    return index < nfs_procedures_change_count ? &nfs_procedures_change[index] : NULL;
}

const struct nfs_procedure *nfs_procedure_find(const char *op)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        if (strcmp(procedure->op, op) == 0)
            return procedure;
    return NULL;
}
