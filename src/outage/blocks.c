#include "outage/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

int blocks_open(struct blocks *blocks, uint32_t size, uint64_t seed, blocks_observer *observer,
                void *context)
{
    *blocks = (struct blocks){.size = size, .seed = seed, .observer = observer, .context = context};
    blocks->block = calloc(BLOCKS_MAXIMUM, sizeof *blocks->block);
    return blocks->block ? 0 : -ENOMEM;
}

void blocks_close(struct blocks *blocks)
{
    free(blocks->block);
    blocks->block = NULL;
}

static bool is_stable(const struct data_block *block)
{
    return block->state == BLOCK_SYNC || block->state == BLOCK_COMMITTED;
}

/* Return the index of the first block from *NEXT on, cyclically, for which FIT is true, and set
 * *NEXT to the index after it. Returns -1 if there is none. */
static long find_block(const struct blocks *blocks, size_t *next,
                       bool (*fit)(const struct data_block *block))
{
    for (size_t i = 0; i < blocks->count; i++) {
        size_t index = (*next + i) % blocks->count;

        if (!fit(&blocks->block[index]))
            continue;
        *next = index + 1;
        return (long)index;
    }
    return -1;
}

/* Return word AT of the data of WRITE number SEQUENCE. Word 0 is SEQUENCE, which identifies older
 * data. The other words depend on SEQUENCE, AT and the seed of BLOCKS. */
static uint64_t word_at(const struct blocks *blocks, uint64_t sequence, size_t at)
{
    return at == 0 ? sequence : random_mix(blocks->seed ^ (sequence << 20) ^ at);
}

void blocks_make_data(const struct blocks *blocks, uint64_t sequence, uint8_t *data)
{
    for (size_t i = 0; i < blocks->size / sizeof(uint64_t); i++) {
        uint64_t word = word_at(blocks, sequence, i);

        memcpy(data + i * sizeof word, &word, sizeof word);
    }
}

static bool holds(const struct blocks *blocks, uint64_t sequence, const uint8_t *data)
{
    for (size_t i = 0; i < blocks->size / sizeof(uint64_t); i++) {
        uint64_t word = word_at(blocks, sequence, i);

        if (memcmp(data + i * sizeof word, &word, sizeof word) != 0)
            return false;
    }
    return true;
}

/* Writing */

static bool may_be_written(const struct data_block *block)
{
    return !block->writing && block->reading == 0 && !block->to_check;
}

/* Return the index of the next block to write: a new block if there are fewer than BLOCKS_USUAL,
 * else the next one, cyclically, that may be overwritten. If none may be overwritten, return a new
 * block if there are fewer than BLOCKS_MAXIMUM, else -1. */
static long find_writable(struct blocks *blocks)
{
    long index =
        blocks->count < BLOCKS_USUAL ? -1 : find_block(blocks, &blocks->next_write, may_be_written);

    return index < 0 && blocks->count < BLOCKS_MAXIMUM ? (long)blocks->count++ : index;
}

long blocks_begin_write(struct blocks *blocks)
{
    long index = find_writable(blocks);

    if (index < 0)
        return -1;
    blocks->block[index] = (struct data_block){.sequence = ++blocks->sequence, .writing = true};
    return index;
}

void blocks_end_write(struct blocks *blocks, size_t index, enum block_state state,
                      uint64_t verifier, uint64_t now_ns)
{
    struct data_block *block = &blocks->block[index];

    block->writing = false;
    block->state = state;
    block->verifier = verifier;
    block->at_ns = now_ns;
    block->acknowledged = ++blocks->acknowledgements;
}

void blocks_commit(struct blocks *blocks, uint64_t acknowledgements, uint64_t verifier)
{
    for (size_t i = 0; i < blocks->count; i++) {
        struct data_block *block = &blocks->block[i];

        if (block->state != BLOCK_UNSTABLE || block->acknowledged > acknowledgements)
            continue;
        if (block->verifier == verifier) {
            block->state = BLOCK_COMMITTED;
        } else { /* the server may have lost the data; the kernel's client would resend the WRITE */
            block->state = BLOCK_UNKNOWN;
            blocks->uncommitted++;
        }
    }
}

/* Reading */

static bool is_to_check(const struct data_block *block)
{
    return block->to_check && is_stable(block);
}

long blocks_begin_read(struct blocks *blocks)
{
    long index = find_block(blocks, &blocks->next_read, is_to_check);

    if (index < 0)
        index = find_block(blocks, &blocks->next_read, is_stable);
    if (index >= 0)
        blocks->block[index].reading++;
    return index;
}

static enum block_fault find_fault(const struct blocks *blocks, const struct data_block *block,
                                   const uint8_t *data, size_t length)
{
    uint64_t sequence;

    if (length < blocks->size)
        return BLOCK_MISSING;
    if (holds(blocks, block->sequence, data))
        return BLOCK_RIGHT;
    memcpy(&sequence, data, sizeof sequence);
    if (sequence == 0) /* the block is a hole, because WRITEs are numbered from 1 */
        return BLOCK_MISSING;
    return sequence < block->sequence && holds(blocks, sequence, data) ? BLOCK_OLDER : BLOCK_OTHER;
}

static void lose_block(const struct blocks *blocks, struct data_block *block,
                       enum block_fault fault)
{
    const struct block_loss loss = {.fault = fault, .state = block->state, .at_ns = block->at_ns};

    block->state = BLOCK_UNKNOWN;
    block->to_check = false;
    blocks->observer(blocks->context, &loss);
}

enum block_fault blocks_end_read(struct blocks *blocks, size_t index, const uint8_t *data,
                                 size_t length, bool is_sure)
{
    struct data_block *block = &blocks->block[index];
    enum block_fault fault;

    if (block->reading > 0)
        block->reading--;
    if (!data || !is_stable(block))
        return BLOCK_RIGHT;
    fault = find_fault(blocks, block, data, length);
    block->to_check = fault != BLOCK_RIGHT;
    if (fault != BLOCK_RIGHT && is_sure)
        lose_block(blocks, block, fault);
    return fault;
}

void blocks_forget_since(struct blocks *blocks, uint64_t since_ns)
{
    for (size_t i = 0; i < blocks->count; i++) {
        struct data_block *block = &blocks->block[i];

        if (block->at_ns <= since_ns)
            continue;
        block->state = BLOCK_UNKNOWN;
        block->to_check = false;
    }
}

void blocks_check_again(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++)
        blocks->block[i].to_check = is_stable(&blocks->block[i]);
}

long blocks_next_stable(const struct blocks *blocks, long index)
{
    for (size_t i = (size_t)(index + 1); i < blocks->count; i++)
        if (is_stable(&blocks->block[i]))
            return (long)i;
    return -1;
}

uint64_t blocks_lose_all(struct blocks *blocks)
{
    uint64_t count = 0;

    for (long i = -1; (i = blocks_next_stable(blocks, i)) >= 0; count++)
        lose_block(blocks, &blocks->block[i], BLOCK_MISSING);
    return count;
}

size_t blocks_unchecked(const struct blocks *blocks)
{
    size_t count = 0;

    for (size_t i = 0; i < blocks->count; i++)
        count += blocks->block[i].to_check;
    return count;
}
