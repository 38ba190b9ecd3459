/* Calls of the server's procedures that change the tree, for tests: arguments and results go
 * through rpcgen's routines, and the wcc_data of a result is compared with its status. */
#pragma once

#include "service.h"

enum { OWNER = 1000, OTHER = 4711 };

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* Calls */

static inline nfs_fh3 handle_of(const struct tree_node *node)
{
    static uint8_t bytes[8][CALL_HANDLE_SIZE + 4];
    static unsigned turn;
    uint8_t *at = bytes[turn++ % 8];
    struct wire_writer writer = wire_writer(at, CALL_HANDLE_SIZE + 4);

    call_put_handle(&writer, node);
    return (nfs_fh3){.data = {CALL_HANDLE_SIZE, (char *)at + 4}};
}

static inline diropargs3 place(struct fixture *fixture, const char *directory, const char *name)
{
    return (diropargs3){.dir = handle_of(node_at(fixture, directory)),
                        .name = (char *)(uintptr_t)name};
}

#define CALL(type, number, uid, arguments, result)                                                 \
    do {                                                                                           \
        uint8_t request_[REQUEST_MAXIMUM];                                                         \
        size_t length_ =                                                                           \
            encode_call(*state, request_, number, uid, (xdrproc_t)xdr_##type##3args, arguments);   \
        send_bytes(*state, request_, length_, true);                                               \
        decode(*state, (xdrproc_t)xdr_##type##3res, result, sizeof *(result));                     \
    } while (0)

/* Weak cache consistency data */

static inline uint64_t ns(nfstime3 time)
{
    return (uint64_t)time.seconds * 1000000000 + time.nseconds;
}

/* Both parts are present, and show whether the object was changed in between. */
static inline void assert_wcc(const wcc_data *wcc, bool changed)
{
    const wcc_attr *before = &wcc->before.pre_op_attr_u.attributes;
    const fattr3 *after = &wcc->after.post_op_attr_u.attributes;

    assert_true(wcc->before.attributes_follow);
    assert_true(wcc->after.attributes_follow);
    assert_int_equal(ns(before->ctime) < ns(after->ctime), changed);
    if (!changed) {
        assert_true(ns(before->mtime) == ns(after->mtime));
        assert_true(before->size == after->size);
    }
}

/* Making an object of any kind. Each returns the status; on success the directory's wcc_data must
 * show the change. */

static inline nfsstat3 create_how(void **state, uint32_t uid, const char *directory,
                                  const char *name, createhow3 how)
{
    CREATE3args arguments = {.where = place(*state, directory, name), .how = how};
    CREATE3res result;
    nfsstat3 status;

    CALL(CREATE, NFSPROC3_CREATE, uid, &arguments, &result);
    status = result.status;
    if (status == NFS3_OK) {
        assert_true(result.CREATE3res_u.resok.obj.handle_follows);
        assert_true(result.CREATE3res_u.resok.obj_attributes.attributes_follow);
        assert_true(result.CREATE3res_u.resok.dir_wcc.after.attributes_follow);
    }
    xdr_free((xdrproc_t)xdr_CREATE3res, &result);
    return status;
}

static inline createhow3 how_mode(createmode3 mode, uint32_t permissions)
{
    createhow3 how = {.mode = mode};

    how.createhow3_u.obj_attributes.mode.set_it = TRUE;
    how.createhow3_u.obj_attributes.mode.set_mode3_u.mode = permissions;
    return how;
}

static inline createhow3 how_exclusive(char first)
{
    createhow3 how = {.mode = EXCLUSIVE};

    memset(how.createhow3_u.verf, first, sizeof how.createhow3_u.verf);
    return how;
}

static inline nfsstat3 create(void **state, uint32_t uid, const char *directory, const char *name)
{
    return create_how(state, uid, directory, name, how_mode(GUARDED, 0644));
}

static inline nfsstat3 mkdir_mode(void **state, uint32_t uid, const char *directory,
                                  const char *name, uint32_t mode)
{
    MKDIR3args arguments = {.where = place(*state, directory, name)};
    MKDIR3res result;

    arguments.attributes.mode.set_it = TRUE;
    arguments.attributes.mode.set_mode3_u.mode = mode;
    CALL(MKDIR, NFSPROC3_MKDIR, uid, &arguments, &result);
    if (result.status == NFS3_OK)
        assert_wcc(&result.MKDIR3res_u.resok.dir_wcc, true);
    xdr_free((xdrproc_t)xdr_MKDIR3res, &result);
    return result.status;
}

static inline nfsstat3 make_symlink(void **state, uint32_t uid, const char *directory,
                                    const char *name, const char *text)
{
    SYMLINK3args arguments = {.where = place(*state, directory, name),
                              .symlink.symlink_data = (char *)(uintptr_t)text};
    SYMLINK3res result;

    CALL(SYMLINK, NFSPROC3_SYMLINK, uid, &arguments, &result);
    if (result.status == NFS3_OK)
        assert_wcc(&result.SYMLINK3res_u.resok.dir_wcc, true);
    xdr_free((xdrproc_t)xdr_SYMLINK3res, &result);
    return result.status;
}

static inline nfsstat3 make_special(void **state, uint32_t uid, const char *name, ftype3 type)
{
    MKNOD3args arguments = {.where = place(*state, "", name), .what.type = type};
    MKNOD3res result;

    if (type == NF3CHR || type == NF3BLK)
        arguments.what.mknoddata3_u.device.spec = (specdata3){5, 6};
    CALL(MKNOD, NFSPROC3_MKNOD, uid, &arguments, &result);
    if (result.status == NFS3_OK) {
        const fattr3 *made = &result.MKNOD3res_u.resok.obj_attributes.post_op_attr_u.attributes;

        assert_int_equal(made->type, type);
        assert_int_equal(made->rdev.specdata1, type == NF3CHR || type == NF3BLK ? 5 : 0);
        assert_wcc(&result.MKNOD3res_u.resok.dir_wcc, true);
    }
    xdr_free((xdrproc_t)xdr_MKNOD3res, &result);
    return result.status;
}

static inline nfsstat3 make_link(void **state, uint32_t uid, const char *file,
                                 const char *directory, const char *name)
{
    LINK3args arguments = {.file = handle_of(node_at(*state, file)),
                           .link = place(*state, directory, name)};
    LINK3res result;

    CALL(LINK, NFSPROC3_LINK, uid, &arguments, &result);
    if (result.status == NFS3_OK)
        assert_wcc(&result.LINK3res_u.resok.linkdir_wcc, true);
    return result.status;
}

/* Removing */

static inline nfsstat3 remove_name(void **state, uint32_t uid, const char *directory,
                                   const char *name)
{
    REMOVE3args arguments = {.object = place(*state, directory, name)};
    REMOVE3res result;

    CALL(REMOVE, NFSPROC3_REMOVE, uid, &arguments, &result);
    assert_wcc(result.status == NFS3_OK ? &result.REMOVE3res_u.resok.dir_wcc
                                        : &result.REMOVE3res_u.resfail.dir_wcc,
               result.status == NFS3_OK);
    return result.status;
}

static inline nfsstat3 remove_directory(void **state, uint32_t uid, const char *directory,
                                        const char *name)
{
    RMDIR3args arguments = {.object = place(*state, directory, name)};
    RMDIR3res result;

    CALL(RMDIR, NFSPROC3_RMDIR, uid, &arguments, &result);
    assert_wcc(result.status == NFS3_OK ? &result.RMDIR3res_u.resok.dir_wcc
                                        : &result.RMDIR3res_u.resfail.dir_wcc,
               result.status == NFS3_OK);
    return result.status;
}

static inline nfsstat3 move(void **state, uint32_t uid, const char *from, const char *name,
                            const char *to, const char *new_name)
{
    RENAME3args arguments = {.from = place(*state, from, name), .to = place(*state, to, new_name)};
    RENAME3res result;

    CALL(RENAME, NFSPROC3_RENAME, uid, &arguments, &result);
    return result.status;
}

/* Data and attributes */

static inline nfsstat3 write_at(void **state, uint32_t uid, const char *path, uint64_t offset,
                                const char *text, stable_how stable)
{
    WRITE3args arguments = {.file = handle_of(node_at(*state, path)),
                            .offset = offset,
                            .count = (count3)strlen(text),
                            .stable = stable,
                            .data = {(u_int)strlen(text), (char *)(uintptr_t)text}};
    WRITE3res result;

    CALL(WRITE, NFSPROC3_WRITE, uid, &arguments, &result);
    if (result.status == NFS3_OK) {
        assert_int_equal(result.WRITE3res_u.resok.count, strlen(text));
        assert_true(result.WRITE3res_u.resok.committed >= stable);
        assert_wcc(&result.WRITE3res_u.resok.file_wcc, *text != '\0');
    }
    return result.status;
}

static inline void read_is(void **state, const char *path, uint64_t offset, const char *bytes,
                           size_t length)
{
    READ3args arguments = {
        .file = handle_of(node_at(*state, path)), .offset = offset, .count = (count3)length};
    READ3res result;

    CALL(READ, NFSPROC3_READ, 0, &arguments, &result);
    assert_int_equal(result.status, NFS3_OK);
    assert_int_equal(result.READ3res_u.resok.data.data_len, length);
    assert_memory_equal(result.READ3res_u.resok.data.data_val, bytes, length);
    xdr_free((xdrproc_t)xdr_READ3res, &result);
}

static inline nfsstat3 set_attributes(void **state, uint32_t uid, const char *path,
                                      sattr3 attributes, const nfstime3 *guard)
{
    SETATTR3args arguments = {.object = handle_of(node_at(*state, path)),
                              .new_attributes = attributes};
    SETATTR3res result;

    if (guard) {
        arguments.guard.check = TRUE;
        arguments.guard.sattrguard3_u.obj_ctime = *guard;
    }
    CALL(SETATTR, NFSPROC3_SETATTR, uid, &arguments, &result);
    assert_wcc(result.status == NFS3_OK ? &result.SETATTR3res_u.resok.obj_wcc
                                        : &result.SETATTR3res_u.resfail.obj_wcc,
               result.status == NFS3_OK);
    return result.status;
}

static inline sattr3 set_mode(uint32_t mode)
{
    sattr3 attributes = {.mode = {TRUE, {mode}}};

    return attributes;
}

static inline sattr3 set_size(uint64_t size)
{
    sattr3 attributes = {.size = {TRUE, {size}}};

    return attributes;
}

static inline sattr3 set_owner(bool uid, uint32_t uid_value, bool gid, uint32_t gid_value)
{
    sattr3 attributes = {.uid = {uid, {uid_value}}, .gid = {gid, {gid_value}}};

    return attributes;
}

static inline sattr3 set_times(time_how how, uint32_t seconds, uint32_t nanoseconds)
{
    sattr3 attributes = {.atime.set_it = how, .mtime.set_it = how};

    attributes.atime.set_atime_u.atime = (nfstime3){seconds, nanoseconds};
    attributes.mtime.set_mtime_u.mtime = (nfstime3){seconds + 1, nanoseconds};
    return attributes;
}

/* A name that is too long. */
static inline const char *long_name(size_t length)
{
    static char name[5000];

    memset(name, 'n', length);
    name[length] = '\0';
    return name;
}
