#include "engine/wire/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/counted.h"
#include "engine/channel/socket_io.h"
#include "engine/wire/connection_security.h"
#include "rpc/wire.h"

enum {
    RETRY_PAUSE_NS = 100 * 1000 * 1000,
    RECEIVE_WAIT_US = 50 * 1000, /* longest receive between two checks of timeouts */
    SOCKET_BUFFER_MAXIMUM = 8 * 1024 * 1024,
};

/* With several calls in flight over UDP, enlarge the socket's receive buffer so that the replies to
 * all slots fit, but to 8 MiB at most. UDP loses messages that don't fit. */
static void size_socket(struct connection *connection)
{
    size_t wanted = (size_t)connection->depth * connection->options.reply_maximum;
    int size = wanted > SOCKET_BUFFER_MAXIMUM ? SOCKET_BUFFER_MAXIMUM : (int)wanted;

    if (connection->depth == 1 || connection->endpoint.transport == TRANSPORT_TCP)
        return;
    if (setsockopt(connection->fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
        setsockopt(connection->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
}

static void disconnect(struct connection *connection)
{
    tls_session_end(&connection->tls);
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
}

static void clear_buffers(struct connection *connection)
{
    transmit_buffer_clear(&connection->transmit_buffer);
    receive_buffer_clear(&connection->receive_buffer);
}

/* Set up the new socket, with TLS if requested. Returns 0, or a negative errno with ERROR set. */
static int begin_with_socket(struct connection *connection, struct error *error)
{
    struct timeval wait = {.tv_usec = RECEIVE_WAIT_US};
    int code = connection_begin_tls(connection, error);

    if (code) {
        disconnect(connection);
        return code;
    }
    connection->low_water = 1;
    if (connection->watched.watch && !connection->options.tls)
        connection->watched.watch->connected(connection->watched.watch->context,
                                             connection->watched.connection, connection->fd, 0, 0);
    setsockopt(connection->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    size_socket(connection);
    return 0;
}

static int make_connection(struct connection *connection, struct error *error)
{
    int code = endpoint_connect(&connection->endpoint, &connection->fd, error);

    clear_buffers(connection);
    if (code == 0)
        return begin_with_socket(connection, error);
    connection->fd = -1;
    return code;
}

static unsigned bits_for(unsigned count)
{
    unsigned bits = 0;

    while (1u << bits < count)
        bits++;
    return bits;
}

/* Add slot INDEX to the ring of free slots. A ring uses all slots equally often. A slot's xids
 * repeat after 2^(32 - INDEX_BITS) calls of the slot, and there are more than 2^(INDEX_BITS - 1)
 * slots, so an xid is reused only after 2^31 calls of the connection or more. This matters because
 * servers keep their replies to recent xids, and would answer a new call with the reply to an
 * earlier call of the same xid. */
static void free_slot(struct connection *connection, uint32_t index)
{
    unsigned at = connection->free_first + connection->free_count++;

    connection->free_slots[at < connection->depth ? at : at - connection->depth] = index;
}

static uint32_t take_slot(struct connection *connection)
{
    uint32_t index = connection->free_slots[connection->free_first++];

    if (connection->free_first == connection->depth)
        connection->free_first = 0;
    connection->free_count--;
    return index;
}

static int watch_buffers(struct connection *connection)
{
    struct load_watched watched = connection->watched;

    if (connection->options.tls)
        watched.watch = &connection->tls.calls;
    connection->transmit_buffer.watched = connection->receive_buffer.watched = watched;
    return connection->options.tls
               ? receive_buffer_reserve(&connection->receive_buffer, RPC_TLS_ROOM)
               : 0;
}

/* Return the number in the series XIDS that precedes the number of slot INDEX's first call. The
 * slots' first numbers are far apart, so that a call's xid does not reveal another slot's xids. */
static uint32_t first_turn(const struct connection *connection, uint32_t index)
{
    const uint32_t spread = 0x9e3779b1; /* 2^32 divided by the golden ratio */

    return connection->xids.first + index * spread;
}

static int allocate_slots(struct connection *connection, unsigned depth)
{
    const struct channel_options *options = &connection->options;
    size_t longest = options->reply_maximum + (options->security.flavor ? GSS_REPLY_OVERHEAD : 0);

    connection->slots = calloc(depth, sizeof *connection->slots);
    connection->free_slots = calloc(depth, sizeof *connection->free_slots);
    connection->fresh = calloc(depth, sizeof *connection->fresh);
    connection->scheduled = calloc(depth, sizeof *connection->scheduled);
    if (!connection->slots || !connection->free_slots || !connection->fresh ||
        !connection->scheduled ||
        transmit_buffer_open(&connection->transmit_buffer, connection->endpoint.transport, depth) !=
            0 ||
        receive_buffer_open(&connection->receive_buffer, connection->endpoint.transport, longest,
                            depth) != 0 ||
        watch_buffers(connection) != 0)
        return -ENOMEM;
    connection->depth = connection->resend_next = depth;
    connection->index_bits = bits_for(depth);
    for (unsigned i = 0; i < depth; i++)
        free_slot(connection, i);
    xid_series_begin(&connection->xids, 32 - connection->index_bits);
    for (unsigned i = 0; i < depth; i++)
        connection->slots[i].turn = first_turn(connection, i);
    return 0;
}

int connection_open(struct connection *connection, const struct endpoint *endpoint,
                    const struct channel_options *options, unsigned number, unsigned depth,
                    const struct clock *clock, struct error *error)
{
    int code;

    memset(connection, 0, sizeof *connection);
    connection->fd = -1;
    connection->endpoint = channel_endpoint(endpoint, options);
    connection->options = *options;
    connection->clock = clock;
    connection->watched = (struct load_watched){options->load_watch, number};
    code = allocate_slots(connection, depth);
    if (code)
        error_set(error, ERROR_FAILED, code, "out of memory for a connection");
    else
        code = make_connection(connection, error);
    if (code)
        connection_close(connection);
    connection->endpoint.deadline.at_ns = connection->options.deadline.at_ns = 0;
    return code;
}

void connection_close(struct connection *connection)
{
    disconnect(connection);
    transmit_buffer_close(&connection->transmit_buffer);
    receive_buffer_close(&connection->receive_buffer);
    connection_unprotect(connection);
    free(connection->slots);
    free(connection->free_slots);
    free(connection->fresh);
    free(connection->scheduled);
    connection->slots = NULL;
    connection->scheduled = NULL;
    connection->free_slots = connection->fresh = NULL;
}

/* Sending calls */

static void transmit_call(struct connection *connection, const struct call_slot *call)
{
    const struct load_watch *watch = connection->watched.watch;
    size_t length = connection->security ? 0 : call->message->length + RPC_RECORD_MARK_SIZE;
    uint8_t *head;

    if (watch)
        watch->adding(watch->context, connection->watched.connection, call, length);
    if (connection->security) {
        connection_transmit_protected(connection, call);
        return;
    }
    head = transmit_buffer_put(&connection->transmit_buffer, call->message, call->xid);
    if (call->place)
        engine_patch_write(call->message->patch, call->place, head);
}

/* Copy SCHEDULED to where it stays valid while the call in slot INDEX is in flight. Return the
 * copy, or NULL if SCHEDULED is NULL. */
static const struct scheduled_call *keep_scheduled(struct connection *connection, uint32_t index,
                                                   const struct scheduled_call *scheduled)
{
    if (!scheduled)
        return NULL;
    connection->scheduled[index] = *scheduled;
    return &connection->scheduled[index];
}

void connection_put(struct connection *connection, const struct channel_message *message,
                    const struct engine_place *place, size_t number,
                    const struct scheduled_call *scheduled)
{
    uint32_t index = take_slot(connection);
    struct call_slot *slot = &connection->slots[index];
    uint32_t turn = slot->turn + 1;

    *slot = (struct call_slot){.freed = slot->freed,
                               .message = message,
                               .place = place,
                               .scheduled = keep_scheduled(connection, index, scheduled),
                               .number = number,
                               .turn = turn,
                               .xid = xid_for(&connection->xids, turn) << connection->index_bits |
                                      index,
                               .busy = true};
    connection->fresh[connection->fresh_count++] = index;
    transmit_call(connection, slot);
}

/* Add CALL to the transmit buffer again, with its xid. Returns 0, -EAGAIN if there is no room now,
 * or the kernel's error. connection_has_number() must be true. */
static int resend(struct connection *connection, struct call_slot *call)
{
    if (!transmit_buffer_has_room(&connection->transmit_buffer)) {
        int code = transmit_buffer_send(&connection->transmit_buffer, connection->fd);

        if (code)
            return code;
    }
    transmit_call(connection, call);
    connection->counts.retransmissions += !call->renewed;
    call->lost = call->renewed = false;
    if (call->resent < UINT16_MAX)
        call->resent++;
    return 0;
}

/* Add lost calls to the transmit buffer again, as far as the server's window allows. Returns as
 * resend() does; 0 also if calls remain because the window is full. */
static int resend_lost(struct connection *connection)
{
    int code = 0;

    while (connection->resend_next < connection->depth && code == 0) {
        struct call_slot *call = &connection->slots[connection->resend_next];

        if (call->busy && call->lost) {
            if (!connection_has_number(connection))
                return 0;
            code = resend(connection, call);
        }
        connection->resend_next += code == 0;
    }
    return code;
}

static void note_submitted(struct connection *connection, uint64_t now)
{
    for (unsigned i = 0; i < connection->fresh_count; i++) {
        struct call_slot *slot = &connection->slots[connection->fresh[i]];

        slot->submitted = now;
        if (slot->freed < connection->turns_since || slot->freed == 0)
            continue;
        connection->turn_ticks += now - slot->freed;
        connection->turn_calls++;
    }
    connection->fresh_count = 0;
}

/* Return the negative errno with which protecting a call failed. With the option UNENDING, forget
 * this errno, so that later calls are protected again. */
static int take_security_failure(struct connection *connection)
{
    int code = connection->security_failure;

    if (connection->options.unending)
        connection->security_failure = 0;
    return code;
}

int connection_send(struct connection *connection)
{
    int code;

    if (connection->fresh_count > 0)
        note_submitted(connection, connection->clock->start());
    code = resend_lost(connection);
    if (connection->security_failure)
        return take_security_failure(connection);
    return code ? code : transmit_buffer_send(&connection->transmit_buffer, connection->fd);
}

/* Receiving replies */

void connection_set_low_water(struct connection *connection, size_t bytes)
{
    int low_water = bytes < SOCKET_BUFFER_MAXIMUM ? (int)bytes : SOCKET_BUFFER_MAXIMUM;

    if (low_water == connection->low_water || connection->fd < 0 || connection->options.tls)
        return;
    connection->low_water = low_water;
    setsockopt(connection->fd, SOL_SOCKET, SO_RCVLOWAT, &low_water, sizeof low_water);
}

int connection_receive(struct connection *connection, bool wait)
{
    return receive_buffer_receive(&connection->receive_buffer, connection->fd, wait);
}

/* Count a reply whose XID matches no call in flight. If no call has had XID yet, count the reply as
 * early, too. INDEX, a part of XID, may be too large. */
static void count_unmatched(struct connection *connection, uint32_t index, uint32_t xid)
{
    connection->counts.unmatched++;
    connection->counts.early +=
        index >= connection->depth ||
        !xid_was_used(&connection->xids, first_turn(connection, index),
                      connection->slots[index].turn, xid >> connection->index_bits);
}

/* Return the call in flight that MESSAGE answers. If there is none, count MESSAGE; return NULL. */
static struct call_slot *find_call(struct connection *connection,
                                   const struct receive_buffer_message *message)
{
    uint32_t xid, index;
    struct call_slot *slot;

    if (message->length < sizeof xid) {
        connection->counts.unmatched++;
        return NULL;
    }
    memcpy(&xid, message->bytes, sizeof xid);
    xid = be32toh(xid);
    index = xid & ((1u << connection->index_bits) - 1);
    slot = &connection->slots[index < connection->depth ? index : 0];
    if (slot->busy && slot->xid == xid)
        return slot;
    count_unmatched(connection, index, xid);
    return NULL;
}

int connection_take(struct connection *connection, uint64_t now, struct connection_reply *replies,
                    size_t *count)
{
    struct receive_buffer_message message;
    size_t came;
    int found;

    *count = 0;
    while ((found = receive_buffer_next(&connection->receive_buffer, &message)) == 1) {
        struct call_slot *slot = find_call(connection, &message);

        if (!slot)
            continue;
        came = message.length;
        if (connection->security) {
            int code = connection_open_protected(connection, slot, &message);

            if (code == -EKEYEXPIRED)
                continue;
            if (code)
                return code;
        }
        replies[(*count)++] = (struct connection_reply){message, *slot, came};
        slot->busy = false;
        slot->freed = now;
        free_slot(connection, (uint32_t)(slot - connection->slots));
    }
    if (*count > 0)
        connection->lost_since_ns = 0;
    return found;
}

void connection_lose(struct connection *connection)
{
    uint64_t now = clock_raw_ns();

    disconnect(connection);
    connection_release_all(connection);
    /* The first attempt needs no pause: the server may just have closed an idle connection. */
    connection->retry_at_ns = connection->lost_since_ns ? now + RETRY_PAUSE_NS : now;
    if (connection->lost_since_ns == 0)
        connection->lost_since_ns = now;
}

static void note_reconnection(struct connection *connection)
{
    connection->counts.reconnections++;
    for (unsigned i = 0; i < connection->depth; i++)
        connection->slots[i].lost = connection->slots[i].busy;
    connection->resend_next = 0;
}

int connection_adopt(struct connection *connection, int fd)
{
    struct error ignored; /* the caller needs only the errno */

    clear_buffers(connection);
    connection->fd = fd;
    connection->failure = begin_with_socket(connection, &ignored);
    if (connection->failure == 0)
        note_reconnection(connection);
    return connection->failure;
}

int connection_restore(struct connection *connection, struct error *error)
{
    struct error why; /* used only if TLS was refused */
    uint64_t now = clock_raw_ns();

    if (now < connection->retry_at_ns)
        return 0;
    if (!connection->patient && now - connection->lost_since_ns > connection->options.timeout_ns)
        return connection_describe(connection, -ECONNRESET, error);
    connection->failure = make_connection(connection, &why);
    if (connection->failure == -EPROTO) {
        *error = why;
        return -EPROTO;
    }
    if (connection->failure)
        connection->retry_at_ns = clock_raw_ns() + RETRY_PAUSE_NS;
    else
        note_reconnection(connection);
    return 0;
}

/* Return when CALL's current wait for its reply ends, in ticks from its first transmission. Earlier
 * waits are included. */
static double reply_timeout(const struct connection *connection, const struct call_slot *call)
{
    unsigned doublings = call->resent < 16 ? call->resent : 16;
    bool constant = connection->options.unending || connection->patient;
    unsigned waits = constant ? call->resent + 1u : (2u << doublings) - 1;

    return (double)connection->options.timeout_ns / connection->clock->ns_per_tick * waits;
}

/* UDP: add CALL to the transmit buffer again. Without room in the buffer or in the server's window,
 * a later check for timeouts tries again. */
static void repeat(struct connection *connection, struct call_slot *call)
{
    connection_release(connection, call);
    if (connection_has_number(connection))
        resend(connection, call);
}

void connection_repeat(struct connection *connection, size_t number)
{
    for (unsigned i = 0; i < connection->depth; i++)
        if (connection->slots[i].busy && connection->slots[i].number == number)
            repeat(connection, &connection->slots[i]);
}

static int handle_timeout(struct connection *connection, struct call_slot *call,
                          struct error *error)
{
    bool datagrams = connection->endpoint.transport == TRANSPORT_UDP;
    bool unending = connection->options.unending;

    if (unending && !datagrams) {
        connection_lose(connection);
        return 0;
    }
    if (connection->patient && !datagrams)
        return 0;
    if (!connection->patient &&
        (!datagrams || (!unending && call->resent >= connection->options.retransmissions)))
        return connection_describe(connection, -ETIMEDOUT, error);
    repeat(connection, call);
    return 0;
}

int connection_check_timeouts(struct connection *connection, struct error *error)
{
    uint64_t now = connection->clock->stop();
    int code = 0;

    for (unsigned i = 0; i < connection->depth && connection->fd >= 0 && code == 0; i++) {
        struct call_slot *call = &connection->slots[i];

        if (call->busy && call->submitted != 0 &&
            (double)(now - call->submitted) >= reply_timeout(connection, call))
            code = handle_timeout(connection, call, error);
    }
    return code;
}

uint64_t connection_oldest(const struct connection *connection)
{
    uint64_t oldest = 0;

    for (unsigned i = 0; i < connection->depth; i++) {
        const struct call_slot *slot = &connection->slots[i];

        if (slot->busy && slot->submitted && (oldest == 0 || slot->submitted < oldest))
            oldest = slot->submitted;
    }
    return oldest;
}

void connection_abandon(struct connection *connection)
{
    connection_release_all(connection);
    connection->free_count = connection->fresh_count = 0;
    connection->resend_next = connection->depth;
    for (unsigned i = 0; i < connection->depth; i++) {
        connection->slots[i].busy = false;
        free_slot(connection, i);
    }
    transmit_buffer_clear(&connection->transmit_buffer);
    if (connection->endpoint.transport == TRANSPORT_TCP && connection->fd >= 0)
        connection_lose(connection); /* a record may have been sent only partly */
}

int connection_describe(const struct connection *connection, int code, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    if (connection->security && connection->security_error.text[0]) {
        *error = connection->security_error;
        return code;
    }
    if (code == -EPROTO)
        return tls_session_describe(&connection->tls, &connection->endpoint, error);
    if (code == -ETIMEDOUT)
        return error_set(error, ERROR_UNREACHABLE, code,
                         "no reply from %s (RPC_TIMEDOUT) with %s in flight; see --timeout "
                         "and --retrans",
                         endpoint_describe(&connection->endpoint, name),
                         counted(connection_in_flight(connection), "call").text);
    return socket_io_describe(&connection->endpoint, connection->options.reply_maximum, code,
                              error);
}
