/* The blocks of the file that a probe writes: their data, and what the server has promised. Data
 * that the server called stable must be there until they are overwritten; if not, the block is
 * lost. This module makes no calls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BLOCKS_USUAL = 64, /* number of blocks that WRITEs usually cycle through */
    /* maximum number of blocks; blocks beyond BLOCKS_USUAL are added only if no block may be
     * overwritten */
    BLOCKS_MAXIMUM = 4096,
};

/* What the server has promised about a block's data. */
enum block_state {
    BLOCK_UNKNOWN,   /* no promise, for example while the WRITE is in flight */
    BLOCK_UNSTABLE,  /* answered without FILE_SYNC; a restart (new verifier) may lose the data */
    BLOCK_SYNC,      /* written, and answered with FILE_SYNC */
    BLOCK_COMMITTED, /* written, and committed with the same verifier */
};

/* What is wrong with a block whose data were called stable. */
enum block_fault {
    BLOCK_RIGHT,
    BLOCK_MISSING, /* the READ returned too few bytes or a hole, or the file is gone */
    BLOCK_OLDER,   /* data of a WRITE, to this or another block, before this block's last WRITE */
    BLOCK_OTHER,   /* any other data, also those of a later WRITE to another block */
    BLOCK_FAULTS,
};

struct data_block {
    enum block_state state;
    uint64_t sequence; /* number of the block's last WRITE, from which its data are generated */
    /* position of the block's last WRITE among all WRITEs, in the order in which they were answered
     * or failed, from 1 */
    uint64_t acknowledged;
    uint64_t at_ns;    /* clock_raw_ns() of the last WRITE's answer */
    uint64_t verifier; /* write verifier in the last answer, if STATE is BLOCK_UNSTABLE */
    unsigned reading;  /* number of READs of the block in flight */
    /* WRITING: a WRITE is in flight. TO_CHECK: the block's stable data must be read, for example
     * because of a gap since they were last read. */
    bool writing, to_check;
};

struct block_loss {
    enum block_fault fault;
    /* state that the server had acknowledged: BLOCK_SYNC or BLOCK_COMMITTED */
    enum block_state state;
    uint64_t at_ns; /* clock_raw_ns() when the WRITE was answered */
};

typedef void blocks_observer(void *context, const struct block_loss *loss);

struct blocks {
    struct data_block *block;
    /* COUNT: blocks in use. NEXT_WRITE, NEXT_READ: index where the next search begins. */
    size_t count, next_write, next_read;
    uint32_t size; /* size of a block in bytes; a multiple of 8 */
    /* SEED: seed of all blocks' data. SEQUENCE: number of the last WRITE, from 1. ACKNOWLEDGEMENTS:
     * number of WRITEs that were answered or failed. */
    uint64_t seed, sequence, acknowledgements;
    /* number of blocks, over all restarts, whose unstable data may be lost, which is allowed */
    uint64_t uncommitted;
    blocks_observer *observer;
    void *context; /* argument for the observer */
};

/* Set up BLOCKS of SIZE bytes each, whose data depend on SEED. OBSERVER is called with CONTEXT for
 * each loss. Returns 0 or -ENOMEM. */
int blocks_open(struct blocks *blocks, uint32_t size, uint64_t seed, blocks_observer *observer,
                void *context);
void blocks_close(struct blocks *blocks);

/* Generate the data of WRITE number SEQUENCE, one block, in DATA. */
void blocks_make_data(const struct blocks *blocks, uint64_t sequence, uint8_t *data);

/* Choose the block of the next WRITE and number the WRITE. Returns the block's index; -1 if all
 * BLOCKS_MAXIMUM blocks have a call in flight or must be checked. */
long blocks_begin_write(struct blocks *blocks);

/* Record that the WRITE of block INDEX was answered at NOW_NS (clock_raw_ns()) with VERIFIER, or
 * failed (STATE is BLOCK_UNKNOWN, VERIFIER 0). The block is then in STATE. */
void blocks_end_write(struct blocks *blocks, size_t index, enum block_state state,
                      uint64_t verifier, uint64_t now_ns);

/* Record that a COMMIT was answered with VERIFIER. ACKNOWLEDGEMENTS is the member's value when the
 * COMMIT was sent. Unstable blocks acknowledged by then are committed if they have VERIFIER, else
 * unknown. */
void blocks_commit(struct blocks *blocks, uint64_t acknowledgements, uint64_t verifier);

/* Choose the next block to READ: one to check, else a stable one. Returns its index; -1: none. */
long blocks_begin_read(struct blocks *blocks);

/* Record that the READ of block INDEX was answered with LENGTH bytes of DATA (NULL: none, so the
 * answer shows nothing). IS_SURE: the right file was read. If the data are wrong and IS_SURE, the
 * block is lost, and its data are no longer expected. If the data are wrong and not IS_SURE, the
 * block is checked again. Returns what is wrong; BLOCK_RIGHT also if DATA is NULL or the block has
 * no stable data. */
enum block_fault blocks_end_read(struct blocks *blocks, size_t index, const uint8_t *data,
                                 size_t length, bool is_sure);

/* Forget blocks whose WRITEs were answered after SINCE_NS: they may be in another file. */
void blocks_forget_since(struct blocks *blocks, uint64_t since_ns);

/* Mark all stable data to be checked. */
void blocks_check_again(struct blocks *blocks);

/* Return the index of the next block after INDEX whose data were called stable, or -1 if there is
 * none. INDEX is -1 for the search to begin at the first block. */
long blocks_next_stable(const struct blocks *blocks, long index);

/* Record that the file is gone, so all stable data are lost. Returns the number of lost blocks. */
uint64_t blocks_lose_all(struct blocks *blocks);

size_t blocks_unchecked(const struct blocks *blocks);
