/* A procedure, ready to be called over and over on a run's objects. */
#pragma once

#include "engine/channel/rpc_client.h"
#include "engine/engine.h"
#include "nfs/call_places.h"
#include "nfs/listing_findings.h"
#include "nfs/procedures/procedures.h"

/* Bytes of a call and of its reply. */
struct nfs_call_lengths {
    double call, reply;
};

struct nfs_verification;

struct nfs_call {
    struct engine_call engine; /* what engines take; its context is this structure */
    const struct nfs_procedure *procedure;
    const struct nfs_procedure *granted; /* the same, where PROCEDURE is to be refused: one that is
                                          * not (nfs_procedure_granted()) */
    const struct nfs_objects *objects;
    struct nfs_variant *variants; /* as many as the engine's */
    struct nfs_call_places places;
    union nfs_arguments *arguments;
    union nfs_result result;
    uint8_t *reply; /* the reply message of the first call, from its xid on */
    size_t reply_length;
    struct gss_reply sealed; /* the same reply as it came, if it was protected */
    /* By how much RPCSEC_GSS lengthened that call and its reply, and TLS's records both of these
     * then, bytes. Without them 0. */
    struct nfs_call_lengths sealing, records;
    size_t trailing; /* bytes after the end of the result that the trial brought */
    const struct nfs_call *repeated_as; /* what nfs_call_repeat() was given; NULL: nothing, or it
                                         * is gone */
    uint64_t tried;                     /* how many calls the op was when it was tried */
    struct nfs_listing_findings
        findings; /* of the directories that were listed when it was tried */
    struct nfs_verification *verification; /* nfs/verify/verify.h; NULL: nothing is verified */
};

/* Encode calls of PROCEDURE on the test OBJECTS as IDENTITY, all of which must outlive them: so
 * many VARIANTS of a procedure whose calls need something of their own, else as few as their places
 * need. 0, or a negative errno with ERROR set.
 * Release it with nfs_call_free(); a zeroed one may be freed, too. */
int nfs_call_make(struct nfs_call *call, const struct nfs_procedure *procedure,
                  const struct nfs_objects *objects, const struct identity *identity,
                  size_t variants, struct error *error);
void nfs_call_free(struct nfs_call *call);

/* Have CALL's op be as many calls, one after the other, as that of AS, which has several and must
 * outlive it: what AS is compared with. Returns 0, or -ENOMEM with ERROR set. */
int nfs_call_repeat(struct nfs_call *call, const struct nfs_call *as, struct error *error);

/* The variant that call NUMBER of the block is. */
struct nfs_variant nfs_call_variant(const struct nfs_call *call, size_t number);

/* The message of call NUMBER of a block, with its place written into it. */
const struct channel_message *nfs_call_message(const struct nfs_call *call, size_t number);

/* Give CALL room for COUNT messages; new messages are zeroed. Returns 0 or -ENOMEM. */
int nfs_call_make_room(struct nfs_call *call, size_t count);

/* Draw the places of the next COUNT calls. Returns 0, or -ENOMEM with ERROR set. */
int nfs_call_draw(struct nfs_call *call, size_t count, struct error *error);

/* Do CALL's calls need objects that are made before each block, or leave some to be removed or
 * verified? */
bool nfs_call_needs_preparation(const struct nfs_call *call);

/* How many of COUNT calls have an object of their own, and are prepared and cleared up after each
 * by itself; the others share the first call's. */
size_t nfs_call_count_own(const struct nfs_call *call, size_t count);

/* Draw the places of the next COUNT calls, and prepare what they need; or remove what they left,
 * once it is verified; untimed. Returns 0, or a negative errno with ERROR set: -NFS_NOT_AS_WRITTEN
 * (nfs/verify/read_back.h) if the server does not have what it acknowledged. */
int nfs_call_prepare(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);
int nfs_call_clear(const struct nfs_call *call, size_t count, struct rpc_client *client,
                   struct error *error);

/* Bytes of file data that each call reads or writes; of READs that end with their files, the mean
 * of those that were drawn. */
double nfs_call_data_bytes(const struct nfs_call *call);

/* Bytes of its messages as RPC has them, protected by RPCSEC_GSS where they are, without record
 * marks; of replies the mean where READs differ. */
struct nfs_call_lengths nfs_call_lengths(const struct nfs_call *call);

/* The status of CALL's result in READER, which is then after it: 0, more than 0, or -EBADMSG. */
int nfs_call_status(const struct nfs_call *call, struct wire_reader *reader);

/* Is the result in READER, from after the RPC header, whole and well formed? Returns 0, its status
 * when that is not NFS3_OK, a finding of nfs/status.h, or -EBADMSG. CONTEXT is a struct nfs_call.
 * Where it is 0, READER is at the result's end; there may be more bytes. For replies that cannot be
 * trusted; never reads past the end. */
int nfs_call_check(const void *context, struct wire_reader *reader);

/* Make call NUMBER of the block once more, over CLIENT, while engines use CALL. *STATUS and the
 * return value are as below. */
int nfs_call_once(struct nfs_call *call, size_t number, struct rpc_client *client, int *status,
                  struct error *error);

/* Make the call once, untimed, before the measurement, with what it needs; a few times more if it
 * is answered by an error of NFS, which may be one that only some calls get. *STATUS is 0 or the
 * error status that the server gave (as nfs_status_name() takes it). Returns 0, or a negative errno
 * with ERROR set when there was no usable answer. */
int nfs_call_try(struct nfs_call *call, struct rpc_client *client, int *status,
                 struct error *error);

/* Between the files of a call */

/* The place of call NUMBER of the block. */
struct nfs_place nfs_call_place(const struct nfs_call *call, size_t number);

/* As nfs_call_check(), for a RESULT that an engine's library has decoded. */
int nfs_call_check_decoded(const void *context, const void *result);

/* Is each call of a block encoded for itself? */
bool nfs_call_is_renewed(const struct nfs_call *call);

/* Make variant INDEX, and encode it. Returns 0, or a negative errno with ERROR set. */
int nfs_call_make_variant(struct nfs_call *call, size_t index, struct error *error);

/* Fill in the ARGUMENTS of call NUMBER of the block. CONTEXT is a struct nfs_call. */
void nfs_call_fill_arguments(const void *context, size_t number, void *arguments);
