/* Fuzz target: any messages that a hostile client can send to the embedded server. */
#include "embedded.h"
#include "rpc/record.h"
#include "script.h"

enum { MEMORY = 64 << 20 };

/* The input's handles, which are another server's, are replaced by those of OBJECTS objects. */
enum { OBJECTS = 4 };
static struct nfs_handle handles[OBJECTS];

/* Replace each handle in BYTES by one of HANDLES. The last byte of the object's number, which is in
 * bytes 4 to 11 of the old handle, chooses the new handle. */
static void replace_handles(uint8_t *bytes, size_t length)
{
    static const uint8_t start[8] = {0, 0, 0, CALL_HANDLE_SIZE, 'n', 'f', 's', 'b'};

    for (size_t at = 0; at + 4 + CALL_HANDLE_SIZE <= length; at++)
        if (memcmp(bytes + at, start, sizeof start) == 0)
            memcpy(bytes + at + 4, handles[bytes[at + 15] % OBJECTS].bytes, CALL_HANDLE_SIZE);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const names[OBJECTS - 1] = {"file", "dir", "link"};
    struct tree_node *root;

    if (embedded_open() != 0)
        return 1;
    embedded_renew(MEMORY);
    if (tree_make_contents(embedded_exported.tree, &(struct contents_plan){.files = 0}) != 0)
        return 1;
    root = tree_root(embedded_exported.tree);
    handles[0] = embedded_handle(root);
    for (size_t i = 1; i < OBJECTS; i++)
        handles[i] = embedded_handle(tree_lookup(root, names[i - 1], strlen(names[i - 1])));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rpc_record record = {0};
    uint8_t *stream = malloc(size ? size : 1);

    FUZZ_CHECK(stream);
    memcpy(stream, data, size);
    replace_handles(stream, size);
    embedded_answer(stream, size, false);
    if (rpc_record_find(stream, &size, size, &record) > 0)
        embedded_answer(record.message, record.length, true);
    free(stream);
    return 0;
}
