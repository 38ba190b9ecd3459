/* The server's NFS_ACL procedures: ACLs that are equivalent to mode bits, and no others. */
#include "service.h"

#include "nfs_acl.h"
#include "serve/programs/programs.h"

enum { ALL = NA_ACL | NA_ACLCNT | NA_DFACL | NA_DFACLCNT };

/* Make a call of PROCEDURE, with arguments and results by rpcgen's functions. */
static void acl_call(void **state, uint32_t procedure, uint32_t uid, xdrproc_t xdr_arguments,
                     void *arguments, xdrproc_t xdr_result, void *result, size_t size)
{
    struct fixture *fixture = *state;
    uint8_t request[REQUEST_MAXIMUM];
    size_t length =
        encode_call(fixture, request, NFS_ACL_PROGRAM, procedure, uid, xdr_arguments, arguments);

    send_bytes(fixture, request, length, true);
    decode(fixture, xdr_result, result, size);
}

TEST_CASE_WITH(get, set_up, tear_down)
{
    GETACL3args arguments = {.object = handle_of(node_at(*state, "file1")), .mask = ALL};
    const nfs_acl *acl;
    GETACL3res result;

    node_at(*state, "file1")->mode = 04751;
    acl_call(state, ACLPROC3_GETACL, OTHER, (xdrproc_t)xdr_GETACL3args, &arguments,
             (xdrproc_t)xdr_GETACL3res, &result, sizeof result);
    acl = &result.GETACL3res_u.resok.acl;
    assert_all((result.status, NFS3_OK), (acl->mask, ALL), (acl->count, 3),
               (acl->entries.entries_len, 3), (acl->entries.entries_val[0].type, NA_USER_OBJ),
               (acl->entries.entries_val[0].id, node_at(*state, "file1")->uid),
               (acl->entries.entries_val[0].permissions, 7),
               (acl->entries.entries_val[1].permissions, 5),
               (acl->entries.entries_val[2].type, NA_OTHER_OBJ),
               (acl->entries.entries_val[2].permissions, 1), (acl->default_count, 0));
    xdr_free((xdrproc_t)xdr_GETACL3res, &result);
    arguments.mask = NA_ACLCNT;
    acl_call(state, ACLPROC3_GETACL, OTHER, (xdrproc_t)xdr_GETACL3args, &arguments,
             (xdrproc_t)xdr_GETACL3res, &result, sizeof result);
    assert_all((acl->count, 3), (acl->entries.entries_len, 0));
    xdr_free((xdrproc_t)xdr_GETACL3res, &result);
}

static nfsstat3 set_acl(void **state, uint32_t uid, nfs_acl_entry *entries, u_int count)
{
    SETACL3args arguments = {
        .object = handle_of(node_at(*state, "file1")),
        .acl = {.mask = NA_ACL | NA_ACLCNT, .count = count, .entries = {count, entries}}};
    SETACL3res result;

    acl_call(state, ACLPROC3_SETACL, uid, (xdrproc_t)xdr_SETACL3args, &arguments,
             (xdrproc_t)xdr_SETACL3res, &result, sizeof result);
    return result.status;
}

TEST_CASE_WITH(set, set_up, tear_down)
{
    nfs_acl_entry entries[] = {
        {NA_USER_OBJ, 0, 6}, {NA_GROUP_OBJ, 0, 7}, {NA_CLASS_OBJ, 0, 4}, {NA_OTHER_OBJ, 0, 0}};

    node_at(*state, "file1")->mode = 0755;
    assert_all((set_acl(state, OTHER, entries, 4), NFS3ERR_PERM),
               (node_at(*state, "file1")->mode, 0755), (set_acl(state, OWNER, entries, 4), NFS3_OK),
               (node_at(*state, "file1")->mode, 0640));
    /* the entries for the mask and for other users are missing */
    assert_int_equal(set_acl(state, OWNER, entries, 2), NFS3ERR_INVAL);
    entries[1].permissions = 8;
    assert_int_equal(set_acl(state, OWNER, entries, 4), NFS3ERR_INVAL);
    entries[1].permissions = 4;
    entries[2] = entries[0]; /* a second entry for the owner */
    assert_int_equal(set_acl(state, OWNER, entries, 4), NFS3ERR_INVAL);
    entries[2] = (nfs_acl_entry){NA_USER, 17, 7};
    assert_int_equal(set_acl(state, OWNER, entries, 4), NFS3ERR_NOTSUPP); /* a named user */
    assert_int_equal(node_at(*state, "file1")->mode, 0640);
    node_at(*state, "file1")->mode = 0644;
}
