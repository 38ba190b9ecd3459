/* The lease is parsed strictly: only a directory with a lease that a run wrote may be removed. */
#include "nfs/objects/lease.h"
#include "test.h"

static const struct nfs_lease sample = {.nonce = 0x0123456789abcdef,
                                        .host = "client-7.example",
                                        .process = 4711,
                                        .started = "2026-11-21T23:41:36Z",
                                        .directory_id = 0xfeed,
                                        .name = ".nfsbench-client-7.example-4711-0000aaaa"};

static const char text_of_sample[] = "nfsbench scratch directory, format 1\n"
                                     "nonce 0123456789abcdef\n"
                                     "host client-7.example\n"
                                     "pid 4711\n"
                                     "started 2026-11-21T23:41:36Z\n"
                                     "directory 000000000000feed\n"
                                     "name .nfsbench-client-7.example-4711-0000aaaa\n";

/* Check that LEASE, written to TEXT, is read back unchanged. Returns TEXT's length. */
static size_t there_and_back(const struct nfs_lease *lease, char *text)
{
    size_t length = nfs_lease_print(lease, text);
    struct nfs_lease again;

    assert_in_range(length, 1, NFS_LEASE_TEXT_SIZE - 1);
    assert_all((nfs_lease_parse(&again, text, length)), (again.nonce, lease->nonce),
               (again.host, lease->host), (again.process, lease->process),
               (again.started, lease->started), (again.directory_id, lease->directory_id),
               (again.name, lease->name));
    return length;
}

TEST_CASE(what_was_written_is_read)
{
    static const char *const names[] = {"mine", " a b ", "line\nline", "\n", "name x\n\n", "%s%n"};
    struct nfs_lease lease = sample;
    char text[NFS_LEASE_TEXT_SIZE];

    assert_all((there_and_back(&lease, text), sizeof text_of_sample - 1), (text, text_of_sample));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        strcpy(lease.name, names[i]);
        there_and_back(&lease, text);
    }
    memset(lease.name, 'n', sizeof lease.name - 1);
    memset(lease.host, 'h', sizeof lease.host - 1);
    lease.process = 4194304;
    there_and_back(&lease, text);
}

TEST_CASE(anything_else_is_refused)
{
    char text[NFS_LEASE_TEXT_SIZE];
    size_t length = sizeof text_of_sample - 1, name_at = length - strlen(sample.name) - 1;
    struct nfs_lease lease;

    for (size_t i = 0; i < length; i++)
        assert_false(nfs_lease_parse(&lease, text_of_sample, i));
    for (size_t i = 0; i < name_at; i++) {
        memcpy(text, text_of_sample, sizeof text_of_sample);
        text[i] = '\0';
        assert_false(nfs_lease_parse(&lease, text, length));
        text[i] = text_of_sample[i] == '\n' ? ' ' : '\n';
        assert_false(nfs_lease_parse(&lease, text, length));
    }
    assert_false(nfs_lease_parse(&lease, "", 0));
    assert_false(nfs_lease_parse(&lease, text_of_sample, length - 1));
    memset(text, 'x', sizeof text);
    assert_false(nfs_lease_parse(&lease, text, sizeof text));
}

TEST_CASE(what_is_not_printed_so_is_refused)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"format 1", "format 2"},          {"nonce 01", "nonce 0X"},
        {"89abcdef", "89ABCDEF"},          {"nonce 0123456789abcdef", "nonce 123456789abcdef"},
        {"pid 4711", "pid 04711"},         {"pid 4711", "pid +4711"},
        {"pid 4711", "pid  4711"},         {"directory 000000000000feed", "directory feed"},
        {"host client-7.example", "host "}};

    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        const char *at = strstr(text_of_sample, changes[i].from);
        char text[NFS_LEASE_TEXT_SIZE];
        struct nfs_lease lease;
        int length;

        assert_non_null(at);
        length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - text_of_sample), text_of_sample,
                          changes[i].to, at + strlen(changes[i].from));
        if (nfs_lease_parse(&lease, text, (size_t)length))
            fail_msg("'%s' is taken for a lease's", changes[i].to);
    }
}
