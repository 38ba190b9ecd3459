/* The objects of an existing tree, which --tree measures. It is traversed once, and only read. */
#pragma once

#include "nfs/objects/working_set.h"
#include "nfs/traversal.h"

/* Objects of one type, in the order in which the traversal found them. */
struct nfs_tree_list {
    struct nfs_handle *handles;
    uint32_t *directories; /* for each object, its directory's index in the tree's `directories` */
    uint32_t *names;       /* offset of each object's name in the tree's text */
    size_t count, room;
};

struct nfs_tree {
    struct nfs_tree_list files, symlinks;
    uint64_t *sizes;                   /* sizes of the files, bytes */
    struct nfs_directory *directories; /* directories that were found; the first one is the top */
    size_t directory_count;
    char *text; /* names, each terminated */
    size_t text_length, text_room;
    uint64_t bytes;  /* sum of the files' sizes */
    uint64_t others; /* number of objects that are no files, symbolic links or directories */
    bool cut; /* objects are left out: the working set was complete, or a limit was exceeded */
    int met;  /* limit that was exceeded (nfs/listing.h); 0 if none */
    struct nfs_traversal_counts counts;
    struct nfs_listing_findings findings; /* findings of the tree's listings */
    /* For each file, the number of its first block; the blocks of all files are numbered in order.
     * The last element is the number of all blocks. */
    uint64_t *blocks;
};

struct nfs_tree_request {
    const struct nfs_handle *top;
    const char *path; /* path of the top, for messages */
    const struct identity *identity;
    /* limits of the working set, on its number of files and on their bytes; the file that reaches
     * one of the limits is the last one */
    struct nfs_extent extent;
    uint32_t read_size; /* size of a block, bytes */
};

/* Traverse the tree below REQUEST's top over CLIENT. Returns 0, or a negative errno with ERROR set.
 * An exceeded limit is no error. Release *TREE in any case; nfs_tree_free() accepts NULL. */
int nfs_tree_make(struct nfs_tree **tree, struct rpc_client *client,
                  const struct nfs_tree_request *request, struct error *error);
void nfs_tree_free(struct nfs_tree *tree);

/* Apply the calls on OBJECTS to the files, links and directories of TREE. Each READ requests
 * READ_SIZE bytes (0 if there are no READs). Calls that need only one file use the largest one.
 * Returns 0 with TREE owned by OBJECTS, or -ENOMEM with TREE freed. */
int nfs_tree_use(struct nfs_objects *objects, struct nfs_tree *tree, uint32_t read_size);
