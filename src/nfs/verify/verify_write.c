/* Verification of WRITE: the choice of places for WRITEs, and reading them back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/change.h"
#include "nfs/verify/read_back.h"
#include "nfs/verify/verification.h"

#define SLOT_UNKNOWN UINT32_MAX

/* Places. A file consists of slots of the length of a WRITE. Each block writes only every second
 * slot: the even slots in even passes, the odd slots in odd passes. So each WRITE can be read back,
 * and between the slots of a block are slots that the block must not change. Without a file set,
 * WRITE number I uses the I-th slot of its pass. In the file set, a WRITE uses the slot of its
 * place. If this slot is taken or has the other parity, the WRITE moves by one or more spans, to
 * the first suitable slot. A span is an odd number of slots, and at least as long as the file was
 * when it was made, so the moved WRITE is beyond the slots that READs use. */

static uint32_t write_length(const struct nfs_call *call, size_t number)
{
    const uint32_t length = call->variants[number].place.length;

    return length ? length : call->objects->write.count;
}

static uint32_t accepted_length(const struct nfs_call *call, size_t number)
{
    const uint32_t length = call->variants[number].place.length;

    return length ? length : call->objects->write.expected;
}

static size_t slot_of(const struct nfs_verification *verification, size_t number)
{
    return 2 * number + verification->pass % 2;
}

/* Allocate slots for COUNT WRITEs: two slots for each WRITE, and one more. Returns 0 or -ENOMEM. */
static int make_slots(struct nfs_verification *verification, size_t count)
{
    const size_t had = verification->slot_room, size = sizeof *verification->slots;

    if (array_reserve(&verification->slots, &verification->slot_room, 2 * count + 1, size) != 0)
        return -ENOMEM;
    memset(verification->slots + had, 0, (verification->slot_room - had) * size);
    return 0;
}

/* Begin an empty table with room for twice COUNT claims or more. Returns 0 or -ENOMEM. */
static int begin_claims(struct nfs_verification *verification, size_t count)
{
    size_t room = 16;

    while (room < 2 * count)
        room *= 2;
    if (array_reserve(&verification->claims, &verification->claim_room, room,
                      sizeof *verification->claims) != 0)
        return -ENOMEM;
    memset(verification->claims, 0, verification->claim_room * sizeof *verification->claims);
    return 0;
}

/* Count one more WRITE of the block to OFFSET of FILE. Returns the count before it. */
static uint32_t count_claim(struct nfs_verification *verification, uint32_t file, uint64_t offset)
{
    const size_t mask = verification->claim_room - 1;
    size_t at = (size_t)((offset ^ (uint64_t)file << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    struct nfs_claim *entry = &verification->claims[at & mask];

    while (entry->writes && (entry->file != file || entry->offset != offset))
        entry = &verification->claims[++at & mask];
    entry->file = file;
    entry->offset = offset;
    return entry->writes++;
}

/* Return whether the WRITEs have captured lengths. If so, their ranges may overlap, and the file
 * set has no slots. */
static bool may_overlap(const struct nfs_call *call)
{
    return call->places.visitor.ranges != NULL;
}

/* Move PLACE, in the file set, to where no other WRITE of the block goes. If WRITEs may overlap,
 * PLACE moves by one file size for each earlier WRITE to the file. Else it moves by two spans for
 * each earlier WRITE to the same offset, and by one if the slot would have the wrong parity. */
static void move_place(struct nfs_call *call, struct nfs_place *place)
{
    struct nfs_verification *verification = call->verification;
    const uint64_t size = call->objects->files->size, length = call->objects->write.count;
    uint64_t spans;

    if (may_overlap(call)) {
        place->offset += count_claim(verification, place->file, 0) * size;
        return;
    }
    spans = 2 * (uint64_t)count_claim(verification, place->file, place->offset);
    spans += (place->offset / length + verification->pass) % 2;
    place->offset += spans * (size / length | 1) * length;
}

int nfs_verify_place_writes(struct nfs_call *call, size_t count)
{
    struct nfs_verification *verification = call->verification;
    const struct nfs_file_set *set = call->objects->files;

    if (!set && make_slots(verification, count) != 0)
        return -ENOMEM;
    if (set && begin_claims(verification, count) != 0)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct nfs_place *place = &call->variants[i].place;

        if (set)
            move_place(call, place);
        else
            place->offset = slot_of(verification, i) * (uint64_t)write_length(call, i);
    }
    return 0;
}

/* Return the range and the data that WRITE number I of the block writes. NAME is memory for the
 * name of the file. */
static struct nfs_written written_by(const struct nfs_call *call, size_t i,
                                     char name[NFS_WRITTEN_NAME_SIZE])
{
    const struct nfs_variant *variant = &call->variants[i];
    const uint32_t file =
        variant->own ? NFS_STAMP_OWN_FILES + call->verification->first_file : variant->place.file;

    return (struct nfs_written){
        .objects = call->objects,
        .handle = variant->own ? variant->own : &call->objects->files->handles[file],
        .name = nfs_written_name(file, name),
        .length = accepted_length(call, i),
        .stamp = {.file = file, .pass = variant->pass, .offset = variant->place.offset}};
}

void nfs_verify_stamp(struct nfs_call *call, size_t number)
{
    const struct channel_message *message = &call->engine.messages[number];
    WRITE3args *arguments = &call->arguments[number].write;
    char name[NFS_WRITTEN_NAME_SIZE];
    const struct nfs_written written = written_by(call, number, name);
    const uint32_t length = write_length(call, number);
    uint8_t *data = message->bytes + RPC_RECORD_MARK_SIZE + message->length -
                    wire_padded(length); /* the data are the last argument */

    nfs_stamp_write(data, length, &written.stamp);
    arguments->data.data_val = (char *)data;
}

/* Reading back */

/* After a restart of the server, repeat each of COUNT WRITEs that was acknowledged. */
static int rewrite_data(const struct nfs_call *call, size_t count, struct rpc_client *client,
                        struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++) {
        const WRITE3args *arguments = &call->arguments[i].write;
        char name[NFS_WRITTEN_NAME_SIZE];
        const struct nfs_written written = written_by(call, i, name);

        if (call->verification->acknowledged[i])
            code =
                nfs_write(client, written.handle, call->objects->scratch_path, written.stamp.offset,
                          (const uint8_t *)arguments->data.data_val, written.length, error);
    }
    return code;
}

/* COMMIT FILE. Set *CHANGED to true if the server's verifier differs from the WRITEs' verifier. The
 * errors -EIO and -EPROTONOSUPPORT are ignored, because the data are read back in any case; all
 * other errors are returned. */
static int commit_file(const struct nfs_call *call, const struct nfs_handle *file,
                       struct rpc_client *client, bool *changed, struct error *error)
{
    union nfs_arguments arguments = {.commit.file = nfs_handle_argument(file)};
    uint64_t verifier = atomic_load(&call->objects->verifier->value);
    union nfs_result result;
    int code =
        nfs_single_call(client, "commit", &arguments, &result, call->objects->scratch_path, error);

    if (code == 0)
        *changed |= memcmp(result.commit.COMMIT3res_u.resok.verf, &verifier, sizeof verifier) != 0;
    return code == -EIO || code == -EPROTONOSUPPORT ? 0 : code;
}

/* COMMIT each file to which one of COUNT WRITEs was acknowledged. *CHANGED: see commit_file(). */
static int commit_all(const struct nfs_call *call, size_t count, struct rpc_client *client,
                      bool *changed, struct error *error)
{
    const uint32_t files = call->objects->files ? call->objects->files->count : 1;
    bool *committed = calloc(files, sizeof *committed);
    int code = 0;

    if (!committed)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for COMMITs");
    for (size_t i = 0; i < count && code == 0; i++) {
        char name[NFS_WRITTEN_NAME_SIZE];
        const uint32_t file = call->variants[i].place.file;

        if (!call->verification->acknowledged[i] || committed[file])
            continue;
        committed[file] = true;
        code = commit_file(call, written_by(call, i, name).handle, client, changed, error);
    }
    free(committed);
    return code;
}

/* Make unstable data of COUNT WRITEs stable by COMMIT; write them again if the server restarted. */
static int make_stable(const struct nfs_call *call, size_t count, struct rpc_client *client,
                       struct error *error)
{
    struct nfs_verifier *verifier = call->objects->verifier;
    bool changed = verifier->changes > verifier->resent;
    int code;

    verifier->resent = verifier->changes;
    if (call->arguments[0].write.stable != UNSTABLE)
        return 0;
    code = commit_all(call, count, client, &changed, error);
    if (code || !changed)
        return code;
    code = rewrite_data(call, count, client, error);
    return code ? code : commit_all(call, count, client, &changed, error);
}

/* Check the slots before and after WRITTEN, in a file that had SIZE bytes when it was made. A slot
 * must have its own place's data of any pass; beyond SIZE, it may be unwritten. */
static int check_neighbours(struct rpc_client *client, const struct nfs_written *written,
                            uint64_t size, struct error *error)
{
    const uint64_t offset = written->stamp.offset, length = written->length;
    struct nfs_written neighbour = *written;
    int code = 0;

    neighbour.stamp.pass = written->objects->passes->latest;
    neighbour.stamp.offset = offset - length;
    if (offset >= length)
        code = nfs_read_back_any(client, &neighbour, offset - length >= size, error);
    neighbour.stamp.offset = offset + length;
    return code ? code : nfs_read_back_any(client, &neighbour, offset + length >= size, error);
}

/* Check the slots that this block must not change, up to the slot after its last one. Slots whose
 * contents are unknown are left out. */
static int check_other_slots(const struct nfs_call *call, size_t count, struct rpc_client *client,
                             struct error *error)
{
    const struct nfs_verification *verification = call->verification;
    char name[NFS_WRITTEN_NAME_SIZE];
    struct nfs_written slot = written_by(call, 0, name);
    int code = 0;

    for (size_t i = 1 - verification->pass % 2; i <= 2 * count && code == 0; i += 2) {
        slot.stamp.pass = verification->slots[i];
        slot.stamp.offset = i * (uint64_t)write_length(call, 0);
        if (slot.stamp.pass != SLOT_UNKNOWN)
            code = nfs_read_back(client, &slot, NULL, error);
    }
    return code;
}

static int check_write(const struct nfs_call *call, size_t number, struct rpc_client *client,
                       struct error *error)
{
    const struct nfs_file_set *set = call->objects->files;
    char name[NFS_WRITTEN_NAME_SIZE];
    const struct nfs_written written = written_by(call, number, name);
    int code = nfs_read_back(client, &written, call->procedure->rpc.name, error);

    return code || !set || may_overlap(call) ? code
                                             : check_neighbours(client, &written, set->size, error);
}

static void note_slots(const struct nfs_call *call, size_t count)
{
    struct nfs_verification *verification = call->verification;

    for (size_t i = 0; i < count; i++)
        verification->slots[slot_of(verification, i)] =
            verification->acknowledged[i] ? verification->pass : SLOT_UNKNOWN;
}

int nfs_verify_writes(const struct nfs_call *call, size_t count, struct rpc_client *client,
                      struct error *error)
{
    int code = make_stable(call, count, client, error);

    if (!call->objects->files)
        note_slots(call, count);
    for (size_t i = 0; i < count && code == 0; i++)
        if (call->verification->acknowledged[i])
            code = check_write(call, i, client, error);
    if (code || call->objects->files)
        return code;
    return check_other_slots(call, count, client, error);
}
