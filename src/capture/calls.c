#include "capture/calls.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"

enum { NONE = 0 };

/* Entries are used in turn, and numbered from 1 on. */
struct entry {
    struct captured_call call;
    uint32_t chained;
};

struct calls {
    struct hash_key hash_key;
    uint32_t count; /* of entries, and of buckets */
    uint64_t added; /* calls: the last one's entry is this number, less the rounds before it */
    uint64_t seen;  /* of these, how many have been answered or given up */
    uint32_t *buckets;
    struct entry entries[];
};

struct calls *calls_open(uint32_t count)
{
    struct calls *calls = calloc(1, sizeof *calls + (count + 1) * sizeof calls->entries[0]);

    if (!calls)
        return NULL;
    calls->hash_key = hash_new_key();
    calls->count = count;
    calls->buckets = calloc(count, sizeof *calls->buckets);
    if (calls->buckets)
        return calls;
    free(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    if (calls)
        free(calls->buckets);
    free(calls);
}

static uint32_t *bucket_of(struct calls *calls, const struct call_name *name)
{
    return &calls->buckets[hash_bytes(&calls->hash_key, name, sizeof *name) % calls->count];
}

static bool is_same(const struct call_name *a, const struct call_name *b)
{
    return a->flow == b->flow && a->xid == b->xid && a->side == b->side;
}

static struct captured_call *find(struct calls *calls, const struct call_name *name)
{
    uint32_t index = *bucket_of(calls, name);

    while (index != NONE && !is_same(&calls->entries[index].call.name, name))
        index = calls->entries[index].chained;
    return index == NONE ? NULL : &calls->entries[index].call;
}

/* The entry of the call after the first ADDED. */
static uint32_t entry_after(const struct calls *calls, uint64_t added)
{
    return (uint32_t)(added % calls->count) + 1;
}

/* Take the oldest entry out of its chain. */
static uint32_t free_oldest(struct calls *calls)
{
    uint32_t oldest = entry_after(calls, calls->added++), *place;

    if (calls->entries[oldest].call.name.flow == 0)
        return oldest;
    place = bucket_of(calls, &calls->entries[oldest].call.name);
    while (*place != oldest)
        place = &calls->entries[*place].chained;
    *place = calls->entries[oldest].chained;
    return oldest;
}

static bool is_again(const struct captured_call *known, const struct captured_call *call)
{
    return known->program == call->program && known->version == call->version &&
           known->procedure == call->procedure && known->length == call->length;
}

bool calls_add(struct calls *calls, const struct captured_call *call)
{
    struct captured_call *known = find(calls, &call->name);
    uint32_t index, *bucket;

    if (known) {
        bool again = is_again(known, call);

        if (!again)
            *known = *call;
        return !again;
    }
    index = free_oldest(calls);
    bucket = bucket_of(calls, &call->name);
    calls->entries[index] = (struct entry){.call = *call, .chained = *bucket};
    *bucket = index;
    return true;
}

struct captured_call *calls_give_up(struct calls *calls, uint64_t before)
{
    while (calls->seen < calls->added) {
        struct captured_call *call = &calls->entries[entry_after(calls, calls->seen)].call;

        if (call->time >= before && calls->added - calls->seen < calls->count)
            return NULL;
        calls->seen++;
        call->given_up = !call->answered;
        if (call->given_up)
            return call;
    }
    return NULL;
}

struct captured_call *calls_answer(struct calls *calls, const struct call_name *name,
                                   bool *answered)
{
    struct captured_call *call = find(calls, name);

    if (!call)
        return NULL;
    *answered = call->answered;
    call->answered = true;
    return call;
}
