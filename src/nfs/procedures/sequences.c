/* Ops that consist of several calls. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "nfs/call.h"
#include "nfs/procedures/entry.h"
#include "nfs/status.h"
#include "nfs/traversal.h"
#include "rpc/message.h"

static void note_calls(struct sequence_state *state, size_t number, uint64_t calls)
{
    const size_t had = state->calls_room, size = sizeof *state->calls;

    if (array_reserve(&state->calls, &state->calls_room, number + 1, size) != 0)
        return;
    memset(state->calls + had, 0, (state->calls_room - had) * size);
    state->calls[number] = (uint32_t)calls;
}

struct listing_op {
    struct sequence_state state;
    const struct nfs_call *call;
    struct nfs_listing listing;
    struct traversal_limit limit;
    const struct channel_message *message;
    size_t cookie_at; /* offset of the cookie, before the cookie verifier, in the message */
    bool asked;       /* a call is in flight, or has failed */
    size_t number;    /* number of the op in its block */
    struct nfs_names names;
    struct nfs_listing_findings *findings; /* findings of the latest op; NULL if not examined */
    struct nfs_listing_findings shown;     /* findings of ops that are not examined */
};

static void *open_listing(const void *context)
{
    struct listing_op *op = calloc(1, sizeof *op);

    if (!op)
        return NULL;
    op->call = context;
    op->state.shown = &op->shown;
    return op;
}

static void close_listing(void *state)
{
    struct listing_op *op = state;

    free(op->state.calls);
    nfs_names_free(&op->names);
    free(op);
}

static void examine_listing(void *state, void *findings)
{
    ((struct listing_op *)state)->findings = findings;
}

/* Return the offset of the cookie in MESSAGE. The arguments of READDIR and READDIRPLUS both begin
 * with the directory's handle, the cookie and the verifier. */
static size_t find_cookie(const struct channel_message *message)
{
    struct wire_reader reader = wire_reader(message->bytes + RPC_RECORD_MARK_SIZE, message->length);
    struct rpc_call_header header;

    rpc_call_decode(&reader, &header);
    nfs_item_handle(&reader);
    return (size_t)(reader.at - message->bytes);
}

static void begin_listing_op(void *state, size_t number)
{
    struct listing_op *op = state;

    op->message = nfs_call_message(op->call, number);
    op->cookie_at = find_cookie(op->message);
    op->asked = false;
    op->number = number;
    traversal_limit_begin(&op->limit, op->call->objects->traversal_ns);
    nfs_listing_begin(&op->listing, op->call->procedure->rpc.number == NFSPROC3_READDIRPLUS,
                      &op->limit);
    if (op->findings)
        *op->findings = (struct nfs_listing_findings){0};
    nfs_listing_examine(&op->listing, op->findings ? &op->names : NULL,
                        op->findings ? op->findings : &op->shown);
}

static const struct channel_message *next_page_call(void *state, uint32_t *tag)
{
    struct listing_op *op = state;
    uint8_t *at = op->message->bytes + op->cookie_at;

    *tag = 0;
    if (op->asked || op->listing.ended)
        return NULL;
    op->asked = true;
    wire_store_u32(at, (uint32_t)(op->listing.cookie >> 32));
    wire_store_u32(at + 4, (uint32_t)op->listing.cookie);
    memcpy(at + 8, op->listing.verifier, sizeof op->listing.verifier);
    return op->message;
}

static int take_page_reply(void *state, uint32_t tag, struct wire_reader *reader)
{
    struct listing_op *op = state;
    int status = nfs_call_status(op->call, reader);

    if (status == 0)
        status = nfs_listing_read_page(&op->listing, reader, NULL, NULL);
    else if (status > 0)
        nfs_listing_refused(&op->listing, reader);
    if (reader->failed)
        return -EBADMSG;
    if (status > 0)
        nfs_listing_note_end(&op->listing, op->listing.calls, status, op->call->procedure->rpc.name,
                             op->call->objects->directory_path);
    op->asked = status != 0;
    if (status == 0 && op->listing.ended)
        note_calls(&op->state, op->number, op->listing.calls);
    op->state.entries = op->listing.entries;
    return status;
}

const struct engine_sequence nfs_sequence_listing = {.open = open_listing,
                                                     .close = close_listing,
                                                     .begin = begin_listing_op,
                                                     .next = next_page_call,
                                                     .take = take_page_reply,
                                                     .examine = examine_listing};

struct walk_op {
    struct sequence_state state;
    struct nfs_traversal traversal;
    struct nfs_listing_findings shown; /* findings of ops that are not examined */
    size_t number;                     /* number of the op in its block */
};

static void close_walk(void *state)
{
    struct walk_op *op = state;

    nfs_traversal_close(&op->traversal);
    free(op->state.calls);
    free(op);
}

static void *open_walk(const void *context)
{
    const struct nfs_call *call = context;
    const struct nfs_traversal_request request = {
        .top = &call->objects->base,
        .path = call->objects->base_path,
        .identity = call->engine.identity,
        .width = call->objects->width ? call->objects->width : 1,
        .time_ns = call->objects->traversal_ns};
    struct walk_op *op = calloc(1, sizeof *op);

    if (!op)
        return NULL;
    if (nfs_traversal_open(&op->traversal, &request) == 0) {
        op->traversal.request.findings = &op->shown;
        op->state.shown = &op->shown;
        return op;
    }
    close_walk(op);
    return NULL;
}

static void examine_walk(void *state, void *findings)
{
    struct walk_op *op = state;

    op->traversal.request.findings = findings ? findings : &op->shown;
    op->traversal.request.examined = findings;
}

static void begin_walk(void *state, size_t number)
{
    struct walk_op *op = state;

    op->number = number;
    nfs_traversal_begin(&op->traversal);
}

static const struct channel_message *next_in_walk(void *state, uint32_t *tag)
{
    const struct rpc_procedure *procedure;

    return nfs_traversal_next(&((struct walk_op *)state)->traversal, tag, &procedure);
}

static int take_walk_reply(void *state, uint32_t tag, struct wire_reader *reader)
{
    struct walk_op *op = state;
    int status = nfs_traversal_read_reply(&op->traversal, tag, reader);

    note_calls(&op->state, op->number, op->traversal.counts.calls);
    op->state.entries = op->traversal.counts.entries;
    return status == -ENOMEM ? NFS_LIST_TOO_LARGE : status;
}

const struct engine_sequence nfs_sequence_walk = {.wide = true,
                                                  .open = open_walk,
                                                  .close = close_walk,
                                                  .begin = begin_walk,
                                                  .next = next_in_walk,
                                                  .take = take_walk_reply,
                                                  .examine = examine_walk};

/* One call, repeated */

struct repeated_op {
    struct sequence_state state;
    const struct nfs_call *call;
    uint64_t left;
};

static void *open_repeated(const void *context)
{
    struct repeated_op *op = calloc(1, sizeof *op);

    if (op)
        op->call = context;
    return op;
}

/* Let op NUMBER make as many calls as op NUMBER in the latest block of `repeated_as`. If that
 * number is unknown, make as many as nfs_call_try() of `repeated_as` made. If `repeated_as` is
 * NULL, make as many as nfs_call_try() of this call made. */
static void begin_repeated(void *state, size_t number)
{
    struct repeated_op *op = state;
    const struct nfs_call *as = op->call->repeated_as;
    const struct sequence_state *others = as ? as->engine.sequence_state : NULL;

    op->left = others && number < others->calls_room ? others->calls[number] : 0;
    if (op->left == 0)
        op->left = as ? as->tried : op->call->tried;
}

static const struct channel_message *repeat_call(void *state, uint32_t *tag)
{
    struct repeated_op *op = state;

    *tag = 0;
    if (op->left == 0)
        return NULL;
    op->left--;
    return &op->call->engine.messages[0];
}

static int take_repeated(void *state, uint32_t tag, struct wire_reader *reader)
{
    return nfs_call_check(((struct repeated_op *)state)->call, reader);
}

const struct engine_sequence nfs_sequence_repeated = {.wide = true,
                                                      .open = open_repeated,
                                                      .close = free,
                                                      .begin = begin_repeated,
                                                      .next = repeat_call,
                                                      .take = take_repeated};
