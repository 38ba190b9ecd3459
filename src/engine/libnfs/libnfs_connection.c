#include "engine/libnfs/libnfs_connection.h"

#include <errno.h>
#include <stdlib.h>

#include "common/address.h"

enum {
    /* The watchdog lets a wait receive the longest reply and this number of bytes more, both times
     * the depth. The additional bytes are for replies to calls that were given up. */
    BYTES_BESIDE = 64 * 1024
};

bool libnfs_must_stop(const struct libnfs_peer *peer)
{
    const volatile sig_atomic_t *stop = peer->config->channel.deadline.stop;

    return (stop && *stop) ||
           (peer->work && atomic_load_explicit(&peer->work->failed, memory_order_relaxed));
}

int libnfs_interrupted(struct error *error)
{
    return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
}

int libnfs_connection_describe(const struct libnfs_connection *connection, int code,
                               const char *words, struct error *error)
{
    const struct libnfs_peer *peer = connection->peer;
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(&peer->config->endpoint, name);
    if (code == -ETIMEDOUT)
        return error_set(
            error, ERROR_UNREACHABLE, code,
            "no reply from %s to a call of libnfs (RPC_TIMEDOUT) with %u in flight; see --timeout",
            name, peer->config->load.depth - connection->free_count);
    if (code == -EMSGSIZE)
        return error_set(error, ERROR_FAILED, code,
                         "%s sent a record longer than any reply to the calls in flight (over %zu "
                         "bytes each); is it an RPC server?",
                         name, connection->guard.maximum);
    return error_set(error, ERROR_UNREACHABLE, code, "talking to %s (RPC_CANTRECV): libnfs says %s",
                     name, words);
}

static int finish_connecting(struct libnfs_connection *connection, uint64_t timeout_ns)
{
    uint64_t deadline = clock_raw_ns() + timeout_ns;

    while (connection->state == 0) {
        struct pollfd polled = {.fd = libnfs_fd(connection->rpc),
                                .events = libnfs_events(connection->rpc)};

        if (libnfs_must_stop(connection->peer))
            return -EINTR;
        if (clock_raw_ns() >= deadline)
            return -ETIMEDOUT;
        if (poll(&polled, 1, LIBNFS_LOOK_AROUND_MS) > 0 &&
            libnfs_service(connection->rpc, &connection->guard, polled.revents) != 0)
            return -ECONNREFUSED;
    }
    return connection->state > 0 ? 0 : -ECONNREFUSED;
}

void libnfs_connection_close(struct libnfs_connection *connection)
{
    if (!connection->rpc)
        return;
    watchdog_release(&connection->watch);
    guard_reset(&connection->guard);
    connection->closing = true;
    libnfs_close(connection->rpc);
    connection->closing = false;
    connection->unanswered = false;
    connection->rpc = NULL;
    connection->identity = NULL;
}

/* Watch the connection, because libnfs receives and allocates without a limit of time or size. */
static int watch_connection(struct libnfs_connection *connection, struct error *error)
{
    const struct engine_config *config = connection->peer->config;
    const struct watchdog_limits limits = {
        .time_ns = config->channel.timeout_ns,
        .bytes = (uint64_t)config->load.depth *
                 (RPC_RECORD_STREAM_MAXIMUM(config->channel.reply_maximum) + BYTES_BESIDE),
        .stop = config->channel.deadline.stop};

    return watchdog_watch(&connection->watch, libnfs_fd(connection->rpc), &limits, error);
}

int libnfs_connection_make(struct libnfs_connection *connection, uint64_t timeout_ns,
                           struct error *error)
{
    const struct endpoint *endpoint = &connection->peer->config->endpoint;
    char host[ADDRESS_TEXT_SIZE], name[ENDPOINT_NAME_SIZE];
    int code = -ENOTCONN;

    connection->rpc = libnfs_connect(address_text(&endpoint->address, host),
                                     address_port(&endpoint->address), &connection->state);
    if (connection->rpc)
        code = finish_connecting(connection, timeout_ns);
    if (code == -EINTR)
        libnfs_interrupted(error);
    else if (code)
        error_set(error, ERROR_UNREACHABLE, code, "connecting to %s: libnfs says %s",
                  endpoint_describe(endpoint, name),
                  code == -ETIMEDOUT ? "that the connection timed out (RPC_TIMEDOUT); see --timeout"
                  : connection->rpc  ? libnfs_error(connection->rpc)
                                     : "that the connection failed");
    else
        code = watch_connection(connection, error);
    if (code)
        libnfs_connection_close(connection);
    return code;
}

void libnfs_peer_release(struct libnfs_peer *peer)
{
    for (size_t i = 0; i < peer->count; i++) {
        libnfs_connection_close(&peer->connections[i]);
        free(peer->connections[i].slots);
        free(peer->connections[i].free_slots);
    }
    free(peer->connections);
    free(peer->polled);
    libnfs_arguments_free(peer->arguments);
    free(peer->placed);
    free(peer);
}

int libnfs_out_of_memory(struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
}

void libnfs_connection_free_slots(struct libnfs_connection *connection)
{
    unsigned depth = connection->peer->config->load.depth;

    for (unsigned i = 0; i < depth; i++) {
        connection->slots[i].busy = false;
        connection->free_slots[i] = depth - 1 - i;
    }
    connection->free_count = depth;
}

static bool is_early(const struct libnfs_connection *connection, uint32_t xid)
{
    return !xid_was_used(&connection->xids, connection->xids.first, connection->turn, xid);
}

/* Count the reply with XID if its call was not sent yet. */
static void note_reply(void *context, uint32_t xid)
{
    const struct libnfs_connection *connection = context;
    struct engine_tally *tally = connection->peer->tally;

    if (!tally || !is_early(connection, xid))
        return;
    tally->counts.unmatched++;
    tally->counts.early++;
}

/* Return whether libnfs may have the record in BYTES: 0 for an early reply, which libnfs skips, and
 * for a reply that follows the protocol; -EBADMSG for any other record. */
static int check_record(void *context, const uint8_t *bytes, size_t length)
{
    const struct libnfs_connection *connection = context;
    const struct engine_work *work = connection->peer->work;
    struct wire_reader reader = wire_reader(bytes, length);
    uint32_t xid = wire_get_u32(&reader);

    if (work && !reader.failed && is_early(connection, xid))
        return 0;
    return work && engine_check_reply(work->call, bytes, length, NULL) != -EBADMSG ? 0 : -EBADMSG;
}

static int open_connection(struct libnfs_peer *peer, unsigned client, struct error *error)
{
    struct libnfs_connection *connection = &peer->connections[peer->count++];
    unsigned depth = peer->config->load.depth;

    connection->peer = peer;
    connection->guard = (struct guard){.maximum = peer->config->channel.reply_maximum,
                                       .note = note_reply,
                                       .check = check_record,
                                       .context = connection};
    xid_series_begin(&connection->xids, 32);
    connection->turn = connection->xids.first;
    connection->client = client;
    connection->slots = calloc(depth, sizeof *connection->slots);
    connection->free_slots = calloc(depth, sizeof *connection->free_slots);
    if (!connection->slots || !connection->free_slots)
        return libnfs_out_of_memory(error);
    for (unsigned i = 0; i < depth; i++)
        connection->slots[i].connection = connection;
    libnfs_connection_free_slots(connection);
    return libnfs_connection_make(connection, peer->config->channel.timeout_ns, error);
}

int libnfs_peer_connect(struct libnfs_peer *peer, unsigned thread, struct error *error)
{
    const struct load *load = &peer->config->load;
    size_t room = (size_t)(load->clients / load->threads + 1) * load->connections;
    int code = 0;

    peer->connections = calloc(room, sizeof *peer->connections);
    peer->polled = calloc(room, sizeof *peer->polled);
    peer->arguments = libnfs_arguments_new();
    if (!peer->connections || !peer->polled || !peer->arguments)
        return libnfs_out_of_memory(error);
    for (unsigned client = thread; client < load->clients; client += load->threads)
        for (unsigned i = 0; i < load->connections && code == 0; i++)
            code = open_connection(peer, client, error);
    return code;
}
