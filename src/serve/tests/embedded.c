#include "embedded.h"

#include <netinet/in.h>
#include <string.h>

#include "script.h"

struct exported embedded_exported;
struct service embedded_service = {.exported = &embedded_exported};
uint8_t *embedded_reply;

static const struct policy no_policy;

int embedded_open(void)
{
    pthread_mutex_init(&embedded_service.times_lock, NULL);
    random_seed(&embedded_service.random, 1);
    embedded_service.delayed.budget = &embedded_exported.budget;
    embedded_reply = malloc(DISPATCH_REPLY_MAXIMUM);
    return !embedded_reply ||
           exported_open(&embedded_exported, tree_open(0, 0, 1 << 20), &no_policy) != 0;
}

void embedded_renew(uint64_t memory_limit)
{
    tree_close(embedded_exported.tree);
    embedded_exported.tree = tree_open(0, 0, memory_limit);
    FUZZ_CHECK(embedded_exported.tree);
    tree_root(embedded_exported.tree)->mode = 0777;
    embedded_exported.mounts.count = 0;
    embedded_exported.policy = no_policy;
    embedded_exported.longest_cost_ns = 0;
}

uint8_t embedded_byte(uint64_t offset)
{
    return (uint8_t)(offset * 31 + offset / 256);
}

static void fill_data(struct tree_node *node, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);

    FUZZ_CHECK(data);
    for (size_t i = 0; i < size; i++)
        data[i] = embedded_byte(i);
    FUZZ_CHECK(tree_write(embedded_exported.tree, node, 0, data, size) == 0);
    free(data);
}

struct tree_node *embedded_make(struct tree_node *directory, const char *name, enum tree_type type,
                                size_t size)
{
    struct tree *tree = embedded_exported.tree;
    struct tree_node *node;

    FUZZ_CHECK(tree_make(tree, directory, name, strlen(name), type, &node) == 0);
    node->mode = 0777;
    if (type == TREE_SYMLINK)
        FUZZ_CHECK(tree_set_text(tree, node, name, strlen(name)) == 0);
    else if (type == TREE_FILE)
        fill_data(node, size);
    return node;
}

struct nfs_handle embedded_handle(const struct tree_node *node)
{
    uint8_t bytes[4 + CALL_HANDLE_SIZE];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    struct nfs_handle handle;

    call_put_handle(&writer, node);
    FUZZ_CHECK(nfs_handle_set(&handle, (const char *)bytes + 4, CALL_HANDLE_SIZE));
    return handle;
}

struct tree_node *embedded_node(const struct nfs_handle *handle)
{
    enum { MAGIC = 4 };
    struct wire_reader reader = wire_reader(handle->bytes + MAGIC, CALL_HANDLE_SIZE - MAGIC);
    uint64_t number = wire_get_u64(&reader);

    if (handle->length != CALL_HANDLE_SIZE || memcmp(handle->bytes, "nfsb", MAGIC) != 0)
        return NULL;
    return tree_find(embedded_exported.tree, number, wire_get_u64(&reader));
}

size_t embedded_answer(const uint8_t *message, size_t length, bool stream)
{
    const struct sockaddr_storage peer = {.ss_family = AF_INET};
    uint8_t *copy = malloc(length ? length : 1);
    struct answer answer;

    FUZZ_CHECK(copy);
    memcpy(copy, message, length);
    answer = dispatch_message(&embedded_service, copy, length, stream, &peer, embedded_reply);
    FUZZ_CHECK(answer.length <= DISPATCH_REPLY_MAXIMUM);
    free(copy);
    return answer.length;
}

uint32_t embedded_new_xid(void)
{
    static uint32_t last;

    return ++last;
}
