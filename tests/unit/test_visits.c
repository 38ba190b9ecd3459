/* Visits (src/nfs/objects/visits.h): files by Zipf's law, lengths by their weights, and the
 * sequential share. */
#include "test.h"

#include "nfs/objects/visits.h"

enum { VISITS = 100000, FILES = 20 };

static const struct nfs_visits visits = {
    .exponent = 1,
    .reads = {.lengths = {{4096, 3}, {16384, 1}}, .count = 2, .sequential = 0.6},
    .writes = {.count = 0, .sequential = 1},
};

TEST_CASE(reads_are_as_wanted)
{
    struct nfs_visitor visitor;
    uint64_t next[FILES] = {0}, uses[FILES] = {0}, lengths[2] = {0}, sequential = 0;

    assert_all((nfs_visitor_begin(&visitor, &visits, NFS_TRANSFER_READ, FILES, 65536, 16384, 1), 0),
               (nfs_visitor_lengths(&visitor), 2));
    for (int i = 0; i < VISITS; i++) {
        size_t number;
        struct nfs_place place = nfs_visitor_next(&visitor, &number);

        assert_true(place.file < FILES && place.offset + place.length <= 65536);
        assert_int_equal(place.length, nfs_visitor_length(&visitor, number));
        uses[place.file]++;
        lengths[number]++;
        sequential += place.offset == next[place.file];
        next[place.file] = place.offset + place.length;
    }
    assert_all(((double)sequential / VISITS, 0.6, 0.02), ((double)lengths[0] / VISITS, 0.75, 0.01),
               ((double)uses[0] / (double)uses[9], 10, 1));
    nfs_visitor_end(&visitor);
}

/* The share of sequential visits is right even if it is large and files have room for only a few
 * visits. */
TEST_CASE(ends_of_files_are_made_up_for)
{
    static const struct nfs_visits streams = {
        .reads = {.lengths = {{4096, 1}}, .count = 1, .sequential = 0.7}};
    struct nfs_visitor visitor;
    uint64_t next[FILES] = {0}, sequential = 0;
    size_t number;

    assert_int_equal(
        nfs_visitor_begin(&visitor, &streams, NFS_TRANSFER_READ, FILES, 8 * 4096, 4096, 1), 0);
    for (int i = 0; i < VISITS; i++) {
        struct nfs_place place = nfs_visitor_next(&visitor, &number);

        sequential += place.offset == next[place.file];
        next[place.file] = place.offset + place.length;
    }
    assert_near((double)sequential / VISITS, 0.7, 0.02);
    nfs_visitor_end(&visitor);
    assert_int_equal(nfs_visitor_begin(&visitor, &streams, NFS_TRANSFER_READ, 1, 4096, 4096, 1), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(nfs_visitor_next(&visitor, &number).offset, 0);
    nfs_visitor_end(&visitor);
}

/* Procedures without captured lengths use the usual length. */
TEST_CASE(others_have_the_usual_length)
{
    struct nfs_visitor visitor;
    size_t number;

    assert_all((nfs_visitor_begin(&visitor, &visits, NFS_TRANSFER_WRITE, FILES, 65536, 512, 1), 0),
               (nfs_visitor_lengths(&visitor), 1),
               (nfs_visitor_next(&visitor, &number).length, 512));
    nfs_visitor_end(&visitor);
    assert_int_equal(nfs_visitor_begin(&visitor, &visits, NFS_TRANSFER_NONE, FILES, 0, 0, 1), 0);
    assert_int_equal(nfs_visitor_next(&visitor, &number).offset, 0);
    nfs_visitor_end(&visitor);
}
