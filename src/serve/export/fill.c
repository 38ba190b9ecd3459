/* The contents of the exported tree when the server starts. */
#include "serve/export/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_FILE_SIZE = 1 << 20, DEFAULT_NUMBERED_FILES = 5 };

/* Make an object with MODE and DIRECTORY's owner and group. Returns NULL if there is no memory, or
 * DIRECTORY is NULL. */
static struct tree_node *make_object(struct tree *tree, struct tree_node *directory,
                                     const char *name, enum tree_type type, uint32_t mode)
{
    struct tree_node *node;

    if (!directory || tree_make(tree, directory, name, strlen(name), type, &node) != 0)
        return NULL;
    node->mode = mode;
    node->uid = directory->uid;
    node->gid = directory->gid;
    return node;
}

/* Write SIZE bytes to FILE: an H, then Es, then an O. */
static int write_data(struct tree *tree, struct tree_node *file, uint64_t size)
{
    uint8_t chunk[PAGES_SIZE];
    int code = 0;

    for (uint64_t offset = 0; offset < size && code == 0; offset += sizeof chunk) {
        size_t length = size - offset < sizeof chunk ? (size_t)(size - offset) : sizeof chunk;

        memset(chunk, 'E', length);
        if (offset + length == size)
            chunk[length - 1] = 'O';
        if (offset == 0)
            chunk[0] = 'H';
        code = tree_write(tree, file, offset, chunk, length);
    }
    return code;
}

static int make_file(struct tree *tree, struct tree_node *directory, const char *name,
                     uint64_t size)
{
    struct tree_node *file = make_object(tree, directory, name, TREE_FILE, 0644);

    return file ? write_data(tree, file, size) : -ENOSPC;
}

static int make_link(struct tree *tree, const char *name, const char *text)
{
    struct tree_node *link = make_object(tree, tree_root(tree), name, TREE_SYMLINK, 0777);

    return link ? tree_set_text(tree, link, text, strlen(text)) : -ENOSPC;
}

static int fill_default(struct tree *tree)
{
    static const char hello[] = "hello\n";
    struct tree_node *directory, *file;
    int code = make_file(tree, tree_root(tree), "file", DEFAULT_FILE_SIZE);

    for (int i = 1; i <= DEFAULT_NUMBERED_FILES && code == 0; i++) {
        char name[16];

        snprintf(name, sizeof name, "file%d", i);
        code = make_file(tree, tree_root(tree), name, DEFAULT_FILE_SIZE);
    }
    if (code == 0)
        code = make_link(tree, "link", "file");
    if (code)
        return code;
    directory = make_object(tree, tree_root(tree), "dir", TREE_DIRECTORY, 0755);
    file = make_object(tree, directory, "hello", TREE_FILE, 0644);
    return file ? tree_write(tree, file, 0, (const uint8_t *)hello, strlen(hello)) : -ENOSPC;
}

/* Make files of SIZE bytes, with the numbers FIRST to LAST - 1, in DIRECTORY. */
static int fill_directory(struct tree *tree, struct tree_node *directory, uint64_t first,
                          uint64_t last, uint64_t size)
{
    int code = directory ? 0 : -ENOSPC;

    for (uint64_t i = first; i < last && code == 0; i++) {
        char name[32];

        snprintf(name, sizeof name, "file%" PRIu64, i);
        code = make_file(tree, directory, name, size);
    }
    return code;
}

int tree_make_contents(struct tree *tree, const struct contents_plan *plan)
{
    uint64_t done = 0;
    int code = 0;

    if (plan->files == 0)
        return fill_default(tree);
    if (plan->directories == 0)
        return fill_directory(tree, tree_root(tree), 0, plan->files, plan->file_size);
    for (uint64_t i = 0; i < plan->directories && code == 0; i++) {
        uint64_t share = (plan->files - done) / (plan->directories - i);
        char name[32];

        snprintf(name, sizeof name, "dir%" PRIu64, i);
        code = fill_directory(tree, make_object(tree, tree_root(tree), name, TREE_DIRECTORY, 0755),
                              done, done + share, plan->file_size);
        done += share;
    }
    return code;
}
