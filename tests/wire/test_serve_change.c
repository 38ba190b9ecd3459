/* The server's procedures that change the tree: what they do, what they refuse and by which name,
 * and the weak cache consistency data that they give. Arguments and results go through rpcgen's
 * routines. */
#include "service.h"

enum { OWNER = 1000, OTHER = 4711 };

/* Calls */

static nfs_fh3 handle_of(const struct tree_node *node)
{
    static uint8_t bytes[8][CALL_HANDLE_SIZE + 4];
    static unsigned turn;
    uint8_t *at = bytes[turn++ % 8];
    struct wire_writer writer = wire_writer(at, CALL_HANDLE_SIZE + 4);

    call_put_handle(&writer, node);
    return (nfs_fh3){.data = {CALL_HANDLE_SIZE, (char *)at + 4}};
}

static diropargs3 place(struct fixture *fixture, const char *directory, const char *name)
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

static uint64_t ns(nfstime3 time)
{
    return (uint64_t)time.seconds * 1000000000 + time.nseconds;
}

/* Both halves are there, and say whether the object was changed in between. */
static void assert_wcc(const wcc_data *wcc, bool changed)
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

/* Making: whatever is made, the status, and on success a directory that says so */

static nfsstat3 create_how(void **state, uint32_t uid, const char *directory, const char *name,
                           createhow3 how)
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

static createhow3 how_mode(createmode3 mode, uint32_t permissions)
{
    createhow3 how = {.mode = mode};

    how.createhow3_u.obj_attributes.mode.set_it = TRUE;
    how.createhow3_u.obj_attributes.mode.set_mode3_u.mode = permissions;
    return how;
}

static createhow3 how_exclusive(char first)
{
    createhow3 how = {.mode = EXCLUSIVE};

    memset(how.createhow3_u.verf, first, sizeof how.createhow3_u.verf);
    return how;
}

static nfsstat3 create(void **state, uint32_t uid, const char *directory, const char *name)
{
    return create_how(state, uid, directory, name, how_mode(GUARDED, 0644));
}

static nfsstat3 mkdir_mode(void **state, uint32_t uid, const char *directory, const char *name,
                           uint32_t mode)
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

static nfsstat3 make_symlink(void **state, uint32_t uid, const char *directory, const char *name,
                             const char *text)
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

static nfsstat3 make_special(void **state, uint32_t uid, const char *name, ftype3 type)
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

static nfsstat3 make_link(void **state, uint32_t uid, const char *file, const char *directory,
                          const char *name)
{
    LINK3args arguments = {.file = handle_of(node_at(*state, file)),
                           .link = place(*state, directory, name)};
    LINK3res result;

    CALL(LINK, NFSPROC3_LINK, uid, &arguments, &result);
    if (result.status == NFS3_OK)
        assert_wcc(&result.LINK3res_u.resok.linkdir_wcc, true);
    return result.status;
}

/* Taking away */

static nfsstat3 remove_name(void **state, uint32_t uid, const char *directory, const char *name)
{
    REMOVE3args arguments = {.object = place(*state, directory, name)};
    REMOVE3res result;

    CALL(REMOVE, NFSPROC3_REMOVE, uid, &arguments, &result);
    assert_wcc(result.status == NFS3_OK ? &result.REMOVE3res_u.resok.dir_wcc
                                        : &result.REMOVE3res_u.resfail.dir_wcc,
               result.status == NFS3_OK);
    return result.status;
}

static nfsstat3 remove_directory(void **state, uint32_t uid, const char *directory,
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

static nfsstat3 move(void **state, uint32_t uid, const char *from, const char *name, const char *to,
                     const char *new_name)
{
    RENAME3args arguments = {.from = place(*state, from, name), .to = place(*state, to, new_name)};
    RENAME3res result;

    CALL(RENAME, NFSPROC3_RENAME, uid, &arguments, &result);
    return result.status;
}

/* Data and attributes */

static nfsstat3 write_at(void **state, uint32_t uid, const char *path, uint64_t offset,
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

static void read_is(void **state, const char *path, uint64_t offset, const char *bytes,
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

static nfsstat3 set_attributes(void **state, uint32_t uid, const char *path, sattr3 attributes,
                               const nfstime3 *guard)
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

static sattr3 set_mode(uint32_t mode)
{
    sattr3 attributes = {.mode = {TRUE, {mode}}};

    return attributes;
}

static sattr3 set_size(uint64_t size)
{
    sattr3 attributes = {.size = {TRUE, {size}}};

    return attributes;
}

static sattr3 set_owner(bool uid, uint32_t uid_value, bool gid, uint32_t gid_value)
{
    sattr3 attributes = {.uid = {uid, {uid_value}}, .gid = {gid, {gid_value}}};

    return attributes;
}

static sattr3 set_times(time_how how, uint32_t seconds, uint32_t nanoseconds)
{
    sattr3 attributes = {.atime.set_it = how, .mtime.set_it = how};

    attributes.atime.set_atime_u.atime = (nfstime3){seconds, nanoseconds};
    attributes.mtime.set_mtime_u.mtime = (nfstime3){seconds + 1, nanoseconds};
    return attributes;
}

/* A name that is too long. */
static const char *long_name(size_t length)
{
    static char name[5000];

    memset(name, 'n', length);
    name[length] = '\0';
    return name;
}

/* Tests */

static void test_create(void **state)
{
    createhow3 truncating = how_mode(UNCHECKED, 0600);

    assert_int_equal(create_how(state, OWNER, "", "new", how_mode(GUARDED, 0640)), NFS3_OK);
    assert_int_equal(node_at(*state, "new")->mode, 0640);
    assert_int_equal(node_at(*state, "new")->uid, OWNER);
    assert_int_equal(node_at(*state, "new")->gid, 50);
    assert_int_equal(create(state, OWNER, "", "new"), NFS3ERR_EXIST);
    /* UNCHECKED takes what is there, and of the attributes the size alone. */
    assert_int_equal(write_at(state, OWNER, "new", 0, "some data", UNSTABLE), NFS3_OK);
    assert_int_equal(create_how(state, OWNER, "", "new", truncating), NFS3_OK);
    assert_int_equal(node_at(*state, "new")->size, 9);
    truncating.createhow3_u.obj_attributes.size.set_it = TRUE;
    truncating.createhow3_u.obj_attributes.size.set_size3_u.size = 4;
    assert_int_equal(create_how(state, OTHER, "", "new", truncating), NFS3ERR_ACCES);
    assert_int_equal(create_how(state, OWNER, "", "new", truncating), NFS3_OK);
    assert_int_equal(node_at(*state, "new")->size, 4);
    assert_int_equal(node_at(*state, "new")->mode, 0640);
    assert_int_equal(create_how(state, OWNER, "", "dir", truncating), NFS3ERR_EXIST);
}

static void test_create_exclusive(void **state)
{
    assert_int_equal(create_how(state, OWNER, "", "only", how_exclusive('a')), NFS3_OK);
    assert_int_equal(create_how(state, OWNER, "", "only", how_exclusive('a')), NFS3_OK);
    assert_int_equal(create_how(state, OWNER, "", "only", how_exclusive('b')), NFS3ERR_EXIST);
    assert_int_equal(create_how(state, OWNER, "", "file", how_exclusive('a')), NFS3ERR_EXIST);
    assert_int_equal(node_at(*state, "only")->mode, 0600);
}

/* What is wrong with a place is told by all that make something, and likewise. */
static void test_places(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(create(state, OTHER, "", "x"), NFS3ERR_ACCES);
    assert_int_equal(mkdir_mode(state, OTHER, "", "x", 0755), NFS3ERR_ACCES);
    assert_int_equal(make_symlink(state, OTHER, "", "x", "t"), NFS3ERR_ACCES);
    assert_int_equal(make_special(state, OTHER, "x", NF3FIFO), NFS3ERR_ACCES);
    assert_int_equal(make_link(state, OTHER, "file", "", "x"), NFS3ERR_ACCES);
    assert_int_equal(remove_name(state, OTHER, "", "file"), NFS3ERR_ACCES);
    assert_int_equal(remove_directory(state, OTHER, "", "dir"), NFS3ERR_ACCES);
    assert_int_equal(move(state, OTHER, "", "file", "", "x"), NFS3ERR_ACCES);
    assert_int_equal(create(state, OWNER, "file", "x"), NFS3ERR_NOTDIR);
    assert_int_equal(mkdir_mode(state, OWNER, "file", "x", 0755), NFS3ERR_NOTDIR);
    assert_int_equal(make_link(state, OWNER, "file", "file", "x"), NFS3ERR_NOTDIR);
    assert_int_equal(move(state, OWNER, "", "file", "file", "x"), NFS3ERR_NOTDIR);
    assert_int_equal(create(state, OWNER, "", long_name(255)), NFS3_OK);
    assert_int_equal(create(state, OWNER, "", long_name(256)), NFS3ERR_NAMETOOLONG);
    assert_int_equal(create(state, OWNER, "", long_name(4999)), NFS3ERR_NAMETOOLONG);
    assert_int_equal(mkdir_mode(state, OWNER, "", long_name(256), 0755), NFS3ERR_NAMETOOLONG);
    assert_int_equal(remove_name(state, OWNER, "", long_name(256)), NFS3ERR_NAMETOOLONG);
    assert_int_equal(move(state, OWNER, "", "file", "", long_name(256)), NFS3ERR_NAMETOOLONG);
    assert_int_equal(create(state, OWNER, "", ""), NFS3ERR_ACCES);
    assert_int_equal(create(state, OWNER, "", "a/b"), NFS3ERR_ACCES);
    assert_int_equal(create(state, OWNER, "", "."), NFS3ERR_EXIST);
    assert_int_equal(mkdir_mode(state, OWNER, "", "..", 0755), NFS3ERR_EXIST);
    fixture->exported.policy.read_only = true;
    assert_int_equal(create(state, OWNER, "", "x"), NFS3ERR_ROFS);
    assert_int_equal(mkdir_mode(state, OWNER, "", "x", 0755), NFS3ERR_ROFS);
    assert_int_equal(make_symlink(state, OWNER, "", "x", "t"), NFS3ERR_ROFS);
    assert_int_equal(make_special(state, OWNER, "x", NF3FIFO), NFS3ERR_ROFS);
    assert_int_equal(make_link(state, OWNER, "file", "", "x"), NFS3ERR_ROFS);
    assert_int_equal(remove_name(state, OWNER, "", "file"), NFS3ERR_ROFS);
    assert_int_equal(remove_directory(state, OWNER, "", "dir"), NFS3ERR_ROFS);
    assert_int_equal(move(state, OWNER, "", "file", "", "x"), NFS3ERR_ROFS);
    assert_int_equal(write_at(state, OWNER, "file", 0, "x", UNSTABLE), NFS3ERR_ROFS);
    assert_int_equal(set_attributes(state, OWNER, "file", set_mode(0), NULL), NFS3ERR_ROFS);
    fixture->exported.policy.read_only = false;
}

static void test_mkdir(void **state)
{
    assert_int_equal(mkdir_mode(state, OWNER, "", "sub", 0711), NFS3_OK);
    assert_int_equal(node_at(*state, "sub")->mode, 0711);
    assert_int_equal(node_at(*state, "sub")->links, 2);
    assert_int_equal(node_at(*state, "")->links, 4);
    assert_int_equal(mkdir_mode(state, OWNER, "", "sub", 0711), NFS3ERR_EXIST);
    assert_int_equal(mkdir_mode(state, OWNER, "", "file", 0711), NFS3ERR_EXIST);
    assert_int_equal(create(state, OWNER, "sub", "deep"), NFS3_OK);
    assert_int_equal(remove_directory(state, OWNER, "", "sub"), NFS3ERR_NOTEMPTY);
    assert_int_equal(remove_name(state, OWNER, "sub", "deep"), NFS3_OK);
    assert_int_equal(remove_directory(state, OWNER, "", "sub"), NFS3_OK);
    assert_int_equal(node_at(*state, "")->links, 3);
}

/* The group of a directory with set-group-id goes to what is made in it. */
static void test_inherited_group(void **state)
{
    assert_int_equal(mkdir_mode(state, 0, "", "shared", 02777), NFS3_OK);
    node_at(*state, "shared")->gid = 77;
    assert_int_equal(mkdir_mode(state, OTHER, "shared", "sub", 0755), NFS3_OK);
    assert_int_equal(create(state, OTHER, "shared/sub", "file"), NFS3_OK);
    assert_int_equal(node_at(*state, "shared/sub")->gid, 77);
    assert_int_equal(node_at(*state, "shared/sub")->mode, 02755);
    assert_int_equal(node_at(*state, "shared/sub/file")->gid, 77);
}

static void test_symlink(void **state)
{
    assert_int_equal(make_symlink(state, OWNER, "", "to", "some/where"), NFS3_OK);
    assert_int_equal(node_at(*state, "to")->size, 10);
    assert_memory_equal(node_at(*state, "to")->text, "some/where", 10);
    assert_int_equal(make_symlink(state, OWNER, "", "to", "x"), NFS3ERR_EXIST);
    assert_int_equal(make_symlink(state, OWNER, "", "empty", ""), NFS3ERR_INVAL);
    assert_int_equal(make_symlink(state, OWNER, "", "long", long_name(4096)), NFS3_OK);
    assert_int_equal(make_symlink(state, OWNER, "", "longer", long_name(4097)),
                     NFS3ERR_NAMETOOLONG);
    assert_null(node_at(*state, "longer"));
}

static void test_mknod(void **state)
{
    assert_int_equal(make_special(state, 0, "chr", NF3CHR), NFS3_OK);
    assert_int_equal(make_special(state, 0, "blk", NF3BLK), NFS3_OK);
    assert_int_equal(make_special(state, OWNER, "sock", NF3SOCK), NFS3_OK);
    assert_int_equal(make_special(state, OWNER, "fifo", NF3FIFO), NFS3_OK);
    assert_int_equal(make_special(state, OWNER, "fifo", NF3FIFO), NFS3ERR_EXIST);
    assert_int_equal(make_special(state, OWNER, "chr2", NF3CHR), NFS3ERR_PERM);
    assert_int_equal(make_special(state, OWNER, "reg", NF3REG), NFS3ERR_BADTYPE);
    assert_int_equal(make_special(state, OWNER, "dir2", NF3DIR), NFS3ERR_BADTYPE);
    assert_int_equal(make_special(state, OWNER, "lnk", NF3LNK), NFS3ERR_BADTYPE);
}

static void test_link(void **state)
{
    assert_int_equal(make_link(state, OWNER, "file", "dir", "also"), NFS3_OK);
    assert_int_equal(node_at(*state, "file")->links, 2);
    assert_ptr_equal(node_at(*state, "file"), node_at(*state, "dir/also"));
    assert_int_equal(make_link(state, OWNER, "file", "dir", "also"), NFS3ERR_EXIST);
    assert_int_equal(make_link(state, OWNER, "dir", "dir", "loop"), NFS3ERR_INVAL);
    assert_int_equal(remove_name(state, OWNER, "", "file"), NFS3_OK);
    assert_int_equal(node_at(*state, "dir/also")->links, 1);
    node_at(*state, "file1")->links = TREE_LINKS_MAXIMUM;
    assert_int_equal(make_link(state, OWNER, "file1", "dir", "many"), NFS3ERR_MLINK);
    node_at(*state, "file1")->links = 1;
}

static void test_remove(void **state)
{
    GETATTR3args gone = {.object = handle_of(node_at(*state, "file2"))};
    GETATTR3res result;

    assert_int_equal(remove_name(state, OWNER, "", "nothing"), NFS3ERR_NOENT);
    assert_int_equal(remove_name(state, OWNER, "", "dir"), NFS3ERR_ISDIR);
    assert_int_equal(remove_name(state, OWNER, "", "."), NFS3ERR_ISDIR);
    assert_int_equal(remove_name(state, OWNER, "", "file2"), NFS3_OK);
    CALL(GETATTR, NFSPROC3_GETATTR, OWNER, &gone, &result);
    assert_int_equal(result.status, NFS3ERR_STALE);
    /* What is made next may get its place, not its handle. */
    assert_int_equal(create(state, OWNER, "", "file2"), NFS3_OK);
    CALL(GETATTR, NFSPROC3_GETATTR, OWNER, &gone, &result);
    assert_int_equal(result.status, NFS3ERR_STALE);
    assert_int_equal(remove_directory(state, OWNER, "", "nothing"), NFS3ERR_NOENT);
    assert_int_equal(remove_directory(state, OWNER, "", "file2"), NFS3ERR_NOTDIR);
    assert_int_equal(remove_directory(state, OWNER, "dir", "."), NFS3ERR_INVAL);
    assert_int_equal(remove_directory(state, OWNER, "dir", ".."), NFS3ERR_EXIST);
}

/* In everybody's directory with the sticky bit, what is not one's own stays. */
static void test_sticky(void **state)
{
    assert_int_equal(mkdir_mode(state, 0, "", "tmp", 01777), NFS3_OK);
    assert_int_equal(create(state, OWNER, "tmp", "mine"), NFS3_OK);
    assert_int_equal(create(state, OTHER, "tmp", "other"), NFS3_OK);
    assert_int_equal(remove_name(state, OTHER, "tmp", "mine"), NFS3ERR_ACCES);
    assert_int_equal(move(state, OTHER, "tmp", "mine", "tmp", "x"), NFS3ERR_ACCES);
    assert_int_equal(move(state, OTHER, "tmp", "other", "tmp", "mine"), NFS3ERR_ACCES);
    assert_int_equal(remove_name(state, OWNER, "tmp", "mine"), NFS3_OK);
    assert_int_equal(remove_name(state, 0, "tmp", "other"), NFS3_OK);
}

static void test_rename(void **state)
{
    struct tree_node *file = node_at(*state, "file3");

    assert_int_equal(move(state, OWNER, "", "file3", "dir", "moved"), NFS3_OK);
    assert_ptr_equal(node_at(*state, "dir/moved"), file);
    assert_null(node_at(*state, "file3"));
    assert_int_equal(move(state, OWNER, "", "file3", "dir", "x"), NFS3ERR_NOENT);
    /* Over a file; over itself; over another name of itself. */
    assert_int_equal(move(state, OWNER, "dir", "moved", "", "file4"), NFS3_OK);
    assert_ptr_equal(node_at(*state, "file4"), file);
    assert_int_equal(move(state, OWNER, "", "file4", "", "file4"), NFS3_OK);
    assert_int_equal(make_link(state, OWNER, "file4", "", "twin"), NFS3_OK);
    assert_int_equal(move(state, OWNER, "", "twin", "", "file4"), NFS3_OK);
    assert_ptr_equal(node_at(*state, "twin"), file);
    assert_ptr_equal(node_at(*state, "file4"), file);
    assert_int_equal(file->links, 2);
    assert_int_equal(move(state, OWNER, "", ".", "", "x"), NFS3ERR_INVAL);
    assert_int_equal(move(state, OWNER, "", "file4", "", ".."), NFS3ERR_INVAL);
}

static void test_rename_directories(void **state)
{
    assert_int_equal(mkdir_mode(state, OWNER, "", "a", 0755), NFS3_OK);
    assert_int_equal(mkdir_mode(state, OWNER, "a", "b", 0755), NFS3_OK);
    assert_int_equal(mkdir_mode(state, OWNER, "", "c", 0755), NFS3_OK);
    assert_int_equal(move(state, OWNER, "", "a", "a/b", "loop"), NFS3ERR_INVAL);
    assert_int_equal(move(state, OWNER, "", "a", "a", "self"), NFS3ERR_INVAL);
    assert_int_equal(move(state, OWNER, "", "c", "", "a"), NFS3ERR_NOTEMPTY);
    assert_int_equal(move(state, OWNER, "", "c", "", "file1"), NFS3ERR_NOTDIR);
    assert_int_equal(move(state, OWNER, "", "file1", "", "c"), NFS3ERR_ISDIR);
    assert_int_equal(move(state, OWNER, "a", "b", "", "c"), NFS3_OK);
    assert_int_equal(node_at(*state, "a")->links, 2);
    assert_int_equal(node_at(*state, "c")->links, 2);
    assert_ptr_equal(node_at(*state, "c")->parent, node_at(*state, ""));
    assert_int_equal(move(state, OWNER, "", "c", "a", "d"), NFS3_OK);
    assert_ptr_equal(node_at(*state, "a/d")->parent, node_at(*state, "a"));
    assert_int_equal(node_at(*state, "a")->links, 3);
}

static void test_write(void **state)
{
    static const char end[] = "the end of the largest file";
    const uint64_t last = TREE_SIZE_MAXIMUM - (sizeof end - 1);
    WRITE3args odd = {.file = handle_of(node_at(*state, "file1")),
                      .count = 3,
                      .stable = FILE_SYNC,
                      .data = {2, (char *)(uintptr_t) "ab"}};
    WRITE3res result;

    assert_int_equal(write_at(state, OWNER, "file1", 1, "ABC", UNSTABLE), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "file1", 4, "D", DATA_SYNC), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "file1", 0, "h", FILE_SYNC), NFS3_OK);
    read_is(state, "file1", 0, "hABCDE", 6);
    assert_int_equal(write_at(state, OWNER, "file1", 0, "", FILE_SYNC), NFS3_OK);
    assert_int_equal(write_at(state, OTHER, "file1", 0, "x", UNSTABLE), NFS3ERR_ACCES);
    assert_int_equal(write_at(state, OWNER, "dir", 0, "x", UNSTABLE), NFS3ERR_ISDIR);
    assert_int_equal(write_at(state, OWNER, "link", 0, "x", UNSTABLE), NFS3ERR_INVAL);
    CALL(WRITE, NFSPROC3_WRITE, OWNER, &odd, &result);
    assert_int_equal(result.status, NFS3ERR_INVAL);
    /* Sparse, up to the last byte there is. */
    assert_int_equal(create(state, OWNER, "", "sparse"), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "sparse", last, end, UNSTABLE), NFS3_OK);
    assert_int_equal(write_at(state, OWNER, "sparse", last + 1, end, UNSTABLE), NFS3ERR_FBIG);
    assert_int_equal(write_at(state, OWNER, "sparse", UINT64_MAX, end, UNSTABLE), NFS3ERR_FBIG);
    read_is(state, "sparse", last - 2, "\0\0the", 5);
    assert_true(node_at(*state, "sparse")->size == TREE_SIZE_MAXIMUM);
    assert_true(node_at(*state, "sparse")->pages.count <= 2);
    /* A file whose owner may no longer write it, while it has it open. */
    node_at(*state, "file1")->mode = 0;
    assert_int_equal(write_at(state, OWNER, "file1", 0, "x", UNSTABLE), NFS3_OK);
    node_at(*state, "file1")->mode = 0644;
}

static void test_commit(void **state)
{
    COMMIT3args arguments = {.file = handle_of(node_at(*state, "file1")), .count = 0};
    WRITE3args write = {.file = arguments.file, .count = 1, .data = {1, (char *)(uintptr_t) "x"}};
    WRITE3res written;
    COMMIT3res result;

    CALL(WRITE, NFSPROC3_WRITE, OWNER, &write, &written);
    CALL(COMMIT, NFSPROC3_COMMIT, OWNER, &arguments, &result);
    assert_int_equal(result.status, NFS3_OK);
    assert_wcc(&result.COMMIT3res_u.resok.file_wcc, false);
    assert_memory_equal(result.COMMIT3res_u.resok.verf, written.WRITE3res_u.resok.verf,
                        NFS3_WRITEVERFSIZE);
    arguments.file = handle_of(node_at(*state, "dir"));
    CALL(COMMIT, NFSPROC3_COMMIT, OWNER, &arguments, &result);
    assert_int_equal(result.status, NFS3ERR_ISDIR);
}

/* Memory is bounded; what is removed makes room again. */
static void test_no_space(void **state)
{
    static char page[4097];
    struct fixture *fixture = *state;
    nfsstat3 status = NFS3_OK;
    uint64_t used;
    FSSTAT3args fsstat = {.fsroot = handle_of(node_at(*state, ""))};
    FSSTAT3res result;

    memset(page, 'p', sizeof page - 1);
    assert_int_equal(create(state, OWNER, "", "large"), NFS3_OK);
    for (uint64_t offset = 0; status == NFS3_OK; offset += 4096) {
        assert_true(offset < UINT64_C(1) << 25);
        status = write_at(state, OWNER, "large", offset, page, UNSTABLE);
    }
    assert_int_equal(status, NFS3ERR_NOSPC);
    /* A WRITE that is refused keeps nothing of what it took before. */
    used = tree_memory_used(fixture->exported.tree);
    assert_int_equal(
        write_at(state, OWNER, "large", node_at(fixture, "large")->size + 4095, page, UNSTABLE),
        NFS3ERR_NOSPC);
    assert_true(tree_memory_used(fixture->exported.tree) == used);
    CALL(FSSTAT, NFSPROC3_FSSTAT, OWNER, &fsstat, &result);
    assert_true(result.FSSTAT3res_u.resok.fbytes < 4096);
    for (int i = 0; status == NFS3ERR_NOSPC && i < 1000; i++) {
        char name[16];

        snprintf(name, sizeof name, "more%d", i);
        status = mkdir_mode(state, OWNER, "", name, 0755) == NFS3_OK ? NFS3ERR_NOSPC : NFS3_OK;
    }
    assert_int_equal(mkdir_mode(state, OWNER, "", "nomore", 0755), NFS3ERR_NOSPC);
    assert_null(node_at(*state, "nomore"));
    assert_int_equal(make_symlink(state, OWNER, "", "nomore", long_name(4000)), NFS3ERR_NOSPC);
    assert_null(node_at(*state, "nomore"));
    assert_int_equal(remove_name(state, OWNER, "", "large"), NFS3_OK);
    assert_int_equal(mkdir_mode(state, OWNER, "", "again", 0755), NFS3_OK);
}

static void test_setattr_mode_and_owner(void **state)
{
    assert_int_equal(set_attributes(state, OTHER, "file1", set_mode(0), NULL), NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(04755), NULL), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 04755);
    /* Given away by the superuser alone; and then it lends no rights. */
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(true, 5, false, 0), NULL),
                     NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(true, OWNER, false, 0), NULL),
                     NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0755);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(false, 0, true, 50), NULL),
                     NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_owner(false, 0, true, 51), NULL),
                     NFS3ERR_PERM);
    assert_int_equal(set_attributes(state, 0, "file1", set_owner(true, 5, true, 51), NULL),
                     NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->uid, 5);
    assert_int_equal(node_at(*state, "file1")->gid, 51);
    /* Set-group-id for a group of one's own only; writing takes it away. */
    assert_int_equal(set_attributes(state, 5, "file1", set_mode(02775), NULL), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0775);
    assert_int_equal(set_attributes(state, 0, "file1", set_mode(06777), NULL), NFS3_OK);
    assert_int_equal(write_at(state, OTHER, "file1", 0, "x", UNSTABLE), NFS3_OK);
    assert_int_equal(node_at(*state, "file1")->mode, 0777);
}

static void test_setattr_size(void **state)
{
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(2), NULL), NFS3_OK);
    read_is(state, "file1", 0, "HE", 2);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(5), NULL), NFS3_OK);
    read_is(state, "file1", 0, "HE\0\0\0", 5);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(TREE_SIZE_MAXIMUM), NULL),
                     NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_size(UINT64_C(1) << 63), NULL),
                     NFS3ERR_INVAL);
    assert_int_equal(set_attributes(state, OWNER, "dir", set_size(0), NULL), NFS3ERR_ISDIR);
    assert_int_equal(set_attributes(state, OWNER, "link", set_size(0), NULL), NFS3ERR_INVAL);
    assert_int_equal(set_attributes(state, OTHER, "file1", set_size(0), NULL), NFS3ERR_ACCES);
}

static void test_setattr_times(void **state)
{
    struct tree_node *file = node_at(*state, "file1");

    if (!file) {
        fail();
        return;
    }
    assert_int_equal(
        set_attributes(state, OWNER, "file1", set_times(SET_TO_CLIENT_TIME, 1000, 5), NULL),
        NFS3_OK);
    assert_true(file->accessed == UINT64_C(1000000000005));
    assert_true(file->modified == UINT64_C(1001000000005));
    assert_int_equal(
        set_attributes(state, OWNER, "file1", set_times(SET_TO_CLIENT_TIME, 1, 1000000000), NULL),
        NFS3ERR_INVAL);
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_CLIENT_TIME, 1, 0), NULL),
        NFS3ERR_PERM);
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_SERVER_TIME, 0, 0), NULL),
        NFS3ERR_ACCES);
    file->mode = 0666;
    assert_int_equal(
        set_attributes(state, OTHER, "file1", set_times(SET_TO_SERVER_TIME, 0, 0), NULL), NFS3_OK);
    assert_true(file->modified == file->changed && file->accessed == file->changed);
    /* Reading is noted. */
    file->accessed = 0;
    read_is(state, "file1", 0, "H", 1);
    assert_true(file->accessed > file->modified);
}

static void test_setattr_guard(void **state)
{
    struct tree_node *file = node_at(*state, "file1");
    nfstime3 guard = {(uint32)(file->changed / 1000000000), (uint32)(file->changed % 1000000000)};

    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(0600), &guard), NFS3_OK);
    assert_int_equal(set_attributes(state, OWNER, "file1", set_mode(0644), &guard),
                     NFS3ERR_NOT_SYNC);
    assert_int_equal(file->mode, 0600);
}

/* What must not be done twice is done once for each request, however often that comes. */
static void test_repeated_requests(void **state)
{
    struct fixture *fixture = *state;
    REMOVE3args arguments = {.object = place(fixture, "", "file5")};
    uint8_t request[REQUEST_MAXIMUM];
    REMOVE3res result;
    size_t length = encode_call(fixture, request, NFSPROC3_REMOVE, OWNER,
                                (xdrproc_t)xdr_REMOVE3args, &arguments);

    for (int i = 0; i < 3; i++) {
        send_bytes(fixture, request, length, i % 2);
        decode(fixture, (xdrproc_t)xdr_REMOVE3res, &result, sizeof result);
        assert_int_equal(result.status, NFS3_OK);
        if (i == 0)
            assert_int_equal(create(state, OWNER, "", "file5"), NFS3_OK);
        assert_non_null(node_at(fixture, "file5"));
    }
    /* With another xid it is another request. */
    assert_int_equal(remove_name(state, OWNER, "", "file5"), NFS3_OK);
    assert_int_equal(remove_name(state, OWNER, "", "file5"), NFS3ERR_NOENT);
}

static void test_squash(void **state)
{
    struct fixture *fixture = *state;

    fixture->exported.policy.squash = SQUASH_ROOT;
    assert_int_equal(create(state, 0, "", "x"), NFS3ERR_ACCES);
    assert_int_equal(create(state, OWNER, "", "x"), NFS3_OK);
    fixture->exported.policy.squash = SQUASH_ALL;
    assert_int_equal(create(state, OWNER, "", "y"), NFS3ERR_ACCES);
    node_at(fixture, "")->mode = 0777;
    assert_int_equal(create(state, OWNER, "", "y"), NFS3_OK);
    assert_int_equal(node_at(fixture, "y")->uid, 65534);
    assert_int_equal(node_at(fixture, "y")->gid, 65534);
    fixture->exported.policy.squash = SQUASH_NONE;
}

/* Injected errors have each procedure's own form, and change nothing. */
static void test_injected_errors(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 1; i < POLICY_PROCEDURES; i++) {
        fixture->exported.policy.errors[i].status = NFS3ERR_JUKEBOX;
        fixture->exported.policy.errors[i].probability = 1;
    }
    {
        REMOVE3args remove = {.object = place(fixture, "", "file1")};
        RENAME3args rename = {.from = remove.object, .to = remove.object};
        LINK3args link = {.file = handle_of(node_at(fixture, "file1")), .link = remove.object};
        GETATTR3args getattr = {.object = link.file};
        REMOVE3res removed;
        RENAME3res renamed;
        LINK3res linked;
        GETATTR3res got;

        CALL(REMOVE, NFSPROC3_REMOVE, OWNER, &remove, &removed);
        CALL(RENAME, NFSPROC3_RENAME, OWNER, &rename, &renamed);
        CALL(LINK, NFSPROC3_LINK, OWNER, &link, &linked);
        CALL(GETATTR, NFSPROC3_GETATTR, OWNER, &getattr, &got);
        assert_int_equal(removed.status, NFS3ERR_JUKEBOX);
        assert_int_equal(renamed.status, NFS3ERR_JUKEBOX);
        assert_int_equal(linked.status, NFS3ERR_JUKEBOX);
        assert_int_equal(got.status, NFS3ERR_JUKEBOX);
    }
    assert_non_null(node_at(fixture, "file1"));
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(test_create),          FRESH(test_create_exclusive),
        FRESH(test_places),          FRESH(test_mkdir),
        FRESH(test_inherited_group), FRESH(test_symlink),
        FRESH(test_mknod),           FRESH(test_link),
        FRESH(test_remove),          FRESH(test_sticky),
        FRESH(test_rename),          FRESH(test_rename_directories),
        FRESH(test_write),           FRESH(test_commit),
        FRESH(test_no_space),        FRESH(test_setattr_mode_and_owner),
        FRESH(test_setattr_size),    FRESH(test_setattr_times),
        FRESH(test_setattr_guard),   FRESH(test_repeated_requests),
        FRESH(test_squash),          FRESH(test_injected_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
