/* A reply from a hostile server, which goes through the RPC header and the check of a procedure's
 * result: the bytes as a message, and then the first record of the bytes as a stream. The first
 * byte of the input chooses protocol and procedure by number. A result that the check accepts must
 * also be accepted by rpcgen's decoder and the check of decoded results. */
#include <rpc/rpc.h>

#include <rpc/pmap_prot.h>

#include "nfs/call.h"
#include "rpc/record.h"
#include "script.h"

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
    const struct nfs_procedure *procedure = call->procedure;
    union nfs_result decoded;

    memset(&decoded, 0, sizeof decoded);
    FUZZ_CHECK(rpc_result_decode(&procedure->rpc, results, &decoded) == 0);
    if (procedure->check_decoded)
        FUZZ_CHECK(procedure->check_decoded(&decoded, call->objects) == 0);
    xdr_free(procedure->rpc.xdr_result, &decoded);
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

static void check_both(const struct nfs_procedure *procedure, const uint8_t *bytes, size_t length)
{
    const struct nfs_call call = {.procedure = procedure,
                                  .granted = nfs_procedure_succeeding(procedure),
                                  .objects = &objects};
    uint8_t *stream = malloc(length ? length : 1);
    struct rpc_record record = {0};

    FUZZ_CHECK(stream);
    memcpy(stream, bytes, length);
    check_reply(&call, bytes, length);
    if (rpc_record_find(stream, &length, length, &record) > 0)
        check_reply(&call, record.message, record.length);
    free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t programs[] = {NFS_PROGRAM, MOUNT_PROGRAM, NFS_ACL_PROGRAM, PMAPPROG};
    const struct nfs_procedure *procedure;

    for (size_t i = 0; size > 0 && (procedure = nfs_procedure_at(i)); i++)
        if (procedure->rpc.program == programs[data[0] / 32 % 4] &&
            procedure->rpc.number == data[0] % 32)
            check_both(procedure, data + 1, size - 1);
    return 0;
}
