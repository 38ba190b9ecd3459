#include "explain/load_log.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"
#include "common/memory.h"
#include "common/system_clock.h"
#include "engine/connection.h"

enum { LAST_WAIT_MS = 10 }; /* for late timestamps, after a block */

/* Is position A before B? They are less than 2^31 bytes apart. */
static bool is_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0;
}

/* Marks */

int load_marks_add(struct load_marks *marks, struct load_mark mark)
{
    struct load_mark *list;

    if (marks->count > 0 && !is_before(marks->list[marks->count - 1].end, mark.end))
        return 0;
    list = array_grow(marks->list, marks->count, &marks->capacity, 256, sizeof *list);
    if (!list)
        return -ENOMEM;
    marks->list = list;
    list[marks->count++] = mark;
    return 0;
}

const struct load_mark *load_marks_find(const struct load_marks *marks, uint32_t end)
{
    size_t low = 0, high = marks->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (is_before(marks->list[middle].end, end))
            low = middle + 1;
        else
            high = middle;
    }
    return low < marks->count ? &marks->list[low] : NULL;
}

/* Callbacks of the engine */

static void note_failure(struct load_log *log, int code)
{
    int none = 0;

    if (code)
        atomic_compare_exchange_strong(&log->failure, &none, code);
}

static unsigned index_of(const struct load_thread *thread, unsigned number)
{
    return number * thread->log->thread_count + thread->number;
}

static struct load_connection *connection_of(const struct load_thread *thread, unsigned number)
{
    return &thread->log->connections[index_of(thread, number)];
}

/* There are new ones only while the engine is opened, by one thread. */
static struct load_connection *find_connection(struct load_log *log, unsigned index)
{
    while (log->connection_count <= index) {
        struct load_connection *list = array_grow(log->connections, log->connection_count,
                                                  &log->connection_capacity, 16, sizeof *list);

        if (!list)
            return NULL;
        log->connections = list;
        list[log->connection_count++] = (struct load_connection){.stamps.fd = -1};
    }
    return &log->connections[index];
}

static void clear_marks(struct load_connection *connection)
{
    connection->sends.count = connection->scheduled.count = connection->transmitted.count = 0;
}

static void note_connected(void *context, unsigned number, int fd)
{
    const struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = find_connection(log, index_of(thread, number));
    bool is_first = index_of(thread, number) == 0;

    if (!connection) {
        note_failure(log, -ENOMEM);
        return;
    }
    connection->port = address_own_port(fd);
    connection->added = connection->sent = connection->received = connection->stamped = 0;
    connection->renewed = true;
    clear_marks(connection);
    note_failure(log, stamps_begin(&connection->stamps, fd, log->is_tcp));
    stamps_set_sending(&connection->stamps, thread->on);
    connection->first_stamp = 0;
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

/* The first call that THREAD logs in the block is about to be added. */
static void begin_sampling(struct load_thread *thread)
{
    struct load_log *log = thread->log;

    set_on(thread, true);
    if (log->sampling)
        log->sampling(log->context, true);
}

/* One more that is logged was answered; all may be now, by whichever threads. */
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

/* Is the call logged, and not one of those that a mix makes after the block? */
static bool is_sampled(const struct load_log *log, size_t number)
{
    return number >= log->from && number < log->until && !log->calls[number].answered;
}

static void note_adding(void *context, unsigned number, const struct call_slot *slot, size_t length)
{
    struct load_thread *thread = context;
    struct load_log *log = thread->log;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t ticks, now;
    struct load_call *call;

    connection->added += log->is_tcp ? (uint32_t)length : 1;
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
                               .request_end = connection->added,
                               .began_ticks = ticks};
    call->times.at[TIMESTAMP_BEGUN] = now;
    call->times.xid = slot->xid;
    if (slot->intended == 0 || slot->intended > ticks)
        return;
    call->began_ticks = slot->intended;
    call->times.at[TIMESTAMP_SLOT_TAKEN] = now;
    call->times.at[TIMESTAMP_BEGUN] -=
        (uint64_t)((double)(ticks - slot->intended) * log->clock->ns_per_tick);
}

static ssize_t send_bytes(void *context, unsigned number, int fd, struct msghdr *message, int flags)
{
    struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    struct load_mark mark = {.at = thread->on ? monotonic_ns() : 0};
    ssize_t sent = sendmsg(fd, message, flags);
    int error = errno;

    if (!thread->on) {
        connection->sent += sent > 0 ? (uint32_t)sent : 0;
        return sent;
    }
    thread->busy_until = connection->decoded_at = mark.until = monotonic_ns();
    if (sent > 0) {
        connection->sent += (uint32_t)sent;
        mark.end = connection->sent;
        note_failure(thread->log, load_marks_add(&connection->sends, mark));
    }
    errno = error;
    return sent;
}

static int send_datagrams(void *context, unsigned number, int fd, struct mmsghdr *list,
                          unsigned count, int flags)
{
    struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    struct load_mark mark = {.at = thread->on ? monotonic_ns() : 0};
    int sent = sendmmsg(fd, list, count, flags), error = errno;

    connection->sent += sent > 0 ? (uint32_t)sent : 0;
    if (!thread->on)
        return sent;
    thread->busy_until = connection->decoded_at = mark.until = monotonic_ns();
    if (sent > 0) {
        connection->stamped += (uint32_t)sent;
        mark.end = connection->sent;
        note_failure(thread->log, load_marks_add(&connection->sends, mark));
    }
    errno = error;
    return sent;
}

/* The kernel's last mark on what was sent. */
static bool is_transmitted(const struct load_connection *connection)
{
    const struct load_marks *marks = &connection->transmitted, *sends = &connection->sends;

    return sends->count == 0 || (marks->count > 0 && marks->list[marks->count - 1].end ==
                                                         sends->list[sends->count - 1].end);
}

static void collect(struct load_log *log, struct load_connection *connection)
{
    struct stamp stamp;

    while (!is_transmitted(connection) && stamps_take(&connection->stamps, &stamp)) {
        struct load_mark mark = {.end = connection->first_stamp + stamp.number + 1, .at = stamp.at};

        note_failure(log, load_marks_add(stamp.kind == SCM_TSTAMP_SCHED ? &connection->scheduled
                                                                        : &connection->transmitted,
                                         mark));
    }
}

/* A queue of errors that is not empty counts as readable, so it is emptied first. */
static ssize_t receive_bytes(void *context, unsigned number, int fd, void *bytes, size_t room,
                             int flags)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t entered;
    ssize_t got;
    int error;

    collect(thread->log, connection);
    if (!thread->on) {
        got = recv(fd, bytes, room, flags);
        connection->received += got > 0 ? (uint32_t)got : 0;
        return got;
    }
    entered = monotonic_ns();
    got = stamps_receive(&connection->stamps, bytes, room, flags);
    error = errno;
    if (got > 0) {
        connection->received += (uint32_t)got;
        connection->receive_entered = entered;
        connection->busy_before = thread->busy_until;
        connection->read_at = connection->decoded_at = monotonic_ns();
        connection->received_stamp = connection->stamps.received_at;
    }
    errno = error;
    return got;
}

static int receive_datagrams(void *context, unsigned number, int fd, struct mmsghdr *list,
                             unsigned count, int flags)
{
    const struct load_thread *thread = context;
    struct load_connection *connection = connection_of(thread, number);
    uint64_t entered;
    int got, error;

    collect(thread->log, connection);
    entered = thread->on ? monotonic_ns() : 0;
    got = stamps_receive_datagrams(&connection->stamps, list, count, flags,
                                   connection->received_stamps);
    error = errno;
    if (got > 0) {
        connection->received += (uint32_t)got;
        connection->received_together = (unsigned)got;
        connection->receive_entered = entered;
        connection->busy_before = thread->busy_until;
        connection->read_at = connection->decoded_at = thread->on ? monotonic_ns() : 0;
    }
    errno = error;
    return got;
}

/* When the reply that is followed by AFTER datagrams was received. */
static uint64_t stamp_of(const struct load_connection *connection, size_t after)
{
    size_t together = connection->received_together;

    return after < together ? connection->received_stamps[together - 1 - after] : 0;
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
    times->lifetime_ns =
        (uint64_t)(clock_sample_ns(log->clock, log->clock->stop() - call->began_ticks) + 0.5);
    times->at[TIMESTAMP_REPLY_RECEIVED] =
        log->is_tcp ? connection->received_stamp : stamp_of(connection, after);
    times->at[TIMESTAMP_REPLY_READ] = connection->read_at;
    if (connection->decoded_at > connection->read_at)
        times->at[TIMESTAMP_DECODE_BEGUN] = connection->decoded_at;
    thread->busy_until = connection->decoded_at = times->at[TIMESTAMP_DECODED];
    call->receive_entered = connection->receive_entered;
    call->busy_before = connection->busy_before;
    call->reply_end = connection->received - (uint32_t)after;
    call->reply_begin = call->reply_end - (log->is_tcp ? (uint32_t)length : 1);
    times->failed = status != 0;
    times->retransmitted |= slot->resent > 0;
    call->answered = true;
    note_progress(thread);
}

/* Blocks */

int load_log_open(struct load_log *log, const struct clock *clock, bool is_tcp, uint32_t sample,
                  unsigned threads)
{
    *log = (struct load_log){
        .clock = clock, .is_tcp = is_tcp, .sample = sample, .thread_count = threads};
    log->watches = calloc(threads, sizeof *log->watches);
    log->threads = calloc(threads, sizeof *log->threads);
    if (!log->watches || !log->threads)
        return -ENOMEM;
    for (unsigned i = 0; i < threads; i++) {
        log->threads[i] = (struct load_thread){.log = log, .number = i};
        log->watches[i] = (struct load_watch){.connected = note_connected,
                                              .adding = note_adding,
                                              .send = send_bytes,
                                              .receive = receive_bytes,
                                              .send_datagrams = send_datagrams,
                                              .receive_datagrams = receive_datagrams,
                                              .answered = note_answered,
                                              .context = &log->threads[i]};
    }
    return 0;
}

static void begin_connection(struct load_connection *connection)
{
    clear_marks(connection);
    connection->renewed = false;
}

/* Successive calls, since calls in flight together affect each other; of another part of each
 * block. */
static void choose_calls(struct load_log *log, size_t count)
{
    size_t chosen = count / log->sample ? count / log->sample : 1;

    log->from = log->blocks++ % (count / chosen) * chosen;
    log->until = log->from + chosen;
    atomic_store(&log->answered, 0);
}

int load_log_begin(struct load_log *log, size_t count)
{
    if (count > log->capacity) {
        free(log->calls);
        log->calls = malloc(count * sizeof *log->calls);
        log->capacity = log->calls ? count : 0;
    }
    if (log->capacity == 0)
        return -ENOMEM;
    log->count = count;
    choose_calls(log, count);
    memset(log->calls, 0, count * sizeof *log->calls);
    for (size_t i = 0; i < log->connection_count; i++)
        begin_connection(&log->connections[i]);
    return 0;
}

/* What send() and the kernel noted of the call's last byte. The kernel marks the last byte of each
 * send(), and joins what TCP sends together: a later mark covers the call, too. */
static void fill_in_sending(const struct load_connection *connection, struct load_call *call)
{
    const struct load_mark *send = load_marks_find(&connection->sends, call->request_end);
    const struct load_mark *scheduled = load_marks_find(&connection->scheduled, call->request_end);
    const struct load_mark *sent = load_marks_find(&connection->transmitted, call->request_end);
    uint64_t *at = call->times.at;

    if (!send)
        return;
    at[TIMESTAMP_SEND_ENTERED] = send->at;
    at[TIMESTAMP_SEND_TAKEN] = call->times.send_returned = send->until;
    if (scheduled && scheduled->at >= send->at && scheduled->at < send->until)
        at[TIMESTAMP_SEND_TAKEN] = scheduled->at;
    else if (scheduled)
        at[TIMESTAMP_SCHEDULED] = scheduled->at;
    if (sent)
        at[TIMESTAMP_TRANSMITTED] = sent->at;
}

void load_log_correct_sending(uint64_t *at, uint64_t latest)
{
    if (at[TIMESTAMP_SEND_TAKEN] > latest)
        at[TIMESTAMP_SEND_TAKEN] = latest;
    if (at[TIMESTAMP_SCHEDULED] > latest)
        at[TIMESTAMP_SCHEDULED] = 0;
    if (at[TIMESTAMP_TRANSMITTED] > latest)
        at[TIMESTAMP_TRANSMITTED] = 0;
}

static void fill_in(struct load_log *log, struct load_call *call)
{
    uint64_t *at = call->times.at;

    const struct load_connection *connection = &log->connections[call->connection];

    /* The numbers of a connection's bytes begin again with a new socket. */
    call->times.retransmitted |= connection->renewed;
    fill_in_sending(connection, call);
    log->stamps_lost += !at[TIMESTAMP_TRANSMITTED] && !call->times.retransmitted;
    if (at[TIMESTAMP_REPLY_RECEIVED])
        load_log_correct_sending(at, at[TIMESTAMP_REPLY_RECEIVED]);
    if (call->receive_entered > at[TIMESTAMP_REPLY_RECEIVED])
        at[TIMESTAMP_RECEIVE_ENTERED] = call->receive_entered;
}

/* Wait for late timestamps. Returns whether the clock was set. */
static bool end_connection(struct load_log *log, struct load_connection *connection)
{
    struct pollfd poller = {.fd = connection->stamps.fd};

    collect(log, connection);
    stamps_set_sending(&connection->stamps, false);
    if (!is_transmitted(connection) && poll(&poller, 1, LAST_WAIT_MS) > 0)
        collect(log, connection);
    return stamps_compare_clocks(&connection->stamps);
}

void load_log_end(struct load_log *log)
{
    bool was_set = false;

    for (size_t i = 0; i < log->connection_count; i++)
        was_set |= end_connection(log, &log->connections[i]);
    for (unsigned i = 0; i < log->thread_count; i++)
        log->threads[i].on = false;
    if (was_set) {
        log->dropped += log->count;
        log->count = 0;
    }
    for (size_t i = 0; i < log->count; i++)
        if (log->calls[i].answered)
            fill_in(log, &log->calls[i]);
}

static void free_connection(struct load_connection *connection)
{
    free(connection->sends.list);
    free(connection->scheduled.list);
    free(connection->transmitted.list);
}

void load_log_close(struct load_log *log)
{
    for (size_t i = 0; i < log->connection_count; i++)
        free_connection(&log->connections[i]);
    free(log->connections);
    free(log->threads);
    free(log->watches);
    free(log->calls);
    *log = (struct load_log){.clock = NULL};
}
