#include "explain/decryption.h"

#include <errno.h>

#include "common/memory.h"
#include "measure/timestamp.h"

int decryptions_add(struct decryptions *decryptions, struct decryption decryption)
{
    struct decryption *list = array_grow(decryptions->list, decryptions->count,
                                         &decryptions->capacity, 256, sizeof *list);

    if (!list)
        return -ENOMEM;
    decryptions->list = list;
    list[decryptions->count++] = decryption;
    return 0;
}

/* The part of the decryptions that comes before AT. */
static uint64_t spent_before(const struct decryption *list, size_t count, uint64_t at)
{
    uint64_t spent = 0;

    for (size_t i = 0; i < count && list[i].from < at; i++)
        spent += (list[i].until < at ? list[i].until : at) - list[i].from;
    return spent;
}

void decryption_gather(uint64_t *at, const struct decryption *list, size_t count)
{
    for (int i = TIMESTAMP_BEGUN; i <= TIMESTAMP_REPLY_READ; i++)
        at[i] -= spent_before(list, count, at[i]);
}
