/* Checks of a call's results; its variants, messages and places. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/call.h"
#include "nfs/objects/file_set.h"
#include "nfs/status.h"
#include "nfs/verify/verification.h"

/* Results */

int nfs_call_status(const struct nfs_call *call, struct wire_reader *reader)
{
    uint32_t status = call->procedure->without_status ? NFS3_OK : wire_get_u32(reader);

    return reader->failed || status > INT32_MAX ? -EBADMSG : (int)status;
}

/* CALL was expected to fail but succeeded. Check that the result in READER is well formed. Returns
 * NFS_NOT_REFUSED, or -EBADMSG if the result is malformed. */
static int check_not_refused(const struct nfs_call *call, struct wire_reader *reader)
{
    call->granted->check(reader, call->objects);
    return reader->failed ? -EBADMSG : NFS_NOT_REFUSED;
}

int nfs_call_check(const void *context, struct wire_reader *reader)
{
    const struct nfs_call *call = context;
    int status, finding;

    if (!call->procedure->check)
        return 0;
    status = nfs_call_status(call, reader);
    if (status == 0 && call->procedure->refusal)
        return check_not_refused(call, reader);
    if (status != call->procedure->refusal)
        return status;
    finding = call->procedure->check(reader, call->objects);
    return reader->failed ? -EBADMSG : finding;
}

int nfs_call_check_decoded(const void *context, const void *result)
{
    const struct nfs_call *call = context;
    const struct nfs_procedure *procedure = call->procedure;
    const union nfs_result *decoded = result;
    int status =
        procedure->check && !procedure->without_status ? (int)decoded->status : procedure->refusal;

    if (status < 0)
        return -EBADMSG;
    if (status != procedure->refusal)
        return status ? status : NFS_NOT_REFUSED;
    return procedure->check_decoded ? procedure->check_decoded(decoded, call->objects) : 0;
}

/* Variants and messages */

static struct nfs_place place_of_variant(const struct nfs_call *call, size_t index)
{
    const struct nfs_objects *objects = call->objects;

    if (call->places.differ)
        return nfs_call_places_of_message(&call->places, index);
    if (call->procedure->varies && objects && objects->files)
        return (struct nfs_place){.file = (uint32_t)(index % objects->files->count)};
    return nfs_places_at(&call->places.places, 0);
}

int nfs_call_make_variant(struct nfs_call *call, size_t index, struct error *error)
{
    const struct nfs_procedure *procedure = call->procedure;
    struct nfs_variant *variant = &call->variants[index];

    variant->index = (unsigned)index;
    snprintf(variant->name, sizeof variant->name, "%s-%08zu", procedure->op, index);
    snprintf(variant->new_name, sizeof variant->new_name, "%s-to-%08zu", procedure->op, index);
    variant->placed = call->places.differ;
    variant->place = place_of_variant(call, index);
    nfs_arguments_set(procedure, call->objects, variant, &call->arguments[index]);
    return rpc_message_make(&call->engine.messages[index], &procedure->rpc, call->engine.identity,
                            &call->arguments[index], error);
}

bool nfs_call_is_renewed(const struct nfs_call *call)
{
    return call->verification && call->procedure->renewed;
}

struct nfs_variant nfs_call_variant(const struct nfs_call *call, size_t number)
{
    struct nfs_variant variant = {.index = (unsigned)number, .placed = true};

    if (!call->places.differ || nfs_call_is_renewed(call))
        variant = call->variants[number % call->engine.variants];
    else
        variant.place = nfs_call_places_drawn(&call->places, number);
    variant.pass = call->verification ? call->verification->pass : 0;
    return variant;
}

void nfs_call_set_arguments(const void *context, size_t number, void *arguments)
{
    const struct nfs_call *call = context;
    const struct nfs_variant variant = nfs_call_variant(call, number);

    memset(arguments, 0, sizeof *call->arguments);
    nfs_arguments_set(call->procedure, call->objects, &variant, arguments);
}

int nfs_call_make_room(struct nfs_call *call, size_t count)
{
    const size_t had = call->engine.variants, more = count - had;
    size_t of_messages = had, of_variants = had, of_arguments = had;

    if (count <= had)
        return 0;
    if (array_reserve(&call->engine.messages, &of_messages, count, sizeof *call->engine.messages) ||
        array_reserve(&call->variants, &of_variants, count, sizeof *call->variants) ||
        array_reserve(&call->arguments, &of_arguments, count, sizeof *call->arguments))
        return -ENOMEM;
    memset(call->engine.messages + had, 0, more * sizeof *call->engine.messages);
    memset(call->variants + had, 0, more * sizeof *call->variants);
    memset(call->arguments + had, 0, more * sizeof *call->arguments);
    call->engine.arguments = call->arguments;
    call->engine.variants = count;
    return 0;
}

const struct channel_message *nfs_call_message(const struct nfs_call *call, size_t number)
{
    const struct channel_message *message = engine_message(&call->engine, number);

    if (call->engine.places)
        engine_patch_write(message->patch, &call->engine.places[number], message->bytes);
    return message;
}

struct nfs_place nfs_call_place(const struct nfs_call *call, size_t number)
{
    return call->places.differ ? nfs_call_places_drawn(&call->places, number)
                               : nfs_places_at(&call->places.places, 0);
}
