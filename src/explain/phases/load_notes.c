/* Callbacks of an engine or a channel that note the events of calls in the log. */
#include <errno.h>
#include <unistd.h>

#include "common/address.h"
#include "common/memory.h"
#include "common/system_clock.h"
#include "engine/wire/connection.h"
#include "explain/phases/load_log.h"

static unsigned index_of(const struct load_thread *thread, unsigned number)
{
    return number * thread->log->thread_count + thread->number;
}

static struct load_connection *connection_of(const struct load_thread *thread, unsigned number)
{
    return &thread->log->connections[index_of(thread, number)];
}

/* Find or add the connection at INDEX. Connections are added only while one thread opens the
 * engine. Returns NULL if there is no memory. */
static struct load_connection *find_connection(struct load_log *log, unsigned index)
{
    const struct load_connection none = {.stamps.fd = -1};

    while (log->connection_count <= index)
        if (array_add(&log->connections, &log->connection_count, &log->connection_capacity, &none,
                      sizeof none) != 0)
            return NULL;
    return &log->connections[index];
}

static void note_connected(void *context, unsigned number, int fd, size_t sent, size_t received)
{
    const struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = find_connection(log, index_of(thread, number));
    bool is_first = index_of(thread, number) == 0;

    if (!connection) {
        load_log_fail(log, -ENOMEM);
        return;
    }
    if (log->single && !log->has_tls) /* before the marks are cleared below */
        load_log_set_client_timestamps(log);
    connection->port = address_own_port(fd);
    connection->added = connection->stamped = 0;
    connection->sent = connection->first_stamp = (uint32_t)sent;
    connection->received = (uint32_t)received;
    load_tls_begin_session(&connection->tls, connection->sent, connection->received);
    connection->renewed = !log->single || log->has_tls;
    load_log_clear_marks(connection);
    load_log_fail(log, stamps_begin(&connection->stamps, fd, log->is_tcp));
    stamps_set_sending(&connection->stamps, thread->on);
    if (is_first)
        stamps_await();
}

static void set_on(struct load_thread *thread, bool on)
{
    struct load_log *log = thread->log;

    thread->on = on;
    thread->id = (uint32_t)gettid();
    for (size_t i = thread->number; i < log->connection_count; i += log->thread_count) {
        struct load_connection *connection = &log->connections[i];

        stamps_set_sending(&connection->stamps, on);
        if (on && !log->is_tcp)
            connection->first_stamp = connection->sent - connection->stamped;
    }
}

/* Begin the part of the block whose calls are logged: THREAD is about to add its first one. */
static void begin_sampling(struct load_thread *thread)
{
    struct load_log *log = thread->log;

    set_on(thread, true);
    if (log->sampling)
        log->sampling(log->context, true);
}

/* Count an answered call. The thread that gets the last logged call's reply ends the sampling. */
static void note_progress(struct load_thread *thread)
{
    struct load_log *log = thread->log;
    bool all = atomic_fetch_add(&log->answered, 1) + 1 == log->until - log->from;

    if (all && log->sampling)
        log->sampling(log->context, false);
}

static bool is_over(const struct load_log *log)
{
    return atomic_load(&log->answered) == log->until - log->from;
}

/* Return true if call NUMBER is to be logged. After a block, a mix may make further calls, which
 * have the numbers of answered calls; these further calls are not logged. */
static bool is_sampled(const struct load_log *log, size_t number)
{
    return number >= log->from && number < log->until && !log->calls[number].answered;
}

/* Return the position after the last byte or datagram sent; with TLS, in the unencrypted stream. */
static uint32_t all_sent(const struct load_log *log, const struct load_connection *connection)
{
    return log->has_tls ? connection->tls.sent : connection->sent;
}

static uint32_t all_received(const struct load_log *log, const struct load_connection *connection)
{
    return log->has_tls ? connection->tls.received : connection->received;
}

/* Note that the engine adds a call, or a retransmission of it, to the bytes to send on connection
 * NUMBER. LENGTH is 0 if calls are made one at a time. It is also 0 if Kerberos protects the call:
 * note_wrapped() then gets the length. */
static void note_adding(void *context, unsigned number, const struct call_slot *slot, size_t length)
{
    struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t ticks, now;
    struct load_call *call;

    connection->added = log->single   ? all_sent(log, connection)
                        : log->is_tcp ? connection->added + (uint32_t)length
                                      : connection->added + 1;
    if (!is_sampled(log, slot->number))
        return;
    call = &log->calls[slot->number];
    call->times.retransmitted |= slot->submitted > 0;
    if (slot->submitted)
        return;
    if (!thread->on)
        begin_sampling(thread);
    ticks = log->clock->start();
    now = monotonic_ns();
    *call = (struct load_call){.connection = index_of(thread, number),
                               .thread = thread->id,
                               .request_begin = connection->added - (uint32_t)length,
                               .request_end = connection->added,
                               .reply_begin = all_received(log, connection),
                               .began_ticks = ticks};
    call->times.at[TIMESTAMP_BEGUN] = now;
    if (!slot->scheduled || slot->scheduled->due > ticks)
        return;
    call->began_ticks = slot->scheduled->due;
    call->times.at[TIMESTAMP_SLOT_TAKEN] = now;
    call->times.at[TIMESTAMP_BEGUN] -=
        (uint64_t)((double)(ticks - slot->scheduled->due) * log->clock->ns_per_tick);
}

static void note_wrapped(void *context, unsigned number, const struct call_slot *slot,
                         size_t length)
{
    const struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = connection_of(thread, number);
    struct load_call *call;

    connection->added += (uint32_t)length;
    if (!is_sampled(log, slot->number))
        return;
    call = &log->calls[slot->number];
    if (call->times.retransmitted)
        return;
    call->times.at[TIMESTAMP_WRAPPED] = monotonic_ns();
    call->request_begin = connection->added - (uint32_t)length;
    call->request_end = connection->added;
}

static void note_encrypting(void *context, unsigned number)
{
    const struct load_thread *thread = context;

    connection_of(thread, number)->tls.encrypting_since = thread->on ? monotonic_ns() : 0;
}

static void note_record_sent(void *context, unsigned number, size_t bytes)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);

    load_log_fail(thread->log,
                  load_tls_note_sent(&connection->tls, bytes, connection->sent, thread->on));
}

static void note_record_opened(void *context, unsigned number, size_t bytes, size_t received,
                               size_t skipped)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);

    load_log_fail(thread->log,
                  load_tls_note_opened(&connection->tls, bytes, received, skipped, thread->on));
}

static void note_decrypted(void *context, unsigned number)
{
    struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    struct decryption decryption = {.end = connection->tls.received, .from = connection->read_at};

    if (!thread->on)
        return;
    decryption.until = thread->busy_until = connection->tls.decrypted_at = connection->decoded_at =
        monotonic_ns();
    load_log_fail(thread->log, decryptions_add(&connection->tls.decryptions, decryption));
}

static void note_unwrapped(void *context, unsigned number, const struct call_slot *slot)
{
    struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t before = connection->decoded_at;

    if (!thread->on)
        return;
    thread->busy_until = connection->decoded_at = monotonic_ns();
    if (is_sampled(thread->log, slot->number))
        thread->log->calls[slot->number].unwrap_ns = connection->decoded_at - before;
}

/* Return by how much a channel's send or receive of BYTES advances a position: over TCP by BYTES,
 * over UDP by one datagram. BYTES of 0 (closed) or less (failed) are returned. */
static long stream_amount(const struct load_log *log, ssize_t bytes)
{
    return log->is_tcp || bytes <= 0 ? bytes : 1;
}

/* Note that a send() begun at FROM sent SENT bytes or datagrams (negative: failed). Keeps errno. */
static void note_sent(struct load_thread *thread, struct load_connection *connection, uint64_t from,
                      long sent)
{
    struct load_mark mark = {.at = from};
    int error = errno;

    connection->sent += sent > 0 ? (uint32_t)sent : 0;
    if (!thread->on)
        return;
    thread->busy_until = connection->decoded_at = mark.until = monotonic_ns();
    load_tls_note_send(&connection->tls, mark.at, mark.until);
    connection->stamped += sent > 0 ? (uint32_t)sent : 0;
    mark.end = connection->sent;
    if (sent > 0)
        load_log_fail(thread->log, load_marks_add(&connection->sends, mark));
    errno = error;
}

static ssize_t send_bytes(void *context, unsigned number, int fd, struct msghdr *message, int flags)
{
    struct load_thread *thread = context;
    const struct iovec *part = message->msg_iov;
    uint64_t from = thread->on ? monotonic_ns() : 0;
    ssize_t sent = thread->log->single ? send(fd, part->iov_base, part->iov_len, flags)
                                       : sendmsg(fd, message, flags);

    note_sent(thread, connection_of(thread, number), from, stream_amount(thread->log, sent));
    return sent;
}

static int send_datagrams(void *context, unsigned number, int fd, struct mmsghdr *list,
                          unsigned count, int flags)
{
    struct load_thread *thread = context;
    uint64_t from = thread->on ? monotonic_ns() : 0;
    int sent = sendmmsg(fd, list, count, flags);

    note_sent(thread, connection_of(thread, number), from, sent);
    return sent;
}

/* Note that a system call that began at ENTERED received GOT bytes or datagrams (negative: failed).
 * Keeps errno. */
static void note_received(const struct load_thread *thread, struct load_connection *connection,
                          uint64_t entered, long got)
{
    int error = errno;

    connection->received += got > 0 ? (uint32_t)got : 0;
    if (got <= 0 || !thread->on)
        return;
    connection->receive_entered = entered;
    connection->busy_before = thread->busy_until;
    connection->read_at = connection->decoded_at = monotonic_ns();
    connection->received_stamp = connection->stamps.received_at;
    errno = error;
}

/* Receive for an engine or a channel. A socket with a non-empty error queue counts as readable, so
 * an engine's timestamps of sending are collected here. A channel's timestamps of sending are
 * collected once its call is answered. */
static ssize_t receive_bytes(void *context, unsigned number, int fd, void *bytes, size_t room,
                             int flags)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    const bool single = thread->log->single;
    uint64_t entered;
    ssize_t got;

    if (!single)
        load_log_collect(thread->log, connection);
    entered = thread->on && !single ? monotonic_ns() : 0;
    got = thread->on ? stamps_receive(&connection->stamps, bytes, room, flags)
                     : recv(fd, bytes, room, flags);
    note_received(thread, connection, entered, stream_amount(thread->log, got));
    return got;
}

static int receive_datagrams(void *context, unsigned number, int fd, struct mmsghdr *list,
                             unsigned count, int flags)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t entered;
    int got;

    load_log_collect(thread->log, connection);
    entered = thread->on ? monotonic_ns() : 0;
    got = stamps_receive_datagrams(&connection->stamps, list, count, flags,
                                   connection->received_stamps);
    connection->received_together = got > 0 ? (unsigned)got : connection->received_together;
    note_received(thread, connection, entered, got);
    return got;
}

/* Return when the reply that is followed by AFTER datagrams was received; 0: unknown. */
static uint64_t stamp_of(const struct load_connection *connection, size_t after)
{
    size_t together = connection->received_together;

    return after < together ? connection->received_stamps[together - 1 - after] : 0;
}

/* Set positions and decryptions of CALL's reply: LENGTH bytes; AFTER bytes or datagrams follow. */
static void note_place(const struct load_log *log, const struct load_connection *connection,
                       struct load_call *call, size_t length, size_t after)
{
    const struct load_tls *tls = &connection->tls;
    uint32_t end = all_received(log, connection) - (uint32_t)after;
    uint32_t begin = log->single ? call->reply_begin : end - (log->is_tcp ? (uint32_t)length : 1);
    struct load_record span = {.wire_begin = begin, .wire_end = end};

    if (log->has_tls) {
        load_records_find(&tls->records_opened, begin, end, &span);
        call->decryption = position_find(tls->decryptions.list, tls->decryptions.count,
                                         sizeof *tls->decryptions.list, begin + 1);
        call->decryptions = tls->decryptions.count - call->decryption;
    }
    call->reply_begin = span.wire_begin;
    call->reply_end = span.wire_end;
}

/* Set the timestamps of reading the reply to CALL. Replies that were read together are decrypted
 * together, then unwrapped and decoded one after the other. UNWRAPPED is set as if this reply was
 * unwrapped first, so that its wait for other replies is the time up to DECODE_BEGUN. */
static void note_reading(const struct load_log *log, const struct load_connection *connection,
                         struct load_call *call)
{
    uint64_t *at = call->times.at, until = connection->read_at;

    at[TIMESTAMP_REPLY_READ] = until;
    if (log->has_tls)
        at[TIMESTAMP_DECRYPTED] = until = connection->tls.decrypted_at;
    if (call->unwrap_ns)
        at[TIMESTAMP_UNWRAPPED] = until += call->unwrap_ns;
    if (connection->decoded_at > until)
        at[TIMESTAMP_DECODE_BEGUN] = connection->decoded_at;
}

static void note_answered(void *context, unsigned number, const struct call_slot *slot,
                          size_t length, size_t after, int status)
{
    struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = connection_of(thread, number);
    struct load_call *call;
    struct call_times *times;

    if (thread->on && is_over(log))
        set_on(thread, false);
    if (!thread->on)
        return;
    if (!is_sampled(log, slot->number)) {
        thread->busy_until = connection->decoded_at = monotonic_ns();
        return;
    }
    call = &log->calls[slot->number];
    times = &call->times;
    times->at[TIMESTAMP_DECODED] = monotonic_ns();
    call->ticks = log->clock->stop() - call->began_ticks;
    times->lifetime_ns = (uint64_t)(clock_sample_ns(log->clock, call->ticks) + 0.5);
    times->at[TIMESTAMP_REPLY_RECEIVED] =
        log->is_tcp || log->single ? connection->received_stamp : stamp_of(connection, after);
    note_reading(log, connection, call);
    thread->busy_until = connection->decoded_at = times->at[TIMESTAMP_DECODED];
    call->receive_entered = connection->receive_entered;
    call->busy_before = connection->busy_before;
    note_place(log, connection, call, length, after);
    if (log->single)
        call->request_end = all_sent(log, connection);
    times->xid = slot->xid;
    times->failed = status != 0;
    times->retransmitted |= slot->resent > 0;
    call->answered = true;
    note_progress(thread);
}

static struct load_watch watch_of(struct load_thread *thread)
{
    return (struct load_watch){.connected = note_connected,
                               .adding = note_adding,
                               .wrapped = note_wrapped,
                               .encrypting = note_encrypting,
                               .record_sent = note_record_sent,
                               .record_opened = note_record_opened,
                               .decrypted = note_decrypted,
                               .send = send_bytes,
                               .receive = receive_bytes,
                               .send_datagrams = send_datagrams,
                               .receive_datagrams = receive_datagrams,
                               .unwrapped = note_unwrapped,
                               .answered = note_answered,
                               .context = thread};
}

void load_notes_watch(struct load_log *log)
{
    for (unsigned i = 0; i < log->thread_count; i++)
        log->watches[i] = watch_of(&log->threads[i]);
}
