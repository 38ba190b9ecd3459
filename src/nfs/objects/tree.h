/* The objects of a tree that is there: what --tree measures. It is gone through once, and only
 * read. */
#pragma once

#include "nfs/objects/working_set.h"
#include "nfs/traversal.h"

/* Objects of one type, in find's order. */
struct nfs_tree_list {
    struct nfs_handle *handles;
    uint32_t *directories; /* that they are in: indices */
    uint32_t *names;       /* where each one's name begins in the tree's text */
    size_t count, room;
};

struct nfs_tree {
    struct nfs_tree_list files, symlinks; /* regular files; symbolic links */
    uint64_t *sizes;                      /* of the files, bytes */
    struct nfs_directory *directories;    /* the top is the first */
    size_t directory_count;
    char *text; /* names, each with its end */
    size_t text_length, text_room;
    uint64_t bytes;  /* of all files */
    uint64_t others; /* objects of other types */
    bool cut;        /* there are more objects, beyond the working set or a bound that was met */
    int met;         /* which (nfs/listing.h); 0: none */
    struct nfs_traversal_counts counts;
    struct nfs_listing_findings findings; /* of its listings */
    /* The blocks of the files, laid end to end: where each file's begin, and at the end how many
     * there are. */
    uint64_t *blocks;
};

struct nfs_tree_request {
    const struct nfs_handle *top;
    const char *path; /* its, for messages */
    const struct identity *identity;
    struct nfs_extent extent; /* ends with the file that reaches it */
    uint32_t read_size;       /* bytes of a block */
};

/* Go through the tree below REQUEST's top over CLIENT. 0, or a negative errno with ERROR set.
 * Release *TREE with nfs_tree_free(), which takes NULL, too. */
int nfs_tree_make(struct nfs_tree **tree, struct rpc_client *client,
                  const struct nfs_tree_request *request, struct error *error);
void nfs_tree_free(struct nfs_tree *tree);

/* Have the calls on OBJECTS go to the files, links and directories of TREE, which belongs to
 * OBJECTS then; each READ asks for READ_SIZE bytes (0: there is none). The largest file is the one
 * where a call needs but one. 0 or -ENOMEM; TREE belongs to OBJECTS in either case. */
int nfs_tree_use(struct nfs_objects *objects, struct nfs_tree *tree, uint32_t read_size);
