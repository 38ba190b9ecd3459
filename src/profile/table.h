/* A hash table for a fixed number of records. When it is full, a new record replaces the oldest.
 * Keys have 64 bits and should be keyed hashes, so that nobody can choose keys that collide. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    uint64_t added;     /* number of records added so far, including replaced records */
    size_t count, size; /* COUNT: maximum number of records; SIZE: bytes of each record */
    char *records;
    struct table_link *links;
    uint32_t *buckets;
};

/* Open TABLE: COUNT records of SIZE bytes. Returns false without memory; close TABLE even then. */
bool table_open(struct table *table, size_t count, size_t size);
void table_close(struct table *table);

void *table_find(const struct table *table, uint64_t key);

/* Add a zeroed record with KEY, and return it. If other records have KEY, table_find() finds the
 * newest. */
void *table_add(struct table *table, uint64_t key);

/* Return record NUMBER, from 0, in the order of addition. It must not have been replaced. */
void *table_at(const struct table *table, uint64_t number);
