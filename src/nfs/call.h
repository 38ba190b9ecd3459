/* A procedure that is ready to be called repeatedly on the objects of a run. */
#pragma once

#include "engine/channel/rpc_client.h"
#include "engine/engine.h"
#include "nfs/call_places.h"
#include "nfs/listing_findings.h"
#include "nfs/procedures/procedures.h"

/* Lengths of a call and of its reply, in bytes. */
struct nfs_call_lengths {
    double call, reply;
};

struct nfs_verification;

struct nfs_call {
    /* the call as engines see it; its member `context` points to this structure */
    struct engine_call engine;
    const struct nfs_procedure *procedure;
    /* The op of the same NFS procedure whose calls are expected to succeed. Its check() decodes the
     * result if a call that is expected to fail succeeds. */
    const struct nfs_procedure *granted;
    const struct nfs_objects *objects;
    /* the names and the place of each encoded call; engine.variants elements */
    struct nfs_variant *variants;
    struct nfs_call_places places;
    union nfs_arguments *arguments;
    union nfs_result result;
    /* the reply to the first accepted call of nfs_call_try()'s latest try, without the record
     * mark */
    uint8_t *reply;
    size_t reply_length;
    /* REPLY as RPCSEC_GSS protected it; empty without RPCSEC_GSS */
    struct gss_reply sealed;
    /* Numbers of bytes added to the first call and to its reply: SEALING by RPCSEC_GSS, RECORDS by
     * TLS records; 0 if none were added, or if those of TLS are unknown. */
    struct nfs_call_lengths sealing, records;
    /* number of bytes after the result in the latest accepted reply of nfs_call_try() or
     * nfs_call_once(); 0 if the result was not the expected one */
    size_t trailing;
    /* The argument AS of nfs_call_repeat(); NULL without it. The owner of AS sets NULL before it
     * frees AS. */
    const struct nfs_call *repeated_as;
    /* number of calls that the server accepted in the latest try of nfs_call_try(), and in
     * nfs_call_once() since */
    uint64_t tried;
    /* findings about the directories listed by nfs_call_try() */
    struct nfs_listing_findings findings;
    /* state of the verification; NULL if calls are not verified */
    struct nfs_verification *verification;
};

/* Set up CALL, and encode calls of PROCEDURE on the test OBJECTS with the credential of IDENTITY.
 * PROCEDURE, OBJECTS and IDENTITY must outlive CALL. If the calls are spread over several places
 * (struct nfs_place), one call is encoded for each message length that the places need. With a
 * single place, VARIANTS calls are encoded if PROCEDURE `varies`, else one. If the calls are
 * verified and PROCEDURE is `renewed`, only one call is encoded, because each block is encoded
 * anew. Returns 0, or a negative errno with ERROR set. Release CALL with nfs_call_free(), which
 * also accepts a zeroed structure. */
int nfs_call_make(struct nfs_call *call, const struct nfs_procedure *procedure,
                  const struct nfs_objects *objects, const struct identity *identity,
                  size_t variants, struct error *error);
void nfs_call_free(struct nfs_call *call);

/* Let op I of each block of CALL make as many calls as op I of AS's latest block made, so that the
 * two ops can be compared. If the number of calls of op I is unknown, make as many calls as the
 * latest nfs_call_try() of AS. Each op of AS must consist of several calls. Set CALL's
 * `repeated_as` to NULL before AS is freed. Returns 0, or -ENOMEM with ERROR set. */
int nfs_call_repeat(struct nfs_call *call, const struct nfs_call *as, struct error *error);

struct nfs_variant nfs_call_variant(const struct nfs_call *call, size_t number);

/* Return the message of call NUMBER of the block, with the call's place written into it. */
const struct channel_message *nfs_call_message(const struct nfs_call *call, size_t number);

/* Enlarge CALL's arrays of variants, arguments and messages to at least COUNT elements, zero the
 * new elements, and count them in engine.variants. Returns 0 or -ENOMEM. */
int nfs_call_make_room(struct nfs_call *call, size_t count);

/* Draw the places of the next COUNT calls, if there are several places or visits. Returns 0, or
 * -ENOMEM with ERROR set. */
int nfs_call_draw(struct nfs_call *call, size_t count, struct error *error);

/* Return whether CALL needs objects or data that are made before each block, or must be cleared or
 * verified after it. */
bool nfs_call_needs_preparation(const struct nfs_call *call);

/* Return how many of COUNT calls, from the first on, are prepared and cleared. The other calls use
 * these calls' objects. */
size_t nfs_call_count_own(const struct nfs_call *call, size_t count);

/* nfs_call_prepare() draws the places of the next COUNT calls, makes the variants, objects and data
 * that they need, and encodes `renewed` calls that are verified. nfs_call_clear() verifies the
 * effects of COUNT calls, if requested, and removes the objects that they left, or writes lost data
 * again. Neither is timed. Both return 0, or a negative errno with ERROR set; nfs_call_clear()
 * returns -NFS_NOT_AS_WRITTEN (nfs/verify/read_back.h) if effects of acknowledged calls are missing
 * or wrong. */
int nfs_call_prepare(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error);
int nfs_call_clear(const struct nfs_call *call, size_t count, struct rpc_client *client,
                   struct error *error);

/* Return the number of bytes of file data that each call reads or writes; 0 if the procedure has no
 * `transfer`. If captured lengths vary, the result is the mean length; if READs stop at the end of
 * their files, the mean of the READs drawn so far. */
double nfs_call_data_bytes(const struct nfs_call *call);

/* Return the lengths of the first call and of its reply without record marks, but with the bytes
 * that RPCSEC_GSS added. If READs in a tree differ in length, the length of the reply is a mean. */
struct nfs_call_lengths nfs_call_lengths(const struct nfs_call *call);

/* Read the status of CALL's result from READER. Returns the status (0 is NFS3_OK, or a result
 * without a status), or -EBADMSG. */
int nfs_call_status(const struct nfs_call *call, struct wire_reader *reader);

/* Check the result in READER, which is just after the RPC header. CONTEXT is a struct nfs_call.
 * Returns 0, a status other than the expected one, a finding of nfs/status.h, or -EBADMSG. After 0,
 * READER is at the end of the result; more bytes may follow. Safe for untrusted replies. */
int nfs_call_check(const void *context, struct wire_reader *reader);

/* Make call NUMBER of the block once more over CLIENT. Engines may use CALL meanwhile. *STATUS is
 * as in nfs_call_try(). Returns 0, or a negative errno with ERROR set if no answer is usable. */
int nfs_call_once(struct nfs_call *call, size_t number, struct rpc_client *client, int *status,
                  struct error *error);

/* Prepare, make and clear CALL once, before the measurement; repeat the call after NFS3ERR_JUKEBOX.
 * An op that consists of one call is tried up to four times more after an NFS error or a short READ
 * or WRITE, because later calls may succeed. *STATUS is 0, or a status for nfs_status_name().
 * Returns 0, or a negative errno with ERROR set if the first try had no usable answer, or if its
 * preparation or clearing failed; for later tries, only -EINTR and -NFS_NOT_AS_WRITTEN. */
int nfs_call_try(struct nfs_call *call, struct rpc_client *client, int *status,
                 struct error *error);

/* The functions below are used only in nfs/call*.c and nfs/verify. */

struct nfs_place nfs_call_place(const struct nfs_call *call, size_t number);

/* Check the status in RESULT, which an engine's library has decoded, and what the procedure's
 * check_decoded() checks. Returns as nfs_call_check() does. */
int nfs_call_check_decoded(const void *context, const void *result);

/* Return whether the calls are encoded anew for each block: they are if they are verified and their
 * procedure is `renewed`. */
bool nfs_call_is_renewed(const struct nfs_call *call);

/* Set up and encode variant INDEX. Returns 0, or a negative errno with ERROR set. */
int nfs_call_make_variant(struct nfs_call *call, size_t index, struct error *error);

/* Set the ARGUMENTS of call NUMBER of the block. CONTEXT is a struct nfs_call. */
void nfs_call_set_arguments(const void *context, size_t number, void *arguments);
