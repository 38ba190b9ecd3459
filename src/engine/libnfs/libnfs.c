/* Engine libnfs, an independent client to check and compare the other engines with: libnfs's
 * asynchronous RPC calls over TCP. Each thread serves any number of connections with many calls in
 * flight on each, as programs that use libnfs do: with libnfs's sockets, encoding and decoding, and
 * poll() around them. A call's latency is the time from just before libnfs is given the call to the
 * delivery of its result. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/libnfs/libnfs_connection.h"
#include "engine/silence.h"
#include "nfs3.h"

enum {
    RESTORE_MS = 5, /* longest poll() while a connection is lost */
    RETRY_PAUSE_NS = 100 * 1000 * 1000,
    DEPTH_MAXIMUM = 65536,
};

/* Opening and closing */

static int peer_open(struct worker **worker, const struct engine_type *type,
                     const struct engine_config *config, unsigned thread, struct error *error)
{
    struct libnfs_peer *peer = calloc(1, sizeof *peer);
    int code;

    if (!peer)
        return libnfs_out_of_memory(error);
    peer->config = config;
    code = libnfs_peer_connect(peer, thread, error);
    if (code)
        libnfs_peer_release(peer);
    else
        *worker = (struct worker *)peer;
    return code;
}

static void peer_close(struct worker *worker)
{
    libnfs_peer_release((struct libnfs_peer *)worker);
}

/* Receiving replies */

static void note_filled(struct libnfs_connection *connection, uint64_t now)
{
    if (!connection->filled)
        work_note_first_reply(connection->peer->work, now);
    connection->filled = true;
}

/* Check REPLY to call NUMBER, and return its status. Only the members of RESULT that
 * engine_check_decoded() reads are set. */
static int status_of(const struct engine_call *call, size_t number,
                     const struct libnfs_reply *reply)
{
    const struct rpc_procedure *procedure = call->procedure;
    union {
        nfsstat3 status; /* status of any result: all status enums have the same size */
        READ3res read;
        WRITE3res write;
    } result;

    result.status = (nfsstat3)reply->status;
    if (procedure->program == NFS_PROGRAM && procedure->number == NFSPROC3_WRITE)
        result.write.WRITE3res_u.resok.count = reply->count;
    if (procedure->program == NFS_PROGRAM && procedure->number == NFSPROC3_READ) {
        result.read.READ3res_u.resok.count = reply->count;
        result.read.READ3res_u.resok.eof = reply->ended;
        result.read.READ3res_u.resok.data.data_len = reply->length;
        result.read.READ3res_u.resok.data.data_val = reply->data;
    }
    return engine_check_decoded(call, call->first + number, &result);
}

static void note_sample(struct libnfs_peer *peer, const struct libnfs_slot *slot, uint64_t now)
{
    const struct sample_of of = {.client = slot->connection->client,
                                 .number = (uint32_t)slot->number};

    if (!slot->resent || peer->config->count_resent)
        samples_add(peer->samples, of, now - slot->submitted, now);
}

static void note_wait(struct libnfs_peer *peer, const struct libnfs_slot *slot, uint64_t now)
{
    const struct engine_gap silence = {peer->answered_at, now, peer->in_flight};

    peer->answered_at = now;
    if (silence_is_noted(peer->config->clock, now - silence.began))
        engine_gaps_keep(&peer->tally->waits, &silence);
    if (slot->resent)
        engine_gaps_note(&peer->tally->gaps, slot->submitted, now);
}

/* Handle REPLY to CALL. libnfs_service() and libnfs_close() call this function. */
static void take_reply(struct libnfs_call *call, const struct libnfs_reply *reply)
{
    struct libnfs_slot *slot = (struct libnfs_slot *)call;
    struct libnfs_connection *connection = slot->connection;
    struct libnfs_peer *peer = connection->peer;
    uint64_t now = peer->config->clock->stop();
    int status;

    if (connection->closing)
        return;
    if (!reply->answered || connection->guard.good == 0) {
        connection->unanswered = true;
        snprintf(connection->words, sizeof connection->words, "%s",
                 reply->answered ? "libnfs does not receive by recv(), so nothing can be checked"
                 : reply->words  ? reply->words
                                 : "nothing");
        return;
    }
    slot->busy = false;
    connection->free_slots[connection->free_count++] = (unsigned)(slot - connection->slots);
    connection->lost_since_ns = 0;
    note_wait(peer, slot, now);
    peer->in_flight--;
    status = status_of(peer->work->call, slot->number, reply);
    if (status != 0)
        engine_count_error(peer->tally, status);
    else
        note_sample(peer, slot, now);
    if (work_is_steady(peer->work, now))
        peer->tally->steady_calls++;
    note_filled(connection, now);
}

/* Sending calls */

/* Write PLACE into PEER's copy of MESSAGE. MESSAGE itself must not change, because other threads
 * use MESSAGE. Returns the copy, which is valid until the next call of write_place(), or NULL if
 * out of memory. */
static const uint8_t *write_place(struct libnfs_peer *peer, const struct channel_message *message,
                                  const struct engine_place *place)
{
    size_t size = RPC_RECORD_MARK_SIZE + message->length;

    if (size > peer->placed_size) {
        free(peer->placed);
        peer->placed = malloc(size);
        peer->placed_size = peer->placed ? size : 0;
        peer->placed_of = NULL;
    }
    if (!peer->placed)
        return NULL;
    if (peer->placed_of != message)
        memcpy(peer->placed, message->bytes, size);
    peer->placed_of = message;
    engine_patch_write(message->patch, place, peer->placed);
    return peer->placed;
}

static int decode_arguments(struct libnfs_peer *peer, size_t number)
{
    const struct engine_call *call = peer->work->call;
    const struct channel_message *message = engine_message(call, call->first + number);
    const struct engine_place *place = engine_place(call, call->first + number);
    const uint8_t *bytes = place ? write_place(peer, message, place) : message->bytes;
    struct wire_reader reader;
    struct rpc_call_header header;

    if (!bytes)
        return libnfs_out_of_memory(peer->error);
    reader = wire_reader(bytes + RPC_RECORD_MARK_SIZE, message->length);
    if (rpc_call_decode(&reader, &header) == 0 &&
        libnfs_arguments_decode(peer->arguments, peer->procedure, reader.at, wire_left(&reader)) ==
            0)
        return 0;
    return error_set(peer->error, ERROR_FAILED, -EBADMSG,
                     "engine libnfs: libnfs can't decode the arguments of %s",
                     call->procedure->name);
}

/* Pass SLOT's call to libnfs. Decode its arguments first if the calls of the block differ. */
static int issue_call(struct libnfs_connection *connection, struct libnfs_slot *slot)
{
    struct libnfs_peer *peer = connection->peer;
    bool alike = peer->work->call->variants == 1 && !peer->work->call->places;
    int code = alike ? 0 : decode_arguments(peer, slot->number);

    if (code)
        return code;
    slot->call = (struct libnfs_call){.procedure = peer->procedure, .take = take_reply};
    slot->sent = peer->config->clock->start();
    if (!slot->resent)
        slot->submitted = slot->sent;
    if (libnfs_issue(connection->rpc, slot->xid, &slot->call, peer->arguments) == 0)
        return 0;
    return error_set(peer->error, ERROR_FAILED, -ENOMEM,
                     "engine libnfs: libnfs refused a call of %s: %s",
                     peer->work->call->procedure->name, libnfs_error(connection->rpc));
}

static int take_identity(struct libnfs_connection *connection)
{
    const struct identity *identity = connection->peer->work->call->identity;

    if (connection->identity == identity)
        return 0;
    connection->identity = identity;
    if (libnfs_set_identity(connection->rpc, identity) == 0)
        return 0;
    return libnfs_out_of_memory(connection->peer->error);
}

static void lose_connection(struct libnfs_connection *connection)
{
    uint64_t now = clock_raw_ns();

    if (!connection->unanswered)
        snprintf(connection->words, sizeof connection->words, "%s", libnfs_error(connection->rpc));
    libnfs_connection_close(connection);
    connection->peer->lost++;
    connection->retry_at_ns = connection->lost_since_ns ? now + RETRY_PAUSE_NS : now;
    if (connection->lost_since_ns == 0)
        connection->lost_since_ns = now;
    note_filled(connection, connection->peer->config->clock->stop());
}

static int describe_bite(const struct libnfs_connection *connection)
{
    struct error *error = connection->peer->error;

    switch (watchdog_bite(&connection->watch)) {
    case WATCHDOG_STOPPED:
        return libnfs_interrupted(error);
    case WATCHDOG_TOO_MUCH:
        return libnfs_connection_describe(connection, -EMSGSIZE, NULL, error);
    default:
        return libnfs_connection_describe(connection, -ETIMEDOUT, NULL, error);
    }
}

static int describe_refused(const struct libnfs_connection *connection)
{
    const struct guard *guard = &connection->guard;
    struct error *error = connection->peer->error;

    return guard->code == -EBADMSG
               ? engine_refuse_garbage(guard->length, error)
               : libnfs_connection_describe(connection, guard->code, strerror(-guard->code), error);
}

static int service_connection(struct libnfs_connection *connection, short revents)
{
    struct libnfs_peer *peer = connection->peer;
    int code;

    watchdog_begin(&connection->watch);
    code = libnfs_service(connection->rpc, &connection->guard, revents);
    watchdog_end(&connection->watch);
    if (connection->guard.code)
        return describe_refused(connection);
    if (watchdog_bite(&connection->watch) != WATCHDOG_CALM)
        return describe_bite(connection);
    if (code) {
        lose_connection(connection);
        return 0;
    }
    if (connection->unanswered)
        return error_set(peer->error, ERROR_FAILED, -EPROTO,
                         "engine libnfs: a call of %s got no result; libnfs says: %s",
                         peer->work->call->procedure->name, connection->words);
    return 0;
}

static int refill_slots(struct libnfs_connection *connection)
{
    struct libnfs_peer *peer = connection->peer;
    size_t wanted = connection->free_count, first = 0;
    size_t taken = work_take(peer->work, wanted, &first);
    int code = 0;

    if (taken < wanted)
        work_ends(peer->work, peer->config->clock->stop());
    if (taken == 0)
        return 0;
    if (peer->in_flight == 0)
        peer->answered_at = peer->config->clock->start();
    peer->in_flight += taken;
    for (size_t i = 0; i < taken && code == 0; i++) {
        struct libnfs_slot *slot =
            &connection->slots[connection->free_slots[--connection->free_count]];

        slot->busy = true;
        slot->resent = false;
        slot->number = first + i;
        slot->xid = xid_for(&connection->xids, ++connection->turn);
        engine_pause(peer->work->call);
        code = issue_call(connection, slot);
    }
    return code ? code : service_connection(connection, POLLOUT);
}

static int resend_all(struct libnfs_connection *connection)
{
    struct libnfs_peer *peer = connection->peer;
    int code = take_identity(connection);

    for (unsigned i = 0; i < peer->config->load.depth && code == 0; i++) {
        if (!connection->slots[i].busy)
            continue;
        connection->slots[i].resent = true;
        peer->tally->counts.retransmissions++;
        code = issue_call(connection, &connection->slots[i]);
    }
    return code;
}

static int restore_connection(struct libnfs_connection *connection)
{
    struct libnfs_peer *peer = connection->peer;
    uint64_t now = clock_raw_ns(), timeout = peer->config->channel.timeout_ns;
    struct error ignored; /* the loss of the connection is reported instead */
    int code;

    if (connection->rpc || now < connection->retry_at_ns)
        return 0;
    if (connection->lost_since_ns == 0)
        connection->lost_since_ns = now;
    if (now - connection->lost_since_ns > timeout)
        return libnfs_connection_describe(connection, -ECONNRESET, connection->words, peer->error);
    if (libnfs_connection_make(connection, timeout, &ignored) != 0) {
        connection->retry_at_ns = clock_raw_ns() + RETRY_PAUSE_NS;
        return 0;
    }
    peer->lost--;
    peer->tally->counts.reconnections++;
    code = resend_all(connection);
    return code ? code : refill_slots(connection);
}

static int check_timeouts(struct libnfs_connection *connection)
{
    const struct engine_config *config = connection->peer->config;
    double timeout = (double)config->channel.timeout_ns / config->clock->ns_per_tick;
    uint64_t now = config->clock->stop();

    for (unsigned i = 0; i < config->load.depth && connection->rpc; i++)
        if (connection->slots[i].busy && (double)(now - connection->slots[i].sent) > timeout)
            return libnfs_connection_describe(connection, -ETIMEDOUT, NULL,
                                              connection->peer->error);
    return 0;
}

static int look_around(struct libnfs_peer *peer)
{
    uint64_t now;
    int code = 0;

    if (libnfs_must_stop(peer))
        return libnfs_interrupted(peer->error);
    now = clock_raw_ns();
    for (size_t i = 0; i < peer->count && peer->lost > 0 && code == 0; i++)
        code = restore_connection(&peer->connections[i]);
    if (now < peer->next_look_ns)
        return code;
    peer->next_look_ns = now + LIBNFS_LOOK_AROUND_MS * UINT64_C(1000000);
    for (size_t i = 0; i < peer->count && code == 0; i++)
        code = check_timeouts(&peer->connections[i]);
    return code;
}

/* The block */

static int wait_for_replies(struct libnfs_peer *peer)
{
    int code = 0;

    for (size_t i = 0; i < peer->count; i++) {
        struct rpc_context *rpc = peer->connections[i].rpc;

        peer->polled[i] = (struct pollfd){.fd = rpc ? libnfs_fd(rpc) : -1,
                                          .events = rpc ? libnfs_events(rpc) : 0};
    }
    if (poll(peer->polled, peer->count, peer->lost > 0 ? RESTORE_MS : LIBNFS_LOOK_AROUND_MS) <= 0)
        return 0;
    for (size_t i = 0; i < peer->count && code == 0; i++) {
        struct libnfs_connection *connection = &peer->connections[i];

        if (peer->polled[i].revents == 0)
            continue;
        code = service_connection(connection, peer->polled[i].revents);
        if (code == 0 && connection->rpc)
            code = refill_slots(connection);
    }
    return code;
}

/* Return the longest reply, in bytes, that libnfs may decode. Only READ replies may exceed 128 KiB,
 * because libnfs decodes lists by recursion, and a very long list would overflow the stack. */
static size_t reply_maximum(const struct libnfs_peer *peer)
{
    const size_t list = 128 * 1024, maximum = peer->config->channel.reply_maximum;
    const struct rpc_procedure *procedure = peer->work->call->procedure;
    bool has_data = procedure->program == NFS_PROGRAM && procedure->number == NFSPROC3_READ;

    return has_data || maximum < list ? maximum : list;
}

static int begin_block(struct libnfs_peer *peer)
{
    const struct engine_call *call = peer->work->call;
    const struct rpc_procedure *procedure = call->procedure;
    int code = 0;

    peer->in_flight = 0;
    peer->next_look_ns = 0;
    peer->placed_of = NULL;
    for (size_t i = 0; i < peer->count; i++) {
        peer->connections[i].filled = false;
        peer->connections[i].guard.maximum = reply_maximum(peer);
        if (!peer->connections[i].rpc)
            note_filled(&peer->connections[i], peer->config->clock->stop());
    }
    peer->procedure =
        libnfs_procedure_find(procedure->program, procedure->version, procedure->number);
    if (!peer->procedure)
        return error_set(peer->error, ERROR_USAGE, -ENOTSUP,
                         "engine libnfs: libnfs can't call %s; use another engine",
                         procedure->name);
    if (call->variants == 1 && !call->places)
        code = decode_arguments(peer, 0);
    for (size_t i = 0; i < peer->count && code == 0; i++)
        if (peer->connections[i].rpc)
            code = take_identity(&peer->connections[i]);
    return code;
}

static int make_calls(struct libnfs_peer *peer)
{
    int code = begin_block(peer);

    for (size_t i = 0; i < peer->count && code == 0; i++)
        if (peer->connections[i].rpc)
            code = refill_slots(&peer->connections[i]);
    while (code == 0 && (peer->in_flight > 0 || !work_is_all_taken(peer->work))) {
        code = wait_for_replies(peer);
        if (code == 0)
            code = look_around(peer);
    }
    return code;
}

/* Give up all calls in flight by closing their connections, because libnfs can't forget a call. */
static void abandon_connections(struct libnfs_peer *peer)
{
    peer->lost = 0;
    for (size_t i = 0; i < peer->count; i++) {
        struct libnfs_connection *connection = &peer->connections[i];

        if (connection->free_count < peer->config->load.depth)
            libnfs_connection_close(connection);
        libnfs_connection_free_slots(connection);
        connection->lost_since_ns = 0;
        peer->lost += !connection->rpc;
    }
}

static int peer_run(struct worker *worker, struct engine_work *work, struct engine_samples *samples,
                    struct engine_tally *tally, struct error *error)
{
    struct libnfs_peer *peer = (struct libnfs_peer *)worker;
    int code;

    peer->work = work;
    peer->samples = samples;
    peer->tally = tally;
    peer->error = error;
    code = make_calls(peer);
    if (code)
        abandon_connections(peer);
    return code;
}

static size_t peer_sockets(const struct worker *worker, int *fds, size_t room)
{
    const struct libnfs_peer *peer = (const struct libnfs_peer *)worker;
    size_t count = 0;

    for (size_t i = 0; i < peer->count && count < room; i++)
        if (peer->connections[i].rpc)
            fds[count++] = libnfs_fd(peer->connections[i].rpc);
    return count;
}

static bool can_call(const struct rpc_procedure *procedure)
{
    return libnfs_procedure_find(procedure->program, procedure->version, procedure->number) != NULL;
}

static const struct worker_type worker_libnfs = {
    .depth_maximum = DEPTH_MAXIMUM,
    .open = peer_open,
    .run = peer_run,
    .close = peer_close,
    .sockets = peer_sockets,
};

const struct engine_type engine_libnfs = {
    .name = "libnfs",
    .counts_retransmissions = true,
    .spins = false,
    .tcp_only = true,
    .makes = can_call,
    .worker = &worker_libnfs,
};
