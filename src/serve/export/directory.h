/* A directory's entries: found by name in constant time, and listed in the order in which they were
 * made. An entry keeps its cookie as long as it exists, and no other entry ever gets it, so a
 * listing continues correctly whatever was made or removed in between. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "serve/export/memory.h"

enum { DIRECTORY_FIRST_COOKIE = 3 }; /* of an entry; 1 and 2 are for "." and ".." */

struct tree_node;

struct directory_entry {
    uint64_t cookie;
    uint32_t name_length;
    uint32_t hash;
    char *name; /* not null-terminated; NULL: removed */
    struct tree_node *node;
};

/* A directory: entries are in the order of their cookies. Removed entries stay among them until
 * they outnumber the others. A hash table has their indices by name, with open addressing and
 * linear probing, at most half full; a slot holds an index plus one, and 0 means that it is free.
 */
struct directory {
    struct memory *memory;
    const struct hash_key *key;
    struct directory_entry *entries;
    size_t used; /* number of entries, including removed ones */
    size_t live; /* number of entries */
    uint32_t *slots;
    size_t slot_count;    /* a power of two, or 0; there is room for half as many entries */
    uint64_t next_cookie; /* cookies below it may have been given out */
};

/* Make an empty directory; MEMORY and KEY must outlive it. NULL without memory. */
struct directory *directory_open(struct memory *memory, const struct hash_key *key);
void directory_close(struct directory *directory);

/* The entry called NAME (LENGTH bytes), or NULL; valid until the directory is changed. */
struct directory_entry *directory_find(const struct directory *directory, const char *name,
                                       size_t length);

/* Add an entry for NODE; NAME must not exist yet. 0 or -ENOSPC. */
int directory_add(struct directory *directory, const char *name, size_t length,
                  struct tree_node *node);

/* Remove ENTRY, which is one of DIRECTORY's. */
void directory_remove(struct directory *directory, struct directory_entry *entry);

/* The first entry after COOKIE (0: the first of all), or NULL at the end. */
const struct directory_entry *directory_next(const struct directory *directory, uint64_t cookie);
