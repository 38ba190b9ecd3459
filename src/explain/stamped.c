#include "explain/stamped.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "common/system_clock.h"
#include "engine/rpc_client.h"
#include "explain/stamps.h"

enum { LAST_WAIT_MS = 10 }; /* for late timestamps, after a block */

struct stamped {
    struct engine engine;
    struct engine_config config;
    struct channel_watch watch;
    struct channel *channel;
    bool stamping;
    bool sampled; /* the present call is logged */
    bool out_of_memory;
    uint64_t blocks; /* so far */
    int begin_code;  /* result of stamps_begin() on the current connection */
    struct stamped_log *log;
    struct stamps stamps;
    struct stamps_call *sent;  /* by logged call of the block */
    struct stamps_call beside; /* a message that is of no logged call */
    unsigned sends;            /* of the current call */
    void *bytes;               /* the current call, encoded */
    size_t room;
    void *arguments; /* of the present call, where calls have places */
    size_t arguments_size;
};

static struct call_times *present_call(struct stamped *stamped)
{
    return &stamped->log->calls[stamped->log->count];
}

static void note_time(struct stamped *stamped, enum timestamp timestamp)
{
    if (stamped->sampled)
        present_call(stamped)->at[timestamp] = monotonic_ns();
}

static bool has_kerberos(const struct stamped *stamped)
{
    return stamped->config.channel.security.flavor != 0;
}

static bool has_tls(const struct stamped *stamped)
{
    return stamped->config.channel.tls;
}

/* The last step before send() ends where send() begins. */
static enum timestamp step_before_send(const struct stamped *stamped)
{
    return has_tls(stamped)        ? TIMESTAMP_ENCRYPTED
           : has_kerberos(stamped) ? TIMESTAMP_WRAPPED
                                   : TIMESTAMP_ENCODED;
}

/* Callbacks of the channel */

static void note_connected(void *context, int fd)
{
    struct stamped *stamped = context;

    stamped->log->port = address_own_port(fd);
    stamped->sends = 0; /* a retransmitted call gets new numbers */
    stamped->begin_code =
        stamps_begin(&stamped->stamps, fd, stamped->config.endpoint.transport == TRANSPORT_TCP);
    if (stamped->begin_code == 0)
        stamps_await();
    stamps_set_sending(&stamped->stamps, stamped->sampled || stamped->log->sample == 1);
}

static void note_encrypting(void *context)
{
    struct stamped *stamped = context;

    if (stamped->sends == 0)
        note_time(stamped, has_kerberos(stamped) ? TIMESTAMP_WRAPPED : TIMESTAMP_ENCODED);
}

static void note_decrypted(void *context)
{
    struct stamped *stamped = context;
    struct decryption decryption;

    if (!stamped->sampled)
        return;
    note_time(stamped, TIMESTAMP_DECRYPTED);
    decryption = (struct decryption){.from = present_call(stamped)->at[TIMESTAMP_REPLY_READ],
                                     .until = present_call(stamped)->at[TIMESTAMP_DECRYPTED]};
    if (decryptions_add(&stamped->log->decryptions, decryption) != 0)
        stamped->out_of_memory = true;
}

/* Records of TLS are encrypted and sent in turns: the time for all encryption comes first. */
static void note_sending(const struct stamped *stamped, struct call_times *call)
{
    uint64_t now = monotonic_ns();

    if (stamped->sends == 0)
        call->at[TIMESTAMP_SEND_ENTERED] = now;
    else if (has_tls(stamped))
        call->at[TIMESTAMP_SEND_ENTERED] += now - call->send_returned;
}

static ssize_t send_noted(void *context, int fd, const void *bytes, size_t length, int flags)
{
    struct stamped *stamped = context;
    ssize_t sent;

    if (stamped->sampled)
        note_sending(stamped, present_call(stamped));
    sent = send(fd, bytes, length, flags);
    if (stamped->sampled)
        present_call(stamped)->send_returned = monotonic_ns();
    stamps_note_sent(&stamped->stamps, sent, stamped->sends == 0,
                     stamped->sampled ? &stamped->sent[stamped->log->count] : &stamped->beside);
    stamped->sends += sent > 0;
    return sent;
}

static ssize_t receive(void *context, int fd, void *bytes, size_t room, int flags)
{
    struct stamped *stamped = context;
    struct call_times *call = present_call(stamped);
    ssize_t got;

    if (!stamped->sampled)
        return recv(fd, bytes, room, flags);
    got = stamps_receive(&stamped->stamps, bytes, room, flags);
    if (got > 0) {
        call->at[TIMESTAMP_REPLY_READ] = monotonic_ns();
        call->at[TIMESTAMP_REPLY_RECEIVED] = stamped->stamps.received_at;
    }
    return got;
}

/* A call */

/* Make room for SIZE bytes in *MEMORY, which has *ROOM; what is there gets lost. */
static int reserve(void **memory, size_t *room, size_t size)
{
    if (size <= *room)
        return 0;
    free(*memory);
    *memory = malloc(size);
    *room = *memory ? size : 0;
    return *memory ? 0 : -ENOMEM;
}

static int reserve_call(struct stamped *stamped, const struct engine_call *call)
{
    size_t longest = 0;
    int code;

    for (size_t i = 0; i < call->variants; i++)
        if (call->messages[i].length > longest)
            longest = call->messages[i].length;
    code = reserve(&stamped->bytes, &stamped->room,
                   longest + RPC_RECORD_MARK_SIZE + RPC_CALL_HEADER_MAXIMUM);
    return code ? code
                : reserve(&stamped->arguments, &stamped->arguments_size, call->arguments_size);
}

static int encode(struct stamped *stamped, const struct engine_call *call, size_t number,
                  struct channel_message *message)
{
    size_t variant = (call->first + number) % call->variants;
    void *arguments = (char *)call->arguments + variant * call->arguments_size;

    if (call->places) {
        arguments = stamped->arguments;
        call->fill_arguments(call->context, call->first + number, arguments);
    }
    *message = (struct channel_message){.bytes = stamped->bytes};
    return rpc_message_encode(stamped->bytes, stamped->room, call->procedure, call->identity,
                              arguments, &message->length);
}

/* A whole call, between two readings of the clock. */
static int make_call(struct stamped *stamped, const struct engine_call *call, size_t number,
                     struct channel_reply *reply, int *status, struct error *error)
{
    const struct clock *clock = stamped->config.clock;
    struct channel_message message;
    uint64_t began = clock->start();
    int code;

    note_time(stamped, TIMESTAMP_BEGUN);
    code = encode(stamped, call, number, &message);
    if (code)
        return error_set(error, ERROR_FAILED, code, "can't encode the arguments of %s",
                         call->procedure->name);
    if (has_kerberos(stamped))
        note_time(stamped, TIMESTAMP_ENCODED);
    code = channel_exchange(stamped->channel, &message, clock, reply, error);
    if (code)
        return code;
    if (has_kerberos(stamped))
        note_time(stamped, TIMESTAMP_UNWRAPPED);
    *status = engine_check_reply(call, reply->bytes, reply->length, NULL);
    note_time(stamped, TIMESTAMP_DECODED);
    reply->ticks = clock->stop() - began;
    return *status == -EBADMSG ? engine_refuse_garbage(reply->length, error) : 0;
}

static uint32_t xid_of(const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);

    return wire_get_u32(&reader);
}

/* Normally a call's timestamps have arrived when its reply has. */
static void log_call(struct stamped *stamped, const struct channel_reply *reply, int status)
{
    struct call_times *times = present_call(stamped);

    times->lifetime_ns = (uint64_t)(clock_sample_ns(stamped->config.clock, reply->ticks) + 0.5);
    times->at[step_before_send(stamped)] = times->at[TIMESTAMP_SEND_ENTERED];
    times->xid = has_tls(stamped) ? 0 : xid_of(reply); /* the kernel does not see it */
    times->failed = status != 0;
    times->retransmitted = !reply->first_try;
    stamped->log->count++;
    stamps_collect(&stamped->stamps, stamped->sent, stamped->log->calls, stamped->log->count);
}

/* A block */

static int reserve_log(struct stamped *stamped, size_t count)
{
    struct stamped_log *log = stamped->log;

    log->count = log->decryptions.count = 0;
    if (count > log->capacity) {
        free(log->calls);
        free(stamped->sent);
        log->calls = malloc(count * sizeof *log->calls);
        stamped->sent = malloc(count * sizeof *stamped->sent);
        log->capacity = log->calls && stamped->sent ? count : 0;
    }
    if (log->capacity == 0)
        return -ENOMEM;
    memset(log->calls, 0, count * sizeof *log->calls);
    memset(stamped->sent, 0, count * sizeof *stamped->sent);
    return 0;
}

const char *const stamp_names[STAMP_KINDS] = {"TX_SCHED", "TX_SOFTWARE", "RX_SOFTWARE"};

/* Does a call that was sent once lack this timestamp? */
static bool lacks_stamp(const struct call_times *call, enum stamp_kind kind)
{
    static const enum timestamp timestamps[STAMP_KINDS] = {
        TIMESTAMP_SCHEDULED, TIMESTAMP_TRANSMITTED, TIMESTAMP_REPLY_RECEIVED};

    return !call->retransmitted && call->at[timestamps[kind]] == 0;
}

static bool is_complete(const struct call_times *call)
{
    for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
        if (lacks_stamp(call, kind))
            return false;
    return true;
}

/* Wait for late timestamps, once per block. */
static void end_block(struct stamped *stamped)
{
    struct stamped_log *log = stamped->log;
    struct pollfd poller = {.fd = stamped->stamps.fd};
    bool complete = true;

    for (size_t i = 0; i < log->count; i++)
        complete = complete && is_complete(&log->calls[i]);
    if (!complete)
        poll(&poller, 1, LAST_WAIT_MS);
    /* The remaining timestamps belong to parts of long messages; the next block could not assign
     * them. */
    stamps_collect_all(&stamped->stamps, stamped->sent, log->calls, log->count);
    for (size_t i = 0; i < log->count; i++)
        for (unsigned kind = 0; kind < STAMP_KINDS; kind++)
            log->lost[kind] += lacks_stamp(&log->calls[i], kind);
    log->stamps_unmatched += stamped->stamps.unmatched;
    stamped->stamps.unmatched = 0;
    if (stamps_compare_clocks(&stamped->stamps)) {
        log->dropped += log->count;
        log->count = 0;
    }
}

/* Sampling */

/* Is call NUMBER of a block of COUNT to be logged? Each block has one such call at least. */
static bool is_sampled(const struct stamped *stamped, size_t number, size_t count)
{
    uint64_t sample = stamped->stamping ? stamped->log->sample : 1;

    sample = sample < count ? sample : count;
    return stamped->stamping && number % sample == stamped->blocks % sample;
}

static void set_sampled(struct stamped *stamped, bool on)
{
    struct stamped_log *log = stamped->log;

    stamped->sampled = on;
    if (!stamped->stamping || log->sample == 1)
        return;
    stamps_set_sending(&stamped->stamps, on);
    if (log->sampling)
        log->sampling(log->context, on);
}

static int run_calls(struct stamped *stamped, const struct engine_call *call, struct block *block,
                     struct engine_tally *tally, struct error *error)
{
    for (size_t i = 0; i < block->count; i++) {
        struct channel_reply reply;
        int status = 0, code;

        stamped->sends = 0;
        engine_pause(call);
        if (is_sampled(stamped, i, block->count) != stamped->sampled)
            set_sampled(stamped, !stamped->sampled);
        code = make_call(stamped, call, i, &reply, &status, error);
        if (code)
            return code;
        if (stamped->sampled)
            log_call(stamped, &reply, status);
        if (status != 0)
            engine_note_error(tally, status);
        else if (reply.first_try && stamped->sampled == stamped->stamping)
            block->ticks[block->recorded++] = reply.ticks;
    }
    return 0;
}

static int stamped_run(struct engine *engine, const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error)
{
    struct stamped *stamped = (struct stamped *)engine;
    struct channel_counts before = *channel_counts(stamped->channel);
    int code;

    if (channel_is_stopped(&stamped->config.channel))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    code = reserve_call(stamped, call);
    if (code == 0 && stamped->stamping)
        code = reserve_log(stamped, block->count);
    if (code)
        return error_set(error, ERROR_FAILED, code, "out of memory for a block");
    code = run_calls(stamped, call, block, tally, error);
    if (code == 0 && stamped->out_of_memory)
        code = error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a block");
    if (stamped->sampled)
        set_sampled(stamped, false);
    stamped->blocks++;
    if (stamped->stamping)
        end_block(stamped);
    channel_counts_add_between(&tally->counts, &before, channel_counts(stamped->channel));
    return code;
}

static void stamped_close(struct engine *engine)
{
    struct stamped *stamped = (struct stamped *)engine;

    channel_close(stamped->channel);
    free(stamped->sent);
    free(stamped->bytes);
    free(stamped->arguments);
    free(stamped);
}

static const struct engine_type stamped_type = {
    .name = "stamped",
    .summary = "encodes and timestamps each call",
    .counts_retransmissions = true,
    .spins = true,
    .run = stamped_run,
    .close = stamped_close,
};

/* Those of the messages that begin TLS, or establish a security context. */
static void forget_stamps(struct stamped *stamped)
{
    stamps_collect_all(&stamped->stamps, NULL, NULL, 0);
    stamped->stamps.unmatched = 0;
}

int stamped_open(struct engine **engine, const struct engine_config *config, bool stamping,
                 struct stamped_log *log, struct error *error)
{
    struct stamped *stamped = calloc(1, sizeof *stamped);
    int code;

    if (!stamped)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    stamped->engine.type = &stamped_type;
    stamped->config = *config;
    stamped->stamping = stamping;
    stamped->log = log;
    stamped->watch = (struct channel_watch){.connected = note_connected,
                                            .send = send_noted,
                                            .receive = receive,
                                            .encrypting = note_encrypting,
                                            .decrypted = note_decrypted,
                                            .context = stamped};
    stamped->config.channel.watch = stamping ? &stamped->watch : NULL;
    code = channel_open(&stamped->channel, &config->endpoint, &stamped->config.channel, error);
    if (code == 0 && stamped->begin_code)
        code = error_set(
            error, ERROR_FAILED, -ENOTSUP,
            "the kernel does not timestamp packets (SO_TIMESTAMPING: %s); use Linux 6.2 or newer",
            strerror(-stamped->begin_code));
    if (code) {
        stamped_close(&stamped->engine);
        return code;
    }
    if (stamping)
        forget_stamps(stamped);
    *engine = &stamped->engine;
    return 0;
}

void stamped_log_gather_decryption(struct stamped_log *log)
{
    const struct decryption *list = log->decryptions.list;
    size_t first = 0, next = 0;

    for (size_t i = 0; i < log->count; i++, first = next) {
        while (next < log->decryptions.count &&
               list[next].from <= log->calls[i].at[TIMESTAMP_REPLY_READ])
            next++;
        if (next > first)
            decryption_gather(log->calls[i].at, &list[first], next - first);
    }
}

void stamped_log_free(struct stamped_log *log)
{
    free(log->decryptions.list);
    log->decryptions = (struct decryptions){.list = NULL};
    free(log->calls);
    log->calls = NULL;
    log->count = log->capacity = 0;
}
