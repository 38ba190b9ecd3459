/* A table of records with keys of 64 bits, which must be hashes that nobody can choose. It has room
 * for a fixed number of records; when it is full, a new record replaces the oldest. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    uint64_t added;     /* number of all records, including replaced ones */
    size_t count, size; /* COUNT: maximum number of records; SIZE: bytes of one record */
    char *records;
    struct table_link *links;
    uint32_t *buckets;
};

/* Open TABLE for COUNT records of SIZE bytes. Returns false if there is no memory. */
bool table_open(struct table *table, size_t count, size_t size);
void table_close(struct table *table);

void *table_find(const struct table *table, uint64_t key);

/* Add a zeroed record with KEY, which must not be in use, and return it. */
void *table_add(struct table *table, uint64_t key);

/* Return the record that was added after NUMBER other records. It must not have been replaced. */
void *table_at(const struct table *table, uint64_t number);
