/* What a hostile client may send to the embedded server. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/record.h"
#include "server/dispatch.h"

static const uint64_t no_costs[22];
static struct service service = {.cost_ns = no_costs};
static uint8_t *reply;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    service.tree = tree_open(0, 0);
    reply = malloc(DISPATCH_REPLY_MAXIMUM);
    return !service.tree || !reply || tree_fill_default(service.tree) != 0;
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
