#include "serve/export/pages.h"

#include <errno.h>
#include <string.h>

static const uint8_t zeros[PAGES_SIZE]; /* contents of a hole */

/* A table has 2^9 pointers. The 2^51 pages of 2^63 bytes need six levels of tables. */
enum { FANOUT_BITS = 9, FANOUT = 1 << FANOUT_BITS };

struct table {
    void *slots[FANOUT];
};

/* Return the number of pages that LEVELS levels of tables can hold. */
static uint64_t reach(unsigned levels)
{
    return UINT64_C(1) << (FANOUT_BITS * levels);
}

static unsigned slot_at(uint64_t index, unsigned level)
{
    return (unsigned)(index >> (FANOUT_BITS * level)) & (FANOUT - 1);
}

/* Return the address of the pointer to page INDEX. If a table above the page is missing, return the
 * address of the NULL pointer in its place. Returns NULL if INDEX needs more levels of tables. */
static void **find_slot(struct pages *pages, uint64_t index)
{
    void **slot = &pages->root;

    if (index >= reach(pages->levels))
        return NULL;
    for (unsigned level = pages->levels; level > 0 && *slot; level--)
        slot = &((struct table *)*slot)->slots[slot_at(index, level - 1)];
    return slot;
}

static uint8_t *find_page(const struct pages *pages, uint64_t index)
{
    void **slot = find_slot((struct pages *)(uintptr_t)pages, index);

    return slot ? *slot : NULL;
}

/* Free page INDEX if it is all zeros, because a hole reads the same. */
static void drop_if_empty(struct pages *pages, struct memory *memory, uint64_t index)
{
    uint8_t *page = find_page(pages, index);

    if (!page || memcmp(page, zeros, sizeof zeros) != 0)
        return;
    *find_slot(pages, index) = NULL;
    memory_free(memory, page, PAGES_SIZE);
    pages->count--;
}

/* Add levels of tables until they reach page INDEX. Returns 0 or -ENOSPC. */
static int grow(struct pages *pages, struct memory *memory, uint64_t index)
{
    while (index >= reach(pages->levels)) {
        if (pages->root) {
            struct table *table = memory_alloc(memory, sizeof *table);

            if (!table)
                return -ENOSPC;
            table->slots[0] = pages->root;
            pages->root = table;
        }
        pages->levels++;
    }
    return 0;
}

static int make_page(struct pages *pages, struct memory *memory, uint64_t index)
{
    void **slot = &pages->root;
    int code = grow(pages, memory, index);

    if (code)
        return code;
    for (unsigned level = pages->levels; level > 0; level--) {
        if (!*slot && !(*slot = memory_alloc(memory, sizeof(struct table))))
            return -ENOSPC;
        slot = &((struct table *)*slot)->slots[slot_at(index, level - 1)];
    }
    if (*slot)
        return 0;
    *slot = memory_alloc(memory, PAGES_SIZE);
    if (!*slot)
        return -ENOSPC;
    pages->count++;
    return 0;
}

static size_t part_in_page(uint64_t offset, size_t length)
{
    size_t left = PAGES_SIZE - offset % PAGES_SIZE;

    return length < left ? length : left;
}

const uint8_t *pages_look(const struct pages *pages, uint64_t offset, size_t length, size_t *part)
{
    const uint8_t *page = find_page(pages, offset / PAGES_SIZE);

    *part = part_in_page(offset, length);
    return (page ? page : zeros) + offset % PAGES_SIZE;
}

void pages_read(const struct pages *pages, uint64_t offset, uint8_t *into, size_t length)
{
    while (length > 0) {
        size_t part;
        const uint8_t *bytes = pages_look(pages, offset, length, &part);

        memcpy(into, bytes, part);
        into += part;
        offset += part;
        length -= part;
    }
}

int pages_write(struct pages *pages, struct memory *memory, uint64_t offset, const uint8_t *from,
                size_t length)
{
    uint64_t first = offset / PAGES_SIZE, index = first;
    int code = 0;

    if (length == 0)
        return 0;
    for (; index <= (offset + length - 1) / PAGES_SIZE && code == 0; index++)
        code = make_page(pages, memory, index);
    while (code && index-- > first) /* free the new pages, which are all zeros */
        drop_if_empty(pages, memory, index);
    while (length > 0 && code == 0) {
        size_t part = part_in_page(offset, length);

        memcpy(find_page(pages, offset / PAGES_SIZE) + offset % PAGES_SIZE, from, part);
        from += part;
        offset += part;
        length -= part;
    }
    return code;
}

/* Free the pages from FIRST on in *SLOT, a subtree of LEVELS levels; also *SLOT if FIRST is 0. */
static void free_from(struct pages *pages, struct memory *memory, void **slot, unsigned levels,
                      uint64_t first)
{
    struct table *table = *slot;

    if (!*slot || first >= reach(levels))
        return;
    if (levels == 0) {
        memory_free(memory, *slot, PAGES_SIZE);
        pages->count--;
        *slot = NULL;
        return;
    }
    for (unsigned i = slot_at(first, levels - 1); i < FANOUT; i++) {
        uint64_t start = i * reach(levels - 1);

        free_from(pages, memory, &table->slots[i], levels - 1, first > start ? first - start : 0);
    }
    if (first == 0) {
        memory_free(memory, table, sizeof *table);
        *slot = NULL;
    }
}

void pages_truncate(struct pages *pages, struct memory *memory, uint64_t size)
{
    uint8_t *last = size % PAGES_SIZE ? find_page(pages, size / PAGES_SIZE) : NULL;

    free_from(pages, memory, &pages->root, pages->levels,
              size / PAGES_SIZE + (size % PAGES_SIZE != 0));
    if (last)
        memset(last + size % PAGES_SIZE, 0, PAGES_SIZE - size % PAGES_SIZE);
    if (!pages->root)
        pages->levels = 0;
}
