/* Lists of nfs3.x, without rpcgen's recursion. */
#include "nfs3.h"
#include "xdr_list.h"

static bool_t xdr_entry(XDR *xdr, void *element)
{
    entry3 *entry = element;

    return xdr_fileid3(xdr, &entry->fileid) && xdr_filename3(xdr, &entry->name) &&
           xdr_cookie3(xdr, &entry->cookie);
}

bool_t xdr_entrylist3(XDR *xdr, entrylist3 *first)
{
    static const struct xdr_list list = {sizeof(entry3), offsetof(entry3, nextentry), xdr_entry};

    return xdr_list(xdr, first, &list);
}

static bool_t xdr_entryplus(XDR *xdr, void *element)
{
    entryplus3 *entry = element;

    return xdr_fileid3(xdr, &entry->fileid) && xdr_filename3(xdr, &entry->name) &&
           xdr_cookie3(xdr, &entry->cookie) && xdr_post_op_attr(xdr, &entry->name_attributes) &&
           xdr_post_op_fh3(xdr, &entry->name_handle);
}

bool_t xdr_entrypluslist3(XDR *xdr, entrypluslist3 *first)
{
    static const struct xdr_list list = {sizeof(entryplus3), offsetof(entryplus3, nextentry),
                                         xdr_entryplus};

    return xdr_list(xdr, first, &list);
}
