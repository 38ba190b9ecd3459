#include "nfs/call_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/working_set.h"
#include "rpc/message.h"

/* Objects */

static size_t object_length(const struct nfs_call_places *places, uint32_t file)
{
    const struct nfs_file_set *set = places->objects->files;

    if (!set)
        return places->objects->file.length;
    return places->names ? strlen(set->names[file]) : set->handles[file].length;
}

/* The table of objects, and from one to the next. */
static const void *object_table(const struct nfs_call_places *places, size_t *stride)
{
    const struct nfs_file_set *set = places->objects->files;

    *stride = places->names ? sizeof set->names[0] : sizeof set->handles[0];
    if (!set)
        return places->objects->file.bytes;
    return places->names ? set->names[0] : set->handles[0].bytes;
}

static uint32_t count_files(const struct nfs_places *places)
{
    return (uint32_t)((places->count - 1) / places->per_file) + 1;
}

/* Messages */

/* A message for each length; its number. */
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

size_t nfs_call_places_begin(struct nfs_call_places *places, const struct nfs_procedure *procedure,
                             const struct nfs_objects *objects)
{
    *places = (struct nfs_call_places){.objects = objects,
                                       .names = procedure->places == NFS_PLACES_NAMES};
    nfs_places_begin(&places->places, procedure, objects);
    places->differ = places->places.count > 1;
    return places->differ ? group_by_length(places) : 1;
}

void nfs_call_places_free(struct nfs_call_places *places)
{
    free(places->patches);
    free(places->drawn);
    places->patches = NULL;
    places->drawn = NULL;
    places->room = 0;
}

struct nfs_place nfs_call_places_of_message(const struct nfs_call_places *places, size_t index)
{
    return nfs_places_at(&places->places, places->file_of[index] * places->places.per_file);
}

static size_t position(const struct wire_reader *reader, const struct channel_message *message)
{
    return (size_t)(reader->at - message->bytes);
}

/* An XDR opaque or string: where its bytes are, and how many. */
static size_t step_over(struct wire_reader *reader, const struct channel_message *message,
                        size_t *length)
{
    size_t at = position(reader, message) + 4;
    uint32_t found;

    wire_get_opaque(reader, NFS3_NAME_MAXIMUM, &found);
    *length = found;
    return at;
}

static void locate(const struct nfs_call_places *places, enum nfs_places_kind kind,
                   const struct channel_message *message, struct engine_patch *patch)
{
    struct wire_reader reader = wire_reader(message->bytes + RPC_RECORD_MARK_SIZE, message->length);
    struct rpc_call_header header;

    rpc_call_decode(&reader, &header);
    patch->objects = object_table(places, &patch->stride);
    patch->object_at = step_over(&reader, message, &patch->object_length);
    if (kind == NFS_PLACES_NAMES)
        patch->object_at = step_over(&reader, message, &patch->object_length);
    patch->end = position(&reader, message);
    if (kind == NFS_PLACES_RANGES) {
        patch->offset_at = patch->end;
        patch->end += sizeof(uint64_t);
    }
    if (!places->objects->files)
        patch->object_length = 0; /* all calls have the file that is in the message */
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
        locate(places, kind, &messages[i], &places->patches[i]);
        messages[i].patch = &places->patches[i];
    }
    return 0;
}

/* Drawing */

static int make_room(struct nfs_call_places *places, size_t count)
{
    struct engine_place *drawn;

    if (count <= places->room)
        return 0;
    drawn = realloc(places->drawn, count * sizeof *drawn);
    if (!drawn)
        return -ENOMEM;
    places->drawn = drawn;
    places->room = count;
    return 0;
}

int nfs_call_places_draw(struct nfs_call_places *places, size_t count)
{
    if (!places->differ)
        return 0;
    if (make_room(places, count) != 0)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct nfs_place place = nfs_places_next(&places->places);

        places->drawn[i] =
            (struct engine_place){.offset = place.offset,
                                  .object = place.file,
                                  .message = places->message_of[object_length(places, place.file)]};
    }
    return 0;
}

struct nfs_place nfs_call_places_drawn(const struct nfs_call_places *places, size_t number)
{
    return (struct nfs_place){.file = places->drawn[number].object,
                              .offset = places->drawn[number].offset};
}
