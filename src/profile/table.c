#include "profile/table.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

/* A record's key, and the index plus one of the next record in its bucket, or NONE. */
struct table_link {
    uint64_t key;
    uint32_t next;
};

bool table_open(struct table *table, size_t count, size_t size)
{
    *table = (struct table){.count = count, .size = size};
    table->records = calloc(count, size);
    table->links = calloc(count, sizeof *table->links);
    table->buckets = calloc(count, sizeof *table->buckets);
    return table->records && table->links && table->buckets;
}

void table_close(struct table *table)
{
    free(table->records);
    free(table->links);
    free(table->buckets);
}

void *table_at(const struct table *table, uint64_t number)
{
    return table->records + number % table->count * table->size;
}

/* Return the bucket of KEY. KEY's lowest bit is ignored, because it may be set in all keys. */
static uint32_t *bucket_of(const struct table *table, uint64_t key)
{
    return &table->buckets[key / 2 % table->count];
}

void *table_find(const struct table *table, uint64_t key)
{
    uint32_t number = *bucket_of(table, key);

    while (number != NONE && table->links[number - 1].key != key)
        number = table->links[number - 1].next;
    return number == NONE ? NULL : table_at(table, number - 1);
}

static void take_out(struct table *table, uint32_t number)
{
    uint32_t *place = bucket_of(table, table->links[number - 1].key);

    while (*place != number)
        place = &table->links[*place - 1].next;
    *place = table->links[number - 1].next;
}

void *table_add(struct table *table, uint64_t key)
{
    uint32_t number = (uint32_t)(table->added % table->count) + 1, *bucket = bucket_of(table, key);

    if (table->added++ >= table->count)
        take_out(table, number);
    table->links[number - 1] = (struct table_link){key, *bucket};
    *bucket = number;
    return memset(table_at(table, number - 1), 0, table->size);
}
