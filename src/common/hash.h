/* A keyed hash for tables whose contents come from the network: without knowing the key, nobody can
 * choose entries that collide. SipHash-1-3 (Aumasson and Bernstein, 2012, with fewer rounds, as is
 * usual for hash tables). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t words[2];
};

/* A key that nobody can guess. */
struct hash_key hash_new_key(void);

/* The hash of LENGTH bytes at DATA. */
uint64_t hash_bytes(const struct hash_key *key, const void *data, size_t length);
