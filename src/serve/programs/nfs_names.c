/* NFS version 3: procedures that find, make or remove a name in a directory. RFC 1813 section 3.3.N
 * specifies procedure N. */
#include "serve/export/attributes.h"
#include "serve/programs/programs.h"

/* An operand of the procedures: a name in a directory (RFC 1813 section 2.6, diropargs3). */
struct dirop {
    struct tree_node *directory; /* the directory; NULL: the handle is invalid */
    nfsstat3 status;             /* NFS3_OK, or the error of the handle or its type */
    const char *name;
    uint32_t length;
    /* object with the name, set by find_name(); NULL: the name does not exist */
    struct tree_node *node;
};

enum { SEARCH = 1, CHANGE = 3 };

static void get_name(struct call *call, struct dirop *dirop)
{
    dirop->name = (const char *)wire_get_opaque(&call->arguments, UINT32_MAX, &dirop->length);
}

/* Read the call's first operand, whose directory is the call's object. */
static struct dirop dirop_get(struct call *call)
{
    struct dirop dirop = {.directory = call->node, .status = call->status};

    get_name(call, &dirop);
    return dirop;
}

/* Read the second operand of RENAME, or the operand of LINK, which comes after the linked object's
 * handle. Remember the attributes of the operand's directory in BEFORE[1] of CALL. */
static struct dirop dirop_get_second(struct call *call)
{
    struct dirop dirop = {.directory = NULL};

    dirop.directory = call_get_node(call, &dirop.status);
    if (dirop.directory)
        dirop.status = call_check_type(dirop.directory, CALL_DIRECTORY);
    call->before[1] = call_remember(dirop.directory);
    get_name(call, &dirop);
    return dirop;
}

static bool name_is(const struct dirop *dirop, const char *word)
{
    return dirop->length == strlen(word) && memcmp(dirop->name, word, dirop->length) == 0;
}

static bool dirop_is_dot(const struct dirop *dirop)
{
    return name_is(dirop, ".");
}

static bool dirop_is_dot_dot(const struct dirop *dirop)
{
    return name_is(dirop, "..");
}

/* RFC 1813 section 3.2 requires ACCES for an empty name and for a name with invalid characters. */
static nfsstat3 check_name(const struct dirop *dirop)
{
    if (dirop->length > TREE_NAME_MAXIMUM)
        return NFS3ERR_NAMETOOLONG;
    if (dirop->length == 0 || memchr(dirop->name, '\0', dirop->length) ||
        memchr(dirop->name, '/', dirop->length))
        return NFS3ERR_ACCES;
    return NFS3_OK;
}

/* Look up DIROP's name, if the caller has PERMISSIONS (SEARCH or CHANGE) for the directory. Returns
 * NFS3_OK even if the name does not exist; the handle's error, ACCES or NAMETOOLONG; or ROFS for
 * CHANGE if the export is read-only. */
static nfsstat3 find_name(const struct call *call, struct dirop *dirop, uint32_t permissions)
{
    nfsstat3 status = dirop->status;

    if (status == NFS3_OK && permissions == CHANGE && call->read_only)
        status = NFS3ERR_ROFS;
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

nfsstat3 serve_lookup(struct call *call)
{
    struct dirop dirop = dirop_get(call);
    nfsstat3 status = call_ready(call);

    if (status == NFS3_OK)
        status = find_name(call, &dirop, SEARCH);
    if (status != NFS3_OK || !dirop.node)
        return status ? status : NFS3ERR_NOENT;
    wire_put_u32(&call->results, NFS3_OK);
    call_put_handle(&call->results, dirop.node);
    call_put_post_op(call, dirop.node);
    call_put_post_op(call, dirop.directory);
    return NFS3_OK;
}

/* Making names */

enum { FILE_MODE = 0600, DIRECTORY_MODE = 0700, SYMLINK_MODE = 0777 };

/* Write the result of a procedure that made DIROP's node, if STATUS is NFS3_OK. Returns STATUS. */
static nfsstat3 put_made(struct call *call, nfsstat3 status, const struct dirop *dirop)
{
    if (status != NFS3_OK)
        return status;
    wire_put_u32(&call->results, NFS3_OK);
    wire_put_u32(&call->results, 1);
    call_put_handle(&call->results, dirop->node);
    call_put_post_op(call, dirop->node);
    call_put_wcc(call, &call->before[0]);
    return NFS3_OK;
}

/* Check that DIROP's name does not exist, and the caller may make it. */
static nfsstat3 find_free(const struct call *call, struct dirop *dirop)
{
    nfsstat3 status = find_name(call, dirop, CHANGE);

    return status == NFS3_OK && dirop->node ? NFS3ERR_EXIST : status;
}

/* Make an object of TYPE with DIROP's name, which does not exist. */
static nfsstat3 make_named_object(struct call *call, struct dirop *dirop, enum tree_type type,
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

/* Use the existing NODE for a CREATE, and set its size if CREATION has one. Returns EXIST if NODE
 * is not a file, or CREATION does not allow an existing file. */
static nfsstat3 reuse_file(struct call *call, struct tree_node *node,
                           const struct creation *creation)
{
    struct attributes size = {.set_size = creation->attributes.set_size,
                              .size = creation->attributes.size,
                              .accessed.valid = true,
                              .modified.valid = true};
    nfsstat3 status = NFS3_OK;

    if (node->type != TREE_FILE || creation->mode == GUARDED)
        return NFS3ERR_EXIST;
    /* A repeated exclusive CREATE finds the file that the first one made. */
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

/* Make or use DIROP's file. To use an existing file, no permission to make files is needed. */
static nfsstat3 create_file(struct call *call, struct dirop *dirop, const struct creation *creation)
{
    nfsstat3 status = find_name(call, dirop, SEARCH);

    if (status == NFS3_OK && dirop->node)
        return reuse_file(call, dirop->node, creation);
    if (status == NFS3_OK)
        status = find_name(call, dirop, CHANGE);
    if (status == NFS3_OK && creation->attributes.set_size &&
        creation->attributes.size > TREE_SIZE_MAXIMUM)
        status = NFS3ERR_INVAL;
    if (status == NFS3_OK)
        status = make_named_object(call, dirop, TREE_FILE, &creation->attributes, FILE_MODE);
    if (status == NFS3_OK && creation->mode == EXCLUSIVE) {
        dirop->node->exclusive = true;
        memcpy(dirop->node->verifier, creation->verifier, NFS3_CREATEVERFSIZE);
    }
    return status;
}

nfsstat3 serve_create(struct call *call)
{
    struct creation creation;
    struct dirop dirop = dirop_get(call);
    nfsstat3 status;

    get_creation(call, &creation);
    status = call_ready(call);
    if (status == NFS3_OK)
        status = create_file(call, &dirop, &creation);
    return put_made(call, status, &dirop);
}

nfsstat3 serve_mkdir(struct call *call)
{
    struct dirop dirop = dirop_get(call);
    struct attributes attributes = attributes_get(call);
    nfsstat3 status = call_ready(call);

    if (status == NFS3_OK)
        status = find_free(call, &dirop);
    if (status == NFS3_OK)
        status = make_named_object(call, &dirop, TREE_DIRECTORY, &attributes, DIRECTORY_MODE);
    return put_made(call, status, &dirop);
}

static nfsstat3 make_symlink(struct call *call, struct dirop *dirop,
                             const struct attributes *attributes, const char *text, uint32_t length)
{
    nfsstat3 status = find_free(call, dirop);

    if (status == NFS3_OK && length == 0)
        status = NFS3ERR_INVAL;
    if (status == NFS3_OK)
        status = make_named_object(call, dirop, TREE_SYMLINK, attributes, SYMLINK_MODE);
    if (status != NFS3_OK || tree_set_text(call->tree, dirop->node, text, length) == 0)
        return status;
    tree_unlink(call->tree, dirop->directory, dirop->name, dirop->length);
    /* restore the times, as if nothing had been changed */
    dirop->directory->modified = call->before[0].modified;
    dirop->directory->changed = call->before[0].changed;
    return NFS3ERR_NOSPC;
}

nfsstat3 serve_symlink(struct call *call)
{
    struct dirop dirop = dirop_get(call);
    struct attributes attributes = attributes_get(call);
    uint32_t length;
    const char *text = (const char *)wire_get_opaque(&call->arguments, UINT32_MAX, &length);
    nfsstat3 status = call_ready(call);

    if (status == NFS3_OK && length > CALL_TEXT_MAXIMUM)
        status = NFS3ERR_NAMETOOLONG;
    if (status == NFS3_OK)
        status = make_symlink(call, &dirop, &attributes, text, length);
    return put_made(call, status, &dirop);
}

/* May the caller make TYPE by MKNOD? Anyone may make sockets and pipes. Only the superuser may make
 * devices. Nobody may make other types. */
static nfsstat3 check_special(const struct call *call, ftype3 type)
{
    if (type == NF3CHR || type == NF3BLK)
        return call_by_superuser(call) ? NFS3_OK : NFS3ERR_PERM;
    return type == NF3SOCK || type == NF3FIFO ? NFS3_OK : NFS3ERR_BADTYPE;
}

nfsstat3 serve_mknod(struct call *call)
{
    struct dirop dirop = dirop_get(call);
    ftype3 type = (ftype3)wire_get_u32(&call->arguments);
    struct attributes attributes = {.set_mode = false};
    uint32_t device[2] = {0, 0};
    nfsstat3 status;

    if (type == NF3CHR || type == NF3BLK || type == NF3SOCK || type == NF3FIFO)
        attributes = attributes_get(call);
    if (type == NF3CHR || type == NF3BLK) {
        device[0] = wire_get_u32(&call->arguments);
        device[1] = wire_get_u32(&call->arguments);
    }
    if (type > NF3FIFO || type < NF3REG)
        call->arguments.failed = true;
    status = call_ready(call);
    if (status == NFS3_OK)
        status = check_special(call, type);
    if (status == NFS3_OK)
        status = find_free(call, &dirop);
    if (status == NFS3_OK)
        status = make_named_object(call, &dirop, (enum tree_type)type, &attributes, FILE_MODE);
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

nfsstat3 serve_link(struct call *call)
{
    struct dirop dirop = dirop_get_second(call);
    nfsstat3 status = call_ready(call);

    return status == NFS3_OK ? make_link(call, call->node, &dirop) : status;
}

/* Removing names */

enum { STICKY = 01000 };

/* May the caller, who may write DIRECTORY, remove NODE's name from it? In a sticky directory, only
 * the superuser and the owners of NODE and DIRECTORY may. */
static bool may_take(const struct call *call, const struct tree_node *directory,
                     const struct tree_node *node)
{
    return !(directory->mode & STICKY) || call_by_superuser(call) ||
           call_by_owner(call, directory) || call_by_owner(call, node);
}

/* Find DIROP's name, and check that the caller may remove it. */
static nfsstat3 find_taken(const struct call *call, struct dirop *dirop)
{
    nfsstat3 status = find_name(call, dirop, CHANGE);

    if (status == NFS3_OK && !dirop->node)
        status = NFS3ERR_NOENT;
    if (status == NFS3_OK && !may_take(call, dirop->directory, dirop->node))
        status = NFS3ERR_ACCES;
    return status;
}

/* Serve REMOVE and RMDIR: remove the name if CHECK returns NFS3_OK. */
static nfsstat3 serve_taking(struct call *call, nfsstat3 (*check)(const struct dirop *))
{
    struct dirop dirop = dirop_get(call);
    nfsstat3 status = call_ready(call);

    if (status == NFS3_OK)
        status = find_taken(call, &dirop);
    if (status == NFS3_OK)
        status = check(&dirop);
    if (status == NFS3_OK)
        tree_unlink(call->tree, dirop.directory, dirop.name, dirop.length);
    return status;
}

static nfsstat3 check_no_directory(const struct dirop *dirop)
{
    return dirop->node->type == TREE_DIRECTORY ? NFS3ERR_ISDIR : NFS3_OK;
}

nfsstat3 serve_remove(struct call *call)
{
    return serve_taking(call, check_no_directory);
}

/* RFC 1813 section 3.3.13 requires INVAL for "." and EXIST for "..". */
static nfsstat3 check_empty_directory(const struct dirop *dirop)
{
    if (dirop_is_dot(dirop))
        return NFS3ERR_INVAL;
    if (dirop_is_dot_dot(dirop))
        return NFS3ERR_EXIST;
    if (dirop->node->type != TREE_DIRECTORY)
        return NFS3ERR_NOTDIR;
    return dirop->node->entries->live == 0 ? NFS3_OK : NFS3ERR_NOTEMPTY;
}

nfsstat3 serve_rmdir(struct call *call)
{
    return serve_taking(call, check_empty_directory);
}

static bool is_directory(const struct tree_node *node)
{
    return node->type == TREE_DIRECTORY;
}

/* May FROM's object replace the object that has TO's name? */
static nfsstat3 check_replaced(const struct call *call, const struct dirop *from,
                               const struct dirop *to)
{
    if (!may_take(call, to->directory, to->node))
        return NFS3ERR_ACCES;
    if (is_directory(from->node) && !is_directory(to->node))
        return NFS3ERR_NOTDIR;
    if (!is_directory(from->node) && is_directory(to->node))
        return NFS3ERR_ISDIR;
    return !is_directory(to->node) || to->node->entries->live == 0 ? NFS3_OK : NFS3ERR_NOTEMPTY;
}

/* May FROM's object be moved to TO? If a directory gets another parent, the parent must not be
 * inside the directory. The caller then needs write permission for the directory, because its ".."
 * changes. */
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
        status = find_name(call, to, CHANGE);
    if (status != NFS3_OK)
        return status;
    if (dirop_is_dot(from) || dirop_is_dot_dot(from) || dirop_is_dot(to) || dirop_is_dot_dot(to))
        return NFS3ERR_INVAL;
    if (from->node == to->node) /* two names of one object: both are kept */
        return NFS3_OK;
    status = check_moved(call, from, to);
    if (status == NFS3_OK && to->node)
        status = check_replaced(call, from, to);
    if (status == NFS3_OK && tree_rename(call->tree, from->directory, from->name, from->length,
                                         to->directory, to->name, to->length) != 0)
        status = NFS3ERR_NOSPC;
    return status;
}

nfsstat3 serve_rename(struct call *call)
{
    struct dirop from = dirop_get(call), to = dirop_get_second(call);
    nfsstat3 status = call_ready(call);

    return status == NFS3_OK ? rename_object(call, &from, &to) : status;
}
