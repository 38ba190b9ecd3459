#include "outage/probe.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 20,
    /* To a host that does not answer: so short, since other connections wait in that time. */
    CONNECT_NS = 200 * 1000 * 1000,
    CONTEXT_NS = 1000 * 1000 * 1000, /* for a security context, in which all connections wait */
    REPLY_OVERHEAD = 16384,          /* more than a reply has beside its data */
};

/* Opening and closing */

static void begin_schedule(struct probe *probe, struct probe_link *link, size_t number)
{
    const uint64_t now = clock_raw_ns();
    const size_t lines = (size_t)probe->link_count * OUTAGE_PROCEDURES;

    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++)
        link->next_due[i] = now + probe->period_ns * (number * OUTAGE_PROCEDURES + i) / lines;
}

/* A context that the server has lost is made again for the first call that needs it. */
static int protect_link(struct probe_link *link, const struct endpoint *endpoint,
                        const struct channel_options *options, struct error *error)
{
    struct channel_options own = *options;
    int code;

    if (!options->security.flavor)
        return 0;
    own.timeout_ns = CONTEXT_NS;
    own.retransmissions = 0;
    code = channel_open(&link->context, endpoint, &own, error);
    if (code)
        return code;
    return connection_protect(&link->connection, channel_security(link->context)) == 0
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
}

static int open_link(struct probe *probe, const struct endpoint *endpoint,
                     const struct channel_options *options, size_t number, struct error *error)
{
    struct probe_link *link = &probe->links[number];
    struct channel_options own = *options;
    int code;

    own.unending = true;
    own.reply_maximum = probe->blocks->size + REPLY_OVERHEAD;
    begin_schedule(probe, link, number);
    code = connection_open(&link->connection, endpoint, &own, 0, PROBE_DEPTH, &probe->clock, error);
    link->connection.endpoint.timeout_ns = CONNECT_NS;
    return code ? code : protect_link(link, endpoint, options, error);
}

int probe_open(struct probe *probe, const struct endpoint *endpoint,
               const struct channel_options *options, unsigned links, double rate,
               struct error *error)
{
    int code = clock_open(&probe->clock, "monotonic-raw", error);

    probe->link_count = links;
    probe->period_ns = (uint64_t)(1e9 / rate);
    probe->links = calloc(links, sizeof *probe->links);
    probe->data = malloc(probe->blocks->size);
    if (code == 0 && (!probe->links || !probe->data))
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the probe");
    for (unsigned i = 0; i < links && probe->links; i++)
        probe->links[i].connection.fd = -1;
    for (unsigned i = 0; i < links && code == 0; i++)
        code = open_link(probe, endpoint, options, i, error);
    return code;
}

void probe_close(struct probe *probe)
{
    for (unsigned i = 0; i < probe->link_count && probe->links; i++) {
        connection_close(&probe->links[i].connection);
        channel_close(probe->links[i].context);
        for (size_t j = 0; j < PROBE_DEPTH; j++)
            free(probe->links[i].calls[j].message.bytes);
    }
    free(probe->links);
    free(probe->data);
}

/* Sending */

/* The network or the server is not there: whatever the reason, TCP starts again with a new
 * connection; a datagram's sender only learns of it. */
static void handle_failure(struct connection *connection, int code)
{
    if (code == 0 || code == -EAGAIN || connection->endpoint.transport == TRANSPORT_UDP)
        return;
    connection->failure = code;
    connection_lose(connection);
}

static struct probe_call *find_place(struct probe_link *link, enum outage_procedure procedure,
                                     size_t *number)
{
    for (size_t i = 0; i < PROBE_IN_FLIGHT; i++) {
        *number = procedure * (size_t)PROBE_IN_FLIGHT + i;
        if (!link->calls[*number].busy)
            return &link->calls[*number];
    }
    return NULL;
}

/* A place's bytes are used again only when nothing waits to be sent that may point to them. */
static bool may_send(const struct connection *connection)
{
    return connection->fd >= 0 && connection_has_room(connection) &&
           !transmit_buffer_holds(&connection->transmit_buffer);
}

/* Returns 1 if a call was sent, 0 if not, or a negative errno with ERROR set. */
static int send_call(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                     uint64_t due, struct error *error)
{
    struct connection *connection = &link->connection;
    size_t number;
    struct probe_call *call = may_send(connection) ? find_place(link, procedure, &number) : NULL;
    int code;

    if (!call)
        return 0;
    code = probe_call_make(probe, link, procedure, call, error);
    if (code <= 0)
        return code;
    connection_put(connection, &call->message, NULL, number, due, 0);
    call->busy = true;
    probe->outage->sent++;
    handle_failure(connection, connection_send(connection));
    return 1;
}

static int send_line(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                     uint64_t now, struct error *error)
{
    const size_t line = (size_t)(link - probe->links) * OUTAGE_PROCEDURES + procedure;
    struct outage_calls *calls = &probe->outage->calls[procedure];
    int sent = 0;

    if (calls->lacking)
        link->next_due[procedure] = UINT64_MAX;
    while (link->next_due[procedure] <= now && sent >= 0) {
        uint64_t due = link->next_due[procedure];

        gaps_due(&probe->outage->gaps, line, due);
        sent = send_call(probe, link, procedure, due, error);
        calls->due++;
        calls->not_sent += sent == 0;
        link->next_due[procedure] += probe->period_ns;
    }
    return sent < 0 ? sent : 0;
}

int probe_send_due(struct probe *probe, uint64_t now, struct error *error)
{
    int code = 0;

    for (unsigned i = 0; i < probe->link_count; i++)
        for (enum outage_procedure p = 0; p < OUTAGE_PROCEDURES && code == 0; p++)
            code = send_line(probe, &probe->links[i], p, now, error);
    return code;
}

/* Receiving */

static int take_replies(struct probe *probe, struct probe_link *link, struct error *error)
{
    const uint64_t now = clock_raw_ns();
    struct connection_reply replies[PROBE_DEPTH];
    size_t count = 0;
    int code = 0, taken = connection_take(&link->connection, now, replies, &count);

    for (size_t i = 0; i < count && code == 0; i++) {
        size_t number = replies[i].call.number;

        link->calls[number].busy = false;
        probe->outage->answered++;
        code = probe_call_answered(probe, link, number, &replies[i].message, now, error);
    }
    return code == 0 && taken < 0 ? connection_describe(&link->connection, taken, error) : code;
}

static int receive(struct probe *probe, struct probe_link *link, struct error *error)
{
    int code = connection_receive(&link->connection, false);

    handle_failure(&link->connection, code);
    return code ? 0 : take_replies(probe, link, error);
}

/* How long nothing is due, ms. */
static int time_left_ms(const struct probe *probe)
{
    uint64_t now = clock_raw_ns(), next = now + LOOK_MS * UINT64_C(1000000);

    for (unsigned i = 0; i < probe->link_count; i++)
        for (size_t p = 0; p < OUTAGE_PROCEDURES; p++)
            if (probe->links[i].next_due[p] < next)
                next = probe->links[i].next_due[p];
    return next > now ? (int)((next - now + 999999) / 1000000) : 0;
}

int probe_wait(struct probe *probe, struct error *error)
{
    struct pollfd poller[PROBE_CONNECTIONS_MAXIMUM];
    int code = 0;

    for (unsigned i = 0; i < probe->link_count; i++) {
        const struct connection *connection = &probe->links[i].connection;
        bool waits = transmit_buffer_holds(&connection->transmit_buffer);

        poller[i] = (struct pollfd){.fd = connection->fd,
                                    .events = (short)(POLLIN | (waits ? POLLOUT : 0))};
    }
    if (poll(poller, probe->link_count, time_left_ms(probe)) <= 0)
        return 0;
    for (unsigned i = 0; i < probe->link_count && code == 0; i++) {
        struct probe_link *link = &probe->links[i];

        if (poller[i].revents & POLLOUT)
            handle_failure(&link->connection, connection_send(&link->connection));
        if ((poller[i].revents & ~POLLOUT) && link->connection.fd >= 0)
            code = receive(probe, link, error);
    }
    return code;
}

/* Looking around */

static void look_at(struct connection *connection)
{
    struct error ignored; /* unending connections never fail for good */

    if (connection->fd >= 0) {
        connection_check_timeouts(connection, &ignored);
        if (connection->fd < 0)
            connection->failure = -ETIMEDOUT;
    }
    if (connection->fd < 0)
        connection_restore(connection, &ignored);
    if (connection->fd >= 0)
        handle_failure(connection, connection_send(connection));
}

void probe_look(struct probe *probe)
{
    for (unsigned i = 0; i < probe->link_count; i++)
        look_at(&probe->links[i].connection);
}

void probe_use(struct probe *probe, const struct probe_file *file, const struct endpoint *endpoint)
{
    probe->file = *file;
    probe->is_stale = false;
    for (unsigned i = 0; i < probe->link_count; i++) {
        struct connection *connection = &probe->links[i].connection;

        if (memcmp(&connection->endpoint.address, &endpoint->address, sizeof endpoint->address) ==
            0)
            continue;
        connection->endpoint.address = endpoint->address;
        connection_lose(connection);
        if (probe->links[i].context)
            channel_move(probe->links[i].context, endpoint);
    }
}

uint64_t probe_lost_for(const struct probe *probe, uint64_t now)
{
    uint64_t longest = 0;

    for (unsigned i = 0; i < probe->link_count; i++) {
        const struct connection *connection = &probe->links[i].connection;

        if (connection->fd >= 0)
            return 0;
        if (now - connection->lost_since_ns > longest)
            longest = now - connection->lost_since_ns;
    }
    return longest;
}

void probe_finish(struct probe *probe)
{
    for (unsigned i = 0; i < probe->link_count; i++) {
        struct connection *connection = &probe->links[i].connection;

        channel_counts_add(&probe->outage->counts, &connection->counts);
        probe->outage->in_flight += connection_in_flight(connection);
    }
    probe->outage->sent += probe->outage->counts.retransmissions;
}
