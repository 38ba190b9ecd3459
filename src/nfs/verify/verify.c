#include "nfs/verify/verify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/change.h"
#include "nfs/verify/read_back.h"
#include "nfs/verify/verification.h"
#include "rpc/message.h"

static bool is_write(const struct nfs_procedure *procedure)
{
    return procedure->transfer == NFS_TRANSFER_WRITE;
}

bool nfs_verify_has(const struct nfs_procedure *procedure, const struct nfs_objects *objects)
{
    return objects && objects->passes &&
           (is_write(procedure) || procedure->verify || nfs_verify_has_reads(procedure, objects));
}

/* Replies */

static bool is_read(const struct nfs_call *call)
{
    return call->procedure->transfer == NFS_TRANSFER_READ;
}

static void acknowledge(const struct nfs_call *call, size_t number)
{
    if (number < call->verification->room)
        call->verification->acknowledged[number] = true;
}

/* Record that call NUMBER was acknowledged, and verify a READ's data. The reply is well formed,
 * because it was checked before. */
static int verify_reply(const void *context, size_t number, const uint8_t *reply, size_t length)
{
    const struct nfs_call *call = context;
    struct wire_reader reader = wire_reader(reply, length);
    struct rpc_reply_header header;
    const uint8_t *data;
    uint32_t count;

    acknowledge(call, number);
    if (!is_read(call))
        return 0;
    rpc_reply_decode(&reader, &header);
    wire_get_u32(&reader); /* status */
    nfs_item_post_op_attr(&reader);
    wire_skip(&reader, 2 * 4); /* count and eof */
    data = wire_get_opaque(&reader, UINT32_MAX, &count);
    return data ? nfs_verify_read(call, number, data, count) : -EBADMSG;
}

static int verify_result(const void *context, size_t number, const void *result)
{
    const struct nfs_call *call = context;
    const READ3resok *read = &((const union nfs_result *)result)->read.READ3res_u.resok;

    acknowledge(call, number);
    return is_read(call) ? nfs_verify_read(call, number, read->data.data_val, read->data.data_len)
                         : 0;
}

int nfs_verify_open(struct nfs_call *call)
{
    struct nfs_verification *verification = calloc(1, sizeof *verification);

    if (!verification)
        return -ENOMEM;
    call->verification = verification;
    call->engine.verify = verify_reply;
    call->engine.verify_decoded = verify_result;
    if (is_write(call->procedure))
        verification->first_file = call->objects->passes->files++;
    return 0;
}

void nfs_verify_close(struct nfs_call *call)
{
    struct nfs_verification *verification = call->verification;

    call->verification = NULL;
    if (!verification)
        return;
    free(verification->acknowledged);
    free(verification->brought);
    free(verification->files);
    free(verification->slots);
    free(verification->claims);
    free(verification);
}

static int out_of_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM,
                     "out of memory for the calls to verify; use a smaller --block or --size");
}

static int begin_acknowledging(struct nfs_verification *verification, size_t count)
{
    if (array_reserve(&verification->acknowledged, &verification->room, count,
                      sizeof *verification->acknowledged) != 0)
        return -ENOMEM;
    memset(verification->acknowledged, 0, verification->room * sizeof *verification->acknowledged);
    return 0;
}

static void own_name(const struct nfs_call *call, size_t number, char name[NFS_VARIANT_NAME_SIZE])
{
    const uint32_t first = call->verification->first_file;

    if (is_write(call->procedure))
        nfs_written_name(NFS_STAMP_OWN_FILES + first, name);
    else
        snprintf(name, NFS_VARIANT_NAME_SIZE, "%s-%08zu", call->procedure->op, first + number);
}

static int make_files(struct nfs_call *call, size_t count, struct rpc_client *client,
                      struct error *error)
{
    struct nfs_verification *verification = call->verification;
    const struct nfs_objects *objects = call->objects;
    int code = 0;

    while (verification->file_count < count && code == 0) {
        char name[NFS_VARIANT_NAME_SIZE];

        if (array_reserve(&verification->files, &verification->file_room, count,
                          sizeof *verification->files) != 0)
            return out_of_memory(error);
        own_name(call, verification->file_count, name);
        code = nfs_create(client, &objects->scratch, objects->scratch_path, name,
                          &verification->files[verification->file_count], error);
        verification->file_count += code == 0;
    }
    return code;
}

static const struct nfs_handle *own_file(const struct nfs_call *call, size_t number)
{
    const struct nfs_verification *verification = call->verification;

    if (verification->file_count == 0)
        return NULL;
    return &verification->files[is_write(call->procedure) ? 0 : number];
}

int nfs_verify_begin(struct nfs_call *call, size_t count, struct rpc_client *client,
                     struct error *error)
{
    struct nfs_verification *verification = call->verification;
    int code = 0;

    if (begin_acknowledging(verification, count) != 0)
        return out_of_memory(error);
    if (is_read(call))
        return nfs_verify_begin_reads(call, count) == 0 ? 0 : out_of_memory(error);
    verification->pass = ++call->objects->passes->latest;
    if (!call->procedure->renewed)
        return 0;
    if (!call->objects->files)
        code = make_files(call, is_write(call->procedure) ? 1 : count, client, error);
    return code || nfs_call_make_room(call, count) == 0 ? code : out_of_memory(error);
}

static int encode_call(struct nfs_call *call, size_t number, struct error *error)
{
    struct channel_message *message = &call->engine.messages[number];
    union nfs_arguments *arguments = &call->arguments[number];
    int code;

    free(message->bytes);
    message->bytes = NULL;
    memset(arguments, 0, sizeof *arguments);
    nfs_arguments_set(call->procedure, call->objects, &call->variants[number], arguments);
    code =
        rpc_message_make(message, &call->procedure->rpc, call->engine.identity, arguments, error);
    if (code == 0 && is_write(call->procedure))
        nfs_verify_stamp(call, number);
    return code;
}

int nfs_verify_encode(struct nfs_call *call, size_t count, struct error *error)
{
    int code = 0;

    if (!call->procedure->renewed)
        return 0;
    for (size_t i = 0; i < count; i++)
        call->variants[i] = (struct nfs_variant){.index = (unsigned)i,
                                                 .placed = call->places.differ,
                                                 .place = nfs_call_place(call, i),
                                                 .pass = call->verification->pass,
                                                 .own = own_file(call, i)};
    if (is_write(call->procedure) && nfs_verify_place_writes(call, count) != 0)
        return out_of_memory(error);
    for (size_t i = 0; i < count && code == 0; i++)
        code = encode_call(call, i, error);
    call->engine.places = NULL; /* each message already has its place */
    return code;
}

/* Return whether the effect of CALL's procedure can be looked up. The effect of COMMIT can't,
 * because its data are on the server before the call. */
static bool shows_effect(const struct nfs_call *call)
{
    return call->procedure->verify && !call->procedure->has_verifier;
}

static int verify_effect(const struct nfs_call *call, size_t number, struct rpc_client *client,
                         struct error *error)
{
    const struct nfs_variant variant = nfs_call_variant(call, number);

    return call->procedure->verify(call->objects, &variant,
                                   &call->arguments[number % call->engine.variants], client, error);
}

/* Count call NUMBER, which was not acknowledged, as a call with or without an effect. */
static int count_effect(const struct nfs_call *call, size_t number, struct rpc_client *client,
                        struct error *error)
{
    struct nfs_unacknowledged *counts = &call->verification->unacknowledged;
    int code = verify_effect(call, number, client, error);

    counts->done += code == 0;
    counts->undone += code == -NFS_NOT_AS_WRITTEN;
    return code == -NFS_NOT_AS_WRITTEN ? 0 : code;
}

int nfs_verify_effects(const struct nfs_call *call, size_t count, struct rpc_client *client,
                       struct error *error)
{
    const struct nfs_procedure *procedure = call->procedure;
    int code = 0;

    if (is_write(procedure))
        return nfs_verify_writes(call, count, client, error);
    if (is_read(call))
        return nfs_verify_reads(call, count, client, error);
    for (size_t i = 0; i < count && procedure->verify && code == 0; i++) {
        if (call->verification->acknowledged[i])
            code = verify_effect(call, i, client, error);
        else if (shows_effect(call))
            code = count_effect(call, i, client, error);
    }
    return code;
}

struct nfs_unacknowledged nfs_verify_unacknowledged(const struct nfs_call *call)
{
    return call->verification ? call->verification->unacknowledged
                              : (struct nfs_unacknowledged){.done = 0};
}

static int verify_range(const struct nfs_objects *objects, struct rpc_client *client,
                        const struct nfs_stamp *stamp, uint32_t length, struct error *error)
{
    const struct nfs_written part = {.objects = objects,
                                     .handle = &objects->files->handles[stamp->file],
                                     .name = objects->files->names[stamp->file],
                                     .length = length,
                                     .stamp = *stamp};

    return nfs_read_back_any(client, &part, false, error);
}

/* Reading DONE parts took TOOK_NS. Return N such that reading every Nth of the remaining PARTS ends
 * before DEADLINE; more than PARTS if there is no time. */
static uint64_t step_in_time(uint64_t parts, uint64_t done, uint64_t took_ns,
                             const struct deadline *deadline)
{
    const double each_ns = (double)took_ns / (double)done;
    const double left_ns = (double)deadline_left_ns(deadline);

    return left_ns > each_ns ? (uint64_t)((double)parts * each_ns / left_ns) + 1 : parts + 1;
}

int nfs_verify_files(const struct nfs_objects *objects, struct rpc_client *client,
                     const struct deadline *deadline, uint64_t *read, uint64_t *all,
                     struct error *error)
{
    enum { PART = 32 << 10 };
    const uint64_t size = objects->passes && nfs_set_files(objects) ? objects->files->size : 0;
    const uint64_t per_file = (size + PART - 1) / PART;
    const uint64_t parts = per_file * nfs_set_files(objects);
    const uint64_t usual = (parts ? parts - 1 : 0) / (NFS_VERIFY_BYTES / PART) + 1;
    const uint64_t began_ns = deadline_now_ns();
    uint64_t done = 0, step = 0;
    int code = 0;

    *read = 0;
    *all = size * nfs_set_files(objects);
    for (uint64_t i = 0; i < parts && code == 0 && !deadline_is_over(deadline); i += step) {
        const struct nfs_stamp stamp = {.file = (uint32_t)(i / per_file),
                                        .pass = objects->passes->latest,
                                        .offset = i % per_file * PART};
        const uint64_t left = size - stamp.offset;
        const uint32_t length = left < PART ? (uint32_t)left : PART;

        code = verify_range(objects, client, &stamp, length, error);
        *read += length;
        step = step_in_time(parts - i, ++done, deadline_now_ns() - began_ns, deadline);
        step = step > usual ? step : usual;
    }
    return code;
}
