/* Lists of mount3.x, without rpcgen's recursion. */
#include "mount3.h"
#include "xdr_list.h"

static bool_t xdr_mount(XDR *xdr, void *element)
{
    mountbody *mount = element;

    return xdr_name(xdr, &mount->ml_hostname) && xdr_dirpath(xdr, &mount->ml_directory);
}

bool_t xdr_mountlist(XDR *xdr, mountlist *first)
{
    static const struct xdr_list list = {sizeof(mountbody), offsetof(mountbody, ml_next),
                                         xdr_mount};

    return xdr_list(xdr, first, &list);
}

static bool_t xdr_group(XDR *xdr, void *element)
{
    return xdr_name(xdr, &((groupnode *)element)->gr_name);
}

bool_t xdr_groups(XDR *xdr, groups *first)
{
    static const struct xdr_list list = {sizeof(groupnode), offsetof(groupnode, gr_next),
                                         xdr_group};

    return xdr_list(xdr, first, &list);
}

static bool_t xdr_export(XDR *xdr, void *element)
{
    exportnode *node = element;

    return xdr_dirpath(xdr, &node->ex_dir) && xdr_groups(xdr, &node->ex_groups);
}

bool_t xdr_exports(XDR *xdr, exports *first)
{
    static const struct xdr_list list = {sizeof(exportnode), offsetof(exportnode, ex_next),
                                         xdr_export};

    return xdr_list(xdr, first, &list);
}
