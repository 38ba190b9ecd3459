#include "nfs/objects/scratch_name.h"
#include "nfs/objects/working_set.h"
#include "nfs/procedures/procedures.h"

/* Return OBJECT's handle in OBJECTS, for calls that are not spread over places. */
static const struct nfs_handle *object_of(const struct nfs_objects *objects, enum nfs_object object)
{
    switch (object) {
    case NFS_OBJECT_ROOT:
        return &objects->root;
    case NFS_OBJECT_ANY:
        return objects->has_file ? &objects->file : &objects->directory;
    case NFS_OBJECT_FILE:
        return &objects->file;
    case NFS_OBJECT_SYMLINK:
        return &objects->symlink;
    case NFS_OBJECT_SCRATCH:
        return &objects->scratch;
    case NFS_OBJECT_SCRATCH_FILE:
        return &objects->scratch_file;
    default:
        return &objects->directory;
    }
}

void nfs_arguments_set(const struct nfs_procedure *procedure, const struct nfs_objects *objects,
                       const struct nfs_variant *variant, union nfs_arguments *arguments)
{
    static char existing[] = NFS_SCRATCH_FILE;
    struct nfs_handle_table places = {.count = 0};

    if (procedure->object != NFS_OBJECT_NONE) {
        if (procedure->places != NFS_PLACES_NONE)
            places = nfs_file_set_handles(objects, procedure->places);
        arguments->object =
            nfs_handle_argument(variant->own   ? variant->own
                                : places.count ? nfs_handle_at(&places, variant->place.file)
                                               : object_of(objects, procedure->object));
    }
    if (procedure->object == NFS_OBJECT_SCRATCH)
        arguments->entry.name =
            procedure->refusal == NFS3ERR_EXIST ? existing : (char *)(uintptr_t)variant->name;
    if (procedure->arguments)
        procedure->arguments(objects, variant, arguments);
}
