/* What a hostile client may send to the embedded server. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/record.h"
#include "server/dispatch.h"
#include "server/fill.h"

enum { MEMORY = 64 << 20 };

static struct exported exported;
static struct service service = {.exported = &exported};
static uint8_t *reply;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const struct policy policy = {.read_only = false};

    reply = malloc(DISPATCH_REPLY_MAXIMUM);
    return !reply || exported_open(&exported, tree_open(0, 0, MEMORY), &policy) != 0 ||
           fill_tree(exported.tree, &(struct fill_plan){.files = 0}) != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    struct rpc_record record;
    uint8_t *stream = malloc(size ? size : 1);

    memcpy(stream, data, size);
    dispatch_message(&service, stream, size, false, &peer, reply);
    if (rpc_record_find(stream, size, size, &record) > 0)
        dispatch_message(&service, record.message, record.length, true, &peer, reply);
    free(stream);
    return 0;
}
