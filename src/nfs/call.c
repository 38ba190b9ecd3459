#include "nfs/call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/client.h"
#include "nfs/objects/working_set.h"
#include "nfs/procedures/entry.h"
#include "nfs/status.h"
#include "nfs/verify/read_back.h"
#include "nfs/verify/verification.h"

static int out_of_memory(size_t calls, struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for %zu calls", calls);
}

static int allocate_variants(struct nfs_call *call, size_t count, struct error *error)
{
    call->engine.variants = count;
    call->engine.messages = calloc(count, sizeof *call->engine.messages);
    call->variants = calloc(count, sizeof *call->variants);
    call->arguments = calloc(count, sizeof *call->arguments);
    if (call->engine.messages && call->variants && call->arguments)
        return 0;
    nfs_call_free(call);
    return out_of_memory(count, error);
}

static int set_sequence(struct nfs_call *call, const struct engine_sequence *sequence,
                        struct error *error)
{
    if (!sequence)
        return 0;
    call->engine.sequence = sequence;
    call->engine.sequence_state = sequence->open(call);
    return call->engine.sequence_state ? 0 : out_of_memory(1, error);
}

int nfs_call_repeat(struct nfs_call *call, const struct nfs_call *as, struct error *error)
{
    call->repeated_as = as;
    return set_sequence(call, &nfs_sequence_repeated, error);
}

int nfs_call_make(struct nfs_call *call, const struct nfs_procedure *procedure,
                  const struct nfs_objects *objects, const struct identity *identity,
                  size_t variants, struct error *error)
{
    const bool verified = nfs_verify_has(procedure, objects);
    /* each call of a block is encoded anew */
    const bool renewed = verified && procedure->renewed;
    size_t messages;
    int code;

    memset(call, 0, sizeof *call);
    messages = nfs_call_places_begin(&call->places, procedure, objects);
    if (messages == 0) {
        nfs_call_places_free(&call->places);
        return out_of_memory(1, error);
    }
    if (procedure->varies && !call->places.differ)
        messages = variants;
    code = allocate_variants(call, renewed ? 1 : messages, error);
    if (code)
        return code;
    call->procedure = procedure;
    call->granted = nfs_procedure_succeeding(procedure);
    call->objects = objects;
    call->engine.procedure = &procedure->rpc;
    call->engine.identity = identity;
    call->engine.check = nfs_call_check;
    call->engine.status = nfs_call_check_decoded;
    call->engine.context = call;
    call->engine.compared =
        procedure->has_verifier && objects->verifier ? &objects->verifier->value : NULL;
    call->engine.arguments = call->arguments;
    call->engine.arguments_size = sizeof *call->arguments;
    call->engine.fill_arguments = nfs_call_set_arguments;
    call->engine.result = &call->result;
    for (size_t i = 0; i < call->engine.variants && code == 0; i++)
        code = nfs_call_make_variant(call, i, error);
    if (code == 0 && verified && nfs_verify_open(call) != 0)
        code = out_of_memory(1, error);
    if (code == 0 && !renewed &&
        nfs_call_places_locate(&call->places, procedure->places, call->engine.messages,
                               call->engine.variants) != 0)
        code = out_of_memory(call->engine.variants, error);
    if (code == 0)
        code = set_sequence(call, procedure->sequence, error);
    if (code)
        nfs_call_free(call);
    return code;
}

static void free_sealed(struct nfs_call *call)
{
    free((void *)(uintptr_t)call->sealed.bytes);
    call->sealed.bytes = NULL;
}

void nfs_call_free(struct nfs_call *call)
{
    for (size_t i = 0; call->engine.messages && i < call->engine.variants; i++)
        free(call->engine.messages[i].bytes);
    free(call->engine.messages);
    free(call->variants);
    free(call->arguments);
    free(call->reply);
    free_sealed(call);
    if (call->engine.sequence_state)
        call->engine.sequence->close(call->engine.sequence_state);
    call->engine.sequence_state = NULL;
    nfs_call_places_free(&call->places);
    nfs_verify_close(call);
    call->engine.places = NULL;
    call->engine.messages = NULL;
    call->variants = NULL;
    call->arguments = NULL;
    call->reply = NULL;
}

/* Make a variant for each of COUNT calls, if each needs a different name or range. Does nothing if
 * calls have different places, or if each call is encoded anew. Returns 0, or a negative errno with
 * ERROR set. */
static int make_variants(struct nfs_call *call, size_t count, struct error *error)
{
    const size_t had = call->engine.variants;
    int code = 0;

    if (count <= had || !call->procedure->varies || call->places.differ ||
        nfs_call_is_renewed(call))
        return 0;
    if (nfs_call_make_room(call, count) != 0)
        return out_of_memory(count, error);
    for (size_t i = had; i < count && code == 0; i++)
        code = nfs_call_make_variant(call, i, error);
    return code;
}

size_t nfs_call_count_own(const struct nfs_call *call, size_t count)
{
    if (call->places.differ)
        return call->procedure->varies ? count : 1;
    return count < call->engine.variants ? count : call->engine.variants;
}

int nfs_call_draw(struct nfs_call *call, size_t count, struct error *error)
{
    /* do not write engine.places in this case, because other threads may read it */
    if (!call->places.differ)
        return 0;
    if (nfs_call_places_draw(&call->places, count) != 0)
        return out_of_memory(count, error);
    call->engine.places = call->places.drawn;
    return 0;
}

bool nfs_call_needs_preparation(const struct nfs_call *call)
{
    return call->procedure->prepare || call->procedure->clear || call->verification;
}

int nfs_call_prepare(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error)
{
    int code = nfs_call_draw(call, count, error);

    if (code == 0)
        code = make_variants(call, count, error);
    if (code == 0 && call->verification)
        code = nfs_verify_begin(call, count, client, error);
    for (size_t i = 0; code == 0 && call->procedure->prepare && i < nfs_call_count_own(call, count);
         i++) {
        const struct nfs_variant variant = nfs_call_variant(call, i);

        code = call->procedure->prepare(call->objects, &variant, client, error);
    }
    return code || !call->verification ? code : nfs_verify_encode(call, count, error);
}

int nfs_call_clear(const struct nfs_call *call, size_t count, struct rpc_client *client,
                   struct error *error)
{
    int code = call->verification ? nfs_verify_effects(call, count, client, error) : 0;

    for (size_t i = 0; code == 0 && call->procedure->clear && i < nfs_call_count_own(call, count);
         i++) {
        const struct nfs_variant variant = nfs_call_variant(call, i);

        code = call->procedure->clear(call->objects, &variant, client, error);
    }
    return code;
}

double nfs_call_data_bytes(const struct nfs_call *call)
{
    if (call->places.visitor.ranges)
        return nfs_call_places_mean_bytes(&call->places);
    switch (call->procedure->transfer) {
    case NFS_TRANSFER_READ:
        return call->objects->read.to_end ? nfs_call_places_mean_bytes(&call->places)
                                          : call->objects->read.expected;
    case NFS_TRANSFER_WRITE:
        return call->objects->write.expected;
    default:
        return 0;
    }
}

struct nfs_call_lengths nfs_call_lengths(const struct nfs_call *call)
{
    double reply = (double)call->reply_length;

    if (call->procedure->transfer == NFS_TRANSFER_READ && call->places.drawn_bytes != 0)
        reply += nfs_call_places_mean_bytes(&call->places) - call->places.tried_bytes;
    return (struct nfs_call_lengths){(double)call->engine.messages[0].length + call->sealing.call,
                                     reply + call->sealing.reply};
}

static int keep_sealed(struct nfs_call *call, const struct gss_reply *sealed)
{
    uint8_t *copy = sealed->bytes ? malloc(sealed->length) : NULL;

    free_sealed(call);
    call->sealed = *sealed;
    call->sealed.bytes = copy ? memcpy(copy, sealed->bytes, sealed->length) : NULL;
    return sealed->bytes && !copy ? -ENOMEM : 0;
}

/* Copy REPLY, the reply to MESSAGE, into CALL, and set CALL's members `sealing` and `records`.
 * ON_WIRE contains the bytes that TLS sent for the call and received for the reply; 0 without TLS
 * or if unknown. */
static int keep_reply(struct nfs_call *call, const struct channel_message *message,
                      const struct rpc_client_reply *reply, const struct nfs_call_lengths *on_wire,
                      struct error *error)
{
    /* TLS messages have marks, because TLS runs over TCP */
    const double mark = RPC_RECORD_MARK_SIZE;
    uint8_t *copy = realloc(call->reply, reply->length);

    if (copy) {
        call->reply = memcpy(copy, reply->bytes, reply->length);
        call->reply_length = reply->length;
    }
    if (!copy || keep_sealed(call, &reply->sealed) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a reply");
    call->sealing = call->records = (struct nfs_call_lengths){0};
    if (reply->sealed.bytes)
        call->sealing =
            (struct nfs_call_lengths){(double)reply->sealed.call_length - (double)message->length,
                                      (double)reply->sealed.length - (double)reply->length};
    if (on_wire->call > 0)
        call->records = (struct nfs_call_lengths){
            on_wire->call - (double)message->length - call->sealing.call - mark,
            on_wire->reply - (double)reply->length - call->sealing.reply - mark};
    return 0;
}

static int check_tried(struct nfs_call *call, uint32_t tag, struct wire_reader *results)
{
    const struct engine_call *engine = &call->engine;

    return engine->sequence ? engine->sequence->take(engine->sequence_state, tag, results)
                            : nfs_call_check(call, results);
}

/* Make the call in MESSAGE, and check its result. *STATUS and the return value are those of
 * nfs_call_once(). TAG is the call's number in the block or, if the op consists of several calls,
 * the tag that the sequence gave the call. */
static int try_message(struct nfs_call *call, const struct channel_message *message, uint32_t tag,
                       struct rpc_client *client, int *status, struct error *error)
{
    struct rpc_client_reply reply = {.length = 0};
    struct nfs_call_lengths on_wire = {0};
    uint64_t sent, received, sent_then, received_then;
    bool known = channel_tls_bytes(rpc_client_channel(client), &sent, &received);
    int code = rpc_client_exchange(client, &call->procedure->rpc, message, &reply, error);

    if (known && channel_tls_bytes(rpc_client_channel(client), &sent_then, &received_then))
        on_wire = (struct nfs_call_lengths){(double)(sent_then - sent),
                                            (double)(received_then - received)};
    *status = 0;
    if (code && reply.header.outcome != RPC_OUTCOME_SUCCESS) {
        *status = -(int)reply.header.outcome; /* the server answered, although with an RPC error */
        return 0;
    }
    if (code == 0 && call->tried++ == 0)
        code = keep_reply(call, message, &reply, &on_wire, error);
    if (code)
        return code;
    *status = check_tried(call, tag, &reply.results);
    *status = engine_verify_reply(&call->engine, tag, reply.bytes, reply.length, *status);
    if (*status == -EBADMSG)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the result of %s can't be decoded (RPC_CANTDECODERES): it is cut short "
                         "or does not follow RFC 1813",
                         call->procedure->rpc.name);
    call->trailing = *status == 0 ? wire_left(&reply.results) : 0;
    if (call->trailing > 0 && call->engine.strict)
        return rpc_client_refuse_trailing(&call->procedure->rpc, call->trailing, error);
    return 0;
}

/* Pass CLIENT a copy of the message, because CLIENT writes into it while engines may read it. */
int nfs_call_once(struct nfs_call *call, size_t number, struct rpc_client *client, int *status,
                  struct error *error)
{
    struct channel_message message = *engine_message(&call->engine, number);
    const size_t size = RPC_RECORD_MARK_SIZE + message.length;
    uint8_t *copy = malloc(size);
    int code;

    if (!copy)
        return out_of_memory(1, error);
    message.bytes = memcpy(copy, message.bytes, size);
    if (call->engine.places)
        engine_patch_write(message.patch, &call->engine.places[number], copy);
    code = try_message(call, &message, (uint32_t)number, client, status, error);
    free(copy);
    return code;
}

static int try_sequence(struct nfs_call *call, struct rpc_client *client, int *status,
                        struct error *error)
{
    const struct engine_sequence *sequence = call->engine.sequence;
    void *state = call->engine.sequence_state;
    const struct channel_message *message;
    uint32_t tag;
    int code = 0;

    sequence->begin(state, 0);
    while (code == 0 && *status == 0 && (message = sequence->next(state, &tag)))
        code = try_message(call, message, tag, client, status, error);
    return code;
}

static int try_prepared(struct nfs_call *call, struct rpc_client *client, int *status,
                        struct error *error)
{
    *status = 0;
    call->tried = 0;
    return call->engine.sequence
               ? try_sequence(call, client, status, error)
               : try_message(call, nfs_call_message(call, 0), 0, client, status, error);
}

/* From now on, examine the listings of CALL's op, and store findings in FINDINGS; if FINDINGS is
 * NULL, stop examining. */
static void examine_listings(const struct nfs_call *call, struct nfs_listing_findings *findings)
{
    if (call->engine.sequence && call->engine.sequence->examine)
        call->engine.sequence->examine(call->engine.sequence_state, findings);
}

/* An error before the measurement may be temporary. So an op's call is tried up to TRIES times, and
 * so is the clean-up after each try. A try repeats its call after NFS3ERR_JUKEBOX. */
enum { TRIES = 5 };

static int try_once(struct nfs_call *call, struct rpc_client *client, int *status,
                    struct error *error)
{
    int code = nfs_call_prepare(call, 1, client, error);

    examine_listings(call, &call->findings);
    if (code == 0)
        code = try_prepared(call, client, status, error);
    for (int i = 1;
         i < NFS_JUKEBOX_TRIES && code == 0 && *status == NFS3ERR_JUKEBOX && nfs_pause(client); i++)
        code = try_prepared(call, client, status, error);
    examine_listings(call, NULL);
    if (code)
        return code;
    code = nfs_call_clear(call, 1, client, error);
    for (int i = 1; i < TRIES && code == -EIO; i++)
        code = nfs_call_clear(call, 1, client, error);
    return code;
}

/* Return whether CALL is tried again after STATUS: only after an NFS error or a short READ or
 * WRITE. An op of several calls is not tried again, because it may take long. */
static bool may_pass(const struct nfs_call *call, int status)
{
    return status > 0 && !call->engine.sequence &&
           (status <= NFS_SHORT_READ || status == NFS_SHORT_WRITE);
}

int nfs_call_try(struct nfs_call *call, struct rpc_client *client, int *status, struct error *error)
{
    int code = try_once(call, client, status, error);

    for (int i = 1; i < TRIES && code == 0 && may_pass(call, *status); i++) {
        struct error of_another;
        int another, again = try_once(call, client, &another, &of_another);

        if (again == -EINTR || again == -NFS_NOT_AS_WRITTEN) {
            *error = of_another;
            return again;
        }
        if (again) /* the earlier *STATUS says more than this error */
            break;
        *status = another;
    }
    return code;
}
