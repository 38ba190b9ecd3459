/* What a hostile client can send to the embedded server. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/record.h"
#include "server/dispatch.h"
#include "server/tree.h"

enum { MEMORY = 64 << 20 };

static struct exported exported;
static struct service service = {.exported = &exported};
static uint8_t *reply;

/* The objects whose handles replace those in the input, since a corpus comes from another server.
 */
enum { OBJECTS = 4 };
static uint8_t handles[OBJECTS][4 + CALL_HANDLE_SIZE];

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep_handles(void)
{
    static const char *const names[OBJECTS - 1] = {"file", "dir", "link"};
    struct tree_node *root = tree_root(exported.tree);
    struct wire_writer writer = wire_writer(handles[0], sizeof handles[0]);

    call_put_handle(&writer, root);
    for (size_t i = 1; i < OBJECTS; i++) {
        writer = wire_writer(handles[i], sizeof handles[i]);
        call_put_handle(&writer, tree_lookup(root, names[i - 1], strlen(names[i - 1])));
    }
}

/* Replace each handle of another server by one of ours, chosen by the number of the other's object.
 */
static void replace_handles(uint8_t *bytes, size_t length)
{
    static const uint8_t start[8] = {0, 0, 0, CALL_HANDLE_SIZE, 'n', 'f', 's', 'b'};

    for (size_t at = 0; at + sizeof handles[0] <= length; at++)
        if (memcmp(bytes + at, start, sizeof start) == 0)
            memcpy(bytes + at, handles[bytes[at + 15] % OBJECTS], sizeof handles[0]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct policy policy = {.read_only = false};

    reply = malloc(DISPATCH_REPLY_MAXIMUM);
    if (!reply || exported_open(&exported, tree_open(0, 0, MEMORY), &policy) != 0 ||
        fill_tree(exported.tree, &(struct fill_plan){.files = 0}) != 0)
        return 1;
    keep_handles();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    struct rpc_record record;
    uint8_t *stream = malloc(size ? size : 1);

    memcpy(stream, data, size);
    replace_handles(stream, size);
    dispatch_message(&service, stream, size, false, &peer, reply);
    if (rpc_record_find(stream, size, size, &record) > 0)
        dispatch_message(&service, record.message, record.length, true, &peer, reply);
    free(stream);
    return 0;
}
