#include "nfs/handle.h"

#include <string.h>

bool nfs_handle_set(struct nfs_handle *handle, const char *bytes, size_t length)
{
    if (length == 0 || length > NFS_HANDLE_MAXIMUM)
        return false;
    handle->length = (uint32_t)length;
    memcpy(handle->bytes, bytes, length);
    return true;
}
