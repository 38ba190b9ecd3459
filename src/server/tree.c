#include "server/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_TABLE = 16, DEFAULT_FILE_SIZE = 1 << 20 };

/* Entries in the order of their cookies, and a hash table of their places by name: open addressing
 * with linear probing, at most half full; a slot holds a place plus one, 0 is free. */
struct tree_directory {
    struct tree_entry *entries;
    size_t count, capacity;
    uint32_t *slots;
    size_t slot_count; /* a power of two */
    uint64_t next_cookie;
};

struct tree {
    struct tree_node **nodes; /* by number, from 1 */
    size_t count, capacity;
    uint64_t bytes;
    uint32_t generation;
};

/* Nodes */

static struct tree_directory *make_directory(void)
{
    struct tree_directory *directory = calloc(1, sizeof *directory);

    if (directory)
        directory->next_cookie = TREE_FIRST_COOKIE;
    return directory;
}

static void free_node(struct tree_node *node)
{
    if (node && node->directory) {
        for (size_t i = 0; i < node->directory->count; i++)
            free(node->directory->entries[i].name);
        free(node->directory->entries);
        free(node->directory->slots);
        free(node->directory);
    }
    if (node)
        free(node->data);
    free(node);
}

static int grow_nodes(struct tree *tree)
{
    size_t capacity = tree->capacity ? 2 * tree->capacity : 64;
    struct tree_node **nodes = realloc(tree->nodes, capacity * sizeof *nodes);

    if (!nodes)
        return -ENOMEM;
    tree->nodes = nodes;
    tree->capacity = capacity;
    return 0;
}

static struct tree_node *make_node(struct tree *tree, enum tree_type type, uint32_t mode)
{
    struct tree_node *node;

    if (tree->count == tree->capacity && grow_nodes(tree) != 0)
        return NULL;
    node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->type = type;
    node->mode = mode;
    node->generation = tree->generation;
    node->links = type == TREE_DIRECTORY ? 2 : 1;
    clock_gettime(CLOCK_REALTIME, &node->changed);
    node->accessed = node->modified = node->changed;
    if (type == TREE_DIRECTORY && !(node->directory = make_directory())) {
        free(node);
        return NULL;
    }
    tree->nodes[tree->count++] = node;
    node->number = tree->count;
    return node;
}

struct tree *tree_open(uint32_t uid, uint32_t gid)
{
    struct tree *tree = calloc(1, sizeof *tree);
    struct tree_node *root;
    struct timespec now;

    if (!tree)
        return NULL;
    /* Handles of a server that ran here before must not be taken for ours. */
    clock_gettime(CLOCK_REALTIME, &now);
    tree->generation = (uint32_t)now.tv_sec * 1000 + (uint32_t)(now.tv_nsec / 1000000);
    root = make_node(tree, TREE_DIRECTORY, 0755);
    if (!root) {
        tree_close(tree);
        return NULL;
    }
    root->parent = root;
    root->uid = uid;
    root->gid = gid;
    return tree;
}

void tree_close(struct tree *tree)
{
    if (!tree)
        return;
    for (size_t i = 0; i < tree->count; i++)
        free_node(tree->nodes[i]);
    free(tree->nodes);
    free(tree);
}

struct tree_node *tree_root(const struct tree *tree)
{
    return tree->nodes[0];
}

struct tree_node *tree_find(const struct tree *tree, uint64_t number, uint32_t generation)
{
    struct tree_node *node = number >= 1 && number <= tree->count ? tree->nodes[number - 1] : NULL;

    return node && node->generation == generation ? node : NULL;
}

uint64_t tree_node_count(const struct tree *tree)
{
    return tree->count;
}

uint64_t tree_bytes(const struct tree *tree)
{
    return tree->bytes;
}

/* Directories */

/* FNV-1a. */
static uint32_t hash_name(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

static bool entry_is(const struct tree_entry *entry, uint32_t hash, const char *name, size_t length)
{
    return entry->hash == hash && entry->name_length == length &&
           memcmp(entry->name, name, length) == 0;
}

struct tree_node *tree_lookup(const struct tree_node *node, const char *name, size_t length)
{
    const struct tree_directory *directory = node->directory;
    uint32_t hash = hash_name(name, length);

    if (directory->slot_count == 0)
        return NULL;
    for (size_t slot = hash;; slot++) {
        uint32_t place = directory->slots[slot & (directory->slot_count - 1)];

        if (place == 0)
            return NULL;
        if (entry_is(&directory->entries[place - 1], hash, name, length))
            return directory->entries[place - 1].node;
    }
}

static void put_in_table(struct tree_directory *directory, size_t place)
{
    size_t slot = directory->entries[place].hash & (directory->slot_count - 1);

    while (directory->slots[slot])
        slot = (slot + 1) & (directory->slot_count - 1);
    directory->slots[slot] = (uint32_t)place + 1;
}

static int grow_directory(struct tree_directory *directory)
{
    size_t slot_count = directory->slot_count ? 2 * directory->slot_count : SMALLEST_TABLE;
    size_t capacity = slot_count / 2;
    struct tree_entry *entries = realloc(directory->entries, capacity * sizeof *directory->entries);
    uint32_t *slots;

    if (!entries)
        return -ENOMEM;
    directory->entries = entries;
    slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -ENOMEM;
    free(directory->slots);
    directory->slots = slots;
    directory->slot_count = slot_count;
    directory->capacity = capacity;
    for (size_t place = 0; place < directory->count; place++)
        put_in_table(directory, place);
    return 0;
}

static int add_entry(struct tree_node *parent, const char *name, struct tree_node *node)
{
    struct tree_directory *directory = parent->directory;
    struct tree_entry entry = {.name_length = (uint32_t)strlen(name),
                               .hash = hash_name(name, strlen(name)),
                               .name = strdup(name),
                               .node = node};

    if (!entry.name)
        return -ENOMEM;
    if (directory->count == directory->capacity && grow_directory(directory) != 0) {
        free(entry.name);
        return -ENOMEM;
    }
    entry.cookie = directory->next_cookie++;
    directory->entries[directory->count] = entry;
    put_in_table(directory, directory->count++);
    return 0;
}

struct tree_node *tree_make(struct tree *tree, struct tree_node *directory, const char *name,
                            enum tree_type type, uint32_t mode)
{
    struct tree_node *node = make_node(tree, type, mode);

    if (!node)
        return NULL;
    if (add_entry(directory, name, node) != 0) {
        free_node(node);
        tree->count--;
        return NULL;
    }
    node->uid = directory->uid;
    node->gid = directory->gid;
    if (type == TREE_DIRECTORY) {
        node->parent = directory;
        directory->links++;
    }
    return node;
}

uint8_t *tree_resize(struct tree *tree, struct tree_node *node, uint64_t size)
{
    uint8_t *data = calloc(1, size ? size : 1);

    if (!data)
        return NULL;
    tree->bytes += size - node->size;
    free(node->data);
    node->data = data;
    node->size = size;
    return data;
}

const struct tree_entry *tree_next(const struct tree_node *node, uint64_t cookie)
{
    const struct tree_directory *directory = node->directory;
    size_t low = 0, high = directory->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (directory->entries[middle].cookie <= cookie)
            low = middle + 1;
        else
            high = middle;
    }
    return low < directory->count ? &directory->entries[low] : NULL;
}

bool tree_knows_cookie(const struct tree_node *node, uint64_t cookie)
{
    return cookie < node->directory->next_cookie;
}

/* The default tree */

static int make_file(struct tree *tree, const char *name)
{
    struct tree_node *node = tree_make(tree, tree_root(tree), name, TREE_FILE, 0644);
    uint8_t *data = node ? tree_resize(tree, node, DEFAULT_FILE_SIZE) : NULL;

    if (!data)
        return -ENOMEM;
    memset(data, 'E', DEFAULT_FILE_SIZE);
    data[0] = 'H';
    data[DEFAULT_FILE_SIZE - 1] = 'O';
    return 0;
}

static int make_text(struct tree *tree, struct tree_node *directory, const char *name,
                     enum tree_type type, uint32_t mode, const char *text)
{
    struct tree_node *node = tree_make(tree, directory, name, type, mode);
    uint8_t *data = node ? tree_resize(tree, node, strlen(text)) : NULL;

    if (!data)
        return -ENOMEM;
    memcpy(data, text, strlen(text));
    return 0;
}

int tree_fill_default(struct tree *tree)
{
    struct tree_node *directory;
    int code = make_file(tree, "file");

    for (int i = 1; i <= 5 && code == 0; i++) {
        char name[16];

        snprintf(name, sizeof name, "file%d", i);
        code = make_file(tree, name);
    }
    if (code == 0)
        code = make_text(tree, tree_root(tree), "link", TREE_SYMLINK, 0777, "file");
    if (code)
        return code;
    directory = tree_make(tree, tree_root(tree), "dir", TREE_DIRECTORY, 0755);
    return directory ? make_text(tree, directory, "hello", TREE_FILE, 0644, "hello\n") : -ENOMEM;
}
