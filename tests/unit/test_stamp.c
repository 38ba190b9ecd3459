/* The data of verified WRITEs differ from the data of another file, place or pass. */
#include "test.h"

#include "nfs/verify/stamp.h"

enum { LENGTH = 300, PASSES = 600 };

static const struct nfs_stamp stamp = {.file = 3, .pass = 5, .offset = 4096};

static struct nfs_stamp with(uint32_t file, uint32_t pass, uint64_t offset)
{
    return (struct nfs_stamp){.file = file, .pass = pass, .offset = offset};
}

/* Write LENGTH bytes by WRITTEN, and return how many of them, from the first on, match EXPECTED. */
static size_t match(struct nfs_stamp written, struct nfs_stamp expected, size_t length)
{
    uint8_t data[LENGTH];

    nfs_stamp_write(data, length, &written);
    return nfs_stamp_match(data, length, &expected);
}

TEST_CASE(same_statement_matches)
{
    for (uint64_t offset = 0; offset < 40; offset++)
        for (size_t length = 0; length < 80; length++) {
            const struct nfs_stamp at = with(7, 9, offset);

            assert_int_equal(match(at, at, length), length);
        }
}

TEST_CASE(every_byte_tells_a_pass_from_the_next)
{
    for (uint32_t pass = 1; pass < PASSES; pass++)
        for (uint64_t offset = 0; offset < NFS_STAMP_SIZE; offset++)
            assert_int_equal(match(with(0, pass, offset), with(0, pass + 1, offset), 1), 0);
}

TEST_CASE(other_statements_differ)
{
    assert_all(
        (match(with(4, 5, 4096), stamp, LENGTH) < NFS_STAMP_SIZE, true),
        (match(with(3, 5, 4112), stamp, LENGTH) < NFS_STAMP_SIZE, true),
        (match(with(3, 5, 4097), stamp, LENGTH) < NFS_STAMP_SIZE, true),
        (match(with(3, 261, 4096), stamp, LENGTH) < NFS_STAMP_SIZE, true),
        (match(with(3, 5, 4096 + (UINT64_C(1) << 40)), stamp, LENGTH) < NFS_STAMP_SIZE, true));
}

TEST_CASE(torn_data_differ_from_there_on)
{
    const struct nfs_stamp before = with(3, 4, 4096);

    for (size_t torn = 0; torn < LENGTH; torn++) {
        uint8_t data[LENGTH];

        nfs_stamp_write(data, LENGTH, &before);
        nfs_stamp_write(data, torn, &stamp);
        assert_int_equal(nfs_stamp_match(data, LENGTH, &stamp), torn);
        memset(data + torn, 0, LENGTH - torn);
        assert_true(nfs_stamp_match(data, LENGTH, &stamp) >= torn);
        assert_true(nfs_stamp_match(data, LENGTH, &stamp) < torn + NFS_STAMP_SIZE ||
                    torn > LENGTH - 16);
    }
}

TEST_CASE(statements_are_read)
{
    const struct nfs_stamp odd = with(3, 70000, 4099);
    struct nfs_stamp found;
    uint8_t data[LENGTH];

    nfs_stamp_write(data, LENGTH, &odd);
    assert_all((nfs_stamp_read(data, LENGTH, odd.offset, &found), true), (found.file, 3),
               (found.pass, 70000), (found.offset, 4112),
               (nfs_stamp_read(data, 28, odd.offset, &found), false),
               (nfs_stamp_read(data, 29, odd.offset, &found), true));
}

/* The bytes of a place may be from different passes up to the latest: a WRITE may end anywhere. */
TEST_CASE(any_pass_of_the_place_matches)
{
    const struct nfs_stamp latest = with(3, PASSES, 4096);
    uint8_t data[LENGTH];

    for (uint32_t pass = 1; pass <= PASSES; pass++) {
        const struct nfs_stamp written = with(3, pass, 4096);

        nfs_stamp_write(data, LENGTH, &written);
        assert_int_equal(nfs_stamp_match_any(data, LENGTH, &latest, false), LENGTH);
    }
    for (size_t end = 0; end < LENGTH; end++) {
        const struct nfs_stamp first = with(3, 77, 4096), second = with(3, 300, 4096);

        nfs_stamp_write(data, LENGTH, &first);
        nfs_stamp_write(data, end, &second);
        assert_int_equal(nfs_stamp_match_any(data, LENGTH, &latest, false), LENGTH);
    }
}

/* After a short WRITE, the remaining bytes of the file are zeros. */
TEST_CASE(zeros_match_where_nothing_was_written)
{
    const struct nfs_stamp latest = with(3, PASSES, 4096), written = with(3, 256, 4096);
    const struct nfs_stamp other = with(4, 256, 4096);
    uint8_t data[LENGTH];

    for (size_t end = 0; end < LENGTH; end++) {
        memset(data, 0, LENGTH);
        nfs_stamp_write(data, end, &written);
        assert_int_equal(nfs_stamp_match_any(data, LENGTH, &latest, true), LENGTH);
        assert_true(nfs_stamp_match_any(data, LENGTH, &latest, false) < end + NFS_STAMP_SIZE);
        nfs_stamp_write(data, end, &other);
        assert_true(end < NFS_STAMP_SIZE ||
                    nfs_stamp_match_any(data, LENGTH, &latest, true) < LENGTH);
    }
}

TEST_CASE(no_pass_of_another_place_matches)
{
    const struct nfs_stamp latest = with(3, PASSES, 4096);
    const struct nfs_stamp others[] = {with(3, 9, 8192), with(3, 9, 4112), with(4, 9, 4096)};
    uint8_t data[LENGTH] = {0};

    assert_int_equal(nfs_stamp_match_any(data, LENGTH, &stamp, false), 0);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        nfs_stamp_write(data, LENGTH, &others[i]);
        assert_int_equal(nfs_stamp_match_any(data, LENGTH, &latest, false), 0);
    }
}
