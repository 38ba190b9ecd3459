#include "serve/export/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/system_clock.h"

uint64_t tree_now(struct tree *tree)
{
    uint64_t now = system_clock_ns(CLOCK_REALTIME);

    tree->latest = now > tree->latest ? now : tree->latest + 1;
    return tree->latest - tree->latest % tree->time_unit;
}

void tree_note_access(const struct tree *tree, struct tree_node *node)
{
    const uint64_t now = system_clock_ns(CLOCK_REALTIME);

    if (atomic_load_explicit(&node->accessed, memory_order_relaxed) <= node->modified)
        atomic_store_explicit(&node->accessed, now - now % tree->time_unit, memory_order_relaxed);
}

/* Nodes */

static void free_contents(struct tree *tree, struct tree_node *node)
{
    pages_truncate(&node->pages, &tree->memory, 0);
    memory_free(&tree->memory, node->text, node->size);
    directory_close(node->entries);
}

static int grow_numbers(struct tree *tree)
{
    const size_t wanted = tree->numbers + 1;
    size_t of_free = tree->capacity;

    return array_reserve(&tree->free_numbers, &of_free, wanted, sizeof *tree->free_numbers) ||
                   array_reserve(&tree->nodes, &tree->capacity, wanted, sizeof(struct tree_node *))
               ? -ENOSPC
               : 0;
}

static int take_number(struct tree *tree, uint64_t *number)
{
    if (tree->free_count > 0) {
        *number = tree->free_numbers[--tree->free_count];
        return 0;
    }
    if (tree->numbers == tree->capacity && grow_numbers(tree) != 0)
        return -ENOSPC;
    *number = ++tree->numbers;
    return 0;
}

static struct tree_node *make_node(struct tree *tree, enum tree_type type)
{
    struct tree_node *node = memory_alloc(&tree->memory, sizeof *node);

    if (!node)
        return NULL;
    node->type = type;
    node->links = type == TREE_DIRECTORY ? 2 : 1;
    node->accessed = node->modified = node->changed = tree_now(tree);
    if (type == TREE_DIRECTORY)
        node->entries = directory_open(&tree->memory, &tree->key);
    if ((type == TREE_DIRECTORY && !node->entries) || take_number(tree, &node->number) != 0) {
        free_contents(tree, node);
        memory_free(&tree->memory, node, sizeof *node);
        return NULL;
    }
    node->generation = tree->next_generation++;
    tree->nodes[node->number - 1] = node;
    tree->count++;
    return node;
}

static void drop_node(struct tree *tree, struct tree_node *node)
{
    free_contents(tree, node);
    tree->nodes[node->number - 1] = NULL;
    tree->free_numbers[tree->free_count++] = node->number;
    tree->count--;
    memory_free(&tree->memory, node, sizeof *node);
}

struct tree *tree_open(uint32_t uid, uint32_t gid, uint64_t memory_limit)
{
    struct tree *tree = calloc(1, sizeof *tree);
    struct tree_node *root;

    if (!tree)
        return NULL;
    tree->memory.limit = memory_limit;
    tree->key = hash_new_key();
    /* Generations begin at the time in ns, so that handles of an earlier server are not valid: no
     * server makes more than one object per nanosecond. */
    tree->time_unit = 1;
    tree->boot = tree->next_generation = tree_now(tree);
    root = make_node(tree, TREE_DIRECTORY);
    if (!root) {
        tree_close(tree);
        return NULL;
    }
    root->parent = root;
    root->mode = 0755;
    root->uid = uid;
    root->gid = gid;
    return tree;
}

void tree_close(struct tree *tree)
{
    if (!tree)
        return;
    for (size_t i = 0; i < tree->numbers; i++)
        if (tree->nodes[i])
            drop_node(tree, tree->nodes[i]);
    free(tree->nodes);
    free(tree->free_numbers);
    free(tree);
}

struct tree_node *tree_root(const struct tree *tree)
{
    return tree->nodes[0];
}

struct tree_node *tree_find(const struct tree *tree, uint64_t number, uint64_t generation)
{
    struct tree_node *node =
        number >= 1 && number <= tree->numbers ? tree->nodes[number - 1] : NULL;

    return node && node->generation == generation ? node : NULL;
}

/* Names */

struct tree_node *tree_lookup(const struct tree_node *directory, const char *name, size_t length)
{
    const struct directory_entry *entry = directory_find(directory->entries, name, length);

    return entry ? entry->node : NULL;
}

static void touch_directory(struct tree_node *directory, uint64_t now)
{
    directory->modified = directory->changed = now;
}

static void set_parent(struct tree_node *node, struct tree_node *directory)
{
    if (node->type != TREE_DIRECTORY)
        return;
    node->parent = directory;
    directory->links++;
}

int tree_make(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              enum tree_type type, struct tree_node **made)
{
    struct tree_node *node = make_node(tree, type);

    if (!node)
        return -ENOSPC;
    if (directory_add(directory->entries, name, length, node) != 0) {
        drop_node(tree, node);
        return -ENOSPC;
    }
    set_parent(node, directory);
    touch_directory(directory, node->changed);
    *made = node;
    return 0;
}

int tree_link(struct tree *tree, struct tree_node *directory, const char *name, size_t length,
              struct tree_node *node)
{
    if (directory_add(directory->entries, name, length, node) != 0)
        return -ENOSPC;
    node->links++;
    node->changed = tree_now(tree);
    touch_directory(directory, node->changed);
    return 0;
}

void tree_unlink(struct tree *tree, struct tree_node *directory, const char *name, size_t length)
{
    struct directory_entry *entry = directory_find(directory->entries, name, length);
    struct tree_node *node = entry->node;

    directory_remove(directory->entries, entry);
    touch_directory(directory, tree_now(tree));
    node->changed = directory->changed;
    if (node->type == TREE_DIRECTORY)
        directory->links--;
    if (node->type == TREE_DIRECTORY || --node->links == 0)
        drop_node(tree, node);
}

/* The new name is added before the old one is removed, because only adding can fail. */
int tree_rename(struct tree *tree, struct tree_node *from, const char *old, size_t old_length,
                struct tree_node *to, const char *name, size_t length)
{
    struct tree_node *node = tree_lookup(from, old, old_length);
    struct directory_entry *replaced = directory_find(to->entries, name, length);

    if (replaced) {
        struct tree_node *gone = replaced->node;

        replaced->node = node;
        if (gone->type == TREE_DIRECTORY)
            to->links--;
        gone->changed = tree_now(tree);
        if (gone->type == TREE_DIRECTORY || --gone->links == 0)
            drop_node(tree, gone);
    } else if (directory_add(to->entries, name, length, node) != 0) {
        return -ENOSPC;
    }
    directory_remove(from->entries, directory_find(from->entries, old, old_length));
    if (node->type == TREE_DIRECTORY)
        from->links--;
    set_parent(node, to);
    touch_directory(from, tree_now(tree));
    touch_directory(to, from->changed);
    node->changed = from->changed;
    return 0;
}

bool tree_is_within(const struct tree_node *node, const struct tree_node *ancestor)
{
    while (node != ancestor && node->parent != node)
        node = node->parent;
    return node == ancestor;
}

/* Data */

int tree_write(struct tree *tree, struct tree_node *file, uint64_t offset, const uint8_t *bytes,
               size_t length)
{
    int code = pages_write(&file->pages, &tree->memory, offset, bytes, length);

    if (code)
        /* free the tables that the failed write allocated beyond the file's end */
        pages_truncate(&file->pages, &tree->memory, file->size);
    else if (length > 0 && offset + length > file->size)
        file->size = offset + length;
    return code;
}

void tree_resize(struct tree *tree, struct tree_node *file, uint64_t size)
{
    if (size < file->size)
        pages_truncate(&file->pages, &tree->memory, size);
    file->size = size;
}

int tree_set_text(struct tree *tree, struct tree_node *symlink, const char *text, size_t length)
{
    symlink->text = memory_alloc(&tree->memory, length);
    if (!symlink->text)
        return -ENOSPC;
    memcpy(symlink->text, text, length);
    symlink->size = length;
    return 0;
}
