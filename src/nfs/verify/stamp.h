/* The data of verified WRITEs. Each 16 bytes of a file, counted from its beginning, state the file,
 * their own offset, and the pass of the run that wrote them, so that data that were lost, moved,
 * repeated late or written in part are told from the right ones wherever they are found. Every byte
 * differs between a pass and the next one, so this holds for data of one byte, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NFS_STAMP_SIZE = 16 /* bytes that repeat the statement */ };

/* Numbers of files. Those below are the run's file set, by their index. */
#define NFS_STAMP_COMMIT_FILE  UINT32_C(0xfffffffe) /* the file that COMMIT is applied to */
#define NFS_STAMP_SCRATCH_FILE UINT32_C(0xffffffff) /* the file "data" of the scratch directory */
#define NFS_STAMP_OWN_FILES    UINT32_C(0x80000000) /* plus a number: a file of one series' WRITEs */

/* What data state of themselves. */
struct nfs_stamp {
    uint32_t file;
    uint32_t pass;   /* from 1 on */
    uint64_t offset; /* of the first byte, in the file */
};

/* Fill DATA, LENGTH bytes, with what STAMP says. */
void nfs_stamp_fill(uint8_t *data, size_t length, const struct nfs_stamp *stamp);

/* How many bytes at the beginning of DATA, of LENGTH bytes, are those that nfs_stamp_fill() writes
 * for STAMP. LENGTH: all. */
size_t nfs_stamp_match(const uint8_t *data, size_t length, const struct nfs_stamp *stamp);

/* The same, where every NFS_STAMP_SIZE bytes may be of another pass, from 1 to the pass of STAMP;
 * or of none, if that is OR_NONE: zeros. */
size_t nfs_stamp_match_any(const uint8_t *data, size_t length, const struct nfs_stamp *stamp,
                           bool or_none);

/* Read into FOUND the first whole statement in DATA, of LENGTH bytes, that were read at OFFSET.
 * False: there is none, because DATA are too short. What data state that were never written so is
 * anything. */
bool nfs_stamp_read(const uint8_t *data, size_t length, uint64_t offset, struct nfs_stamp *found);
