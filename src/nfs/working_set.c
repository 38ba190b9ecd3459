#include "nfs/working_set.h"

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return limit > 0 && value > limit ? limit : value;
}

/* One at least: where a call takes nothing, or more than there is. */
static uint64_t blocks_in(uint64_t size, uint32_t length)
{
    return length > 0 && size >= length ? size / length : 1;
}

/* The files of the set, or the file that was found. */
static uint64_t count_files(const struct nfs_objects *objects)
{
    uint64_t files = objects->files ? objects->files->count : 1;

    return at_most(files, objects->working_set.extent.files);
}

/* Where each is to be visited once, less the first, which set-up has read. */
static void lay_blocks_of_file(struct nfs_places *places, const struct nfs_objects *objects)
{
    uint64_t size = objects->file_size; /* the server's word */

    places->per_file = blocks_in(size > places->first ? size - places->first : 0, places->length);
    if (objects->working_set.once && places->per_file > 1) {
        places->first += places->length;
        places->per_file--;
    }
}

/* READ reads the file that was found, where there is no file set; what other procedures change has
 * one place then. */
static void lay_ranges(struct nfs_places *places, const struct nfs_procedure *procedure,
                       const struct nfs_objects *objects)
{
    bool reads = procedure->transfer == NFS_TRANSFER_READ;

    places->length = reads ? objects->read.count : objects->write.count;
    places->first = reads && !objects->files ? objects->read.offset : 0;
    places->per_file = 1;
    if (objects->files)
        places->per_file = blocks_in(objects->files->size, places->length);
    else if (reads)
        lay_blocks_of_file(places, objects);
    places->count = places->per_file * count_files(objects);
    if (objects->working_set.extent.bytes)
        places->count =
            at_most(places->count, blocks_in(objects->working_set.extent.bytes, places->length));
}

/* As many files as hold the working set's bytes. */
static void lay_files(struct nfs_places *places, const struct nfs_objects *objects)
{
    uint64_t bytes = objects->working_set.extent.bytes;

    places->per_file = 1;
    places->count = count_files(objects);
    if (bytes && objects->files)
        places->count =
            at_most(places->count, (bytes + objects->files->size - 1) / objects->files->size);
}

static bool has_places(const struct nfs_procedure *procedure, const struct nfs_objects *objects)
{
    const struct nfs_working_set *set;

    if (!objects || procedure->places == NFS_PLACES_NONE)
        return false;
    set = &objects->working_set;
    if (set->pattern.kind == PATTERN_SAME)
        return false;
    return !procedure->varies || (objects->files && set->chosen);
}

void nfs_places_begin(struct nfs_places *places, const struct nfs_procedure *procedure,
                      const struct nfs_objects *objects)
{
    const struct pattern same = {.kind = PATTERN_SAME};
    uint64_t seed = 0;

    *places = (struct nfs_places){.count = 1, .per_file = 1};
    if (objects && procedure->places == NFS_PLACES_RANGES)
        lay_ranges(places, procedure, objects);
    else if (objects && procedure->places != NFS_PLACES_NONE)
        lay_files(places, objects);
    if (!has_places(procedure, objects))
        places->count = 1;
    else
        seed = objects->working_set.seed + procedure->rpc.number;
    pattern_begin(&places->order, places->count > 1 ? &objects->working_set.pattern : &same,
                  places->count, seed, objects && objects->working_set.once);
}

struct nfs_place nfs_places_at(const struct nfs_places *places, uint64_t number)
{
    return (struct nfs_place){.file = (uint32_t)(number / places->per_file),
                              .offset = places->first +
                                        number % places->per_file * (uint64_t)places->length};
}

struct nfs_place nfs_places_next(struct nfs_places *places)
{
    places->drawn++;
    return nfs_places_at(places, pattern_next(&places->order));
}
