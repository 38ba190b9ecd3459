/* What a hostile server can send: a stream of bytes, through record marking, the RPC header and the
 * check of a procedure's result. The first byte chooses the procedure; the rest is the stream. If
 * the check accepts a result, rpcgen's decoder must accept it, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/call.h"
#include "rpc/record.h"

static uint8_t expected_data[64];

static const struct nfs_objects objects = {
    .root = {4, "root"},
    .directory = {4, "dir_"},
    .file = {4, "file"},
    .symlink = {4, "link"},
    .has_file = true,
    .has_symlink = true,
    .name = "name",
    .read = {.count = sizeof expected_data, .expected = 5, .data = expected_data},
};

static void check_against_rpcgen(const struct nfs_call *call, const struct wire_reader *results)
{
    const struct rpc_procedure *rpc = &call->procedure->rpc;
    union nfs_result decoded;
    XDR xdr;

    memset(&decoded, 0, sizeof decoded);
    xdrmem_create(&xdr, (char *)(uintptr_t)results->at, (unsigned)wire_left(results), XDR_DECODE);
    if (!rpc->xdr_result(&xdr, &decoded, 0)) {
        fprintf(stderr, "%s: taken by the check, not by rpcgen's decoder\n", rpc->name);
        abort();
    }
    xdr_destroy(&xdr);
    if (call->procedure->check_decoded &&
        call->procedure->check_decoded(&decoded, call->objects) != 0) {
        fprintf(stderr, "%s: taken by the check, not by that of what rpcgen decoded\n", rpc->name);
        abort();
    }
    xdr_free(rpc->xdr_result, &decoded);
}

static void check_reply(const struct nfs_call *call, const uint8_t *bytes, size_t length)
{
    struct wire_reader reader = wire_reader(bytes, length), results;
    struct rpc_reply_header header;
    char text[96];

    if (rpc_reply_decode(&reader, &header) != 0)
        return;
    rpc_reply_describe(&header, text, sizeof text);
    if (header.outcome != RPC_OUTCOME_SUCCESS)
        return;
    results = reader;
    if (nfs_call_check(call, &reader) == 0)
        check_against_rpcgen(call, &results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nfs_call call = {.objects = &objects};
    struct rpc_record record;
    uint8_t *stream;
    size_t count = 0;

    if (size < 1)
        return 0;
    while (nfs_procedure_at(count))
        count++;
    call.procedure = nfs_procedure_at(data[0] % count);
    check_reply(&call, data + 1, size - 1); /* as a datagram */
    stream = malloc(size);
    memcpy(stream, data + 1, size - 1);
    if (rpc_record_find(stream, size - 1, size - 1, &record) > 0)
        check_reply(&call, record.message, record.length);
    free(stream);
    return 0;
}
