#include "server/place.h"

enum { SEARCH = 1, CHANGE = 3 };

void place_get(struct call *call, struct place *place)
{
    place->directory = call_get_directory(call, &place->status);
    place->name = (const char *)wire_get_opaque(&call->arguments, UINT32_MAX, &place->length);
    place->before = call_remember(place->directory);
    place->node = NULL;
}

static bool name_is(const struct place *place, const char *word)
{
    return place->length == strlen(word) && memcmp(place->name, word, place->length) == 0;
}

bool place_is_dot(const struct place *place)
{
    return name_is(place, ".");
}

bool place_is_dot_dot(const struct place *place)
{
    return name_is(place, "..");
}

/* Section 3.2 has ACCES for the null name and for one with characters that are not allowed. */
static nfsstat3 check_name(const struct place *place)
{
    if (place->length > TREE_NAME_MAXIMUM)
        return NFS3ERR_NAMETOOLONG;
    if (place->length == 0 || memchr(place->name, '\0', place->length) ||
        memchr(place->name, '/', place->length))
        return NFS3ERR_ACCES;
    return NFS3_OK;
}

static nfsstat3 find(const struct call *call, struct place *place, uint32_t permissions)
{
    nfsstat3 status = place->status;

    if (status == NFS3_OK &&
        (call_permissions(call, place->directory) & permissions) != permissions)
        status = NFS3ERR_ACCES;
    if (status == NFS3_OK)
        status = check_name(place);
    if (status != NFS3_OK)
        return status;
    if (place_is_dot(place))
        place->node = place->directory;
    else if (place_is_dot_dot(place))
        place->node = place->directory->parent;
    else
        place->node = tree_lookup(place->directory, place->name, place->length);
    return NFS3_OK;
}

nfsstat3 place_find(const struct call *call, struct place *place)
{
    return find(call, place, SEARCH);
}

nfsstat3 place_find_to_change(const struct call *call, struct place *place)
{
    if (place->status == NFS3_OK && call->read_only)
        return NFS3ERR_ROFS;
    return find(call, place, CHANGE);
}
