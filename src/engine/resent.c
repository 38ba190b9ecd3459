#include "engine/resent.h"

static void merge_overlapping_gap(struct engine_gaps *gaps, size_t index, struct engine_gap *gap)
{
    const struct engine_gap *other = &gaps->longest[index];

    if (other->began < gap->began)
        gap->began = other->began;
    if (other->ended > gap->ended)
        gap->ended = other->ended;
    gap->calls += other->calls;
    gaps->longest[index] = gaps->longest[--gaps->kept];
    gaps->count--;
}

static struct engine_gap *shortest(struct engine_gaps *gaps)
{
    struct engine_gap *found = gaps->longest;

    for (size_t i = 1; i < gaps->kept; i++)
        if (gaps->longest[i].ended - gaps->longest[i].began < found->ended - found->began)
            found = &gaps->longest[i];
    return found;
}

void engine_gaps_keep(struct engine_gaps *gaps, const struct engine_gap *gap)
{
    struct engine_gap *place;

    gaps->count++;
    if (gaps->kept < ENGINE_GAPS_MAXIMUM) {
        gaps->longest[gaps->kept++] = *gap;
        return;
    }
    place = shortest(gaps);
    if (gap->ended - gap->began > place->ended - place->began)
        *place = *gap;
}

static void insert_gap(struct engine_gaps *gaps, struct engine_gap gap)
{
    for (size_t i = gaps->kept; i-- > 0;)
        if (gaps->longest[i].began <= gap.ended && gap.began <= gaps->longest[i].ended)
            merge_overlapping_gap(gaps, i, &gap);
    engine_gaps_keep(gaps, &gap);
}

void engine_gaps_note(struct engine_gaps *gaps, uint64_t began, uint64_t ended)
{
    insert_gap(gaps, (struct engine_gap){.began = began, .ended = ended, .calls = 1});
}

void engine_gaps_add(struct engine_gaps *sum, const struct engine_gaps *added)
{
    for (size_t i = 0; i < added->kept; i++)
        insert_gap(sum, added->longest[i]);
    sum->count += added->count - added->kept;
}
