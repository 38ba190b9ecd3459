#include "engine/mounted/operation_data.h"

/* Return the byte at OFFSET of the data with STAMP. The factors are odd and have many bits set, so
 * that bytes of adjacent offsets and stamps usually differ. */
static uint8_t byte_at(size_t offset, uint64_t stamp)
{
    uint64_t mixed =
        (stamp * UINT64_C(0x9e3779b97f4a7c15)) ^ (offset * UINT64_C(0xd6e8feb86659fd93));

    return (uint8_t)(mixed >> 56 ^ mixed >> 24);
}

void operation_data_fill(uint8_t *bytes, size_t size, uint64_t stamp)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = byte_at(i, stamp);
}

bool operation_data_is(const uint8_t *bytes, size_t from, size_t size, uint64_t stamp)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != byte_at(from + i, stamp))
            return false;
    return true;
}
