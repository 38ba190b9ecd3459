/* The exported tree, in memory: files, directories and symbolic links, found by number or by name
 * in constant time. Knows neither RPC nor NFS messages. Not for several threads. */
#ifndef NFSBENCH_SERVER_TREE_H
#define NFSBENCH_SERVER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    TREE_NAME_MAXIMUM = 255, /* bytes in a name */
    TREE_FIRST_COOKIE = 3,   /* of an entry; 1 and 2 are for "." and ".." */
};

enum tree_type { TREE_FILE = 1, TREE_DIRECTORY = 2, TREE_SYMLINK = 5 }; /* as ftype3 */

struct tree_node {
    uint64_t number;     /* unique for ever: the fileid3 */
    uint32_t generation; /* tells a handle of an earlier tree from one of this */
    enum tree_type type;
    uint32_t mode; /* permission bits */
    uint32_t links, uid, gid;
    struct timespec accessed, modified, changed;
    uint64_t size;                    /* bytes of data, or of a link's text */
    uint8_t *data;                    /* a file's bytes, or a link's text */
    struct tree_node *parent;         /* of a directory; the root is its own */
    struct tree_directory *directory; /* a directory's entries, else NULL */
};

struct tree_entry {
    uint64_t cookie; /* grows with each new entry, and is never used again */
    uint32_t name_length;
    uint32_t hash;
    char *name; /* not null-terminated */
    struct tree_node *node;
};

struct tree;

/* An empty tree: a root directory that belongs to UID and GID. NULL without memory. */
struct tree *tree_open(uint32_t uid, uint32_t gid);
void tree_close(struct tree *tree);

struct tree_node *tree_root(const struct tree *tree);

/* The node with that number and generation, or NULL. */
struct tree_node *tree_find(const struct tree *tree, uint64_t number, uint32_t generation);

/* The node called NAME (LENGTH bytes; not "." or "..") in DIRECTORY, or NULL. */
struct tree_node *tree_lookup(const struct tree_node *directory, const char *name, size_t length);

/* Make a node of TYPE called NAME in DIRECTORY; NAME is not there yet, and valid. Its mode is
 * MODE, its owner the directory's. NULL without memory. */
struct tree_node *tree_make(struct tree *tree, struct tree_node *directory, const char *name,
                            enum tree_type type, uint32_t mode);

/* Give NODE, a file or a link without data, SIZE bytes of it (zeros), which the caller then fills
 * in. NULL without memory. */
uint8_t *tree_resize(struct tree *tree, struct tree_node *node, uint64_t size);

/* The first entry of DIRECTORY behind COOKIE (0: the first of all), or NULL at the end. */
const struct tree_entry *tree_next(const struct tree_node *directory, uint64_t cookie);

/* Whether COOKIE is one that DIRECTORY may have given out. */
bool tree_knows_cookie(const struct tree_node *directory, uint64_t cookie);

/* Nodes in the tree and bytes of data in its files. */
uint64_t tree_node_count(const struct tree *tree);
uint64_t tree_bytes(const struct tree *tree);

/* Fill in the tree that the server starts with: file and file1 to file5 (H, a mebibyte of E less
 * two bytes, O), link to file, dir with hello. 0 or -ENOMEM. */
int tree_fill_default(struct tree *tree);

#endif
