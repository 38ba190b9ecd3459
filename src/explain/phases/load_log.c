#include "explain/phases/load_log.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

/* Maximum wait for the late timestamps of one connection after a block. */
enum { LAST_WAIT_MS = 10 };

const char *const stamp_names[STAMP_KINDS] = {"TX_SCHED", "TX_SOFTWARE", "RX_SOFTWARE"};

int load_marks_add(struct load_marks *marks, struct load_mark mark)
{
    if (marks->count > 0 && !position_is_before(marks->list[marks->count - 1].end, mark.end))
        return 0;
    return array_add(&marks->list, &marks->count, &marks->capacity, &mark, sizeof mark);
}

const struct load_mark *load_marks_find(const struct load_marks *marks, uint32_t end)
{
    size_t index = position_find(marks->list, marks->count, sizeof *marks->list, end);

    return index < marks->count ? &marks->list[index] : NULL;
}

void load_log_fail(struct load_log *log, int code)
{
    int none = 0;

    if (code)
        atomic_compare_exchange_strong(&log->failure, &none, code);
}

void load_log_clear_marks(struct load_connection *connection)
{
    connection->sends.count = connection->scheduled.count = connection->transmitted.count = 0;
}

/* Return true if the last sent byte's TRANSMITTED is known, or nothing was sent in this block. */
static bool is_transmitted(const struct load_connection *connection)
{
    const struct load_marks *marks = &connection->transmitted, *sends = &connection->sends;

    return sends->count == 0 || (marks->count > 0 && marks->list[marks->count - 1].end ==
                                                         sends->list[sends->count - 1].end);
}

/* Take one timestamp of a sent message from the kernel, and note it. Returns false if none came. */
static bool note_stamp(struct load_log *log, struct load_connection *connection)
{
    struct load_mark mark;
    struct stamp stamp;

    if (!stamps_take(&connection->stamps, &stamp))
        return false;
    mark = (struct load_mark){.end = connection->first_stamp + stamp.number + 1, .at = stamp.at};
    if (position_is_before(connection->sent, mark.end))
        connection->unmatched++;
    else
        load_log_fail(log, load_marks_add(stamp.kind == SCM_TSTAMP_SCHED ? &connection->scheduled
                                                                         : &connection->transmitted,
                                          mark));
    return true;
}

void load_log_collect(struct load_log *log, struct load_connection *connection)
{
    while (!is_transmitted(connection) && note_stamp(log, connection))
        ;
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
    for (unsigned i = 0; i < threads; i++)
        log->threads[i] = (struct load_thread){.log = log, .number = i};
    return 0;
}

static void begin_connection(struct load_connection *connection)
{
    load_log_clear_marks(connection);
    load_tls_begin_block(&connection->tls);
    connection->renewed = false;
    connection->unmatched = 0;
}

/* Choose the calls that are logged: successive calls, because calls that are in flight together
 * affect each other. From block to block, the parts of a block's calls take turns. */
static void choose_calls(struct load_log *log, size_t count)
{
    size_t chosen = count / log->sample ? count / log->sample : 1;

    log->from = log->blocks++ % (count / chosen) * chosen;
    log->until = log->from + chosen;
    atomic_store(&log->answered, 0);
}

int load_log_begin(struct load_log *log, size_t count)
{
    if (array_reserve(&log->calls, &log->capacity, count, sizeof *log->calls) != 0)
        return -ENOMEM;
    log->count = count;
    log->filled = 0;
    choose_calls(log, count);
    memset(log->calls, 0, count * sizeof *log->calls);
    for (size_t i = 0; i < log->connection_count; i++)
        begin_connection(&log->connections[i]);
    return 0;
}

/* Set the timestamps of sending CALL from the marks of its last byte. The kernel marks only the
 * last byte of each send(), which may send the bytes of several calls. So the first mark at or
 * after the call's last byte covers the call. Returns the mark of the send(), or NULL. */
static const struct load_mark *set_sending_timestamps(const struct load_connection *connection,
                                                      struct load_call *call)
{
    const struct load_mark *send = load_marks_find(&connection->sends, call->request_end);
    const struct load_mark *scheduled = load_marks_find(&connection->scheduled, call->request_end);
    const struct load_mark *sent = load_marks_find(&connection->transmitted, call->request_end);
    uint64_t *at = call->times.at;

    if (!send)
        return NULL;
    at[TIMESTAMP_SEND_ENTERED] = send->at;
    at[TIMESTAMP_SEND_TAKEN] = call->times.send_returned = send->until;
    if (scheduled && scheduled->at >= send->at && scheduled->at < send->until)
        at[TIMESTAMP_SEND_TAKEN] = scheduled->at;
    else if (scheduled)
        at[TIMESTAMP_SCHEDULED] = scheduled->at;
    if (sent)
        at[TIMESTAMP_TRANSMITTED] = sent->at;
    return send;
}

/* Set the timestamps of a call over TLS. A record may be sent before the next one is encrypted. The
 * timestamps are set as if all encryption came first, and then all sending, until the last record's
 * send() returned. */
static void set_encryption_timestamps(const struct load_connection *connection,
                                      struct load_call *call)
{
    uint64_t *at = call->times.at;
    const struct load_mark *send;
    struct load_record span;

    if (!load_records_find(&connection->tls.records_sent, call->request_begin, call->request_end,
                           &span))
        return;
    call->request_end = span.wire_end;
    send = set_sending_timestamps(connection, call);
    if (!send)
        return;
    at[TIMESTAMP_ENCRYPTED] = send->until - span.send_ns;
    at[TIMESTAMP_SEND_ENTERED] = at[TIMESTAMP_ENCRYPTED] - span.encrypt_ns;
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

/* Correct CALL's timestamps if calls are made one at a time. Encoding (Kerberos: wrapping) ends
 * when the first send() begins; with TLS, when encryption begins. SCHEDULED becomes the time of the
 * last packet, even if this is before the send() returned. */
static void correct_single_timestamps(const struct load_log *log,
                                      const struct load_connection *connection,
                                      struct load_call *call)
{
    const struct load_mark *first = load_marks_find(&connection->sends, call->request_begin + 1);
    const struct load_mark *scheduled = load_marks_find(&connection->scheduled, call->request_end);
    uint64_t *at = call->times.at;

    if (!log->has_tls && first)
        at[TIMESTAMP_SEND_ENTERED] = first->at;
    at[log->has_kerberos ? TIMESTAMP_WRAPPED : TIMESTAMP_ENCODED] = at[TIMESTAMP_SEND_ENTERED];
    if (log->has_tls)
        at[TIMESTAMP_SEND_ENTERED] = at[TIMESTAMP_ENCRYPTED];
    at[TIMESTAMP_SCHEDULED] = scheduled ? scheduled->at : 0;
}

/* Count the kernel timestamps that CALL lacks, unless it was retransmitted. Under load, only
 * TRANSMITTED is counted. */
static void count_lost(struct load_log *log, const struct call_times *call)
{
    static const enum timestamp needed[STAMP_KINDS] = {TIMESTAMP_SCHEDULED, TIMESTAMP_TRANSMITTED,
                                                       TIMESTAMP_REPLY_RECEIVED};

    for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
        if (log->single || kind == STAMP_TRANSMITTED)
            log->lost[kind] += !call->retransmitted && call->at[needed[kind]] == 0;
}

static void set_client_timestamps(struct load_log *log, struct load_call *call)
{
    uint64_t *at = call->times.at;

    const struct load_connection *connection = &log->connections[call->connection];

    call->times.retransmitted |= connection->renewed; /* a new socket's positions begin anew */
    if (log->has_tls)
        set_encryption_timestamps(connection, call);
    else
        set_sending_timestamps(connection, call);
    if (log->single)
        correct_single_timestamps(log, connection, call);
    count_lost(log, &call->times);
    if (log->single)
        return;
    if (at[TIMESTAMP_REPLY_RECEIVED])
        load_log_correct_sending(at, at[TIMESTAMP_REPLY_RECEIVED]);
    if (call->receive_entered > at[TIMESTAMP_REPLY_RECEIVED])
        at[TIMESTAMP_RECEIVE_ENTERED] = call->receive_entered;
}

void load_log_set_client_timestamps(struct load_log *log)
{
    for (size_t i = log->filled; i < log->count; i++)
        if (log->calls[i].answered) {
            set_client_timestamps(log, &log->calls[i]);
            log->filled = i + 1;
        }
}

/* End CONNECTION's block: wait for late timestamps. Returns true if CLOCK_REALTIME was set. */
static bool end_connection(struct load_log *log, struct load_connection *connection)
{
    struct pollfd poller = {.fd = connection->stamps.fd};

    while (note_stamp(log, connection))
        ;
    stamps_set_sending(&connection->stamps, false);
    if (!is_transmitted(connection) && poll(&poller, 1, LAST_WAIT_MS) > 0)
        load_log_collect(log, connection);
    return stamps_compare_clocks(&connection->stamps);
}

void load_log_end(struct load_log *log)
{
    bool was_set = false;

    for (size_t i = 0; i < log->connection_count; i++)
        was_set |= end_connection(log, &log->connections[i]);
    for (size_t i = 0; i < log->connection_count; i++)
        log->unmatched += log->connections[i].unmatched;
    for (unsigned i = 0; i < log->thread_count; i++)
        log->threads[i].on = false;
    if (was_set) {
        log->dropped += log->count;
        log->count = 0;
    }
    load_log_set_client_timestamps(log);
}

void load_log_gather_decryption(struct load_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct load_call *call = &log->calls[i];
        const struct load_tls *tls = &log->connections[call->connection].tls;

        if (call->decryptions > 0)
            decryption_gather(log->calls[i].times.at, &tls->decryptions.list[call->decryption],
                              call->decryptions);
    }
}

static void free_connection(struct load_connection *connection)
{
    load_tls_free(&connection->tls);
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
