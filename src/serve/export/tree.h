/* The exported tree, in memory: objects of all seven types, found by number or by name in constant
 * time. It keeps names, links, data and times consistent; permissions are checked elsewhere. It
 * knows neither RPC nor NFS messages. It has no lock: a caller that changes it must have exclusive
 * access, while several threads may read it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/export/directory.h"
#include "serve/export/pages.h"

enum {
    TREE_NAME_MAXIMUM = 255,    /* bytes in a name */
    TREE_LINKS_MAXIMUM = 32000, /* of a file, and of a directory, counting its subdirectories */
    TREE_VERIFIER_SIZE = 8,
};

#define TREE_SIZE_MAXIMUM ((uint64_t)INT64_MAX) /* bytes in a file */

enum tree_type { /* as ftype3 */
                 TREE_FILE = 1,
                 TREE_DIRECTORY = 2,
                 TREE_BLOCK_DEVICE = 3,
                 TREE_CHARACTER_DEVICE = 4,
                 TREE_SYMLINK = 5,
                 TREE_SOCKET = 6,
                 TREE_FIFO = 7,
};

struct tree_node {
    uint64_t number; /* the fileid3; may be reused when the object is gone */
    uint64_t
        generation; /* never reused, by any tree, so that handles of removed objects stay stale */
    enum tree_type type;
    uint32_t mode; /* permission bits, set-user-id, set-group-id and sticky bit */
    uint32_t links, uid, gid;
    uint32_t device[2];         /* of a device: major and minor number */
    _Atomic uint64_t accessed;  /* ns since 1970; set by readers, too */
    uint64_t modified, changed; /* likewise */
    uint64_t size;              /* bytes of data, or of a link's text */
    struct pages pages;         /* a file's data */
    char *text;                 /* a symbolic link's, not null-terminated */
    struct directory *entries;  /* of a directory, else NULL */
    struct tree_node *parent;   /* of a directory; the root is its own */
    bool exclusive;             /* made by an exclusive create, with this verifier */
    uint8_t verifier[TREE_VERIFIER_SIZE];
};

/* The members are tree.c's; others read MEMORY, COUNT and BOOT, and may set TIME_UNIT. */
struct tree {
    struct tree_node **nodes; /* by number, from 1; NULL for a freed one */
    size_t *free_numbers;     /* for reuse; as long as NODES */
    size_t numbers, capacity; /* numbers used so far; length of NODES */
    size_t free_count;
    uint64_t count;       /* of objects */
    struct memory memory; /* that all objects take */
    struct hash_key key;
    uint64_t boot; /* when it was opened, in ns: also the first generation, and the write verifier,
                    * which differs after each start (RFC 1813 section 3.3.7, writeverf3) */
    uint64_t next_generation;
    uint64_t latest;    /* the last time that was returned */
    uint64_t time_unit; /* of which times are multiples, ns; 1 at first */
};

/* Make an empty tree that may use MEMORY_LIMIT bytes, with a root directory that belongs to UID and
 * GID. NULL without memory. */
struct tree *tree_open(uint32_t uid, uint32_t gid, uint64_t memory_limit);
void tree_close(struct tree *tree);

struct tree_node *tree_root(const struct tree *tree);

/* The node with that number and generation, or NULL. */
struct tree_node *tree_find(const struct tree *tree, uint64_t number, uint64_t generation);

/* The node called NAME (LENGTH bytes; not "." or "..") in DIRECTORY, or NULL. */
struct tree_node *tree_lookup(const struct tree_node *directory, const char *name, size_t length);

/* The current time, in ns since 1970; always later than the time returned before, so that each
 * change of an object is visible in its times. */
uint64_t tree_now(struct tree *tree);

/* NODE is being read. Only the first read after a change is recorded, as with Linux's relatime, so
 * that further reads change nothing. Threads that only read the tree may call it. */
void tree_note_access(struct tree_node *node);

/* The functions that change names set the times of the directories and of the objects concerned.
 * They return 0; or -ENOSPC, with nothing changed. */

/* Make an object of TYPE called NAME in DIRECTORY, where that name does not exist. */
int tree_make(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              enum tree_type type, struct tree_node **made);

/* Give NODE, which is not a directory, another name. */
int tree_link(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              struct tree_node *node);

/* Remove an existing name; with its last name the object is freed. Never fails. */
void tree_unlink(struct tree *tree, struct tree_node *directory, const char *name, size_t length);

/* Rename; an object called NAME in TO is replaced. The two are neither the same object nor, if they
 * are directories, one inside the other. */
int tree_rename(struct tree *tree, struct tree_node *from, const char *old, size_t old_length,
                struct tree_node *to, const char *name, size_t length);

/* Is NODE the directory ANCESTOR, or below it? */
bool tree_is_within(const struct tree_node *node, const struct tree_node *ancestor);

/* Data. Times are not touched. 0 or -ENOSPC; OFFSET + LENGTH is TREE_SIZE_MAXIMUM at most. */
int tree_write(struct tree *tree, struct tree_node *file, uint64_t offset, const uint8_t *bytes,
               size_t length);
void tree_resize(struct tree *tree, struct tree_node *file, uint64_t size);
/* LENGTH is not 0. */
int tree_set_text(struct tree *tree, struct tree_node *symlink, const char *text, size_t length);

/* Filling the tree when the server starts. The files that the user asked for, instead of the
 * default tree. */
struct fill_plan {
    uint64_t files;       /* 0: the default tree */
    uint64_t file_size;   /* bytes in each */
    uint64_t directories; /* over which the files are spread; 0: all are in the root */
};

/* The default tree: file and file1 to file5 (H, a mebibyte of E less two bytes, O), link to file,
 * dir with hello. Otherwise PLAN's files, with data of the same kind: file0 and so on, in dir0 and
 * so on. 0, or -ENOSPC if the tree's memory limit is too low. */
int fill_tree(struct tree *tree, const struct fill_plan *plan);
