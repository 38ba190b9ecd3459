/* Calls of one procedure that differ in their places alone. For each length that a handle (or name)
 * has there is a message, and one of them for each length of a visit; the bytes that a place stands
 * for are written into it by the engine. */
#pragma once

#include "engine/engine.h"
#include "nfs/objects/visits.h"
#include "nfs/objects/working_set.h"

/* A directory's handle and a name, as XDR encodes them. */
enum { NAME_ROW_MAXIMUM = 4 + NFS_HANDLE_MAXIMUM + 4 + NFS_NAME_SIZE };

struct nfs_call_places {
    struct nfs_places places;
    bool differ;                /* there is more than one place, and so what follows */
    struct nfs_visitor visitor; /* that draws them; without visits, PLACES does */
    const struct nfs_objects *objects;
    /* Their objects are handles; or names with their directories, encoded: of ROW_LENGTHS each, and
     * from one to the next ROW_STRIDE. */
    struct nfs_handle_table handles;
    uint8_t *rows; /* NULL: handles */
    uint16_t *row_lengths;
    size_t row_stride;
    struct engine_patch *patches;              /* by message */
    uint32_t message_of[NAME_ROW_MAXIMUM + 1]; /* by the length of its object */
    uint32_t file_of[NAME_ROW_MAXIMUM + 1];    /* by such a message: a file with such an object */
    struct engine_place *drawn;                /* for the calls of a block */
    size_t room;                               /* for so many */
    /* Of a tree's READs: the bytes of all places drawn, and of the first. */
    double drawn_bytes, tried_bytes;
};

/* Lay out the places that PROCEDURE's calls on OBJECTS have. Returns the number of messages that
 * they need; 1 where all calls are alike; 0 without memory. */
size_t nfs_call_places_begin(struct nfs_call_places *places, const struct nfs_procedure *procedure,
                             const struct nfs_objects *objects);
void nfs_call_places_free(struct nfs_call_places *places);

/* The place that message INDEX is to be encoded with. */
struct nfs_place nfs_call_places_of_message(const struct nfs_call_places *places, size_t index);

/* Give COUNT encoded MESSAGES of calls of the kind KIND their patches. 0 or -ENOMEM. */
int nfs_call_places_locate(struct nfs_call_places *places, enum nfs_places_kind kind,
                           struct channel_message *messages, size_t count);

/* Draw the places of the next COUNT calls. 0 or -ENOMEM. */
int nfs_call_places_draw(struct nfs_call_places *places, size_t count);

/* The bytes of one visit; or of READs that end with their files: on average. */
double nfs_call_places_mean_bytes(const struct nfs_call_places *places);

/* The place that was drawn for call NUMBER. */
struct nfs_place nfs_call_places_drawn(const struct nfs_call_places *places, size_t number);
