#include "nfs/objects/working_set.h"

#include "nfs/objects/tree.h"

static uint64_t limited_to(uint64_t value, uint64_t limit)
{
    return limit > 0 && value > limit ? limit : value;
}

/* Return the number of blocks of LENGTH bytes in SIZE bytes, at least 1. */
static uint64_t blocks_in(uint64_t size, uint32_t length)
{
    return length > 0 && size >= length ? size / length : 1;
}

/* Return the number of objects of KIND in the file set, but no more than the extent's files; 1 if
 * the file set has no such objects. */
static uint64_t count_objects(const struct nfs_objects *objects, enum nfs_places_kind kind)
{
    uint64_t count = nfs_file_set_handles(objects, kind).count;

    return limited_to(count ? count : 1, objects->working_set.extent.files);
}

static const struct nfs_tree *tree_of(const struct nfs_objects *objects)
{
    return objects->files ? objects->files->tree : NULL;
}

/* Set the places in the only file. If each place is used once, leave out the first of several
 * places, because set-up has read it. */
static void lay_blocks_of_file(struct nfs_places *places, const struct nfs_objects *objects)
{
    uint64_t size = objects->file_size;

    places->per_file = blocks_in(size > places->first ? size - places->first : 0, places->length);
    if (objects->working_set.once && places->per_file > 1) {
        places->first += places->length;
        places->per_file--;
    }
}

/* Set the places in the files of TREE, which has only files of the working set. */
static void lay_tree(struct nfs_places *places, const struct nfs_tree *tree)
{
    places->begins = tree->blocks;
    places->files = tree->files.count;
    places->count = tree->blocks[places->files] ? tree->blocks[places->files] : 1;
}

/* Set the places of a procedure that works on ranges. Without a file set, READ reads the file that
 * was found, and other procedures have one place. */
static void lay_ranges(struct nfs_places *places, const struct nfs_procedure *procedure,
                       const struct nfs_objects *objects)
{
    bool reads = procedure->transfer == NFS_TRANSFER_READ;

    places->length = reads ? objects->read.count : objects->write.count;
    places->first = reads && !objects->files ? objects->read.offset : 0;
    places->per_file = 1;
    if (tree_of(objects)) {
        lay_tree(places, tree_of(objects));
        return;
    }
    if (objects->files)
        places->per_file = blocks_in(objects->files->size, places->length);
    else if (reads)
        lay_blocks_of_file(places, objects);
    places->count = places->per_file * count_objects(objects, procedure->places);
    if (objects->working_set.extent.bytes)
        places->count =
            limited_to(places->count, blocks_in(objects->working_set.extent.bytes, places->length));
}

/* Set the places of a procedure that takes a handle or a name: the objects within the extent. */
static void lay_files(struct nfs_places *places, enum nfs_places_kind kind,
                      const struct nfs_objects *objects)
{
    uint64_t bytes = objects->working_set.extent.bytes;

    places->per_file = 1;
    places->count = count_objects(objects, kind);
    if (bytes && objects->files && !objects->files->tree)
        places->count =
            limited_to(places->count, (bytes + objects->files->size - 1) / objects->files->size);
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
        lay_files(places, procedure->places, objects);
    if (!has_places(procedure, objects)) {
        places->count = 1;
    } else {
        seed = objects->working_set.seed + procedure->rpc.number;
        places->visits = objects->files ? objects->working_set.visits : NULL;
    }
    pattern_begin(&places->order, places->count > 1 ? &objects->working_set.pattern : &same,
                  places->count, seed, objects && objects->working_set.once);
}

/* Return the file of place NUMBER: the last file whose first place is at most NUMBER. A file
 * without blocks has the same first place as the next file. */
static size_t file_of(const struct nfs_places *places, uint64_t number)
{
    size_t low = 0, high = places->files;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (places->begins[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct nfs_place nfs_places_at(const struct nfs_places *places, uint64_t number)
{
    if (places->begins) {
        size_t file = file_of(places, number);

        return (struct nfs_place){.file = (uint32_t)file,
                                  .offset = (number - places->begins[file]) * places->length};
    }
    /* For the first file, avoid the divisions below, which take most of this function's time. */
    if (number < places->per_file)
        return (struct nfs_place){.offset = places->first + number * places->length};
    return (struct nfs_place){.file = (uint32_t)(number / places->per_file),
                              .offset = places->first +
                                        number % places->per_file * (uint64_t)places->length};
}

struct nfs_place nfs_places_next(struct nfs_places *places)
{
    places->drawn++;
    return nfs_places_at(places, pattern_next(&places->order));
}
