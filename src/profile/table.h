/* Records that are found again by a key of 64 bits, which nobody can choose. A table has room for a
 * fixed number of them: the oldest one gives way to the next. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    uint64_t added;     /* records, those included that gave way */
    size_t count, size; /* records that there is room for; bytes of each */
    char *records;
    struct table_link *links;
    uint32_t *buckets;
};

/* False without memory. */
bool table_open(struct table *table, size_t count, size_t size);
void table_close(struct table *table);

/* The record with KEY; NULL: there is none. */
void *table_find(const struct table *table, uint64_t key);

/* A zeroed record with KEY, which no other has. */
void *table_add(struct table *table, uint64_t key);

/* The record that was added after NUMBER others, and has not given way. */
void *table_at(const struct table *table, uint64_t number);
