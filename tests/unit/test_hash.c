/* The keyed hash, compared with known values of OpenSSL's SIPHASH MAC (c-rounds 1, d-rounds 3). */
#include "test.h"

#include "common/hash.h"

TEST_CASE(known)
{
    const struct hash_key key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
    uint8_t bytes[64];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    assert_true(hash_bytes(&key, bytes, 0) == UINT64_C(0xabac0158050fc4dc));
    assert_true(hash_bytes(&key, bytes, 1) == UINT64_C(0xc9f49bf37d57ca93));
    assert_true(hash_bytes(&key, bytes, 7) == UINT64_C(0xd3927d989bb11140));
    assert_true(hash_bytes(&key, bytes, 8) == UINT64_C(0x369095118d299a8e));
    assert_true(hash_bytes(&key, bytes, 9) == UINT64_C(0x25a48eb36c063de4));
    assert_true(hash_bytes(&key, bytes, 15) == UINT64_C(0xd320d86d2a519956));
    assert_true(hash_bytes(&key, bytes, 16) == UINT64_C(0xcc4fdd1a7d908b66));
    assert_true(hash_bytes(&key, bytes, 63) == UINT64_C(0x9d199062b7bbb3a8));
}

TEST_CASE(key_matters)
{
    struct hash_key one = hash_new_key(), two = hash_new_key();

    assert_int_not_equal(hash_bytes(&one, "name", 4), hash_bytes(&two, "name", 4));
    assert_int_equal(hash_bytes(&one, "name", 4), hash_bytes(&one, "name", 4));
    assert_int_not_equal(hash_bytes(&one, "name", 4), hash_bytes(&one, "name\0", 5));
}
