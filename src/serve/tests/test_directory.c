/* A directory's entries are found by name and listed in order, by cookies that survive changes. The
 * memory for entries is bounded. */
#include "test.h"

#include "common/random.h"
#include "serve/export/directory.h"

enum { NAMES = 3000 };

static struct memory memory;
static struct hash_key key;
static struct directory *directory;

static int set_up(void **state)
{
    memory = (struct memory){.limit = 64 << 20};
    key = hash_new_key();
    directory = directory_open(&memory, &key);
    return directory == NULL;
}

FIXTURE(tear_down, directory_close(directory), assert_int_equal(memory.used, 0), 0)

/* Return a pointer that stands for a node; only its address matters. */
static struct tree_node *node_of(unsigned number)
{
    static char nodes[NAMES];

    return (struct tree_node *)(void *)&nodes[number];
}

static int add(unsigned number)
{
    char name[16];

    snprintf(name, sizeof name, "name%u", number);
    return directory_add(directory, name, strlen(name), node_of(number));
}

static struct directory_entry *find(unsigned number)
{
    char name[16];

    snprintf(name, sizeof name, "name%u", number);
    return directory_find(directory, name, strlen(name));
}

/* Random additions and removals, compared with a plain array. Listings run meanwhile. An entry that
 * exists during a whole listing must be listed exactly once. */
TEST_CASE_WITH(under_change, set_up, tear_down)
{
    unsigned char there[NAMES] = {0}, steady[NAMES] = {0}, seen[NAMES] = {0};
    const struct directory_entry *entry;
    struct random random;
    uint64_t cookie = 0;
    size_t count = 0, listings = 0;

    random_seed(&random, 11);
    for (int step = 0; step < 200000; step++) {
        unsigned number = random_below(&random, NAMES);

        if (step % 3 == 0) { /* fewer changes than steps of the listing, so that listings end */
            assert_int_equal(find(number) != NULL, there[number]);
            if (there[number])
                directory_remove(directory, find(number));
            else
                assert_int_equal(add(number), 0);
            there[number] = !there[number];
            steady[number] = 0;
            count += there[number] ? 1 : (size_t)-1;
            assert_int_equal(directory->live, count);
        }
        entry = directory_next(directory, cookie);
        if (entry) {
            assert_true(entry->cookie > cookie);
            cookie = entry->cookie;
            number = (unsigned)((const char *)entry->node - (const char *)node_of(0));
            assert_true(there[number]);
            seen[number]++;
            continue;
        }
        for (unsigned i = 0; i < NAMES; i++)
            if (steady[i])
                assert_int_equal(seen[i], 1);
        memcpy(steady, there, sizeof steady);
        memset(seen, 0, sizeof seen);
        cookie = 0;
        listings++;
    }
    assert_true(listings > 10);
}

/* A directory stays small if entries are added and removed repeatedly. */
TEST_CASE_WITH(steady_size, set_up, tear_down)
{
    uint64_t after_first = 0;

    for (int pass = 0; pass < 200; pass++) {
        for (unsigned i = 0; i < 500; i++)
            assert_int_equal(add(i), 0);
        for (unsigned i = 0; i < 500; i++)
            directory_remove(directory, find(i));
        if (pass == 0)
            after_first = memory.used;
        assert_true(memory.used <= 2 * after_first);
    }
    assert_null(directory_next(directory, 0));
}

TEST_CASE_WITH(bounded, set_up, tear_down)
{
    unsigned added = 0;
    int code;

    memory.limit = memory.used + 20000;
    while ((code = add(added)) == 0)
        added++;
    assert_all((code, -ENOSPC), (added > 50), (directory->live, added), (find(added), NULL),
               (find(added - 1)));
}
