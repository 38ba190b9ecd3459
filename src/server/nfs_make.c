/* Procedures that make a new name: CREATE, MKDIR, SYMLINK, MKNOD, LINK. */
#include "server/attributes.h"
#include "server/dirop.h"
#include "server/programs.h"

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700, SYMLINK_MODE = 0777 };

/* The result of a procedure that made DIROP's node. */
static enum rpc_outcome put_made(struct call *call, nfsstat3 status, const struct dirop *dirop)
{
    if (status != NFS3_OK)
        return call_fail_wcc(call, status, &dirop->before);
    wire_put_u32(&call->results, NFS3_OK);
    wire_put_u32(&call->results, 1);
    call_put_handle(&call->results, dirop->node);
    call_put_post_op(call, dirop->node);
    call_put_wcc(call, &dirop->before);
    return RPC_OUTCOME_SUCCESS;
}

/* Is there room for a new name at DIROP? */
static nfsstat3 find_free(const struct call *call, struct dirop *dirop)
{
    nfsstat3 status = dirop_find_to_change(call, dirop);

    return status == NFS3_OK && dirop->node ? NFS3ERR_EXIST : status;
}

/* Make an object of TYPE at DIROP, where there is none. */
static nfsstat3 make(struct call *call, struct dirop *dirop, enum tree_type type,
                     const struct attributes *attributes, uint32_t mode)
{
    if (type == TREE_DIRECTORY && dirop->directory->links >= TREE_LINKS_MAXIMUM)
        return NFS3ERR_MLINK;
    if (tree_make(call->tree, dirop->directory, dirop->name, dirop->length, type, &dirop->node) !=
        0)
        return NFS3ERR_NOSPC;
    attributes_set_first(call, dirop->node, dirop->directory, attributes, mode);
    return NFS3_OK;
}

/* The arguments of CREATE (section 3.3.8). */
struct creation {
    createmode3 mode;
    struct attributes attributes;
    const uint8_t *verifier;
};

static void get_creation(struct call *call, struct creation *creation)
{
    *creation = (struct creation){.mode = (createmode3)wire_get_u32(&call->arguments)};
    if (creation->mode == EXCLUSIVE)
        creation->verifier = wire_skip(&call->arguments, NFS3_CREATEVERFSIZE);
    else if (creation->mode <= GUARDED)
        creation->attributes = attributes_get(call);
    else
        call->arguments.failed = true;
}

/* The file exists, so only the size is set, and no other attributes. */
static nfsstat3 reuse(struct call *call, struct tree_node *node, const struct creation *creation)
{
    struct attributes size = {.set_size = creation->attributes.set_size,
                              .size = creation->attributes.size,
                              .accessed.valid = true,
                              .modified.valid = true};
    nfsstat3 status = NFS3_OK;

    if (node->type != TREE_FILE || creation->mode == GUARDED)
        return NFS3ERR_EXIST;
    /* A repeated request finds the file that the first one made. */
    if (creation->mode == EXCLUSIVE)
        return node->exclusive &&
                       memcmp(node->verifier, creation->verifier, NFS3_CREATEVERFSIZE) == 0
                   ? NFS3_OK
                   : NFS3ERR_EXIST;
    if (size.set_size) {
        status = attributes_check(call, node, &size);
        if (status == NFS3_OK)
            attributes_set(call, node, &size);
    }
    return status;
}

/* A caller who may not make files in the directory may still use an existing one. */
static nfsstat3 create(struct call *call, struct dirop *dirop, const struct creation *creation)
{
    nfsstat3 status = dirop_find(call, dirop);

    if (status == NFS3_OK && dirop->node)
        return reuse(call, dirop->node, creation);
    if (status == NFS3_OK)
        status = dirop_find_to_change(call, dirop);
    if (status == NFS3_OK && creation->attributes.set_size &&
        creation->attributes.size > TREE_SIZE_MAXIMUM)
        status = NFS3ERR_INVAL;
    if (status == NFS3_OK)
        status = make(call, dirop, TREE_FILE, &creation->attributes, FILE_MODE);
    if (status == NFS3_OK && creation->mode == EXCLUSIVE) {
        dirop->node->exclusive = true;
        memcpy(dirop->node->verifier, creation->verifier, NFS3_CREATEVERFSIZE);
    }
    return status;
}

/* RFC 1813 section 3.3.8 */
enum rpc_outcome serve_create(struct call *call)
{
    struct creation creation;
    struct dirop dirop;

    dirop_get(call, &dirop);
    get_creation(call, &creation);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    return put_made(call, create(call, &dirop, &creation), &dirop);
}

/* RFC 1813 section 3.3.9 */
enum rpc_outcome serve_mkdir(struct call *call)
{
    struct attributes attributes;
    struct dirop dirop;
    nfsstat3 status;

    dirop_get(call, &dirop);
    attributes = attributes_get(call);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    status = find_free(call, &dirop);
    if (status == NFS3_OK)
        status = make(call, &dirop, TREE_DIRECTORY, &attributes, DIRECTORY_MODE);
    return put_made(call, status, &dirop);
}

static nfsstat3 make_symlink(struct call *call, struct dirop *dirop,
                             const struct attributes *attributes, const char *text, uint32_t length)
{
    nfsstat3 status = find_free(call, dirop);

    if (status == NFS3_OK && length == 0)
        status = NFS3ERR_INVAL;
    if (status == NFS3_OK)
        status = make(call, dirop, TREE_SYMLINK, attributes, SYMLINK_MODE);
    if (status != NFS3_OK || tree_set_text(call->tree, dirop->node, text, length) == 0)
        return status;
    tree_unlink(call->tree, dirop->directory, dirop->name, dirop->length);
    dirop->directory->modified = dirop->before.modified; /* restore it, as nothing was changed */
    dirop->directory->changed = dirop->before.changed;
    return NFS3ERR_NOSPC;
}

/* RFC 1813 section 3.3.10 */
enum rpc_outcome serve_symlink(struct call *call)
{
    struct attributes attributes;
    struct dirop dirop;
    const char *text;
    uint32_t length;

    dirop_get(call, &dirop);
    attributes = attributes_get(call);
    text = (const char *)wire_get_opaque(&call->arguments, UINT32_MAX, &length);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (dirop.status == NFS3_OK && length > CALL_TEXT_MAXIMUM)
        return call_fail_wcc(call, NFS3ERR_NAMETOOLONG, &dirop.before);
    return put_made(call, make_symlink(call, &dirop, &attributes, text, length), &dirop);
}

/* What MKNOD can make: devices, by the superuser; sockets and pipes. */
static nfsstat3 check_special(const struct call *call, ftype3 type)
{
    if (type == NF3CHR || type == NF3BLK)
        return call_by_superuser(call) ? NFS3_OK : NFS3ERR_PERM;
    return type == NF3SOCK || type == NF3FIFO ? NFS3_OK : NFS3ERR_BADTYPE;
}

/* RFC 1813 section 3.3.11 */
enum rpc_outcome serve_mknod(struct call *call)
{
    struct attributes attributes = {.set_mode = false};
    uint32_t device[2] = {0, 0};
    struct dirop dirop;
    nfsstat3 status;
    ftype3 type;

    dirop_get(call, &dirop);
    type = (ftype3)wire_get_u32(&call->arguments);
    if (type == NF3CHR || type == NF3BLK || type == NF3SOCK || type == NF3FIFO)
        attributes = attributes_get(call);
    if (type == NF3CHR || type == NF3BLK) {
        device[0] = wire_get_u32(&call->arguments);
        device[1] = wire_get_u32(&call->arguments);
    }
    if (!call_decoded(call) || type > NF3FIFO || type < NF3REG)
        return RPC_OUTCOME_GARBAGE_ARGS;
    status = check_special(call, type);
    if (status == NFS3_OK)
        status = find_free(call, &dirop);
    if (status == NFS3_OK)
        status = make(call, &dirop, (enum tree_type)type, &attributes, FILE_MODE);
    if (status == NFS3_OK)
        memcpy(dirop.node->device, device, sizeof device);
    return put_made(call, status, &dirop);
}

static nfsstat3 make_link(struct call *call, struct tree_node *node, struct dirop *dirop)
{
    nfsstat3 status = find_free(call, dirop);

    if (status == NFS3_OK && node->type == TREE_DIRECTORY)
        status = NFS3ERR_INVAL;
    if (status == NFS3_OK && node->links >= TREE_LINKS_MAXIMUM)
        status = NFS3ERR_MLINK;
    if (status == NFS3_OK &&
        tree_link(call->tree, dirop->directory, dirop->name, dirop->length, node) != 0)
        status = NFS3ERR_NOSPC;
    return status;
}

/* RFC 1813 section 3.3.15 */
enum rpc_outcome serve_link(struct call *call)
{
    nfsstat3 status;
    struct tree_node *node = call_get_node(call, &status);
    struct dirop dirop;

    dirop_get(call, &dirop);
    if (!call_decoded(call))
        return RPC_OUTCOME_GARBAGE_ARGS;
    if (status == NFS3_OK)
        status = make_link(call, node, &dirop);
    wire_put_u32(&call->results, status);
    call_put_post_op(call, node);
    call_put_wcc(call, &dirop.before);
    return RPC_OUTCOME_SUCCESS;
}
