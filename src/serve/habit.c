#include "serve/habit.h"

#include <string.h>

#include "common/system_clock.h"

/* Names, in the order of the bits of enum habit. */
static const char *const habit_names[] = {
    "no-attributes",   "coarse-times", "no-cache",     "small-cache", "slow-sync",    "always-sync",
    "new-verifier",    "in-order",     "object-locks", "odd-places",  "small-memory", "no-tickets",
    "few-connections", "slow-large",   "small-limits", "slow-mount",  NULL,
};

unsigned habit_find(const char *name)
{
    for (unsigned i = 0; habit_names[i]; i++)
        if (strcmp(habit_names[i], name) == 0)
            return 1u << i;
    return 0;
}

const char *habit_name_at(size_t index)
{
    return index < sizeof habit_names / sizeof *habit_names ? habit_names[index] : NULL;
}

uint64_t habit_reserve(habit_free_at *turn, uint64_t hold_ns)
{
    const uint64_t now = monotonic_ns();
    uint64_t free = atomic_load(turn), end;

    do
        end = (free > now ? free : now) + hold_ns;
    while (!atomic_compare_exchange_weak(turn, &free, end));
    return end - now;
}

bool habit_waits_for_disk(struct habit_memory *memory, uint64_t file, uint64_t piece)
{
    bool found = false, follows;

    pthread_mutex_lock(&memory->lock);
    follows = memory->last.file == file && memory->last.piece + 1 == piece;
    for (size_t i = 0; i < HABIT_PIECES; i++)
        found = found || (memory->pieces[i].file == file && memory->pieces[i].piece == piece);
    memory->last.file = file;
    memory->last.piece = piece;
    if (!found) {
        memory->pieces[memory->next] = memory->last;
        memory->next = (memory->next + 1) % HABIT_PIECES;
    }
    pthread_mutex_unlock(&memory->lock);
    return !found && !follows;
}
