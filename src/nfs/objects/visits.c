#include "nfs/objects/visits.h"

#include <errno.h>
#include <stdlib.h>

bool nfs_visit_has_length(const struct nfs_visit_ranges *ranges, uint32_t length)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->lengths[i].bytes == length)
            return true;
    return false;
}

static double sum_of_weights(const struct nfs_visit_ranges *ranges)
{
    double sum = 0;

    for (size_t i = 0; i < ranges->count; i++)
        sum += ranges->lengths[i].weight;
    return sum;
}

double nfs_visit_mean_length(const struct nfs_visit_ranges *ranges)
{
    double sum = 0;

    for (size_t i = 0; i < ranges->count; i++)
        sum += ranges->lengths[i].bytes * ranges->lengths[i].weight;
    return sum / sum_of_weights(ranges);
}

static const struct nfs_visit_ranges *ranges_of(const struct nfs_visits *visits,
                                                enum nfs_transfer transfer)
{
    const struct nfs_visit_ranges *ranges = transfer == NFS_TRANSFER_READ    ? &visits->reads
                                            : transfer == NFS_TRANSFER_WRITE ? &visits->writes
                                                                             : NULL;

    return ranges && ranges->count ? ranges : NULL;
}

int nfs_visitor_begin(struct nfs_visitor *visitor, const struct nfs_visits *visits,
                      enum nfs_transfer transfer, uint32_t files, uint64_t file_size,
                      uint32_t usual, uint64_t seed)
{
    *visitor = (struct nfs_visitor){.visits = visits,
                                    .ranges = ranges_of(visits, transfer),
                                    .files = files,
                                    .usual = usual,
                                    .file_size = file_size};
    random_seed(&visitor->random, seed);
    if (visits->exponent > 0)
        random_zipf_begin(&visitor->zipf, files, visits->exponent);
    visitor->next = calloc(files, sizeof *visitor->next);
    return visitor->next ? 0 : -ENOMEM;
}

void nfs_visitor_end(struct nfs_visitor *visitor)
{
    free(visitor->next);
    *visitor = (struct nfs_visitor){.visits = NULL};
}

size_t nfs_visitor_lengths(const struct nfs_visitor *visitor)
{
    return visitor->ranges ? visitor->ranges->count : 1;
}

uint32_t nfs_visitor_length(const struct nfs_visitor *visitor, size_t number)
{
    return visitor->ranges ? visitor->ranges->lengths[number].bytes : visitor->usual;
}

/* Return a random number from 0 to LIMIT (exclusive). */
static double draw_below(struct random *random, double limit)
{
    return (double)(random_next(random) >> 11) * 0x1p-53 * limit;
}

static size_t draw_length(struct nfs_visitor *visitor)
{
    double left;
    size_t i = 0;

    if (!visitor->ranges)
        return 0;
    left = draw_below(&visitor->random, sum_of_weights(visitor->ranges));
    while (i + 1 < visitor->ranges->count && left >= visitor->ranges->lengths[i].weight)
        left -= visitor->ranges->lengths[i++].weight;
    return i;
}

static uint32_t draw_file(struct nfs_visitor *visitor)
{
    if (visitor->visits->exponent > 0)
        return (uint32_t)random_zipf_next(&visitor->zipf, &visitor->random) - 1;
    return random_below(&visitor->random, visitor->files);
}

/* Draw whether a visit of LENGTH bytes to FILE begins where the previous visit ended. If it should,
 * but FILE has too few bytes left, a later visit is sequential instead, so that the share of
 * sequential visits stays as captured. */
static bool is_sequential(struct nfs_visitor *visitor, uint32_t file, uint32_t length)
{
    bool wanted = visitor->ranges && random_chance(&visitor->random, visitor->ranges->sequential);
    bool possible = visitor->next[file] + length <= visitor->file_size;

    if (wanted && !possible)
        visitor->owed++;
    if (wanted || visitor->owed == 0 || !possible)
        return wanted && possible;
    visitor->owed--;
    return true;
}

/* Draw a random offset for a visit of LENGTH bytes to FILE: a multiple of LENGTH and, if FILE has
 * several, not the end of the previous visit. */
static uint64_t draw_offset(struct nfs_visitor *visitor, uint32_t file, uint32_t length)
{
    uint64_t count = length && length < visitor->file_size ? visitor->file_size / length : 1;
    uint64_t offset = random_below_64(&visitor->random, count) * length;

    return offset == visitor->next[file] ? (offset / (length ? length : 1) + 1) % count * length
                                         : offset;
}

struct nfs_place nfs_visitor_next(struct nfs_visitor *visitor, size_t *number)
{
    struct nfs_place place = {.file = draw_file(visitor)};

    *number = draw_length(visitor);
    place.length = nfs_visitor_length(visitor, *number);
    place.offset = is_sequential(visitor, place.file, place.length)
                       ? visitor->next[place.file]
                       : draw_offset(visitor, place.file, place.length);
    visitor->next[place.file] = place.offset + place.length;
    return place;
}
