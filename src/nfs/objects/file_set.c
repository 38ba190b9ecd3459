#include "nfs/objects/file_set.h"

#include "nfs/objects/tree.h"

struct nfs_handle_table nfs_file_set_handles(const struct nfs_objects *objects,
                                             enum nfs_places_kind kind)
{
    const struct nfs_file_set *set = objects->files;
    const struct nfs_tree *tree = set ? set->tree : NULL;

    if (kind == NFS_PLACES_DIRECTORIES && tree)
        return (struct nfs_handle_table){&tree->directories[0].handle, sizeof tree->directories[0],
                                         tree->directory_count};
    if (kind == NFS_PLACES_SYMLINKS && tree)
        return (struct nfs_handle_table){tree->symlinks.handles, sizeof(struct nfs_handle),
                                         tree->symlinks.count};
    if (set && kind != NFS_PLACES_DIRECTORIES && kind != NFS_PLACES_SYMLINKS)
        return (struct nfs_handle_table){set->handles, sizeof(struct nfs_handle), set->count};
    return (struct nfs_handle_table){.count = 0};
}

uint32_t nfs_set_files(const struct nfs_objects *objects)
{
    return objects->files && !objects->files->tree ? objects->files->count : 0;
}

const struct nfs_handle *nfs_file_set_directory(const struct nfs_objects *objects, uint32_t number)
{
    const struct nfs_tree *tree = objects->files->tree;

    return tree ? &tree->directories[tree->files.directories[number]].handle : &objects->scratch;
}

const char *nfs_file_set_name(const struct nfs_objects *objects, uint32_t number)
{
    const struct nfs_tree *tree = objects->files->tree;

    return tree ? tree->text + tree->files.names[number] : objects->files->names[number];
}
