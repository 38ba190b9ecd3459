/* What a probe has written to its file: which block holds which data, and what the server has said
 * of them. Data that it has called stable must be there until they are overwritten, whatever
 * happens to the server; those that are not are lost. This module knows nothing of calls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BLOCKS_USUAL = 64,     /* WRITEs go round so many blocks */
    BLOCKS_MAXIMUM = 4096, /* as long as the others have to be checked, there are more */
};

/* What the server has said of a block's data. */
enum block_state {
    BLOCK_UNKNOWN,   /* nothing: the WRITE is under way, or has failed */
    BLOCK_UNSTABLE,  /* written; they may be gone after a restart, which the verifier shows */
    BLOCK_SYNC,      /* written to stable storage */
    BLOCK_COMMITTED, /* written, and committed while the verifier was the same */
};

/* What is wrong with the data of a block that was called stable. */
enum block_fault {
    BLOCK_RIGHT,   /* nothing */
    BLOCK_MISSING, /* they, or the file that had them, are not there */
    BLOCK_OLDER,   /* data that were there before */
    BLOCK_OTHER,   /* data that were never written there */
    BLOCK_FAULTS,
};

struct data_block {
    enum block_state state;
    uint64_t sequence;      /* the number of the WRITE, from which its data are made */
    uint64_t acknowledged;  /* the number of its acknowledgement */
    uint64_t at_ns;         /* when that came */
    uint64_t verifier;      /* with BLOCK_UNSTABLE */
    unsigned reading;       /* READs under way */
    bool writing, to_check; /* TO_CHECK: there was a gap since it was read, or written */
};

/* A block that was found to be lost. */
struct block_loss {
    enum block_fault fault;
    enum block_state state; /* what the server had called it: BLOCK_SYNC or BLOCK_COMMITTED */
    uint64_t at_ns;         /* when it did */
};

typedef void blocks_observer(void *context, const struct block_loss *loss);

struct blocks {
    struct data_block *block;
    size_t count, next_write, next_read;
    uint32_t size; /* bytes in each; a multiple of 8 */
    uint64_t seed, sequence, acknowledgements;
    uint64_t uncommitted; /* blocks whose unstable data a restart took, as it may */
    blocks_observer *observer;
    void *context; /* of the observer */
};

/* Each loss is reported to OBSERVER. Returns 0 or -ENOMEM. */
int blocks_open(struct blocks *blocks, uint32_t size, uint64_t seed, blocks_observer *observer,
                void *context);
void blocks_close(struct blocks *blocks);

/* The SIZE bytes of WRITE number SEQUENCE, to DATA. */
void blocks_fill(const struct blocks *blocks, uint64_t sequence, uint8_t *data);

/* Choose the block of the next WRITE, and number it. Returns the block's index; -1 if each is in
 * use or has still to be checked. */
long blocks_begin_write(struct blocks *blocks);

/* The WRITE was answered at NOW_NS: its data are STATE, with VERIFIER. */
void blocks_end_write(struct blocks *blocks, size_t index, enum block_state state,
                      uint64_t verifier, uint64_t now_ns);

/* A COMMIT of the whole file was answered with VERIFIER; it was sent after so many
 * ACKNOWLEDGEMENTS. */
void blocks_commit(struct blocks *blocks, uint64_t acknowledgements, uint64_t verifier);

/* Choose the block of the next READ, one of those to be checked first. Returns its index, or -1. */
long blocks_begin_read(struct blocks *blocks);

/* The READ was answered by LENGTH bytes of DATA (NULL: by none, which says nothing). If they are
 * not those of the block and IS_SURE says that it was the file that was read, the block is lost,
 * and no longer expected to have them; otherwise it is to be checked again. Returns what is wrong.
 */
enum block_fault blocks_end_read(struct blocks *blocks, size_t index, const uint8_t *data,
                                 size_t length, bool is_sure);

/* WRITEs that were answered after SINCE_NS may have gone to another file: nothing is known of their
 * blocks. */
void blocks_forget_since(struct blocks *blocks, uint64_t since_ns);

/* There was a gap: all stable data are to be checked. */
void blocks_check_again(struct blocks *blocks);

/* The next block after INDEX (-1: the first) whose data were called stable, or -1. */
long blocks_next_stable(const struct blocks *blocks, long index);

/* All stable data are lost, since the file is gone. Returns the number of blocks. */
uint64_t blocks_lose_all(struct blocks *blocks);

/* How many are still to be checked. */
size_t blocks_unchecked(const struct blocks *blocks);
