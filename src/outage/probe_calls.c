#include "outage/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/status.h"

#define SOON_NS UINT64_C(1000000000)

static const struct nfs_procedure *procedure_of(enum outage_procedure procedure)
{
    return nfs_procedure_find(outage_procedure_names[procedure]);
}

/* Arguments */

static bool aim_read(struct probe *probe, struct probe_call *call, union nfs_arguments *arguments)
{
    call->block = blocks_begin_read(probe->blocks);
    arguments->read.offset = call->block < 0 ? 0 : (uint64_t)call->block * probe->blocks->size;
    arguments->read.count = probe->blocks->size;
    return true;
}

static bool aim_write(struct probe *probe, struct probe_link *link, struct probe_call *call,
                      union nfs_arguments *arguments)
{
    WRITE3args *write = &arguments->write;

    call->block = blocks_begin_write(probe->blocks);
    if (call->block < 0)
        return false;
    blocks_make_data(probe->blocks, probe->blocks->sequence, probe->data);
    call->sync = link->writes_sync = !link->writes_sync;
    write->offset = (uint64_t)call->block * probe->blocks->size;
    write->count = write->data.data_len = probe->blocks->size;
    write->data.data_val = (char *)probe->data;
    write->stable = call->sync ? FILE_SYNC : UNSTABLE;
    return true;
}

/* Choose the object of CALL, and set the ARGUMENTS. Returns false if no block may be written. */
static bool choose_object(struct probe *probe, struct probe_link *link,
                          enum outage_procedure procedure, struct probe_call *call,
                          union nfs_arguments *arguments)
{
    call->block = -1;
    call->generation = probe->file.generation;
    /* the arguments of all procedures but NULL begin with a handle */
    if (procedure != OUTAGE_NULL)
        arguments->getattr.object = nfs_handle_argument(&probe->file.handle);
    if (procedure == OUTAGE_READ)
        return aim_read(probe, call, arguments);
    if (procedure == OUTAGE_WRITE)
        return aim_write(probe, link, call, arguments);
    /* for a COMMIT, which commits only WRITEs that were acknowledged before the COMMIT was sent */
    call->acknowledgements = probe->blocks->acknowledgements;
    return true;
}

int probe_call_make(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                    struct probe_call *call, struct error *error)
{
    union nfs_arguments arguments;
    int code;

    memset(&arguments, 0, sizeof arguments);
    if (!choose_object(probe, link, procedure, call, &arguments))
        return 0;
    free(call->message.bytes);
    call->message.bytes = NULL;
    code = rpc_message_make(&call->message, &procedure_of(procedure)->rpc, &probe->identity,
                            &arguments, error);
    if (code)
        call->message.bytes = NULL;
    return code ? code : 1;
}

/* Answers */

static uint64_t verifier_of(const char bytes[NFS3_WRITEVERFSIZE])
{
    uint64_t verifier;

    memcpy(&verifier, bytes, sizeof verifier);
    return verifier;
}

static void note_verifier(struct probe *probe, uint64_t verifier)
{
    if (probe->has_verifier && verifier != probe->verifier)
        probe->outage->verifier_changes++;
    probe->has_verifier = true;
    probe->verifier = verifier;
}

static int take_getattr(const struct probe *probe, const struct probe_call *call,
                        const union nfs_result *result)
{
    const fattr3 *attributes = &result->getattr.GETATTR3res_u.resok.obj_attributes;
    bool same = attributes->type == NF3REG && attributes->fileid == probe->file.id;

    return same || call->generation != probe->file.generation ? 0 : NFS_ATTRIBUTES_MISMATCH;
}

/* Return whether CALL was sent soon after the file was looked up by name, so that its answer is
 * taken to be from the file. A restarted server may give the file's handle to another file. */
static bool is_of_file(const struct probe *probe, const struct probe_call *call)
{
    const uint64_t soon_ns = probe->period_ns > SOON_NS / 2 ? 2 * probe->period_ns : SOON_NS;

    return call->sent_ns >= probe->found_ns && call->sent_ns - probe->found_ns < soon_ns;
}

/* Check the data of a READ. Wrong data count as lost only if is_of_file(); otherwise the file has
 * to be looked up first. */
static enum block_fault take_data(struct probe *probe, const struct probe_call *call,
                                  const READ3resok *read)
{
    const uint8_t *data = (const uint8_t *)(read->data.data_len ? read->data.data_val : "");
    bool is_current = call->generation == probe->file.generation;
    bool is_sure = is_of_file(probe, call);
    enum block_fault fault = blocks_end_read(
        probe->blocks, (size_t)call->block, is_current ? data : NULL, read->data.data_len, is_sure);

    if (fault != BLOCK_RIGHT && !is_sure)
        probe->is_doubted = true;
    if (fault == BLOCK_RIGHT && is_current && call->sent_ns > probe->right_ns)
        probe->right_ns = call->sent_ns;
    return fault;
}

static int take_read(struct probe *probe, const struct probe_call *call,
                     const union nfs_result *result)
{
    enum block_fault fault;

    if (call->block < 0)
        return 0;
    fault = take_data(probe, call, &result->read.READ3res_u.resok);
    return fault == BLOCK_RIGHT ? 0 : fault == BLOCK_MISSING ? NFS_SHORT_READ : NFS_DATA_MISMATCH;
}

static int take_write(struct probe *probe, const struct probe_call *call,
                      const union nfs_result *result, uint64_t now)
{
    const WRITE3resok *write = &result->write.WRITE3res_u.resok;
    uint64_t verifier = verifier_of(write->verf);
    bool whole = write->count == probe->blocks->size;
    bool is_current = call->generation == probe->file.generation;
    enum block_state state = !whole || !is_current           ? BLOCK_UNKNOWN
                             : write->committed == FILE_SYNC ? BLOCK_SYNC
                                                             : BLOCK_UNSTABLE;

    blocks_end_write(probe->blocks, (size_t)call->block, state, verifier, now);
    note_verifier(probe, verifier);
    probe->outage->written++;
    if (!whole)
        return NFS_SHORT_WRITE;
    return call->sync && write->committed != FILE_SYNC ? NFS_NOT_STABLE : 0;
}

static int take_commit(struct probe *probe, const struct probe_call *call,
                       const union nfs_result *result)
{
    uint64_t verifier = verifier_of(result->commit.COMMIT3res_u.resok.verf);

    note_verifier(probe, verifier);
    if (call->generation == probe->file.generation)
        blocks_commit(probe->blocks, call->acknowledgements, verifier);
    return 0;
}

/* Handle RESULT. Returns 0, or an NFS_... status that says what is wrong with it. */
static int take_result(struct probe *probe, enum outage_procedure procedure,
                       const struct probe_call *call, const union nfs_result *result, uint64_t now)
{
    switch (procedure) {
    case OUTAGE_GETATTR:
        return take_getattr(probe, call, result);
    case OUTAGE_READ:
        return take_read(probe, call, result);
    case OUTAGE_WRITE:
        return take_write(probe, call, result, now);
    case OUTAGE_COMMIT:
        return take_commit(probe, call, result);
    default:
        return 0;
    }
}

/* Release the block of a call that failed or was given up. A WRITE's block becomes unknown. */
static void release_block(struct probe *probe, enum outage_procedure procedure,
                          const struct probe_call *call, uint64_t now)
{
    if (call->block < 0)
        return;
    if (procedure == OUTAGE_READ)
        blocks_end_read(probe->blocks, (size_t)call->block, NULL, 0, false);
    else
        blocks_end_write(probe->blocks, (size_t)call->block, BLOCK_UNKNOWN, 0, now);
}

static bool means_stale(int status)
{
    return status == NFS3ERR_STALE || status == NFS3ERR_BADHANDLE;
}

/* Note in PROBE if STATUS shows that the handle is stale or wrong. Any NFS error of GETATTR except
 * NFS3ERR_JUKEBOX raises doubt: some servers that lost a handle do not report it as stale. */
static void note_doubt(struct probe *probe, enum outage_procedure procedure,
                       const struct probe_call *call, int status)
{
    if (call->generation != probe->file.generation)
        return;
    if (means_stale(status))
        probe->is_stale = true;
    if (procedure == OUTAGE_GETATTR && status > 0 && status != NFS3ERR_JUKEBOX)
        probe->is_doubted = true;
}

/* Classify an answer by its STATUS. An NFS3_OK with a wrong result, such as wrong data, is good,
 * because the server works. For a lacking procedure, any answer is good, because no better one will
 * come. */
static enum gaps_answer answer_of(const struct outage_calls *calls, int status)
{
    return status == 0 || status >= NFS_SHORT_READ || calls->lacking ? GAPS_GOOD
           : status == NFS3ERR_JUKEBOX                               ? GAPS_WAIT
                                                                     : GAPS_ERROR;
}

static void note_status(struct probe *probe, size_t line, enum outage_procedure procedure,
                        int status, uint64_t now)
{
    struct outage_calls *calls = &probe->outage->calls[procedure];

    if (status == 0)
        calls->good++;
    else
        engine_count_error(&calls->tally, status);
    if (calls->good == 0 && status == NFS3ERR_NOTSUPP)
        calls->lacking = "NFS3ERR_NOTSUPP";
    if (calls->good == 0 && status == -RPC_OUTCOME_PROC_UNAVAIL)
        calls->lacking = "RPC_PROCUNAVAIL";
    gaps_answered(&probe->outage->gaps, line, answer_of(calls, status), now);
}

/* Decode MESSAGE. Returns the NFS status, a negative RPC outcome, or -EBADMSG. Sets *DECODED to
 * whether RESULT was decoded and must be freed. */
static int decode_reply(const struct rpc_procedure *rpc,
                        const struct receive_buffer_message *message, union nfs_result *result,
                        bool *decoded)
{
    struct wire_reader reader = wire_reader(message->bytes, message->length);
    struct rpc_reply_header header;

    *decoded = false;
    if (rpc_reply_decode(&reader, &header) != 0)
        return -EBADMSG;
    if (header.outcome != RPC_OUTCOME_SUCCESS)
        return -(int)header.outcome;
    memset(result, 0, sizeof *result);
    if (rpc_result_decode(rpc, &reader, result) != 0)
        return -EBADMSG;
    *decoded = true;
    return (int)result->status;
}

int probe_call_answered(struct probe *probe, struct probe_link *link, size_t number,
                        const struct receive_buffer_message *message, uint64_t now,
                        struct error *error)
{
    enum outage_procedure procedure = (enum outage_procedure)(number / PROBE_IN_FLIGHT);
    size_t line = (size_t)(link - probe->links) * OUTAGE_PROCEDURES + procedure;
    const struct rpc_procedure *rpc = &procedure_of(procedure)->rpc;
    const struct probe_call *call = &link->calls[number];
    union nfs_result result;
    bool decoded;
    int status = decode_reply(rpc, message, &result, &decoded);

    if (status == -EBADMSG)
        return engine_refuse_garbage(message->length, error);
    if (status == 0)
        status = take_result(probe, procedure, call, &result, now);
    else
        release_block(probe, procedure, call, now);
    note_doubt(probe, procedure, call, status);
    if (decoded)
        xdr_free(rpc->xdr_result, &result);
    note_status(probe, line, procedure, status, now);
    return 0;
}

void probe_call_given_up(struct probe *probe, const struct probe_link *link, size_t number)
{
    release_block(probe, (enum outage_procedure)(number / PROBE_IN_FLIGHT), &link->calls[number],
                  clock_raw_ns());
}
