#include "serve/export/directory.h"

#include <errno.h>
#include <string.h>

enum { SMALLEST_TABLE = 16 };

struct directory *directory_open(struct memory *memory, const struct hash_key *key)
{
    struct directory *directory = memory_alloc(memory, sizeof *directory);

    if (!directory)
        return NULL;
    directory->memory = memory;
    directory->key = key;
    directory->next_cookie = DIRECTORY_FIRST_COOKIE;
    return directory;
}

static void give_tables(struct directory *directory)
{
    size_t slots = directory->slot_count;

    memory_free(directory->memory, directory->entries, slots / 2 * sizeof *directory->entries);
    memory_free(directory->memory, directory->slots, slots * sizeof *directory->slots);
}

void directory_close(struct directory *directory)
{
    if (!directory)
        return;
    for (size_t i = 0; i < directory->used; i++)
        memory_free(directory->memory, directory->entries[i].name,
                    directory->entries[i].name_length);
    give_tables(directory);
    memory_free(directory->memory, directory, sizeof *directory);
}

static uint32_t hash_name(const struct directory *directory, const char *name, size_t length)
{
    return (uint32_t)hash_bytes(directory->key, name, length);
}

/* Return the slot of the entry called NAME, or the free slot where the search for NAME ends. */
static size_t find_slot(const struct directory *directory, uint32_t hash, const char *name,
                        size_t length)
{
    size_t mask = directory->slot_count - 1, slot = hash & mask;

    for (; directory->slots[slot]; slot = (slot + 1) & mask) {
        const struct directory_entry *entry = &directory->entries[directory->slots[slot] - 1];

        if (entry->hash == hash && entry->name_length == length &&
            memcmp(entry->name, name, length) == 0)
            break;
    }
    return slot;
}

struct directory_entry *directory_find(const struct directory *directory, const char *name,
                                       size_t length)
{
    uint32_t place;

    if (directory->slot_count == 0)
        return NULL;
    place =
        directory->slots[find_slot(directory, hash_name(directory, name, length), name, length)];
    return place ? &directory->entries[place - 1] : NULL;
}

/* Move the existing entries to ENTRIES, and enter their indices in SLOTS, which is zeroed. */
static void rebuild(struct directory *directory, struct directory_entry *entries, uint32_t *slots,
                    size_t slot_count)
{
    size_t used = 0;

    for (size_t i = 0; i < directory->used; i++) {
        size_t slot = directory->entries[i].hash & (slot_count - 1);

        if (!directory->entries[i].name)
            continue;
        entries[used++] = directory->entries[i];
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)used;
    }
    directory->used = used;
}

static int grow(struct directory *directory)
{
    size_t slot_count = directory->slot_count ? 2 * directory->slot_count : SMALLEST_TABLE;
    struct directory_entry *entries;
    uint32_t *slots;

    entries = memory_alloc(directory->memory, slot_count / 2 * sizeof *entries);
    slots = entries ? memory_alloc(directory->memory, slot_count * sizeof *slots) : NULL;
    if (!slots) {
        memory_free(directory->memory, entries, slot_count / 2 * sizeof *entries);
        return -ENOSPC;
    }
    rebuild(directory, entries, slots, slot_count);
    give_tables(directory);
    directory->entries = entries;
    directory->slots = slots;
    directory->slot_count = slot_count;
    return 0;
}

static void compact(struct directory *directory)
{
    memset(directory->slots, 0, directory->slot_count * sizeof *directory->slots);
    rebuild(directory, directory->entries, directory->slots, directory->slot_count);
}

/* If ENTRIES is full, drop the removed entries if they are over half of all entries, else grow. */
static int make_room(struct directory *directory)
{
    if (directory->used < directory->slot_count / 2)
        return 0;
    if (directory->live < directory->slot_count / 4) {
        compact(directory);
        return 0;
    }
    return grow(directory);
}

int directory_add(struct directory *directory, const char *name, size_t length,
                  struct tree_node *node)
{
    struct directory_entry entry = {
        .name_length = (uint32_t)length, .hash = hash_name(directory, name, length), .node = node};

    if (make_room(directory) != 0)
        return -ENOSPC;
    entry.name = memory_alloc(directory->memory, length);
    if (!entry.name)
        return -ENOSPC;
    memcpy(entry.name, name, length);
    entry.cookie = directory->next_cookie++;
    directory->entries[directory->used++] = entry;
    directory->slots[find_slot(directory, entry.hash, name, length)] = (uint32_t)directory->used;
    directory->live++;
    return 0;
}

/* Free SLOT. Move later entries for which a search would now end at the free slot. */
static void free_slot(struct directory *directory, size_t slot)
{
    size_t mask = directory->slot_count - 1;

    for (size_t next = (slot + 1) & mask; directory->slots[next]; next = (next + 1) & mask) {
        size_t home = directory->entries[directory->slots[next] - 1].hash & mask;

        if (((next - home) & mask) < ((next - slot) & mask))
            continue;
        directory->slots[slot] = directory->slots[next];
        slot = next;
    }
    directory->slots[slot] = 0;
}

void directory_remove(struct directory *directory, struct directory_entry *entry)
{
    free_slot(directory, find_slot(directory, entry->hash, entry->name, entry->name_length));
    memory_free(directory->memory, entry->name, entry->name_length);
    entry->name = NULL;
    directory->live--;
    /* Limit the number of removed entries, because listings must skip them. */
    if (directory->used - directory->live > directory->live + SMALLEST_TABLE)
        compact(directory);
}

const struct directory_entry *directory_next(const struct directory *directory, uint64_t cookie)
{
    size_t low = 0, high = directory->used;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (directory->entries[middle].cookie <= cookie)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < directory->used && !directory->entries[low].name)
        low++;
    return low < directory->used ? &directory->entries[low] : NULL;
}
