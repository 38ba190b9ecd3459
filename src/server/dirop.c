#include "server/dirop.h"

enum { SEARCH = 1, CHANGE = 3 };

void dirop_get(struct call *call, struct dirop *dirop)
{
    dirop->directory = call_get_directory(call, &dirop->status);
    dirop->name = (const char *)wire_get_opaque(&call->arguments, UINT32_MAX, &dirop->length);
    dirop->before = call_remember(dirop->directory);
    dirop->node = NULL;
}

static bool name_is(const struct dirop *dirop, const char *word)
{
    return dirop->length == strlen(word) && memcmp(dirop->name, word, dirop->length) == 0;
}

bool dirop_is_dot(const struct dirop *dirop)
{
    return name_is(dirop, ".");
}

bool dirop_is_dot_dot(const struct dirop *dirop)
{
    return name_is(dirop, "..");
}

/* Section 3.2 requires ACCES for the empty name and for one with invalid characters. */
static nfsstat3 check_name(const struct dirop *dirop)
{
    if (dirop->length > TREE_NAME_MAXIMUM)
        return NFS3ERR_NAMETOOLONG;
    if (dirop->length == 0 || memchr(dirop->name, '\0', dirop->length) ||
        memchr(dirop->name, '/', dirop->length))
        return NFS3ERR_ACCES;
    return NFS3_OK;
}

static nfsstat3 find(const struct call *call, struct dirop *dirop, uint32_t permissions)
{
    nfsstat3 status = dirop->status;

    if (status == NFS3_OK &&
        (call_permissions(call, dirop->directory) & permissions) != permissions)
        status = NFS3ERR_ACCES;
    if (status == NFS3_OK)
        status = check_name(dirop);
    if (status != NFS3_OK)
        return status;
    if (dirop_is_dot(dirop))
        dirop->node = dirop->directory;
    else if (dirop_is_dot_dot(dirop))
        dirop->node = dirop->directory->parent;
    else
        dirop->node = tree_lookup(dirop->directory, dirop->name, dirop->length);
    return NFS3_OK;
}

nfsstat3 dirop_find(const struct call *call, struct dirop *dirop)
{
    return find(call, dirop, SEARCH);
}

nfsstat3 dirop_find_to_change(const struct call *call, struct dirop *dirop)
{
    if (dirop->status == NFS3_OK && call->read_only)
        return NFS3ERR_ROFS;
    return find(call, dirop, CHANGE);
}
