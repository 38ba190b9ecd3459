/* A keyed hash for tables whose contents come from the network. Without the key, nobody can choose
 * entries that collide. It is SipHash-1-3: SipHash-2-4 (Aumasson and Bernstein, 2012) with fewer
 * rounds. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t words[2];
};

struct hash_key hash_new_key(void);

/* Return the hash of LENGTH bytes at DATA. */
uint64_t hash_bytes(const struct hash_key *key, const void *data, size_t length);
