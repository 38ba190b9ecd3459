/* The reference engine: RPCs by libtirpc's clnt_call(), as in the stubs that rpcgen generates.
 * Latencies include encoding and decoding. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/address.h"
#include "common/counted.h"
#include "engine/channel/socket_io.h"
#include "engine/channel/xid.h"
#include "engine/engine.h"
#include "engine/library/guard.h"
#include "engine/library/watchdog.h"

enum {
    /* bytes that a call may receive besides its reply: record marks, replies to abandoned calls */
    BYTES_BESIDE_REPLY = 64 * 1024,
    RECONNECT_PAUSE_NS = 100 * 1000 * 1000,
};

struct tirpc_engine {
    struct engine engine;
    struct engine_config config;
    CLIENT *client;
    uint32_t program, version;       /* program and version that CLIENT is bound to */
    const struct identity *identity; /* identity of CLIENT's credential */
    struct watchdog_watch watch;
    struct guard guard;
    struct xid_series xids;
    uint32_t number;               /* number of the latest call in the series XIDS */
    bool xids_checked, xids_known; /* see check_xid() */
    struct channel_counts *counts; /* counts of the current block */
    void *arguments;               /* arguments of calls with places (engine/patch.h) */
    size_t arguments_size;
};

static struct timeval timeval_of(uint64_t nanoseconds)
{
    return (struct timeval){.tv_sec = (time_t)(nanoseconds / 1000000000),
                            .tv_usec = (suseconds_t)(nanoseconds % 1000000000 / 1000)};
}

static AUTH *make_auth(const struct identity *identity)
{
    gid_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    char machine[sizeof identity->machine];

    if (identity->flavor == RPC_FLAVOR_NONE)
        return authnone_create();
    memcpy(machine, identity->machine, sizeof machine);
    for (uint32_t i = 0; i < identity->gid_count; i++)
        gids[i] = identity->gids[i];
    return authunix_create(machine, identity->uid, identity->gid, (int)identity->gid_count, gids);
}

/* Return the total timeout of a call in ns, which is that of a channel's call. TCP: TIMEOUT_NS.
 * UDP: the sum of the channel's waits, which double. libtirpc retransmits after equal waits
 * instead, until the total timeout is over. */
static uint64_t total_patience(const struct tirpc_engine *tirpc)
{
    const struct channel_options *options = &tirpc->config.channel;
    unsigned doublings = options->retransmissions < 16 ? options->retransmissions : 16;

    if (tirpc->config.endpoint.transport == TRANSPORT_TCP)
        return options->timeout_ns;
    return options->timeout_ns * ((UINT64_C(2) << doublings) - 1);
}

static void set_timeouts(struct tirpc_engine *tirpc)
{
    struct timeval wait = timeval_of(tirpc->config.channel.timeout_ns);
    struct timeval total = timeval_of(total_patience(tirpc));

    if (tirpc->config.endpoint.transport == TRANSPORT_UDP)
        clnt_control(tirpc->client, CLSET_RETRY_TIMEOUT, (char *)&wait);
    clnt_control(tirpc->client, CLSET_TIMEOUT, (char *)&total);
}

/* Destroy the credential. To end a security context, libtirpc makes a call, for up to a second. */
static void drop_auth(struct tirpc_engine *tirpc)
{
    struct timeval timeout = {.tv_sec = 1};

    if (!tirpc->client->cl_auth)
        return;
    clnt_control(tirpc->client, CLSET_TIMEOUT, (char *)&timeout);
    watchdog_begin(&tirpc->watch);
    auth_destroy(tirpc->client->cl_auth);
    watchdog_end(&tirpc->watch);
    tirpc->client->cl_auth = NULL;
    set_timeouts(tirpc);
}

static void drop_client(struct tirpc_engine *tirpc)
{
    if (!tirpc->client)
        return;
    drop_auth(tirpc);
    watchdog_release(&tirpc->watch);
    guard_reset(&tirpc->guard);
    clnt_destroy(tirpc->client);
    tirpc->client = NULL;
}

/* Watch the client's socket, because libtirpc's timeout restarts with each byte, and because
 * libtirpc blocks signals during a call. */
static int watch_client(struct tirpc_engine *tirpc, int fd, struct error *error)
{
    const struct channel_options *options = &tirpc->config.channel;
    const struct watchdog_limits limits = {.time_ns = total_patience(tirpc),
                                           .bytes = options->reply_maximum + BYTES_BESIDE_REPLY,
                                           .stop = options->deadline.stop};
    int code = watchdog_watch(&tirpc->watch, fd, &limits, error);

    if (code)
        drop_client(tirpc);
    return code;
}

static int make_client(struct tirpc_engine *tirpc, int fd, struct error *error)
{
    struct endpoint *endpoint = &tirpc->config.endpoint;
    socklen_t length = address_length(&endpoint->address);
    struct netbuf address = {.buf = &endpoint->address, .len = length, .maxlen = length};
    unsigned size = (unsigned)tirpc->config.channel.reply_maximum;

    if (endpoint->transport == TRANSPORT_TCP)
        tirpc->client = clnt_vc_create(fd, &address, tirpc->program, tirpc->version, 0, 0);
    else
        tirpc->client = clnt_dg_create(fd, &address, tirpc->program, tirpc->version, size, size);
    if (!tirpc->client) {
        close(fd);
        return error_set(error, ERROR_FAILED, -ENOMEM, "making a libtirpc client: %s",
                         clnt_spcreateerror("clnt_create"));
    }
    clnt_control(tirpc->client, CLSET_FD_CLOSE, NULL);
    set_timeouts(tirpc);
    return watch_client(tirpc, fd, error);
}

static AUTH *make_context(struct tirpc_engine *tirpc)
{
    const struct gss_request *request = &tirpc->config.channel.security;
    const struct gss_client_type *type = gss_client_type(request->flavor);
    AUTH *auth;

    watchdog_begin(&tirpc->watch);
    auth = type ? type->tirpc_auth(tirpc->client, request) : NULL;
    watchdog_end(&tirpc->watch);
    return auth;
}

static int refuse_context(const struct tirpc_engine *tirpc, struct error *error)
{
    const struct gss_request *request = &tirpc->config.channel.security;
    char name[24];

    return error_set(error, ERROR_UNREACHABLE, -EACCES,
                     "%s for nfs/%s: libtirpc establishes no security context: %s",
                     rpc_flavor_name(request->flavor, name), request->host,
                     clnt_sperrno(rpc_createerr.cf_stat));
}

static int take_identity(struct tirpc_engine *tirpc, struct error *error)
{
    bool protects = tirpc->config.channel.security.flavor;
    AUTH *auth = protects ? make_context(tirpc) : make_auth(tirpc->identity);

    if (!auth) {
        drop_client(tirpc);
        return protects ? refuse_context(tirpc, error)
                        : error_set(error, ERROR_FAILED, -ENOMEM,
                                    "making an AUTH_SYS credential failed");
    }
    drop_auth(tirpc);
    tirpc->client->cl_auth = auth;
    return 0;
}

static int connect_client(struct tirpc_engine *tirpc, struct error *error)
{
    int fd;
    int code = endpoint_connect(&tirpc->config.endpoint, &fd, error);

    if (code == 0)
        code = make_client(tirpc, fd, error);
    tirpc->config.endpoint.deadline.at_ns = 0;
    return code ? code : take_identity(tirpc, error);
}

/* Xids */

/* Count the reply with XID, which libtirpc skips, if it is not the current call's. The call has its
 * xid and the next two, because libtirpc repeats a call up to twice with the next xids (see
 * set_xid()) after refreshing a credential. Count nothing during a protected call, because libtirpc
 * may make any number of calls for a new security context. */
static void note_reply(void *context, uint32_t xid)
{
    enum { REFRESHES = 2 };
    const struct tirpc_engine *tirpc = context;
    uint32_t first = xid_for(&tirpc->xids, tirpc->number);
    uint32_t refreshes = tirpc->guard.datagrams ? xid - first : htonl(first) - htonl(xid);

    if (!tirpc->xids_known || tirpc->config.channel.security.flavor || refreshes <= REFRESHES)
        return;
    tirpc->counts->unmatched++;
    tirpc->counts->early += !xid_was_used(&tirpc->xids, tirpc->xids.first, tirpc->number, xid);
}

/* Make libtirpc use the xid of the latest call. Over TCP, libtirpc (1.3) first adds 1 to the number
 * given here, then changes it to network byte order, and then subtracts 1 as if it were still in
 * host byte order. */
static void set_xid(struct tirpc_engine *tirpc)
{
    uint32_t xid = xid_for(&tirpc->xids, tirpc->number);

    if (!tirpc->guard.datagrams)
        xid = ntohl(htonl(xid) + 1) - 1;
    clnt_control(tirpc->client, CLSET_XID, (char *)&xid);
}

/* After the engine's first call, check that it had the expected xid. If not, this version of
 * libtirpc counts differently, and the xids of replies can't be checked. */
static void check_xid(struct tirpc_engine *tirpc)
{
    uint32_t xid = 0;

    if (tirpc->xids_checked)
        return;
    clnt_control(tirpc->client, CLGET_XID, (char *)&xid);
    tirpc->xids_checked = true;
    tirpc->xids_known = xid == xid_for(&tirpc->xids, tirpc->number);
}

static int tirpc_open(struct engine **engine, const struct engine_config *config,
                      struct error *error)
{
    struct tirpc_engine *tirpc = calloc(1, sizeof *tirpc);

    if (!tirpc)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    /* libtirpc keeps one AUTH_NONE handle for all threads. If several threads made it at once, a
     * handle would leak. */
    authnone_create();
    tirpc->config = *config;
    xid_series_begin(&tirpc->xids, 32);
    tirpc->number = tirpc->xids.first;
    tirpc->guard = (struct guard){.datagrams = config->endpoint.transport == TRANSPORT_UDP,
                                  .maximum = SIZE_MAX,
                                  .note = note_reply,
                                  .context = tirpc};
    tirpc->config.endpoint = channel_endpoint(&config->endpoint, &config->channel);
    tirpc->config.channel.deadline.at_ns = 0;
    *engine = &tirpc->engine;
    return 0;
}

static void tirpc_close(struct engine *engine)
{
    struct tirpc_engine *tirpc = (struct tirpc_engine *)engine;

    drop_client(tirpc);
    free(tirpc->arguments);
    free(tirpc);
}

/* Make a client for CALL if there is none. Replace the client if CALL has another program or
 * version, because a libtirpc client is bound to these. Replace only its credential if CALL has
 * another identity. */
static int ready_client(struct tirpc_engine *tirpc, const struct engine_call *call,
                        struct error *error)
{
    const struct rpc_procedure *procedure = call->procedure;

    bool same_identity = tirpc->identity == call->identity;

    tirpc->identity = call->identity;
    if (tirpc->client && tirpc->program == procedure->program &&
        tirpc->version == procedure->version)
        return same_identity ? 0 : take_identity(tirpc, error);
    drop_client(tirpc);
    tirpc->program = procedure->program;
    tirpc->version = procedure->version;
    return connect_client(tirpc, error);
}

/* Return the enum rpc_outcome of STAT; 0 if STAT is success or no such outcome. */
static int outcome_of(enum clnt_stat stat)
{
    static const enum clnt_stat stats[] = {
        [RPC_OUTCOME_PROG_UNAVAIL] = RPC_PROGUNAVAIL,
        [RPC_OUTCOME_PROG_MISMATCH] = RPC_PROGVERSMISMATCH,
        [RPC_OUTCOME_PROC_UNAVAIL] = RPC_PROCUNAVAIL,
        [RPC_OUTCOME_GARBAGE_ARGS] = RPC_CANTDECODEARGS,
        [RPC_OUTCOME_SYSTEM_ERR] = RPC_SYSTEMERROR,
        [RPC_OUTCOME_RPC_MISMATCH] = RPC_VERSMISMATCH,
        [RPC_OUTCOME_AUTH_ERROR] = RPC_AUTHERROR,
    };
    int outcome = sizeof stats / sizeof stats[0] - 1;

    while (outcome > 0 && stats[outcome] != stat)
        outcome--;
    return outcome;
}

static bool lost_connection(const struct tirpc_engine *tirpc, enum clnt_stat stat)
{
    return tirpc->config.endpoint.transport == TRANSPORT_TCP &&
           watchdog_bite(&tirpc->watch) == WATCHDOG_CALM &&
           (stat == RPC_CANTRECV || stat == RPC_CANTSEND);
}

static bool lost_context(const struct tirpc_engine *tirpc, enum clnt_stat stat)
{
    struct rpc_err failure;

    if (stat != RPC_AUTHERROR || !tirpc->config.channel.security.flavor)
        return false;
    clnt_geterr(tirpc->client, &failure);
    return failure.re_why == RPCSEC_GSS_CREDPROBLEM || failure.re_why == RPCSEC_GSS_CTXPROBLEM;
}

static enum clnt_stat timed_call(struct tirpc_engine *tirpc, const struct engine_call *call,
                                 void *arguments, uint64_t *ticks)
{
    const struct rpc_procedure *procedure = call->procedure;
    const struct clock *clock = tirpc->config.clock;
    /* libtirpc ignores this value, because set_timeouts() has set a timeout. */
    const struct timeval unused = {.tv_sec = 25};
    enum clnt_stat stat;
    uint64_t started;

    memset(call->result, 0, procedure->result_size);
    set_xid(tirpc);
    watchdog_begin(&tirpc->watch);
    guard_begin(&tirpc->guard);
    started = clock->start();
    stat = clnt_call(tirpc->client, procedure->number, procedure->xdr_arguments, arguments,
                     procedure->xdr_result, call->result, unused);
    *ticks = clock->stop() - started;
    guard_end();
    watchdog_end(&tirpc->watch);
    return stat;
}

static int renew_context(struct tirpc_engine *tirpc, const struct engine_call *call,
                         void *arguments, enum clnt_stat *stat, struct engine_tally *tally,
                         struct error *error)
{
    int code = take_identity(tirpc, error);
    uint64_t ticks;

    if (code)
        return code;
    tally->counts.renewals++;
    *stat = timed_call(tirpc, call, arguments, &ticks);
    return 0;
}

static enum clnt_stat reconnect(struct tirpc_engine *tirpc, const struct engine_call *call,
                                void *arguments, enum clnt_stat stat, struct engine_tally *tally)
{
    const struct deadline until =
        deadline_within(&tirpc->config.channel.deadline, tirpc->config.channel.timeout_ns);
    struct error ignored; /* the loss of the connection is reported instead */
    uint64_t ticks;

    while (lost_connection(tirpc, stat) && !deadline_is_over(&until)) {
        drop_client(tirpc);
        if (connect_client(tirpc, &ignored) == 0) {
            tally->counts.reconnections++;
            tally->counts.retransmissions++;
            stat = timed_call(tirpc, call, arguments, &ticks);
        }
        if (lost_connection(tirpc, stat))
            deadline_sleep(&until, RECONNECT_PAUSE_NS);
    }
    return stat;
}

static int describe_failure(const struct tirpc_engine *tirpc, enum clnt_stat stat,
                            struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(&tirpc->config.endpoint, name);
    if (deadline_is_stopped(&tirpc->config.channel.deadline))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted while waiting for %s", name);
    if (watchdog_bite(&tirpc->watch) == WATCHDOG_TOO_MUCH)
        return socket_io_describe(&tirpc->config.endpoint, tirpc->config.channel.reply_maximum,
                                  -EMSGSIZE, error);
    if (watchdog_bite(&tirpc->watch) == WATCHDOG_TOO_LONG)
        stat = RPC_TIMEDOUT;
    if (stat == RPC_CANTDECODERES)
        return error_set(error, ERROR_FAILED, -EBADMSG,
                         "the reply from %s can't be decoded (RPC_CANTDECODERES): it does not "
                         "follow RFC 5531 and RFC 1813",
                         name);
    if (stat == RPC_TIMEDOUT && tirpc->counts->early > 0)
        return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                         "no reply from %s (RPC_TIMEDOUT), but %s to calls that were not sent",
                         name, counted(tirpc->counts->early, "reply").text);
    if (stat == RPC_TIMEDOUT)
        return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                         "no reply from %s (RPC_TIMEDOUT); see --timeout and --retrans", name);
    return error_set(error, ERROR_UNREACHABLE, -ECONNRESET, "talking to %s: libtirpc says %s", name,
                     clnt_sperrno(stat));
}

/* Return the status of the answered call NUMBER: the result of engine_check_decoded() or, if STAT
 * is a failure, minus its outcome. */
static int status_of(const struct engine_call *call, size_t number, enum clnt_stat stat)
{
    return stat == RPC_SUCCESS ? engine_check_decoded(call, number, call->result)
                               : -outcome_of(stat);
}

static int reserve_arguments(struct tirpc_engine *tirpc, const struct engine_call *call,
                             struct error *error)
{
    if (!call->places || call->arguments_size <= tirpc->arguments_size)
        return 0;
    free(tirpc->arguments);
    tirpc->arguments = malloc(call->arguments_size);
    tirpc->arguments_size = tirpc->arguments ? call->arguments_size : 0;
    return tirpc->arguments
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for arguments");
}

static void *arguments_of(struct tirpc_engine *tirpc, const struct engine_call *call, size_t number)
{
    if (!call->places)
        return (char *)call->arguments + number % call->variants * call->arguments_size;
    call->fill_arguments(call->context, number, tirpc->arguments);
    return tirpc->arguments;
}

static int run_call(struct tirpc_engine *tirpc, const struct engine_call *call, size_t number,
                    struct block *block, struct engine_tally *tally, struct error *error)
{
    void *arguments = arguments_of(tirpc, call, number);
    uint64_t *ticks = &block->ticks[block->recorded];
    const struct clock *clock = tirpc->config.clock;
    enum clnt_stat stat;
    bool first_try;
    int status;

    tirpc->number++;
    stat = timed_call(tirpc, call, arguments, ticks);
    check_xid(tirpc);
    first_try = !lost_connection(tirpc, stat) && !lost_context(tirpc, stat);
    if (!first_try) {
        uint64_t began = clock->stop() - *ticks;
        int code = 0;

        if (lost_context(tirpc, stat))
            code = renew_context(tirpc, call, arguments, &stat, tally, error);
        if (code)
            return code;
        stat = reconnect(tirpc, call, arguments, stat, tally);
        *ticks = clock->stop() - began;
        engine_gaps_note(&tally->gaps, began, clock->stop());
    }
    if (watchdog_bite(&tirpc->watch) != WATCHDOG_CALM ||
        (stat != RPC_SUCCESS && outcome_of(stat) == 0)) {
        /* Free the part of the result that was decoded before the error. */
        xdr_free(call->procedure->xdr_result, call->result);
        return describe_failure(tirpc, stat, error);
    }
    status = status_of(call, number, stat);
    if (status != 0)
        engine_note_error(tally, status);
    else if (first_try || tirpc->config.count_resent)
        block->recorded++;
    xdr_free(call->procedure->xdr_result, call->result);
    return 0;
}

static int tirpc_run(struct engine *engine, const struct engine_call *call, struct block *block,
                     struct engine_tally *tally, struct error *error)
{
    struct tirpc_engine *tirpc = (struct tirpc_engine *)engine;
    int code = reserve_arguments(tirpc, call, error);

    tirpc->counts = &tally->counts;
    if (code == 0)
        code = ready_client(tirpc, call, error);
    for (size_t i = 0; i < block->count && code == 0; i++) {
        if (deadline_is_stopped(&tirpc->config.channel.deadline))
            return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
        engine_pause(call);
        code = run_call(tirpc, call, call->first + i, block, tally, error);
    }
    return code;
}

static size_t tirpc_sockets(const struct engine *engine, int *fds, size_t room)
{
    const struct tirpc_engine *tirpc = (const struct tirpc_engine *)engine;

    return room > 0 && tirpc->client && clnt_control(tirpc->client, CLGET_FD, (char *)fds);
}

const struct engine_type engine_tirpc = {
    .name = "tirpc",
    .counts_retransmissions = false,
    .spins = false,
    .sets_receive_window = true,
    .has_kerberos = true,
    .opens_in_time = true,
    .open = tirpc_open,
    .run = tirpc_run,
    .close = tirpc_close,
    .sockets = tirpc_sockets,
};
