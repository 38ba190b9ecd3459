/* A directory's entries: found by name in constant time, and listed in the order in which they were
 * made. An entry keeps its cookie while it exists, and no other entry ever gets that cookie.
 * Therefore a listing continues correctly whatever was made or removed in between. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/hash.h"
#include "serve/export/memory.h"

enum { DIRECTORY_FIRST_COOKIE = 3 }; /* cookie of the first entry; 1 and 2 are for "." and ".." */

struct tree_node;

struct directory_entry {
    uint64_t cookie;
    uint32_t name_length;
    uint32_t hash;
    char *name; /* not null-terminated; NULL if the entry was removed */
    struct tree_node *node;
};

/* A directory. Its entries are in the order of their cookies. Removed entries are dropped at the
 * latest when they outnumber the existing entries by more than 16. A hash table finds entries by
 * name, with open addressing and linear probing, at most half full. A slot holds the index of an
 * entry plus one, or 0 if it is free. */
struct directory {
    struct memory *memory;
    const struct hash_key *key;
    struct directory_entry *entries;
    size_t used; /* number of entries, including removed ones */
    size_t live; /* number of existing entries */
    uint32_t *slots;
    size_t slot_count;    /* length of SLOTS, twice the length of ENTRIES: a power of two, or 0 */
    uint64_t next_cookie; /* cookie of the entry that is made next */
};

/* Make an empty directory. MEMORY and KEY must outlive it. Returns NULL if there is no memory. */
struct directory *directory_open(struct memory *memory, const struct hash_key *key);
void directory_close(struct directory *directory);

/* Return the entry called NAME (LENGTH bytes), or NULL; valid until DIRECTORY is changed. */
struct directory_entry *directory_find(const struct directory *directory, const char *name,
                                       size_t length);

/* Add an entry for NODE called NAME (LENGTH bytes), which must not exist yet; other entries may
 * move. Returns 0 or -ENOSPC. */
int directory_add(struct directory *directory, const char *name, size_t length,
                  struct tree_node *node);

void directory_remove(struct directory *directory, struct directory_entry *entry);

/* Return the first entry after COOKIE (0: the first entry of all), or NULL at the end. */
const struct directory_entry *directory_next(const struct directory *directory, uint64_t cookie);
