#include "nfs/call_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/objects/tree.h"
#include "rpc/message.h"

/* Objects */

static size_t object_length(const struct nfs_call_places *places, uint32_t file)
{
    const struct nfs_handle_table *handles = &places->handles;

    if (places->rows)
        return places->row_lengths[file];
    return handles->count ? nfs_handle_at(handles, file)->length : places->objects->file.length;
}

static const void *object_table(const struct nfs_call_places *places, size_t *stride)
{
    *stride = places->rows ? places->row_stride : places->handles.stride;
    if (places->rows)
        return places->rows;
    return places->handles.count ? places->handles.first->bytes : places->objects->file.bytes;
}

static uint32_t count_files(const struct nfs_places *places)
{
    if (places->begins)
        return (uint32_t)places->files;
    return (uint32_t)((places->count - 1) / places->per_file) + 1;
}

static uint16_t encode_name(const struct nfs_objects *objects, uint32_t file,
                            uint8_t row[NAME_ROW_MAXIMUM])
{
    const struct nfs_handle *directory = nfs_file_set_directory(objects, file);
    const char *name = nfs_file_set_name(objects, file);
    struct wire_writer writer = wire_writer(row, NAME_ROW_MAXIMUM);

    wire_put_opaque(&writer, directory->bytes, directory->length);
    wire_put_opaque(&writer, name, strlen(name));
    return (uint16_t)(writer.at - row);
}

/* Encode each file's directory and name as a row, and set the stride. Returns 0 or -ENOMEM. */
static int encode_names(struct nfs_call_places *places)
{
    uint32_t count = count_files(&places->places);
    uint8_t row[NAME_ROW_MAXIMUM];

    places->row_lengths = calloc(count, sizeof *places->row_lengths);
    for (uint32_t i = 0; places->row_lengths && i < count; i++) {
        places->row_lengths[i] = encode_name(places->objects, i, row);
        if (places->row_stride < places->row_lengths[i])
            places->row_stride = places->row_lengths[i];
    }
    places->rows = calloc(count, places->row_stride ? places->row_stride : 1);
    if (!places->row_lengths || !places->rows)
        return -ENOMEM;
    for (uint32_t i = 0; i < count; i++)
        memcpy(places->rows + i * places->row_stride, row, encode_name(places->objects, i, row));
    return 0;
}

/* Messages */

/* Number the different lengths that the objects have. Returns the number of different lengths. */
static size_t group_by_length(struct nfs_call_places *places)
{
    size_t messages = 0;

    memset(places->message_of, 0xff, sizeof places->message_of);
    for (uint32_t file = 0; file < count_files(&places->places); file++) {
        uint32_t *message = &places->message_of[object_length(places, file)];

        if (*message != UINT32_MAX)
            continue;
        *message = (uint32_t)messages;
        places->file_of[messages++] = file;
    }
    return messages;
}

static int begin_visitor(struct nfs_call_places *places, const struct nfs_procedure *procedure)
{
    const struct nfs_objects *objects = places->objects;

    if (!places->places.visits)
        return 0;
    return nfs_visitor_begin(&places->visitor, places->places.visits, procedure->transfer,
                             count_files(&places->places), objects->files->size,
                             places->places.length,
                             objects->working_set.seed + procedure->rpc.number);
}

/* Return the number of consecutive messages for each length of an object: the number of captured
 * lengths of data, or 1 without captured lengths. */
static size_t count_lengths(const struct nfs_call_places *places)
{
    return places->visitor.visits ? nfs_visitor_lengths(&places->visitor) : 1;
}

size_t nfs_call_places_begin(struct nfs_call_places *places, const struct nfs_procedure *procedure,
                             const struct nfs_objects *objects)
{
    *places = (struct nfs_call_places){.objects = objects};
    nfs_places_begin(&places->places, procedure, objects);
    places->differ = places->places.count > 1 || places->places.visits;
    if (!places->differ)
        return 1;
    places->handles = nfs_file_set_handles(objects, procedure->places);
    if (procedure->places == NFS_PLACES_NAMES && encode_names(places) != 0)
        return 0;
    if (begin_visitor(places, procedure) != 0)
        return 0;
    return group_by_length(places) * count_lengths(places);
}

void nfs_call_places_free(struct nfs_call_places *places)
{
    nfs_visitor_end(&places->visitor);
    free(places->patches);
    free(places->drawn);
    free(places->rows);
    free(places->row_lengths);
    places->patches = NULL;
    places->rows = NULL;
    places->row_lengths = NULL;
    places->drawn = NULL;
    places->room = 0;
}

static uint32_t length_of_message(const struct nfs_call_places *places, size_t index)
{
    if (!places->visitor.visits)
        return 0;
    return nfs_visitor_length(&places->visitor, index % nfs_visitor_lengths(&places->visitor));
}

struct nfs_place nfs_call_places_of_message(const struct nfs_call_places *places, size_t index)
{
    size_t lengths = count_lengths(places);

    return (struct nfs_place){.file = places->file_of[index / lengths],
                              .length = length_of_message(places, index),
                              .offset = places->places.first};
}

static size_t reader_offset(const struct wire_reader *reader, const struct channel_message *message)
{
    return (size_t)(reader->at - message->bytes);
}

/* Skip an XDR opaque or string. Returns its bytes' offset in MESSAGE; *LENGTH is their number. */
static size_t skip_opaque(struct wire_reader *reader, const struct channel_message *message,
                          size_t *length)
{
    size_t at = reader_offset(reader, message) + 4;
    uint32_t found;

    wire_get_opaque(reader, NFS3_NAME_MAXIMUM, &found);
    *length = found;
    return at;
}

/* Extend PATCH's object, a directory's handle, by the XDR length before the handle and by the name
 * after the handle. */
static void skip_name(struct wire_reader *reader, const struct channel_message *message,
                      struct engine_patch *patch)
{
    size_t length;

    patch->object_at -= 4;
    skip_opaque(reader, message, &length);
    patch->object_length = reader_offset(reader, message) - patch->object_at;
}

static void locate_place(const struct nfs_call_places *places, enum nfs_places_kind kind,
                         const struct channel_message *message, struct engine_patch *patch)
{
    struct wire_reader reader = wire_reader(message->bytes + RPC_RECORD_MARK_SIZE, message->length);
    struct rpc_call_header header;

    rpc_call_decode(&reader, &header);
    patch->objects = object_table(places, &patch->stride);
    patch->object_at = skip_opaque(&reader, message, &patch->object_length);
    if (kind == NFS_PLACES_NAMES)
        skip_name(&reader, message, patch);
    patch->end = reader_offset(&reader, message);
    if (kind == NFS_PLACES_RANGES) {
        patch->offset_at = patch->end;
        patch->end += sizeof(uint64_t);
    }
    if (!places->rows && !places->handles.count)
        patch->object_length = 0; /* all calls use the file that the message contains */
}

int nfs_call_places_locate(struct nfs_call_places *places, enum nfs_places_kind kind,
                           struct channel_message *messages, size_t count)
{
    if (!places->differ)
        return 0;
    places->patches = calloc(count, sizeof *places->patches);
    if (!places->patches)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        locate_place(places, kind, &messages[i], &places->patches[i]);
        messages[i].patch = &places->patches[i];
    }
    return 0;
}

/* Drawing */

static double bytes_at(const struct nfs_call_places *places, const struct nfs_place *place)
{
    const struct nfs_tree *tree = places->objects->files->tree;
    uint64_t left = tree->sizes[place->file] - place->offset, length = places->places.length;

    return (double)(left < length ? left : length);
}

static void count_bytes(struct nfs_call_places *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct nfs_place place = nfs_call_places_drawn(places, i);

        places->drawn_bytes += bytes_at(places, &place);
        if (places->places.drawn == count && i == 0)
            places->tried_bytes = places->drawn_bytes;
    }
}

/* Set the message of each of COUNT drawn places: the message encoded for the length of the place's
 * object. With a single file, all places have message 0 already. */
static void choose_messages(struct nfs_call_places *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        places->drawn[i].message =
            places->message_of[object_length(places, places->drawn[i].object)];
}

double nfs_call_places_mean_bytes(const struct nfs_call_places *places)
{
    const struct nfs_visit_ranges *ranges = places->visitor.ranges;
    struct nfs_place first;

    if (ranges)
        return nfs_visit_mean_length(ranges);
    if (places->places.drawn > 0)
        return places->drawn_bytes / (double)places->places.drawn;
    if (!places->places.begins)
        return 0;
    first = nfs_places_at(&places->places, 0);
    return bytes_at(places, &first);
}

/* Draw COUNT visits. Each visit uses the message encoded for the lengths of its object and data. */
static void draw_visits(struct nfs_call_places *places, size_t count)
{
    size_t lengths = count_lengths(places), number;

    for (size_t i = 0; i < count; i++) {
        struct nfs_place place = nfs_visitor_next(&places->visitor, &number);
        uint32_t message = places->message_of[object_length(places, place.file)];

        places->drawn[i] = (struct engine_place){.offset = place.offset,
                                                 .object = place.file,
                                                 .message = (uint32_t)(message * lengths + number)};
    }
}

int nfs_call_places_draw(struct nfs_call_places *places, size_t count)
{
    if (!places->differ)
        return 0;
    if (array_reserve(&places->drawn, &places->room, count, sizeof *places->drawn) != 0)
        return -ENOMEM;
    if (places->visitor.visits) {
        draw_visits(places, count);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct nfs_place place = nfs_places_next(&places->places);

        places->drawn[i] = (struct engine_place){.offset = place.offset, .object = place.file};
    }
    if (places->places.begins)
        count_bytes(places, count);
    if (count_files(&places->places) > 1)
        choose_messages(places, count);
    return 0;
}

struct nfs_place nfs_call_places_drawn(const struct nfs_call_places *places, size_t number)
{
    const struct engine_place *drawn = &places->drawn[number];

    return (struct nfs_place){.file = drawn->object,
                              .length = length_of_message(places, drawn->message),
                              .offset = drawn->offset};
}
