/* Procedures that remove a name: REMOVE, RMDIR, RENAME. */
#include "server/dirop.h"
#include "server/programs.h"

enum { STICKY = 01000 };

/* May the caller remove NODE's name from DIRECTORY, which it may write? In a sticky directory, only
 * the owner of NODE or of the directory may. */
static bool may_take(const struct call *call, const struct tree_node *directory,
                     const struct tree_node *node)
{
    return !(directory->mode & STICKY) || call_by_superuser(call) ||
           call_by_owner(call, directory) || call_by_owner(call, node);
}

/* Find what is to be removed. */
static nfsstat3 find_taken(const struct call *call, struct dirop *dirop)
{
    nfsstat3 status = dirop_find_to_change(call, dirop);

    if (status == NFS3_OK && !dirop->node)
        status = NFS3ERR_NOENT;
    if (status == NFS3_OK && !may_take(call, dirop->directory, dirop->node))
        status = NFS3ERR_ACCES;
    return status;
}

/* REMOVE and RMDIR: remove the name, if CHECK does not object. */
static enum rpc_outcome serve_taking(struct call *call, nfsstat3 (*check)(const struct dirop *))
{
    struct dirop dirop;
    nfsstat3 status;

    dirop_get(call, &dirop);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    status = find_taken(call, &dirop);
    if (status == NFS3_OK)
        status = check(&dirop);
    if (status == NFS3_OK)
        tree_unlink(call->tree, dirop.directory, dirop.name, dirop.length);
    return call_fail_wcc(call, status, &dirop.before);
}

static nfsstat3 check_no_directory(const struct dirop *dirop)
{
    return dirop->node->type == TREE_DIRECTORY ? NFS3ERR_ISDIR : NFS3_OK;
}

/* RFC 1813 section 3.3.12 */
enum rpc_outcome serve_remove(struct call *call)
{
    return serve_taking(call, check_no_directory);
}

/* Section 3.3.13 has INVAL for "." and EXIST for "..". */
static nfsstat3 check_empty_directory(const struct dirop *dirop)
{
    if (dirop_is_dot(dirop))
        return NFS3ERR_INVAL;
    if (dirop_is_dot_dot(dirop))
        return NFS3ERR_EXIST;
    if (dirop->node->type != TREE_DIRECTORY)
        return NFS3ERR_NOTDIR;
    return directory_count(dirop->node->entries) == 0 ? NFS3_OK : NFS3ERR_NOTEMPTY;
}

/* RFC 1813 section 3.3.13 */
enum rpc_outcome serve_rmdir(struct call *call)
{
    return serve_taking(call, check_empty_directory);
}

static bool is_directory(const struct tree_node *node)
{
    return node->type == TREE_DIRECTORY;
}

/* May FROM's object take the dirop of what is at TO? */
static nfsstat3 check_replaced(const struct call *call, const struct dirop *from,
                               const struct dirop *to)
{
    if (!may_take(call, to->directory, to->node))
        return NFS3ERR_ACCES;
    if (is_directory(from->node) && !is_directory(to->node))
        return NFS3ERR_NOTDIR;
    if (!is_directory(from->node) && is_directory(to->node))
        return NFS3ERR_ISDIR;
    return !is_directory(to->node) || directory_count(to->node->entries) == 0 ? NFS3_OK
                                                                              : NFS3ERR_NOTEMPTY;
}

/* A directory can't be moved into itself. Moving it changes its "..", for which the caller needs
 * permission. */
static nfsstat3 check_moved(const struct call *call, const struct dirop *from,
                            const struct dirop *to)
{
    if (!is_directory(from->node) || from->directory == to->directory)
        return NFS3_OK;
    if (tree_is_within(to->directory, from->node))
        return NFS3ERR_INVAL;
    if (!(call_permissions(call, from->node) & 2))
        return NFS3ERR_ACCES;
    return !to->node && to->directory->links >= TREE_LINKS_MAXIMUM ? NFS3ERR_MLINK : NFS3_OK;
}

static nfsstat3 rename_object(struct call *call, struct dirop *from, struct dirop *to)
{
    nfsstat3 status = find_taken(call, from);

    if (status == NFS3_OK)
        status = dirop_find_to_change(call, to);
    if (status != NFS3_OK)
        return status;
    if (dirop_is_dot(from) || dirop_is_dot_dot(from) || dirop_is_dot(to) || dirop_is_dot_dot(to))
        return NFS3ERR_INVAL;
    if (from->node == to->node) /* two names of one object: both stay */
        return NFS3_OK;
    status = check_moved(call, from, to);
    if (status == NFS3_OK && to->node)
        status = check_replaced(call, from, to);
    if (status == NFS3_OK && tree_rename(call->tree, from->directory, from->name, from->length,
                                         to->directory, to->name, to->length) != 0)
        status = NFS3ERR_NOSPC;
    return status;
}

/* RFC 1813 section 3.3.14 */
enum rpc_outcome serve_rename(struct call *call)
{
    struct dirop from, to;
    nfsstat3 status;

    dirop_get(call, &from);
    dirop_get(call, &to);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    status = rename_object(call, &from, &to);
    wire_put_u32(&call->results, status);
    call_put_wcc(call, &from.before);
    call_put_wcc(call, &to.before);
    return RPC_OUTCOME_SUCCESS;
}
