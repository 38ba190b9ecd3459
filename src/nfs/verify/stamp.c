#include "nfs/verify/stamp.h"

#include <endian.h>
#include <string.h>

/* The lowest byte of the pass comes first, and all others are combined with it. */
static uint64_t spread(uint32_t pass)
{
    return (pass & 0xff) * UINT64_C(0x0101010101010101);
}

/* The statement of the bytes from AT on, which is a multiple of NFS_STAMP_SIZE. */
static void make_record(uint8_t record[NFS_STAMP_SIZE], uint32_t file, uint32_t pass, uint64_t at)
{
    uint64_t words[2] = {htole64(((uint64_t)file << 32 | pass) ^ (spread(pass) & ~UINT64_C(0xff))),
                         htole64(at ^ spread(pass))};

    memcpy(record, words, sizeof words);
}

/* Bytes from OFFSET on that are in the record that OFFSET is in, at most LENGTH. */
static size_t step(uint64_t offset, size_t length)
{
    size_t left = NFS_STAMP_SIZE - offset % NFS_STAMP_SIZE;

    return left < length ? left : length;
}

void nfs_stamp_fill(uint8_t *data, size_t length, const struct nfs_stamp *stamp)
{
    for (size_t done = 0, size; done < length; done += size) {
        uint64_t offset = stamp->offset + done;
        uint8_t record[NFS_STAMP_SIZE];

        size = step(offset, length - done);
        make_record(record, stamp->file, stamp->pass, offset - offset % NFS_STAMP_SIZE);
        memcpy(data + done, record + offset % NFS_STAMP_SIZE, size);
    }
}

/* How many of the SIZE bytes at DATA, which are in one record, are those of PASS? */
static size_t match_record(const uint8_t *data, size_t size, uint32_t file, uint32_t pass,
                           uint64_t offset)
{
    const size_t skipped = offset % NFS_STAMP_SIZE;
    uint8_t record[NFS_STAMP_SIZE];
    size_t same = 0;

    make_record(record, file, pass, offset - skipped);
    while (same < size && data[same] == record[skipped + same])
        same++;
    return same;
}

size_t nfs_stamp_match(const uint8_t *data, size_t length, const struct nfs_stamp *stamp)
{
    for (size_t done = 0, size; done < length; done += size) {
        size_t same;

        size = step(stamp->offset + done, length - done);
        same = match_record(data + done, size, stamp->file, stamp->pass, stamp->offset + done);
        if (same < size)
            return done + same;
    }
    return length;
}

/* Could a run of passes up to LATEST have written FOUND? Bytes of several passes in one record
 * state a file, a pass or an offset that is far too large. */
static bool is_plausible(const struct nfs_stamp *found, uint32_t latest)
{
    return found->pass >= 1 && found->pass <= latest && found->offset % NFS_STAMP_SIZE == 0 &&
           found->offset < UINT64_C(1) << 56;
}

/* The most of the SIZE bytes at DATA, which are in one record, that one pass up to LATEST wrote. */
static size_t match_some_pass(const uint8_t *data, size_t size, uint32_t file, uint32_t latest,
                              uint64_t offset)
{
    size_t most = 0;

    for (uint32_t pass = latest; pass >= 1 && most < size; pass--) {
        size_t same = match_record(data, size, file, pass, offset);

        most = same > most ? same : most;
    }
    return most;
}

/* Are the bytes of DATA from BEGIN to END, which are in one record, of PARTS passes up to that of
 * STAMP? OFFSET is that of the record's first byte in DATA. */
static bool is_of_parts(const uint8_t *data, size_t begin, size_t end,
                        const struct nfs_stamp *stamp, uint64_t offset, int parts)
{
    for (int i = 0; i < parts && begin < end; i++)
        begin +=
            match_some_pass(data + begin, end - begin, stamp->file, stamp->pass, offset + begin);
    return begin == end;
}

/* Are the SIZE bytes at DATA, which are in one record, of any passes up to that of STAMP? A whole
 * record states its pass, unless WRITEs have ended in it: then it has a few parts, and all passes
 * are tried for each. With OR_NONE, there may be zeros before and after them. */
static bool is_of_any(const uint8_t *data, size_t size, const struct nfs_stamp *stamp,
                      uint64_t offset, bool or_none)
{
    enum { PARTS = 4 };
    struct nfs_stamp found;
    bool is_stated =
        nfs_stamp_read(data, size, offset, &found) && is_plausible(&found, stamp->pass);
    size_t begin = 0, end = size;

    if (is_stated && match_record(data, size, stamp->file, found.pass, offset) == size)
        return true;
    while (or_none && end > 0 && data[end - 1] == 0)
        end--;
    while (or_none && begin < end && data[begin] == 0)
        begin++;
    if (is_stated) /* it may lack its end, or its beginning */
        return or_none && is_of_parts(data, begin, end, stamp, offset, 1);
    return is_of_parts(data, begin, end, stamp, offset, PARTS);
}

size_t nfs_stamp_match_any(const uint8_t *data, size_t length, const struct nfs_stamp *stamp,
                           bool or_none)
{
    for (size_t done = 0, size; done < length; done += size) {
        size = step(stamp->offset + done, length - done);
        if (!is_of_any(data + done, size, stamp, stamp->offset + done, or_none))
            return done;
    }
    return length;
}

bool nfs_stamp_read(const uint8_t *data, size_t length, uint64_t offset, struct nfs_stamp *found)
{
    const size_t first = (NFS_STAMP_SIZE - offset % NFS_STAMP_SIZE) % NFS_STAMP_SIZE;
    uint64_t words[2];
    uint32_t lowest;

    if (length < first + NFS_STAMP_SIZE)
        return false;
    memcpy(words, data + first, sizeof words);
    lowest = (uint32_t)le64toh(words[0]) & 0xff;
    words[0] = le64toh(words[0]) ^ (spread(lowest) & ~UINT64_C(0xff));
    *found = (struct nfs_stamp){.file = (uint32_t)(words[0] >> 32),
                                .pass = (uint32_t)words[0],
                                .offset = le64toh(words[1]) ^ spread(lowest)};
    return true;
}
