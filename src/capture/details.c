#include "capture/details.h"

#include <string.h>

#include "nfs3.h"

enum {
    ATTRIBUTES_SIZE = 84,
    VERIFIER_SIZE = 8,
    SECONDARY_SIZE = 8, /* of a cookie, or a fileid */
};

/* Ops of one procedure differ in how stable a WRITE is, and in how a CREATE deals with what is
 * there. */
static const char *op_name(uint32_t procedure, struct wire_reader *reader)
{
    static const char *const writes[] = {"write", "write-data-sync", "write-file-sync"},
                             *const creates[] = {"create", "create-guarded", "create-exclusive"};
    uint32_t how = wire_get_u32(reader);

    if (reader->failed || how > 2)
        return NULL;
    return procedure == NFSPROC3_CREATE ? creates[how] : writes[how];
}

static const struct nfs_procedure *plain_op(uint32_t number)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        if (procedure->rpc.program == NFS_PROGRAM && procedure->rpc.number == number)
            return procedure;
    return NULL;
}

static uint64_t read_object(struct wire_reader *reader, const struct hash_key *key)
{
    uint32_t length;
    const uint8_t *handle = wire_get_opaque(reader, NFS3_FHSIZE, &length);

    return handle ? hash_bytes(key, handle, length) | 1 : 0;
}

static void read_range(struct call_details *details, struct wire_reader *reader)
{
    details->offset = wire_get_u64(reader);
    details->count = wire_get_u32(reader);
    details->has_range = !reader->failed;
}

static void read_name(struct call_details *details, struct wire_reader *reader)
{
    uint32_t length;
    const uint8_t *name = wire_get_opaque(reader, (uint32_t)wire_left(reader), &length);

    if (!name)
        return;
    length = length < sizeof details->name ? length : (uint32_t)sizeof details->name - 1;
    memcpy(details->name, name, length);
}

uint64_t details_read_handle(uint32_t procedure, struct wire_reader *reader,
                             const struct hash_key *key)
{
    if (procedure == NFSPROC3_CREATE && !wire_get_bool(reader))
        return 0;
    return read_object(reader, key);
}

void details_read_call(struct call_details *details, uint32_t procedure, struct wire_reader *reader,
                       const struct hash_key *key)
{
    *details = (struct call_details){.op = plain_op(procedure)};
    if (procedure == NFSPROC3_NULL)
        return;
    details->object = read_object(reader, key);
    if (procedure == NFSPROC3_READ || procedure == NFSPROC3_WRITE)
        read_range(details, reader);
    if (procedure == NFSPROC3_READDIR || procedure == NFSPROC3_READDIRPLUS)
        details->cookie = wire_get_u64(reader);
    if (procedure == NFSPROC3_LOOKUP || procedure == NFSPROC3_CREATE)
        read_name(details, reader);
    if (procedure == NFSPROC3_WRITE || procedure == NFSPROC3_CREATE) {
        const char *name = op_name(procedure, reader);

        details->op = name ? nfs_procedure_find(name) : details->op;
    }
}

static void skip_attributes(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        wire_skip(reader, ATTRIBUTES_SIZE);
}

static void skip_entry(struct wire_reader *reader, bool plus)
{
    uint32_t length;

    wire_skip(reader, SECONDARY_SIZE);
    wire_get_opaque(reader, wire_left(reader), &length);
    wire_skip(reader, SECONDARY_SIZE);
    if (!plus)
        return;
    skip_attributes(reader);
    if (wire_get_bool(reader))
        wire_get_opaque(reader, NFS3_FHSIZE, &length);
}

bool details_read_listing(struct listed *listed, uint32_t procedure, struct wire_reader *reader)
{
    *listed = (struct listed){.entries = 0};
    skip_attributes(reader);
    wire_skip(reader, VERIFIER_SIZE);
    while (wire_get_bool(reader) && !reader->failed) {
        skip_entry(reader, procedure == NFSPROC3_READDIRPLUS);
        listed->entries++;
    }
    listed->to_end = wire_get_bool(reader);
    return !reader->failed;
}
