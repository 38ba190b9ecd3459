#include "common/hash.h"

#include <endian.h>
#include <string.h>

#include "common/random.h"

struct hash_key hash_new_key(void)
{
    return (struct hash_key){{random_system_seed(), random_system_seed()}};
}

static uint64_t rotate(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void mix_state(uint64_t state[4])
{
    state[0] += state[1];
    state[2] += state[3];
    state[1] = rotate(state[1], 13) ^ state[0];
    state[3] = rotate(state[3], 16) ^ state[2];
    state[0] = rotate(state[0], 32) + state[3];
    state[2] += state[1];
    state[3] = rotate(state[3], 21) ^ state[0];
    state[1] = rotate(state[1], 17) ^ state[2];
    state[2] = rotate(state[2], 32);
}

static void absorb(uint64_t state[4], uint64_t word)
{
    state[3] ^= word;
    mix_state(state);
    state[0] ^= word;
}

static uint64_t load_word(const uint8_t *bytes, size_t length)
{
    uint64_t word = 0;

    memcpy(&word, bytes, length);
    return le64toh(word);
}

uint64_t hash_bytes(const struct hash_key *key, const void *data, size_t length)
{
    const uint8_t *bytes = data;
    /* SipHash's constants, which are the text "somepseudorandomlygeneratedbytes" */
    uint64_t state[4] = {key->words[0] ^ 0x736f6d6570736575, key->words[1] ^ 0x646f72616e646f6d,
                         key->words[0] ^ 0x6c7967656e657261, key->words[1] ^ 0x7465646279746573};
    size_t left = length;

    for (; left >= 8; left -= 8, bytes += 8)
        absorb(state, load_word(bytes, 8));
    absorb(state, (left ? load_word(bytes, left) : 0) | (uint64_t)length << 56);
    state[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        mix_state(state);
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}
