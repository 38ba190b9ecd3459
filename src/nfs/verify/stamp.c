#include "nfs/verify/stamp.h"

#include <endian.h>
#include <string.h>

/* Return a word whose bytes are all the lowest byte of PASS. Each byte of a record is XORed with
 * this lowest byte, except the byte that states it. */
static uint64_t spread(uint32_t pass)
{
    return (pass & 0xff) * UINT64_C(0x0101010101010101);
}

/* Make the record of FILE and PASS at the offset AT, a multiple of NFS_STAMP_SIZE. */
static void make_record(uint8_t record[NFS_STAMP_SIZE], uint32_t file, uint32_t pass, uint64_t at)
{
    uint64_t words[2] = {htole64(((uint64_t)file << 32 | pass) ^ (spread(pass) & ~UINT64_C(0xff))),
                         htole64(at ^ spread(pass))};

    memcpy(record, words, sizeof words);
}

/* Return the number of bytes from OFFSET to the end of its record, at most LENGTH. */
static size_t bytes_in_record(uint64_t offset, size_t length)
{
    size_t left = NFS_STAMP_SIZE - offset % NFS_STAMP_SIZE;

    return left < length ? left : length;
}

void nfs_stamp_write(uint8_t *data, size_t length, const struct nfs_stamp *stamp)
{
    for (size_t done = 0, size; done < length; done += size) {
        uint64_t offset = stamp->offset + done;
        uint8_t record[NFS_STAMP_SIZE];

        size = bytes_in_record(offset, length - done);
        make_record(record, stamp->file, stamp->pass, offset - offset % NFS_STAMP_SIZE);
        memcpy(data + done, record + offset % NFS_STAMP_SIZE, size);
    }
}

/* Return the number of DATA's first bytes that are as PASS writes them at OFFSET of FILE. DATA are
 * SIZE bytes of one record. */
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

        size = bytes_in_record(stamp->offset + done, length - done);
        same = match_record(data + done, size, stamp->file, stamp->pass, stamp->offset + done);
        if (same < size)
            return done + same;
    }
    return length;
}

/* Return whether FOUND can be a record of one pass up to LATEST. In a record with bytes of several
 * passes, the pass or the offset is usually far too large. */
static bool is_plausible_record(const struct nfs_stamp *found, uint32_t latest)
{
    return found->pass >= 1 && found->pass <= latest && found->offset % NFS_STAMP_SIZE == 0 &&
           found->offset < UINT64_C(1) << 56;
}

/* Return the largest result of match_record() for any pass from 1 to LATEST. */
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

/* Return whether DATA from BEGIN to END, in one record, consist of at most PARTS ranges, each
 * written by one pass up to STAMP's. OFFSET is the file offset of the first byte of DATA. */
static bool is_of_parts(const uint8_t *data, size_t begin, size_t end,
                        const struct nfs_stamp *stamp, uint64_t offset, int parts)
{
    for (int i = 0; i < parts && begin < end; i++)
        begin +=
            match_some_pass(data + begin, end - begin, stamp->file, stamp->pass, offset + begin);
    return begin == end;
}

/* Return whether passes up to STAMP's may have written DATA, SIZE bytes of one record. If the
 * record states a plausible pass, this pass must have written all bytes. If not, DATA may be up to
 * PARTS ranges, each of one pass, because WRITEs may have ended within the record. With OR_NONE,
 * zeros at the ends of DATA count as never written; if the record states a plausible pass, any one
 * pass may have written the rest. */
static bool is_of_any(const uint8_t *data, size_t size, const struct nfs_stamp *stamp,
                      uint64_t offset, bool or_none)
{
    enum { PARTS = 4 };
    struct nfs_stamp found;
    bool is_stated =
        nfs_stamp_read(data, size, offset, &found) && is_plausible_record(&found, stamp->pass);
    size_t begin = 0, end = size;

    if (is_stated && match_record(data, size, stamp->file, found.pass, offset) == size)
        return true;
    while (or_none && end > 0 && data[end - 1] == 0)
        end--;
    while (or_none && begin < end && data[begin] == 0)
        begin++;
    if (is_stated) /* one pass may have written all bytes but the zeros */
        return or_none && is_of_parts(data, begin, end, stamp, offset, 1);
    return is_of_parts(data, begin, end, stamp, offset, PARTS);
}

size_t nfs_stamp_match_any(const uint8_t *data, size_t length, const struct nfs_stamp *stamp,
                           bool or_none)
{
    for (size_t done = 0, size; done < length; done += size) {
        size = bytes_in_record(stamp->offset + done, length - done);
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
