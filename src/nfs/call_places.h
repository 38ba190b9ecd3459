/* Calls of one procedure that differ only in their places (struct nfs_place). There is one encoded
 * message for each length of an object (a handle or a name). If READs or WRITEs have captured
 * lengths, there is one for each pair of an object's length and a data length. The engine writes
 * the bytes of a call's place into the message. */
#pragma once

#include "engine/engine.h"
#include "nfs/objects/visits.h"
#include "nfs/objects/working_set.h"

/* Maximum length of a directory's handle and a name after XDR encoding, in bytes. */
enum { NAME_ROW_MAXIMUM = 4 + NFS_HANDLE_MAXIMUM + 4 + NFS_NAME_SIZE };

struct nfs_call_places {
    struct nfs_places places;
    /* there are several places, or visits; false: of the members below, only OBJECTS is used */
    bool differ;
    struct nfs_visitor visitor; /* draws the places if visits (nfs/objects/visits.h) are used */
    const struct nfs_objects *objects;
    /* The objects of the places: handles, or rows of a directory's handle and a name, encoded. If
     * there are neither, all places are in objects->file. Row I begins at ROWS + I * ROW_STRIDE and
     * has ROW_LENGTHS[I] bytes. */
    struct nfs_handle_table handles;
    uint8_t *rows; /* encoded directory and name of each object; NULL if the objects are handles */
    uint16_t *row_lengths;
    size_t row_stride;
    struct engine_patch *patches; /* for each message, the offsets where a place is written */
    /* index: length of an object. Value: position of this length, from 0, in the order in which
     * lengths first occur; UINT32_MAX if no object has this length. */
    uint32_t message_of[NAME_ROW_MAXIMUM + 1];
    /* index: value of MESSAGE_OF. Value: the first file whose object has this length. */
    uint32_t file_of[NAME_ROW_MAXIMUM + 1];
    struct engine_place *drawn; /* the places of the calls of a block */
    size_t room;                /* number of elements allocated in DRAWN */
    /* For READs in an existing tree: DRAWN_BYTES is the number of bytes of data at all places drawn
     * so far, TRIED_BYTES the number at the first place drawn. */
    double drawn_bytes, tried_bytes;
};

/* Set up the places of PROCEDURE's calls on OBJECTS. Returns the number of messages that the places
 * need: 1 if there is one place, 0 if there is no memory. */
size_t nfs_call_places_begin(struct nfs_call_places *places, const struct nfs_procedure *procedure,
                             const struct nfs_objects *objects);
void nfs_call_places_free(struct nfs_call_places *places);

/* Return the place that message INDEX is first encoded with. */
struct nfs_place nfs_call_places_of_message(const struct nfs_call_places *places, size_t index);

/* If there are several places, give each of the COUNT encoded MESSAGES a patch: the offsets at
 * which a call's place, of KIND, is written. Returns 0 or -ENOMEM. */
int nfs_call_places_locate(struct nfs_call_places *places, enum nfs_places_kind kind,
                           struct channel_message *messages, size_t count);

/* Draw the places of the next COUNT calls, if `differ`. Returns 0 or -ENOMEM. */
int nfs_call_places_draw(struct nfs_call_places *places, size_t count);

/* Return the mean number of data bytes of a call. With captured lengths, the result is their
 * weighted mean. In an existing tree, it is the mean of the READs drawn so far, or the number of
 * bytes at the first place if none was drawn. Otherwise the result is 0. */
double nfs_call_places_mean_bytes(const struct nfs_call_places *places);

struct nfs_place nfs_call_places_drawn(const struct nfs_call_places *places, size_t number);
