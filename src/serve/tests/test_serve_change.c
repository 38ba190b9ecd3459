/* Properties of procedures that change the tree, which a client cannot test: repeated requests,
 * and limits that are reached. Each procedure is tested by tests/integration/errors.py over a
 * connection, and against a model by test_serve_model.c. */
#include "service.h"

static diropargs3 place(struct fixture *fixture, const char *directory, const char *name)
{
    return (diropargs3){.dir = handle_of(node_at(fixture, directory)),
                        .name = (char *)(uintptr_t)name};
}

#define CALL(type, number, uid, arguments, result)                                                 \
    do {                                                                                           \
        uint8_t request_[REQUEST_MAXIMUM];                                                         \
        size_t length_ = encode_call(*state, request_, NFS_PROGRAM, number, uid,                   \
                                     (xdrproc_t)xdr_##type##3args, arguments);                     \
        send_bytes(*state, request_, length_, true);                                               \
        decode(*state, (xdrproc_t)xdr_##type##3res, result, sizeof *(result));                     \
    } while (0)

static nfsstat3 create(void **state, uint32_t uid, const char *directory, const char *name)
{
    CREATE3args arguments = {.where = place(*state, directory, name), .how.mode = GUARDED};
    CREATE3res result;
    nfsstat3 status;

    CALL(CREATE, NFSPROC3_CREATE, uid, &arguments, &result);
    status = result.status;
    xdr_free((xdrproc_t)xdr_CREATE3res, &result);
    return status;
}

static nfsstat3 remove_name(void **state, uint32_t uid, const char *directory, const char *name)
{
    REMOVE3args arguments = {.object = place(*state, directory, name)};
    REMOVE3res result;

    CALL(REMOVE, NFSPROC3_REMOVE, uid, &arguments, &result);
    return result.status;
}

static nfsstat3 write_at(void **state, const char *path, uint64_t offset, const char *text)
{
    const u_int length = (u_int)strlen(text);
    WRITE3args arguments = {.file = handle_of(node_at(*state, path)),
                            .offset = offset,
                            .count = length,
                            .data = {length, (char *)(uintptr_t)text}};
    WRITE3res result;

    CALL(WRITE, NFSPROC3_WRITE, OWNER, &arguments, &result);
    return result.status;
}

/* A REMOVE, which is not idempotent, is executed once, however often the request arrives. */
TEST_CASE_WITH(repeated_requests, set_up, tear_down)
{
    struct fixture *fixture = *state;
    REMOVE3args arguments = {.object = place(fixture, "", "file5")};
    uint8_t request[REQUEST_MAXIMUM];
    REMOVE3res result;
    size_t length = encode_call(fixture, request, NFS_PROGRAM, NFSPROC3_REMOVE, OWNER,
                                (xdrproc_t)xdr_REMOVE3args, &arguments);

    for (int i = 0; i < 3; i++) {
        send_bytes(fixture, request, length, true);
        decode(fixture, (xdrproc_t)xdr_REMOVE3res, &result, sizeof result);
        assert_int_equal(result.status, NFS3_OK);
        if (i == 0)
            assert_int_equal(create(state, OWNER, "", "file5"), NFS3_OK);
        assert_non_null(node_at(fixture, "file5"));
    }
    /* A request from another port, over another transport, or with another xid is a new request. */
    ((struct sockaddr_in *)&peer)->sin_port = htons(700);
    send_bytes(fixture, request, length, true);
    assert_all((node_at(fixture, "file5"), NULL), (create(state, OWNER, "", "file5"), NFS3_OK));
    send_bytes(fixture, request, length, false);
    assert_all((node_at(fixture, "file5"), NULL), (create(state, OWNER, "", "file5"), NFS3_OK));
    send_bytes(fixture, request, length, false);
    assert_all((node_at(fixture, "file5")), (remove_name(state, OWNER, "", "file5"), NFS3_OK),
               (remove_name(state, OWNER, "", "file5"), NFS3ERR_NOENT));
}

/* MKDIR fails if the directory has the maximum of links. */
TEST_CASE_WITH(most_links, set_up, tear_down)
{
    MKDIR3args arguments = {.where = place(*state, "dir", "sub")};
    MKDIR3res result;

    node_at(*state, "dir")->links = TREE_LINKS_MAXIMUM;
    CALL(MKDIR, NFSPROC3_MKDIR, OWNER, &arguments, &result);
    assert_int_equal(result.status, NFS3ERR_MLINK);
    node_at(*state, "dir")->links = 2;
}

/* A refused WRITE frees the memory that it had taken. */
TEST_CASE_WITH(no_space, set_up, tear_down)
{
    static char page[4097];
    struct tree *tree = ((struct fixture *)*state)->exported.tree;
    uint64_t offset = 0, used;

    memset(page, 'p', sizeof page - 1);
    assert_int_equal(create(state, OWNER, "", "large"), NFS3_OK);
    while (write_at(state, "large", offset, page) == NFS3_OK) {
        offset += 4096;
        assert_true(offset < UINT64_C(1) << 25);
    }
    used = tree->memory.used;
    assert_int_equal(write_at(state, "large", offset + 4095, page), NFS3ERR_NOSPC);
    assert_true(tree->memory.used == used);
}
