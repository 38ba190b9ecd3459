/* MOUNT version 3 (RFC 1813 section 5): the procedures, and the list of mounts. Section 5.2.N of
 * the RFC specifies procedure N. */
#include "serve/programs/programs.h"

#include "common/address.h"
#include "serve/server.h"

/* Mounts */

/* Return the index of HOST's mount of PATH (NULL: any path), or the list's count if none. */
static size_t find_mount(const struct mounts *mounts, const char *host, const char *path)
{
    size_t place = 0;

    while (place < mounts->count && (strcmp(mounts->list[place].host, host) != 0 ||
                                     (path && strcmp(mounts->list[place].path, path) != 0)))
        place++;
    return place;
}

static void remove_mount(struct mounts *mounts, size_t place)
{
    memmove(&mounts->list[place], &mounts->list[place + 1],
            (--mounts->count - place) * sizeof mounts->list[0]);
}

static void remember_mount(struct call *call, const char *path)
{
    struct mounts *mounts = call->mounts;
    char host[ADDRESS_TEXT_SIZE];

    address_text(call->peer, host);
    if (find_mount(mounts, host, path) < mounts->count)
        return;
    if (mounts->count == MOUNTS_MAXIMUM)
        remove_mount(mounts, 0); /* the oldest */
    strcpy(mounts->list[mounts->count].host, host);
    strcpy(mounts->list[mounts->count++].path, path);
}

static void forget_mount(struct call *call, const char *path)
{
    struct mounts *mounts = call->mounts;
    char host[ADDRESS_TEXT_SIZE];
    size_t place;

    address_text(call->peer, host);
    while ((place = find_mount(mounts, host, path)) < mounts->count)
        remove_mount(mounts, place);
}

/* MNT */

#define SLOW_MOUNT_NS UINT64_C(1200000000)

/* Read PATH from the arguments, without redundant slashes. A path with a NUL is refused, because
 * the rest after the NUL would be ignored. */
static void get_path(struct call *call, char path[MNTPATHLEN + 1])
{
    uint32_t length;
    const uint8_t *bytes = wire_get_opaque(&call->arguments, MNTPATHLEN, &length);
    size_t used = 0;

    for (uint32_t i = 0; bytes && i < length; i++)
        if (bytes[i] != '/' || used == 0 || path[used - 1] != '/')
            path[used++] = (char)bytes[i];
    if (used > 1 && path[used - 1] == '/')
        used--;
    path[used] = '\0';
    if (strlen(path) != used)
        call->arguments.failed = true;
}

struct walk {
    const struct tree *tree;
    struct tree_node *node;
    char rest[MNTPATHLEN + 1]; /* the part of the path that is not resolved yet */
    unsigned links;            /* symbolic links followed so far */
};

/* Begin WALK at the export's root, and remove the export's path from REST. Returns MNT3_OK, or an
 * error for a path outside of the export. */
static mountstat3 enter_export(struct walk *walk)
{
    const size_t length = strlen(SERVER_EXPORT);
    const char *rest = walk->rest;

    while (rest[0] == '/' && rest[1] == '/')
        rest++;
    /* The directory above the export exists, but can't be mounted. */
    if (strcmp(rest, "/") == 0)
        return MNT3ERR_ACCES;
    if (strncmp(rest, SERVER_EXPORT, length) != 0 || (rest[length] && rest[length] != '/'))
        return MNT3ERR_NOENT;
    memmove(walk->rest, rest + length, strlen(rest + length) + 1);
    walk->node = tree_root(walk->tree);
    return MNT3_OK;
}

/* Put the text of the symbolic link LINK before REST, from which LINK's name was removed. Links in
 * paths are resolved, because other servers' mount daemons do so, too. */
static mountstat3 follow_link(struct walk *walk, const struct tree_node *link)
{
    enum { LINKS_MAXIMUM = 40 }; /* as in Linux */
    size_t length = strlen(walk->rest);

    if (++walk->links > LINKS_MAXIMUM)
        return MNT3ERR_INVAL;
    if (link->size + 1 + length > MNTPATHLEN)
        return MNT3ERR_NAMETOOLONG;
    memmove(walk->rest + link->size + 1, walk->rest, length + 1);
    memcpy(walk->rest, link->text, link->size);
    walk->rest[link->size] = '/';
    return link->text[0] == '/' ? enter_export(walk) : MNT3_OK;
}

static mountstat3 take_name(struct walk *walk, const char *name)
{
    size_t length = strlen(name);
    struct tree_node *next;

    if (walk->node->type != TREE_DIRECTORY)
        return MNT3ERR_NOTDIR;
    if (length > TREE_NAME_MAXIMUM)
        return MNT3ERR_NAMETOOLONG;
    if (strcmp(name, ".") == 0)
        return MNT3_OK;
    if (strcmp(name, "..") == 0 && walk->node == tree_root(walk->tree))
        return MNT3ERR_ACCES;
    next = strcmp(name, "..") == 0 ? walk->node->parent : tree_lookup(walk->node, name, length);
    if (!next)
        return MNT3ERR_NOENT;
    if (next->type == TREE_SYMLINK)
        return follow_link(walk, next);
    walk->node = next;
    return MNT3_OK;
}

/* Set *NODE to the directory at PATH. Symbolic links are followed if they stay in the export. */
static mountstat3 find_export(const struct tree *tree, const char *path, struct tree_node **node)
{
    struct walk walk = {.tree = tree};
    mountstat3 status;

    strcpy(walk.rest, path);
    status = enter_export(&walk);
    while (status == MNT3_OK && walk.rest[strspn(walk.rest, "/")]) {
        char *name = walk.rest + strspn(walk.rest, "/"), copy[MNTPATHLEN + 1];
        size_t length = strcspn(name, "/");

        memcpy(copy, name, length);
        copy[length] = '\0';
        memmove(walk.rest, name + length, strlen(name + length) + 1);
        status = take_name(&walk, copy);
    }
    *node = walk.node;
    return status == MNT3_OK && walk.node->type != TREE_DIRECTORY ? MNT3ERR_NOTDIR : status;
}

static nfsstat3 serve_mount_mnt(struct call *call)
{
    char path[MNTPATHLEN + 1];
    struct tree_node *node;
    mountstat3 status;

    get_path(call, path);
    if (call_ready(call) != NFS3_OK)
        return NFS3_OK;
    status = find_export(call->tree, path, &node);
    wire_put_u32(&call->results, status);
    if (status != MNT3_OK)
        return NFS3_OK;
    call_put_handle(&call->results, node);
    wire_put_u32(&call->results, (uint32_t)call->mounts->flavor_count);
    for (size_t i = 0; i < call->mounts->flavor_count; i++)
        wire_put_u32(&call->results, call->mounts->flavors[i]);
    remember_mount(call, path);
    if (call->habits & HABIT_SLOW_MOUNT)
        call->sync_ns += SLOW_MOUNT_NS;
    return NFS3_OK;
}

static nfsstat3 serve_mount_dump(struct call *call)
{
    const struct mounts *mounts = call->mounts;
    const uint8_t *start = call->results.at;

    for (size_t i = 0; i < mounts->count; i++) {
        /* A list that does not fit into a datagram is truncated. */
        if ((size_t)(call->results.at - start) + sizeof mounts->list[i] > call->data_maximum)
            break;
        wire_put_u32(&call->results, 1);
        wire_put_opaque(&call->results, mounts->list[i].host, strlen(mounts->list[i].host));
        wire_put_opaque(&call->results, mounts->list[i].path, strlen(mounts->list[i].path));
    }
    wire_put_u32(&call->results, 0);
    return NFS3_OK;
}

static nfsstat3 serve_mount_umnt(struct call *call)
{
    char path[MNTPATHLEN + 1];

    get_path(call, path);
    if (call_ready(call) == NFS3_OK)
        forget_mount(call, path);
    return NFS3_OK;
}

static nfsstat3 serve_mount_umntall(struct call *call)
{
    if (call_ready(call) == NFS3_OK)
        forget_mount(call, NULL);
    return NFS3_OK;
}

/* There is one export, for all clients. */
static nfsstat3 serve_mount_export(struct call *call)
{
    wire_put_u32(&call->results, 1);
    wire_put_opaque(&call->results, SERVER_EXPORT, strlen(SERVER_EXPORT));
    wire_put_u32(&call->results, 0); /* no groups */
    wire_put_u32(&call->results, 0); /* no more exports */
    return NFS3_OK;
}

const struct procedure mount_table[MOUNT_PROCEDURES] = {
    {.serve = serve_null},
    {.serve = serve_mount_mnt, .changes = true},
    {.serve = serve_mount_dump},
    {.serve = serve_mount_umnt, .changes = true},
    {.serve = serve_mount_umntall, .changes = true},
    {.serve = serve_mount_export},
};
