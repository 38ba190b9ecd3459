/* Stamps: the data of verified WRITEs. Each 16 bytes of a file are one record, which states the
 * file, the record's offset, and the pass that wrote the record. So data that were lost, moved,
 * repeated late or partly written are recognised wherever they are found. Every byte of a record
 * differs between successive passes up to 32767, so even a single byte can be checked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFS_STAMP_SIZE = 16 /* bytes of a record */ };

/* Numbers of files. Numbers below NFS_STAMP_OWN_FILES are indices in the run's file set. */
#define NFS_STAMP_COMMIT_FILE  UINT32_C(0xfffffffe) /* the file of COMMIT */
#define NFS_STAMP_SCRATCH_FILE UINT32_C(0xffffffff) /* the file "data" of the scratch directory */
/* NFS_STAMP_OWN_FILES + N: the file that was made for the verified WRITE op with the number N. */
#define NFS_STAMP_OWN_FILES UINT32_C(0x80000000)

struct nfs_stamp {
    uint32_t file;
    uint32_t pass;   /* number of the pass, from 1 on */
    uint64_t offset; /* offset of the data's first byte in the file */
};

/* Write to DATA the LENGTH bytes that STAMP describes. */
void nfs_stamp_write(uint8_t *data, size_t length, const struct nfs_stamp *stamp);

/* Return the number of DATA's LENGTH bytes before the first that differs from what
 * nfs_stamp_write() writes for STAMP; LENGTH if none differs. */
size_t nfs_stamp_match(const uint8_t *data, size_t length, const struct nfs_stamp *stamp);

/* Return the number of DATA's LENGTH bytes before the first wrong record. A record that states a
 * pass from 1 to STAMP's is right if this pass may have written it. Any other record is right if up
 * to four ranges, each of one of these passes, make it up. With OR_NONE, zeros at the beginning and
 * the end of a record count as not written. */
size_t nfs_stamp_match_any(const uint8_t *data, size_t length, const struct nfs_stamp *stamp,
                           bool or_none);

/* Decode the first complete record in DATA, LENGTH bytes that were read at OFFSET, into FOUND.
 * Returns false if DATA have no complete record. FOUND is arbitrary if the data are not stamps. */
bool nfs_stamp_read(const uint8_t *data, size_t length, uint64_t offset, struct nfs_stamp *found);
