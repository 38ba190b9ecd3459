/* Which names are those of a run's scratch directory and of the files in it. Other names are
 * foreign, so that their files are not removed. */
#include "nfs/objects/lease.h"
#include "nfs/objects/scratch_name.h"
#include "nfs/procedures/procedures.h"
#include "test.h"

TEST_CASE(chosen_names_are_known)
{
    char name[NFS_NAME_SIZE];

    nfs_scratch_choose_name(name);
    assert_true(nfs_scratch_is_chosen_name(name));
    assert_true(nfs_scratch_is_chosen_name(".nfsbench-HOST-1-0123abcd"));
    assert_true(nfs_scratch_is_chosen_name(".nfsbench-a-b.c_d-2-3-4194304-ffffffff"));
    assert_true(nfs_scratch_is_chosen_name(".nfsbench-_-1-00000000"));
}

TEST_CASE(other_names_are_not)
{
    static const char others[] =
        "|.|.nfsbench-|.nfsbench-0123abcd|.nfsbench-1-0123abcd|.nfsbench--1-0123abcd|"
        ".nfsbench-HOST--0123abcd|.nfsbench-HOST-01-0123abcd|.nfsbench-HOST-1x-0123abcd|"
        ".nfsbench-HOST-+1-0123abcd|.nfsbench-HOST-12345678901-0123abcd|"
        ".nfsbench-HOST-1-0123abc|.nfsbench-HOST-1-0123abcde|.nfsbench-HOST-1-0123ABCD|"
        ".nfsbench-HOST-1-0123abcg|.nfsbench-HOST-1-0123abcd |.nfsbench-HO ST-1-0123abcd|"
        ".nfsbench-HO\nST-1-0123abcd|nfsbench-HOST-1-0123abcd|.nfsbenchx-HOST-1-0123abcd";
    char host[NFS_NAME_SIZE] = ".nfsbench-";

    for (char *rest = strdupa(others), *name; (name = strsep(&rest, "|"));)
        if (nfs_scratch_is_chosen_name(name))
            fail_msg("'%s' is taken for a run's", name);
    memset(host + strlen(host), 'h', NFS_HOST_NAME_SIZE);
    strcat(host, "-1-0123abcd");
    assert_false(nfs_scratch_is_chosen_name(host));
}

TEST_CASE(what_runs_make_is_known)
{
    static const char files[] =
        "data|link|.nfsbench-commit|filler-4|filler-4294967295|file-00000000|file-4294967295|"
        "create-00000000|create-guarded-00000001|create-exclusive-00009999|symlink-00000000|"
        "mknod-00000000|link-00000000|remove-00000000|rename-00000000|rename-to-00000000|"
        "write-00000000|setattr-00000017|character-\n\xff|character-";

    for (char *rest = strdupa(files), *name; (name = strsep(&rest, "|"));)
        if (nfs_scratch_kind_of(name) != NFS_SCRATCH_FILES)
            fail_msg("'%s' is not taken for a run's", name);
    assert_int_equal(nfs_scratch_kind_of("mkdir-00000000"), NFS_SCRATCH_DIRECTORIES);
    assert_int_equal(nfs_scratch_kind_of("rmdir-00009999"), NFS_SCRATCH_DIRECTORIES);
    assert_int_equal(nfs_scratch_kind_of(NFS_LEASE_FILE), NFS_SCRATCH_LEASE);
}

TEST_CASE(anything_else_is_foreign)
{
    static const char others[] =
        "|thesis|data2|Data|link-|link-1|filler-|filler-x|filler-12345678901|file-1|"
        "file-0000000x|create-0000000|create-|mkdir-to-00000000|create-to-00000000|"
        "write-0000000|commit-00000000|rename-to-0|.nfsbench-lease2|.nfs0000000000000001|"
        "create-00000000~";
    char longest[NFS_NAME_SIZE], too_long[NFS_NAME_SIZE + 1];

    for (char *rest = strdupa(others), *name; (name = strsep(&rest, "|"));)
        if (nfs_scratch_kind_of(name) != NFS_SCRATCH_FOREIGN)
            fail_msg("'%s' is taken for a run's", name);
    memset(longest, '0', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest, "create-", 7);
    assert_int_equal(nfs_scratch_kind_of(longest), NFS_SCRATCH_FOREIGN);
    memset(too_long, 'n', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    memcpy(too_long, NFS_SCRATCH_ODD_PREFIX, strlen(NFS_SCRATCH_ODD_PREFIX));
    assert_int_equal(nfs_scratch_kind_of(too_long), NFS_SCRATCH_FOREIGN);
}

TEST_CASE(every_op_is_cleared_up_after)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)) != NULL; i++) {
        char name[NFS_VARIANT_NAME_SIZE];

        if (procedure->object != NFS_OBJECT_SCRATCH)
            continue;
        snprintf(name, sizeof name, "%s-%08u", procedure->op, 17u);
        if (nfs_scratch_kind_of(name) == NFS_SCRATCH_FOREIGN)
            fail_msg("'%s' is not taken for a run's", name);
    }
}
