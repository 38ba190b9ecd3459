/* The server's tree in memory. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "server/tree.h"

#define MEMORY (UINT64_C(64) << 20)

static struct tree_node *lookup(struct tree_node *directory, const char *name)
{
    return tree_lookup(directory, name, strlen(name));
}

static struct tree_node *make(struct tree *tree, struct tree_node *directory, const char *name,
                              enum tree_type type)
{
    struct tree_node *made;

    assert_int_equal(tree_make(tree, directory, name, strlen(name), type, &made), 0);
    return made;
}

TEST_CASE(default_tree)
{
    struct tree *tree = tree_open(7, 8, MEMORY);
    struct tree_node *file, *directory, *link;
    uint8_t bytes[4];

    assert_int_equal(fill_tree(tree, &(struct fill_plan){.files = 0}), 0);
    file = lookup(tree_root(tree), "file3");
    assert_non_null(file);
    assert_int_equal(file->type, TREE_FILE);
    assert_int_equal(file->size, 1 << 20);
    pages_read(&file->pages, 0, bytes, 2);
    assert_memory_equal(bytes, "HE", 2);
    pages_read(&file->pages, (1 << 20) - 3, bytes, 4);
    assert_memory_equal(bytes, "EEO", 4);
    assert_int_equal(file->uid, 7);
    assert_int_equal(file->gid, 8);
    assert_ptr_equal(tree_find(tree, file->number, file->generation), file);
    assert_null(tree_find(tree, file->number, file->generation + 1));
    assert_null(tree_find(tree, 0, file->generation));
    assert_null(tree_find(tree, 1000000, file->generation));
    link = lookup(tree_root(tree), "link");
    assert_non_null(link);
    assert_memory_equal(link->text, "file", 4);
    directory = lookup(tree_root(tree), "dir");
    assert_non_null(directory);
    assert_ptr_equal(directory->parent, tree_root(tree));
    assert_int_equal(tree_root(tree)->links, 3);
    assert_int_equal(tree_node_count(tree), 10);
    tree_close(tree);
}

TEST_CASE(chosen_tree)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    const struct fill_plan plan = {.files = 100, .file_size = 5000, .directories = 7};
    struct tree_node *file;

    assert_int_equal(fill_tree(tree, &plan), 0);
    assert_int_equal(tree_node_count(tree), 1 + 7 + 100);
    assert_int_equal(tree_root(tree)->links, 9);
    file = lookup(lookup(tree_root(tree), "dir6"), "file99");
    assert_non_null(file);
    assert_int_equal(file->size, 5000);
    tree_close(tree);
    tree = tree_open(0, 0, 100000);
    assert_int_equal(fill_tree(tree, &plan), -ENOSPC);
    tree_close(tree);
}

/* A number is used again, a handle never. */
TEST_CASE(generations)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    struct tree_node *node = make(tree, tree_root(tree), "a", TREE_FILE);
    uint64_t number = node->number, generation = node->generation;

    tree_unlink(tree, tree_root(tree), "a", 1);
    assert_null(tree_find(tree, number, generation));
    node = make(tree, tree_root(tree), "a", TREE_FILE);
    assert_int_equal(node->number, number);
    assert_true(node->generation > generation);
    assert_null(tree_find(tree, number, generation));
    tree_close(tree);
}

TEST_CASE(links)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    struct tree_node *root = tree_root(tree), *file = make(tree, root, "a", TREE_FILE);

    assert_int_equal(tree_link(tree, root, "b", 1, file), 0);
    assert_int_equal(file->links, 2);
    tree_unlink(tree, root, "a", 1);
    assert_ptr_equal(lookup(root, "b"), file);
    assert_int_equal(file->links, 1);
    assert_int_equal(tree_node_count(tree), 2);
    tree_unlink(tree, root, "b", 1);
    assert_int_equal(tree_node_count(tree), 1);
    tree_close(tree);
}

TEST_CASE(rename)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    struct tree_node *root = tree_root(tree);
    struct tree_node *one = make(tree, root, "one", TREE_DIRECTORY);
    struct tree_node *two = make(tree, root, "two", TREE_DIRECTORY);
    struct tree_node *moved = make(tree, one, "moved", TREE_DIRECTORY);
    uint64_t before = one->changed;

    assert_int_equal(one->links, 3);
    assert_int_equal(tree_rename(tree, one, "moved", 5, two, "here", 4), 0);
    assert_null(lookup(one, "moved"));
    assert_ptr_equal(lookup(two, "here"), moved);
    assert_ptr_equal(moved->parent, two);
    assert_int_equal(one->links, 2);
    assert_int_equal(two->links, 3);
    assert_true(one->changed > before);
    assert_true(tree_is_within(moved, two));
    assert_true(tree_is_within(moved, root));
    assert_false(tree_is_within(moved, one));
    /* Over an empty directory, and within one directory. */
    assert_int_equal(tree_rename(tree, two, "here", 4, root, "one", 3), 0);
    assert_ptr_equal(lookup(root, "one"), moved);
    assert_int_equal(root->links, 4);
    assert_int_equal(two->links, 2);
    assert_int_equal(tree_rename(tree, root, "one", 3, root, "1", 1), 0);
    assert_int_equal(root->links, 4);
    assert_int_equal(tree_node_count(tree), 3);
    tree_close(tree);
}

TEST_CASE(times_go_on)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    uint64_t last = 0;

    for (int i = 0; i < 1000; i++) {
        uint64_t now = tree_now(tree);

        assert_true(now > last);
        last = now;
    }
    tree_close(tree);
}

/* A full tree stays consistent, and removing something makes room again. */
TEST_CASE(full)
{
    struct tree *tree = tree_open(0, 0, 100000);
    struct tree_node *root = tree_root(tree), *made;
    uint8_t bytes[PAGES_SIZE] = {1};
    char name[16];
    int count = 0;

    for (snprintf(name, sizeof name, "n%d", count);
         tree_make(tree, root, name, strlen(name), TREE_DIRECTORY, &made) == 0;
         snprintf(name, sizeof name, "n%d", ++count))
        ;
    assert_true(count > 20);
    assert_int_equal(root->links, 2 + (uint32_t)count);
    assert_int_equal(tree_node_count(tree), 1 + (uint64_t)count);
    assert_true(tree_memory_used(tree) <= tree_memory_limit(tree));
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "n%d", i);
        tree_unlink(tree, root, name, strlen(name));
    }
    made = make(tree, root, "file", TREE_FILE);
    assert_int_equal(tree_write(tree, made, 0, bytes, sizeof bytes), 0);
    assert_int_equal(made->size, sizeof bytes);
    tree_close(tree);
}

/* Make some of everything. Returns 0, or -ENOSPC where there is no memory for it. */
static int make_all(struct tree *tree)
{
    static const uint8_t bytes[2 * PAGES_SIZE] = {1};
    struct tree_node *root = tree_root(tree), *directory, *file, *link;
    int code = tree_make(tree, root, "directory", 9, TREE_DIRECTORY, &directory);

    if (code == 0)
        code = tree_make(tree, directory, "file", 4, TREE_FILE, &file);
    if (code == 0)
        code = tree_write(tree, file, 0, bytes, sizeof bytes);
    if (code == 0)
        code = tree_link(tree, root, "twin", 4, file);
    if (code == 0)
        code = tree_rename(tree, root, "twin", 4, directory, "other", 5);
    if (code == 0)
        code = tree_make(tree, root, "link", 4, TREE_SYMLINK, &link);
    return code ? code : tree_set_text(tree, link, "a text that takes memory", 24);
}

/* Wherever memory ends, what fails is undone, and all of it is given back. */
TEST_CASE(full_anywhere)
{
    unsigned failed = 0;

    for (uint64_t limit = 0; limit < 40000; limit += 24) {
        struct tree *tree = tree_open(0, 0, limit);
        struct tree_node *directory;
        uint64_t nodes = 1;
        int code;

        if (!tree)
            continue;
        code = make_all(tree);
        directory = lookup(tree_root(tree), "directory");
        if (directory)
            nodes += lookup(directory, "file") ? 2 : 1;
        nodes += lookup(tree_root(tree), "link") ? 1 : 0;
        assert_int_equal(tree_node_count(tree), nodes);
        assert_true(tree_memory_used(tree) <= limit);
        tree_close(tree);
        if (code == 0)
            break;
        assert_int_equal(code, -ENOSPC);
        failed++;
    }
    assert_true(failed > 20);
}

TEST_CASE(time_unit)
{
    struct tree *tree = tree_open(0, 0, 100000);

    tree_set_time_unit(tree, 1000000000);
    assert_int_equal(tree_now(tree) % 1000000000, 0);
    tree_close(tree);
    tree_close(NULL);
}
