/* Names on the server: making, linking, removing and renaming, and the errors of each. */
#include "change.h"

static void test_create(void **state)
{
    createhow3 truncating = how_mode(UNCHECKED, 0600);

    assert_int_equal(create_how(state, OWNER, "", "new", how_mode(GUARDED, 0640)), NFS3_OK);
    assert_int_equal(node_at(*state, "new")->mode, 0640);
    assert_int_equal(node_at(*state, "new")->uid, OWNER);
    assert_int_equal(node_at(*state, "new")->gid, 50);
    assert_int_equal(create(state, OWNER, "", "new"), NFS3ERR_EXIST);
    /* UNCHECKED accepts an existing file, and sets only its size. */
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

/* All procedures that make something report an invalid place in the same way. */
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

/* A NUL in a name is refused as a slash is, and never ends the name. */
static void test_nul_in_a_name(void **state)
{
    struct fixture *fixture = *state;

    for (uint32_t procedure = NFSPROC3_REMOVE; procedure <= NFSPROC3_RMDIR; procedure++) {
        call(fixture, NFS_PROGRAM, procedure, OWNER,
             with_handle(fixture, "", "00000006 'file' 00 'x' 0000"));
        assert_int_equal(wire_get_u32(&fixture->results), NFS3ERR_ACCES);
    }
    assert_non_null(node_at(fixture, "file"));
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

/* In a directory with set-group-id, new objects get its group. */
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
    node_at(*state, "dir")->links = TREE_LINKS_MAXIMUM;
    assert_int_equal(mkdir_mode(state, OWNER, "dir", "sub", 0755), NFS3ERR_MLINK);
    node_at(*state, "dir")->links = 2;
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
    /* The next new object may get its number, but not its handle. */
    assert_int_equal(create(state, OWNER, "", "file2"), NFS3_OK);
    CALL(GETATTR, NFSPROC3_GETATTR, OWNER, &gone, &result);
    assert_int_equal(result.status, NFS3ERR_STALE);
    assert_int_equal(remove_directory(state, OWNER, "", "nothing"), NFS3ERR_NOENT);
    assert_int_equal(remove_directory(state, OWNER, "", "file2"), NFS3ERR_NOTDIR);
    assert_int_equal(remove_directory(state, OWNER, "dir", "."), NFS3ERR_INVAL);
    assert_int_equal(remove_directory(state, OWNER, "dir", ".."), NFS3ERR_EXIST);
}

/* In a directory that everyone may write, with the sticky bit, objects of others can't be removed.
 */
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
    /* Onto a file; onto itself; onto another name of the same object. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(test_create),
        FRESH(test_create_exclusive),
        FRESH(test_places),
        FRESH(test_mkdir),
        FRESH(test_nul_in_a_name),
        FRESH(test_inherited_group),
        FRESH(test_symlink),
        FRESH(test_mknod),
        FRESH(test_link),
        FRESH(test_remove),
        FRESH(test_sticky),
        FRESH(test_rename),
        FRESH(test_rename_directories),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
