#include "nfs/procedures/items.h"

#include <string.h>

enum {
    TIME_SIZE = 8,
    WCC_ATTR_SIZE = 8 + 2 * 8,
};

bool nfs_handle_set(struct nfs_handle *handle, const char *bytes, size_t length)
{
    if (length == 0 || length > NFS_HANDLE_MAXIMUM)
        return false;
    handle->length = (uint32_t)length;
    memcpy(handle->bytes, bytes, length);
    return true;
}

nfs_fh3 nfs_handle_argument(const struct nfs_handle *handle)
{
    nfs_fh3 argument;

    argument.data.data_len = handle->length;
    /* XDR encoding only reads the bytes, so the cast is safe. */
    argument.data.data_val = (char *)(uintptr_t)handle->bytes;
    return argument;
}

struct nfs_item_attributes nfs_item_attributes(struct wire_reader *reader)
{
    struct nfs_item_attributes attributes = {.given = true, .type = (ftype3)wire_get_u32(reader)};
    const uint8_t *between;

    wire_skip(reader, 4 * 4); /* mode, nlink, uid, gid */
    attributes.size = wire_get_u64(reader);
    between = wire_skip(reader, 3 * 8); /* used, rdev, fsid */
    if (between)
        memcpy(&attributes.fsid, between + 2 * 8, sizeof attributes.fsid);
    attributes.file_id = wire_get_u64(reader);
    wire_skip(reader, TIME_SIZE); /* atime */
    attributes.modified = wire_get_u64(reader);
    wire_skip(reader, TIME_SIZE); /* ctime */
    return attributes;
}

struct nfs_item_attributes nfs_item_post_op_attr(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        return nfs_item_attributes(reader);
    return (struct nfs_item_attributes){.given = false};
}

void nfs_item_handle(struct wire_reader *reader)
{
    uint32_t length;

    wire_get_opaque(reader, NFS_HANDLE_MAXIMUM, &length);
    if (length == 0)
        reader->failed = true;
}

void nfs_item_post_op_handle(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        nfs_item_handle(reader);
}

void nfs_item_wcc(struct wire_reader *reader)
{
    if (wire_get_bool(reader))
        wire_skip(reader, WCC_ATTR_SIZE);
    nfs_item_post_op_attr(reader);
}

void nfs_item_entry(struct wire_reader *reader)
{
    uint32_t length;

    wire_get_u64(reader);
    wire_get_opaque(reader, NFS3_NAME_MAXIMUM, &length);
    wire_get_u64(reader);
}
