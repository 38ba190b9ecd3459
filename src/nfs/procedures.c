#include "nfs/procedures.h"

#include <string.h>

#include "nfs/entry.h"
#include "nfs/working_set.h"

nfs_fh3 nfs_handle_argument(const struct nfs_handle *handle)
{
    nfs_fh3 argument;

    argument.data.data_len = handle->length;
    /* XDR encoding only reads it. */
    argument.data.data_val = (char *)(uintptr_t)handle->bytes;
    return argument;
}

nfs_fh3 nfs_scratch_file_argument(const struct nfs_objects *objects,
                                  const struct nfs_variant *variant)
{
    const struct nfs_file_set *set = objects->files;

    return nfs_handle_argument(set ? &set->handles[variant->place.file] : &objects->scratch_file);
}

const struct nfs_procedure *nfs_procedure_at(size_t index)
{
    const struct {
        const struct nfs_procedure *procedures;
        size_t count;
    } parts[] = {{nfs_procedures_read, nfs_procedures_read_count},
                 {nfs_procedures_data, nfs_procedures_data_count},
                 {nfs_procedures_names, nfs_procedures_names_count},
                 {nfs_procedures_mount, nfs_procedures_mount_count},
                 {nfs_procedures_acl, nfs_procedures_acl_count}};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; index -= parts[i++].count)
        if (index < parts[i].count)
            return &parts[i].procedures[index];
    return NULL;
}

const struct nfs_procedure *nfs_procedure_find(const char *op)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        if (strcmp(procedure->op, op) == 0)
            return procedure;
    return NULL;
}

const struct nfs_procedure *nfs_procedure_refused(const struct nfs_procedure *procedure, int status)
{
    const struct nfs_procedure *other;

    for (size_t i = 0; status > 0 && (other = nfs_procedure_at(i)); i++)
        if (other->refusal == status && other->rpc.number == procedure->rpc.number &&
            other->rpc.program == procedure->rpc.program)
            return other;
    return procedure;
}
