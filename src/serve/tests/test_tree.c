/* Properties of the tree that calls don't show. test_serve_model.c tests the calls. */
#include "test.h"

#include "serve/export/tree.h"

#define MEMORY (UINT64_C(64) << 20)

static struct tree_node *lookup(struct tree_node *directory, const char *name)
{
    return tree_lookup(directory, name, strlen(name));
}

/* Properties of the initial contents that the model does not check: first and last bytes, size and
 * owner of a file, and the text of the link. */
TEST_CASE(first_contents)
{
    static const struct {
        struct contents_plan plan;
        const char *name;
        uint64_t size;
    } cases[] = {
        {{.files = 0}, "file3", 1 << 20},
        {{.files = 3, .file_size = 5000}, "file2", 5000},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tree *tree = tree_open(7, 8, MEMORY);
        struct tree_node *file, *link;
        uint8_t bytes[4];

        assert_int_equal(tree_make_contents(tree, &cases[i].plan), 0);
        file = lookup(tree_root(tree), cases[i].name);
        assert_all((file), (file->type, TREE_FILE), (file->size, cases[i].size));
        pages_read(&file->pages, 0, bytes, 2);
        assert_memory_equal(bytes, "HE", 2);
        pages_read(&file->pages, cases[i].size - 3, bytes, 4);
        assert_memory_equal(bytes, "EEO", 4);
        assert_all((file->uid, 7), (file->gid, 8));
        link = lookup(tree_root(tree), "link");
        assert_int_equal(link != NULL, cases[i].plan.files == 0);
        if (link)
            assert_memory_equal(link->text, "file", 4);
        tree_close(tree);
    }
}

/* The number of a removed object is reused, its handle is not. */
TEST_CASE(generations)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    uint64_t number = 0, generation = 0;

    for (int i = 0; i < 2; i++) {
        struct tree_node *node;

        assert_all(
            (tree_make(tree, tree_root(tree), "a", 1, TREE_FILE, &node), 0),
            (tree_find(tree, node->number, node->generation), node),
            (!tree_find(tree, node->number, generation)), (!tree_find(tree, 0, node->generation)),
            (!tree_find(tree, 1000000, node->generation)), (i == 0 || node->number == number));
        number = node->number;
        generation = node->generation;
        tree_unlink(tree, tree_root(tree), "a", 1);
        assert_null(tree_find(tree, number, generation));
    }
    tree_close(tree);
}

TEST_CASE(times)
{
    struct tree *tree = tree_open(0, 0, MEMORY);
    uint64_t last = 0;

    for (int i = 0; i < 1000; i++) {
        uint64_t now = tree_now(tree);

        assert_true(now > last);
        last = now;
    }
    tree->time_unit = 1000000000;
    assert_int_equal(tree_now(tree) % 1000000000, 0);
    tree_close(tree);
    tree_close(NULL);
}

/* Make objects of several types. Returns 0, or -ENOSPC if there is no memory for them. */
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

/* Wherever memory ends, a failed operation leaves no object without a name, and the limit holds. */
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
        assert_all((tree->count, nodes), (tree->memory.used <= limit));
        tree_close(tree);
        if (code == 0)
            break;
        assert_int_equal(code, -ENOSPC);
        failed++;
    }
    assert_true(failed > 20);
}
