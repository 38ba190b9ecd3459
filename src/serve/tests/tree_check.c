#include "embedded.h"

#include <string.h>

#include "script.h"

enum { OBJECTS_MAXIMUM = 1 << 14 };

/* The objects found while walking the tree. NAMES[N] counts the names of the object number N. */
struct census {
    uint32_t names[OBJECTS_MAXIMUM];
    const struct tree_node *objects[OBJECTS_MAXIMUM]; /* objects in the order of discovery */
    size_t count;
};

static struct census census;

static void check_name(const struct directory_entry *entry)
{
    bool dot = entry->name_length == 1 && entry->name[0] == '.';
    bool dot_dot = entry->name_length == 2 && memcmp(entry->name, "..", 2) == 0;

    FUZZ_CHECK(entry->name_length >= 1 && entry->name_length <= TREE_NAME_MAXIMUM);
    FUZZ_CHECK(!dot && !dot_dot && !memchr(entry->name, '/', entry->name_length) &&
               !memchr(entry->name, '\0', entry->name_length));
}

static void count_name(const struct tree *tree, const struct tree_node *node)
{
    FUZZ_CHECK(node->number < OBJECTS_MAXIMUM);
    FUZZ_CHECK(tree_find(tree, node->number, node->generation) == node);
    if (census.names[node->number]++ == 0)
        census.objects[census.count++] = node;
}

/* Check DIRECTORY's entries, and add their names and objects to the census. Returns the number of
 * entries that are directories. */
static uint32_t check_entries(const struct tree *tree, const struct tree_node *directory)
{
    const struct directory_entry *entry = directory_next(directory->entries, 0);
    size_t count = 0;
    uint32_t directories = 0;
    uint64_t cookie = 2; /* cookie of ".." */

    for (; entry; entry = directory_next(directory->entries, cookie)) {
        check_name(entry);
        FUZZ_CHECK(directory_find(directory->entries, entry->name, entry->name_length) == entry);
        FUZZ_CHECK(entry->cookie > cookie && entry->cookie < directory->entries->next_cookie);
        cookie = entry->cookie;
        count_name(tree, entry->node);
        if (entry->node->type == TREE_DIRECTORY) {
            FUZZ_CHECK(entry->node->parent == directory);
            directories++;
        }
        count++;
    }
    FUZZ_CHECK(count == directory->entries->live);
    return directories;
}

void tree_check(const struct tree *tree)
{
    memset(census.names, 0, sizeof census.names);
    census.count = 0;
    count_name(tree, tree_root(tree));
    FUZZ_CHECK(tree_root(tree)->parent == tree_root(tree));
    for (size_t i = 0; i < census.count; i++) { /* COUNT grows as objects are found */
        const struct tree_node *node = census.objects[i];

        if (node->type == TREE_DIRECTORY)
            FUZZ_CHECK(node->links == 2 + check_entries(tree, node));
    }
    for (size_t i = 0; i < census.count; i++) {
        const struct tree_node *node = census.objects[i];

        FUZZ_CHECK(census.names[node->number] == (node->type == TREE_DIRECTORY ? 1 : node->links));
    }
    FUZZ_CHECK(census.count == tree->count);
    FUZZ_CHECK(tree->memory.used <= tree->memory.limit);
}

/* Can directory.c make the tables of a directory BYTES bytes long? */
static bool is_table_size(uint64_t bytes)
{
    uint64_t slots = 16;

    while (slots / 2 * sizeof(struct directory_entry) + slots * sizeof(uint32_t) < bytes)
        slots *= 2;
    return bytes == 0 ||
           slots / 2 * sizeof(struct directory_entry) + slots * sizeof(uint32_t) == bytes;
}

void tree_check_empty(const struct tree *tree, uint64_t empty)
{
    tree_check(tree);
    FUZZ_CHECK(tree->count == 1);
    FUZZ_CHECK(is_table_size(tree->memory.used - empty));
}
