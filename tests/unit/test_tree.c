/* The server's tree in memory. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "server/tree.h"

static void test_default_tree(void **state)
{
    struct tree *tree = tree_open(7, 8);
    struct tree_node *file, *directory, *link;

    assert_non_null(tree);
    assert_int_equal(tree_fill_default(tree), 0);
    file = tree_lookup(tree_root(tree), "file3", 5);
    assert_non_null(file);
    assert_int_equal(file->type, TREE_FILE);
    assert_int_equal(file->size, 1 << 20);
    assert_int_equal(file->data[0], 'H');
    assert_int_equal(file->data[1], 'E');
    assert_int_equal(file->data[(1 << 20) - 2], 'E');
    assert_int_equal(file->data[(1 << 20) - 1], 'O');
    assert_int_equal(file->uid, 7);
    assert_int_equal(file->gid, 8);
    assert_ptr_equal(tree_find(tree, file->number, file->generation), file);
    assert_null(tree_find(tree, file->number, file->generation + 1));
    assert_null(tree_find(tree, 0, file->generation));
    assert_null(tree_find(tree, 1000000, file->generation));
    assert_null(tree_lookup(tree_root(tree), "file33", 6));
    assert_null(tree_lookup(tree_root(tree), "file33", 0));
    assert_ptr_equal(tree_lookup(tree_root(tree), "file33", 5), file);
    link = tree_lookup(tree_root(tree), "link", 4);
    assert_non_null(link);
    assert_memory_equal(link->data, "file", 4);
    directory = tree_lookup(tree_root(tree), "dir", 3);
    assert_non_null(directory);
    assert_ptr_equal(directory->parent, tree_root(tree));
    assert_int_equal(tree_root(tree)->links, 3);
    assert_int_equal(tree_bytes(tree), 6 * (1 << 20) + 4 + 6);
    assert_int_equal(tree_node_count(tree), 10);
    tree_close(tree);
}

/* Many names in one directory: each found, each listed once and in the order of its cookie. */
static void test_large_directory(void **state)
{
    enum { FILES = 20000 };
    struct tree *tree = tree_open(0, 0);
    const struct tree_entry *entry;
    uint64_t cookie = 0, listed = 0;
    char name[32];

    assert_non_null(tree);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file%d", i);
        assert_non_null(tree_make(tree, tree_root(tree), name, TREE_FILE, 0644));
    }
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file%d", i);
        assert_non_null(tree_lookup(tree_root(tree), name, strlen(name)));
    }
    while ((entry = tree_next(tree_root(tree), cookie))) {
        snprintf(name, sizeof name, "file%d", (int)listed++);
        assert_true(entry->cookie > cookie && entry->cookie >= TREE_FIRST_COOKIE);
        assert_int_equal(entry->name_length, strlen(name));
        assert_memory_equal(entry->name, name, strlen(name));
        cookie = entry->cookie;
    }
    assert_int_equal(listed, FILES);
    assert_true(tree_knows_cookie(tree_root(tree), cookie));
    assert_false(tree_knows_cookie(tree_root(tree), cookie + 1));
    tree_close(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_tree),
        cmocka_unit_test(test_large_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
