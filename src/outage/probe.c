#include "outage/probe.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_MS = 20,
    /* maximum time of a TLS handshake, ns; meanwhile, the other connections wait */
    CONNECT_NS = 200 * 1000 * 1000,
    /* maximum number of attempts under way at a time, over all connections, because privileged
     * ports and descriptors are limited */
    ATTEMPTS_IN_ALL = 256,
    ATTEMPT_PAUSE_NS =
        10 * 1000 * 1000, /* minimum time between the beginnings of attempts on a connection, ns */
    /* timeout of calls that create a GSS context, ns; meanwhile, all connections wait */
    CONTEXT_NS = 1000 * 1000 * 1000,
    REPLY_OVERHEAD = 16384, /* more bytes than any reply has in addition to its data */
};

/* Opening and closing */

static void begin_schedule(struct probe *probe, struct probe_link *link, size_t number)
{
    const uint64_t now = clock_raw_ns();
    const size_t lines = (size_t)probe->link_count * OUTAGE_PROCEDURES;

    for (size_t i = 0; i < OUTAGE_PROCEDURES; i++)
        link->next_due[i] = now + probe->period_ns * (number * OUTAGE_PROCEDURES + i) / lines;
}

/* If OPTIONS asks for security, protect the calls of LINK. If the server later loses the GSS
 * context, the first call that needs the context creates it again. */
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

/* Plan attempts to connect. An attempt lasts at least twice as long as the first connection, which
 * took TOOK_NS, so that it can succeed over a long distance. */
static void plan_attempts(const struct probe *probe, struct probe_link *link, uint64_t took_ns)
{
    unsigned count = ATTEMPTS_IN_ALL / probe->link_count;
    uint64_t pause = probe->period_ns;

    count = count > ATTEMPTS_MAXIMUM ? ATTEMPTS_MAXIMUM : count;
    pause = pause > ATTEMPT_PAUSE_NS ? pause : ATTEMPT_PAUSE_NS;
    pause = pause > 2 * took_ns / count ? pause : 2 * took_ns / count;
    attempts_open(&link->attempts, count, pause);
}

static int open_link(struct probe *probe, const struct endpoint *endpoint,
                     const struct channel_options *options, size_t number, struct error *error)
{
    struct probe_link *link = &probe->links[number];
    struct channel_options own = *options;
    const uint64_t began = clock_raw_ns();
    int code;

    own.unending = true;
    own.reply_maximum = probe->blocks->size + REPLY_OVERHEAD;
    begin_schedule(probe, link, number);
    code = connection_open(&link->connection, endpoint, &own, 0, PROBE_DEPTH, &probe->clock, error);
    link->connection.endpoint.timeout_ns = CONNECT_NS;
    link->heard_ns = clock_raw_ns();
    plan_attempts(probe, link, link->heard_ns - began);
    return code ? code : protect_link(link, endpoint, options, error);
}

int probe_open(struct probe *probe, const struct endpoint *endpoint,
               const struct channel_options *options, unsigned links, double rate,
               struct error *error)
{
    int code = clock_open(&probe->clock, "monotonic-raw", error);

    probe->found_ns = clock_raw_ns();
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
        attempts_stop(&probe->links[i].attempts);
        connection_close(&probe->links[i].connection);
        channel_close(probe->links[i].context);
        for (size_t j = 0; j < PROBE_DEPTH; j++)
            free(probe->links[i].calls[j].message.bytes);
    }
    free(probe->links);
    free(probe->data);
}

/* Sending */

/* Handle CODE, the result of sending or receiving: 0 or a negative errno. Over UDP, errors are
 * ignored. Over TCP, any error but -EAGAIN ends the connection. */
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

/* Called instead of sending a due call if PROBE_IN_FLIGHT calls of PROCEDURE are in flight. Over
 * UDP, send one of these calls again, each in turn, so that a restarted server is found at once. */
static void repeat_call(struct probe_link *link, enum outage_procedure procedure)
{
    unsigned *next = &link->next_repeated[procedure];

    if (link->connection.endpoint.transport != TRANSPORT_UDP)
        return;
    connection_repeat(&link->connection, procedure * (size_t)PROBE_IN_FLIGHT + *next);
    *next = (*next + 1) % PROBE_IN_FLIGHT;
    connection_send(&link->connection);
}

/* Return whether a call can be encoded: CONNECTION is open and its transmit buffer has nothing left
 * to send. It may refer to the message of an answered call, which probe_call_make() would free. */
static bool is_ready(const struct connection *connection)
{
    return connection->fd >= 0 && !transmit_buffer_holds(&connection->transmit_buffer);
}

/* Send a call of PROCEDURE over LINK. Returns 1 if it was sent, 0 if not, or a negative errno with
 * ERROR set. */
static int send_call(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                     struct error *error)
{
    struct connection *connection = &link->connection;
    size_t number;
    struct probe_call *call = find_place(link, procedure, &number);
    int code;

    if (!is_ready(connection))
        return 0;
    if (!call)
        repeat_call(link, procedure);
    if (!call || !connection_has_room(connection))
        return 0;
    code = probe_call_make(probe, link, procedure, call, error);
    if (code <= 0)
        return code;
    connection_put(connection, &call->message, NULL, number, NULL);
    call->busy = true;
    call->sent_ns = clock_raw_ns();
    probe->outage->sent++;
    handle_failure(connection, connection_send(connection));
    return 1;
}

static size_t line_of(const struct probe *probe, const struct probe_link *link,
                      enum outage_procedure procedure)
{
    return (size_t)(link - probe->links) * OUTAGE_PROCEDURES + procedure;
}

static int send_line(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                     uint64_t now, struct error *error)
{
    const size_t line = line_of(probe, link, procedure);
    struct outage_calls *calls = &probe->outage->calls[procedure];
    int sent = 0;

    if (calls->lacking)
        link->next_due[procedure] = UINT64_MAX;
    while (link->next_due[procedure] <= now && sent >= 0) {
        uint64_t due = link->next_due[procedure];

        gaps_due(&probe->outage->gaps, line, due);
        sent = send_call(probe, link, procedure, error);
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

static bool has_call(const struct probe_link *link, enum outage_procedure procedure)
{
    for (size_t i = 0; i < PROBE_IN_FLIGHT; i++)
        if (link->calls[procedure * (size_t)PROBE_IN_FLIGHT + i].busy)
            return true;
    return false;
}

/* Call the procedures that wait for a good answer and have no call in flight, before they are due,
 * because the server or the file was just found again. */
static int call_now(struct probe *probe, struct probe_link *link, struct error *error)
{
    int code = 0;

    for (enum outage_procedure p = 0; p < OUTAGE_PROCEDURES && code >= 0; p++) {
        if (!gaps_waits(&probe->outage->gaps, line_of(probe, link, p)) || has_call(link, p))
            continue;
        code = send_call(probe, link, p, error);
        probe->outage->calls[p].due += code == 1;
    }
    return code < 0 ? code : 0;
}

/* Receiving */

static int take_replies(struct probe *probe, struct probe_link *link, struct error *error)
{
    const uint64_t now = clock_raw_ns();
    struct connection_reply replies[PROBE_DEPTH];
    size_t count = 0;
    int code = 0, taken = connection_take(&link->connection, now, replies, &count);

    if (count > 0)
        link->heard_ns = now;
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

static bool is_connecting(const struct probe_link *link)
{
    return link->connection.fd < 0 || link->is_doubtful;
}

/* Return the ms, rounded up, until the next call or attempt is due; at most LOOK_MS. */
static int time_left_ms(const struct probe *probe)
{
    uint64_t now = clock_raw_ns(), next = now + LOOK_MS * UINT64_C(1000000);

    for (unsigned i = 0; i < probe->link_count; i++) {
        const struct probe_link *link = &probe->links[i];

        for (size_t p = 0; p < OUTAGE_PROCEDURES; p++)
            if (link->next_due[p] < next)
                next = link->next_due[p];
        if (is_connecting(link) && link->attempts.next_ns < next)
            next = link->attempts.next_ns;
    }
    return next > now ? (int)((next - now + 999999) / 1000000) : 0;
}

/* Descriptors that probe_wait() polls: the connections in order, attempts, and the wake_fd. */
struct polled {
    struct pollfd fds[PROBE_CONNECTIONS_MAXIMUM + ATTEMPTS_IN_ALL + ATTEMPTS_MAXIMUM + 1];
    nfds_t count;
};

static void choose_polled(const struct probe *probe, struct polled *polled)
{
    polled->count = 0;
    for (unsigned i = 0; i < probe->link_count; i++) {
        const struct connection *connection = &probe->links[i].connection;
        bool waits = transmit_buffer_holds(&connection->transmit_buffer);

        polled->fds[polled->count++] = (struct pollfd){
            .fd = connection->fd, .events = (short)(POLLIN | (waits ? POLLOUT : 0))};
    }
    for (unsigned i = 0; i < probe->link_count; i++)
        polled->count += attempts_poll(&probe->links[i].attempts, polled->fds + polled->count);
    polled->fds[polled->count++] = (struct pollfd){.fd = probe->wake_fd, .events = POLLIN};
}

int probe_wait(struct probe *probe, struct error *error)
{
    struct polled polled;
    int code = 0;

    choose_polled(probe, &polled);
    if (poll(polled.fds, polled.count, time_left_ms(probe)) <= 0)
        return 0;
    for (unsigned i = 0; i < probe->link_count && code == 0; i++) {
        struct probe_link *link = &probe->links[i];
        const short events = polled.fds[i].revents;

        if (events & POLLOUT)
            handle_failure(&link->connection, connection_send(&link->connection));
        if ((events & ~POLLOUT) && link->connection.fd >= 0)
            code = receive(probe, link, error);
    }
    return code;
}

/* Looking at connections */

/* Return whether the kernel cannot reach the peer of a TCP connection. Either the kernel
 * retransmits after a timeout (RTO). Or packets are dropped on this machine: nothing is in flight,
 * although there are data to send and the peer's window has room for them. */
static bool is_blocked(const struct tcp_info *info)
{
    const uint32_t segment = info->tcpi_notsent_bytes < info->tcpi_snd_mss
                                 ? info->tcpi_notsent_bytes
                                 : info->tcpi_snd_mss;

    return info->tcpi_retransmits > 0 || info->tcpi_ca_state == TCP_CA_Loss ||
           (info->tcpi_unacked == 0 && segment > 0 && info->tcpi_snd_wnd >= segment);
}

/* Return whether LINK is over TCP, nothing was received for half the threshold of a gap although
 * calls are in flight, and the kernel cannot reach the server's host. The kernel would retry only
 * after pauses that double; a new connection finds the host sooner. If only the server process is
 * stopped, its host still acknowledges, and the server will answer over the existing connection. */
static bool is_unheard(const struct probe *probe, const struct probe_link *link, uint64_t now)
{
    const struct connection *connection = &link->connection;
    struct tcp_info info = {.tcpi_retransmits = 0};
    socklen_t length = sizeof info;

    if (connection->fd < 0 || connection->endpoint.transport == TRANSPORT_UDP ||
        connection_in_flight(connection) == 0 ||
        (double)(now - link->heard_ns) < probe->outage->threshold / 2 * 1e9)
        return false;
    return getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
           is_blocked(&info);
}

static void look_at(const struct probe *probe, struct probe_link *link)
{
    struct connection *connection = &link->connection;
    struct error ignored;

    if (connection->fd >= 0) {
        connection_check_timeouts(connection, &ignored);
        if (connection->fd < 0)
            connection->failure = -ETIMEDOUT;
    }
    if (connection->fd >= 0)
        handle_failure(connection, connection_send(connection));
    link->is_doubtful = is_unheard(probe, link, clock_raw_ns());
    if (!is_connecting(link))
        attempts_stop(&link->attempts);
}

void probe_check_connections(struct probe *probe)
{
    for (unsigned i = 0; i < probe->link_count; i++)
        look_at(probe, &probe->links[i]);
}

/* Begin an attempt if one is due by NOW. If an attempt has succeeded, restore LINK with its socket.
 * Returns 1 if LINK was restored, 0 if not, a negative errno if TLS failed. */
static int restore_link(struct probe_link *link, uint64_t now)
{
    struct connection *connection = &link->connection;
    int fd = attempts_check(&link->attempts, &connection->endpoint, now, &connection->failure);
    int code;

    if (fd < 0)
        return 0;
    attempts_stop(&link->attempts);
    if (connection->fd >= 0)
        connection_lose(connection);
    code = connection_adopt(connection, fd);
    link->is_doubtful = false;
    link->heard_ns = clock_raw_ns();
    if (code == 0)
        handle_failure(connection, connection_send(connection));
    return code ? code : 1;
}

/* If a TLS handshake fails, the remaining links are not restored in this call, because each
 * handshake delays the calls over all connections. */
int probe_reconnect(struct probe *probe, struct error *error)
{
    int restored = 0, code = 0;

    for (unsigned i = 0; i < probe->link_count && code == 0 && restored >= 0; i++) {
        struct probe_link *link = &probe->links[i];

        restored = is_connecting(link) ? restore_link(link, clock_raw_ns()) : 0;
        if (restored == 1)
            code = call_now(probe, link, error);
    }
    return code;
}

/* Give up calls of LINK over UDP, because their handle no longer belongs to the file: the calls
 * would occupy entries until they are answered with errors. */
static void give_up_calls(struct probe *probe, struct probe_link *link)
{
    if (link->connection.endpoint.transport != TRANSPORT_UDP)
        return;
    connection_abandon(&link->connection);
    for (size_t i = 0; i < PROBE_DEPTH; i++) {
        if (link->calls[i].busy)
            probe_call_given_up(probe, link, i);
        link->calls[i].busy = false;
    }
}

void probe_use(struct probe *probe, const struct probe_file *file)
{
    if (!nfs_handle_equal(&file->handle, &probe->file.handle))
        for (unsigned i = 0; i < probe->link_count; i++)
            give_up_calls(probe, &probe->links[i]);
    probe->file = *file;
    probe->is_stale = probe->is_doubted = false;
    probe->found_ns = clock_raw_ns();
}

int probe_call_waiting(struct probe *probe, struct error *error)
{
    int code = 0;

    for (unsigned i = 0; i < probe->link_count && code == 0; i++)
        code = call_now(probe, &probe->links[i], error);
    return code;
}

void probe_move(struct probe *probe, const struct endpoint *endpoint)
{
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
        if (now > connection->lost_since_ns + longest)
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
