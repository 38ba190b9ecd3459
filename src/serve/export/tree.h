/* The exported tree, in memory: objects of all seven types, found by number or by name. The tree
 * keeps names, links and data consistent. It does not check permissions, and knows neither RPC nor
 * NFS messages. The tree has no lock: several threads may read it, but a thread that changes it
 * must have exclusive access. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/export/directory.h"
#include "serve/export/pages.h"

enum {
    TREE_NAME_MAXIMUM = 255, /* maximum length of a name, in bytes */
    /* maximum number of an object's links, including the ".." of its subdirectories */
    TREE_LINKS_MAXIMUM = 32000,
    TREE_VERIFIER_SIZE = 8,
};

#define TREE_SIZE_MAXIMUM ((uint64_t)INT64_MAX) /* maximum size of a file, in bytes */

enum tree_type { /* values of ftype3 */
                 TREE_FILE = 1,
                 TREE_DIRECTORY = 2,
                 TREE_BLOCK_DEVICE = 3,
                 TREE_CHARACTER_DEVICE = 4,
                 TREE_SYMLINK = 5,
                 TREE_SOCKET = 6,
                 TREE_FIFO = 7,
};

struct tree_node {
    uint64_t number; /* fileid3, which may be reused once the object is removed */
    /* number that no tree uses again, so that handles of removed objects stay stale */
    uint64_t generation;
    enum tree_type type;
    uint32_t mode; /* permission bits, set-user-id, set-group-id and sticky bit */
    uint32_t links, uid, gid;
    uint32_t device[2];         /* major and minor number of a device */
    _Atomic uint64_t accessed;  /* time of access, ns since 1970; readers of the tree set it, too */
    uint64_t modified, changed; /* ns since 1970 */
    uint64_t size;              /* bytes of data, or of a symbolic link's text */
    struct pages pages;         /* data of a file */
    char *text;                 /* text of a symbolic link, not null-terminated */
    struct directory *entries;  /* entries of a directory, else NULL */
    struct tree_node *parent;   /* parent of a directory; the root is its own parent */
    bool exclusive;             /* the object was made by an exclusive CREATE with VERIFIER */
    uint8_t verifier[TREE_VERIFIER_SIZE];
};

/* The tree. Only tree.c uses the members, with these exceptions: MEMORY, COUNT and BOOT may be
 * read, and TIME_UNIT may be set, by other files. */
struct tree {
    struct tree_node **nodes; /* objects; index: number - 1; NULL: removed */
    size_t *free_numbers;     /* numbers that may be reused; has CAPACITY elements, like NODES */
    size_t numbers, capacity; /* NUMBERS: highest number so far; CAPACITY: length of NODES */
    size_t free_count;
    uint64_t count;       /* number of objects */
    struct memory memory; /* memory of all objects */
    struct hash_key key;
    /* Time when the tree was opened, ns since 1970. It is the first generation and the write
     * verifier, which must differ after each start (RFC 1813 section 3.3.7, writeverf3). */
    uint64_t boot;
    uint64_t next_generation;
    uint64_t latest;    /* the latest time of tree_now(), before rounding, in ns since 1970 */
    uint64_t time_unit; /* unit of the times that the tree sets, ns; 1 at first */
};

/* Make an empty tree that may use MEMORY_LIMIT bytes, with a root directory that belongs to UID and
 * GID. Returns NULL if there is no memory. */
struct tree *tree_open(uint32_t uid, uint32_t gid, uint64_t memory_limit);
void tree_close(struct tree *tree);

struct tree_node *tree_root(const struct tree *tree);

struct tree_node *tree_find(const struct tree *tree, uint64_t number, uint64_t generation);

/* Return the node called NAME (LENGTH bytes; not "." or "..") in DIRECTORY, or NULL. */
struct tree_node *tree_lookup(const struct tree_node *directory, const char *name, size_t length);

/* Return the current time, in ns since 1970, rounded down to TIME_UNIT. If TIME_UNIT is 1, the time
 * is always later than the time returned before, so that each change of an object is visible. */
uint64_t tree_now(struct tree *tree);

/* Record that NODE of TREE is read. Only the first read after a change of NODE's mtime is recorded,
 * so that further reads change nothing. Threads that only read the tree may call this
 * function. */
void tree_note_access(const struct tree *tree, struct tree_node *node);

/* Functions that change names. LENGTH: bytes of NAME. The functions set the times of the
 * directories and objects concerned. They return 0; or -ENOSPC, with nothing changed. */

/* Make *MADE, an object of TYPE called NAME in DIRECTORY, where that name does not exist. */
int tree_make(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              enum tree_type type, struct tree_node **made);

/* Add NAME, which DIRECTORY must not have yet, as another name of NODE, which is no directory. */
int tree_link(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              struct tree_node *node);

/* Remove NAME, which exists in DIRECTORY. The object called NAME is freed if it has no other name.
 * A directory must be empty. Never fails. */
void tree_unlink(struct tree *tree, struct tree_node *directory, const char *name, size_t length);

/* Rename OLD (OLD_LENGTH bytes) in FROM to NAME in TO. An object called NAME in TO is replaced; it
 * must differ from the renamed object and, if it is a directory, be empty. TO must not be inside
 * the renamed object. */
int tree_rename(struct tree *tree, struct tree_node *from, const char *old, size_t old_length,
                struct tree_node *to, const char *name, size_t length);

/* Is the directory NODE the directory ANCESTOR, or below it? */
bool tree_is_within(const struct tree_node *node, const struct tree_node *ancestor);

/* Functions that change data, but set no times. OFFSET + LENGTH is at most TREE_SIZE_MAXIMUM. They
 * return 0, or -ENOSPC with nothing changed; tree_resize() never fails. */
int tree_write(struct tree *tree, struct tree_node *file, uint64_t offset, const uint8_t *bytes,
               size_t length);
void tree_resize(struct tree *tree, struct tree_node *file, uint64_t size);
/* Set the text of SYMLINK, which has none, to LENGTH bytes of TEXT; LENGTH is not 0. */
int tree_set_text(struct tree *tree, struct tree_node *symlink, const char *text, size_t length);

/* The initial contents of the tree: the files that the user asked for, or the default tree. */
struct contents_plan {
    uint64_t files;       /* number of files; 0: the default tree is made */
    uint64_t file_size;   /* bytes in each file */
    uint64_t directories; /* number of directories for the files; 0: all files are in the root */
};

/* Fill TREE as PLAN says. The default tree has file and file1 to file5 (1 MiB each: an H, Es and an
 * O), the symbolic link "link" to file, and the directory "dir" with a file "hello". Otherwise,
 * TREE gets file0, file1 and so on, with the same pattern of data, in the root or in dir0, dir1 and
 * so on. Returns 0, or -ENOSPC if the tree's memory limit is too low. */
int tree_make_contents(struct tree *tree, const struct contents_plan *plan);
