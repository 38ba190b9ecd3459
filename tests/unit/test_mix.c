#include "nfs/mix.h"
#include "sandbox.h"

static struct nfs_mix mix;
static uint32_t shares[NFS_MIX_OPS_MAXIMUM];
static struct error error;

static uint32_t share_of(const char *op)
{
    for (size_t i = 0; i < mix.count; i++)
        if (strcmp(mix.ops[i].procedure->op, op) == 0)
            return shares[i];
    return 0;
}

TEST_CASE(built_in)
{
    assert_all((nfs_mix_load(&mix, "sfs2008", &error), 0), (mix.count, 12),
               (nfs_mix_divide(&mix, 100, shares), 100), (share_of("getattr"), 26),
               (share_of("commit"), 0), (nfs_mix_divide(&mix, 1000, shares), 1000),
               (share_of("readlink"), 10));
    /* Every op has a call, however few calls there are. */
    assert_all((nfs_mix_divide(&mix, 5, shares), 12), (nfs_mix_load(&mix, "sfs3", &error), 0));
    nfs_mix_divide(&mix, 99, shares);
    assert_all((share_of("lookup"), 27), (share_of("commit"), 5));
}

TEST_CASE(spelt_out)
{
    assert_all((nfs_mix_load(&mix, "read=70,write=30", &error), 0), (mix.count, 2),
               (nfs_mix_divide(&mix, 10, shares), 10), (share_of("read"), 7),
               (nfs_mix_load(&mix, "read=70,reed=30", &error), -EINVAL));
    assert_non_null(strstr(error.text, "line 2, 'reed 30'"));
}

static int load(const char *text)
{
    unlink("mix");
    put("mix", text);
    return nfs_mix_load(&mix, "./mix", &error);
}

SANDBOX_TEST(file)
{
    static const char *const bad[][2] = {
        {"", "has no ops"},
        {"# only this\n", "has no ops"},
        {"read\n", "expected an op and its weight"},
        {"read 0\n", "expected an op and its weight"},
        {"read -1\n", "expected an op and its weight"},
        {"read 1 2\n", "expected an op and its weight"},
        {"read 1000001", "expected an op and its weight"},
        {"reed 1\n", "not an NFS op"},
        {"null 1\n", "or it is null"},
        {"mount-null 1", "not an NFS op"},
        {"read 1\nread 1\n", "line 2"},
    };

    assert_all((load(" # a mix\n\n\tread  2 # two\nwrite 1"), 0), (mix.count, 2),
               (mix.ops[0].weight, 2), (nfs_mix_divide(&mix, 30, shares), 30), (shares[0], 20));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        if (load(bad[i][0]) == 0 || !strstr(error.text, bad[i][1]))
            fail_msg("'%s' gives '%s'", bad[i][0], error.text);
        assert_int_equal(error.kind, ERROR_USAGE);
    }
}

SANDBOX_TEST(whole_sum)
{
    assert_all((load("read 1\nwrite 1\ngetattr 1\n"), 0), (nfs_mix_divide(&mix, 100, shares), 100),
               (load("read 333333\nwrite 7\ngetattr 1000000\n"), 0));
    for (uint32_t calls = 1000; calls < 3000; calls++)
        assert_all((nfs_mix_divide(&mix, calls, shares), calls), (shares[1], 1));
    assert_int_equal(nfs_mix_load(&mix, "sfs3", &error), 0);
    for (uint32_t calls = 500; calls < 1500; calls++) {
        assert_int_equal(nfs_mix_divide(&mix, calls, shares), calls);
        for (size_t i = 0; i < mix.count; i++) {
            double part = calls * (double)mix.ops[i].weight / 99;

            assert_true(shares[i] > part - 1 && shares[i] < part + 1);
        }
    }
}

SANDBOX_TEST(remove)
{
    assert_all((load("read 20\nwrite 10\nfsstat 60\ncommit 10\n"), 0), (mix.missing, ""));
    nfs_mix_remove(&mix, "getattr");
    assert_all((mix.count, 4), (mix.missing, ""));
    mix.after[0][1] = 12;
    mix.after[1][3] = 7;
    mix.after[2][0] = 5;
    mix.after[3][0] = 9;
    nfs_mix_remove(&mix, "fsstat");
    assert_all((mix.missing, "fsstat"),
               (mix.after[0][1] == 12 && mix.after[1][2] == 7 && mix.after[2][0] == 9),
               (nfs_mix_divide(&mix, 40, shares), 40), (share_of("read"), 20),
               (share_of("commit"), 10));
    nfs_mix_remove(&mix, "read");
    nfs_mix_remove(&mix, "commit");
    nfs_mix_remove(&mix, "write");
    assert_all((mix.count, 0), (mix.missing, "fsstat, read, commit, write"));
}
