/* RPC-with-TLS on a client's connections: an entry of the table in engine/channel/protection.c. */
#include "security/tls_client.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/random.h"
#include "engine/channel/socket_io.h"
#include "rpc/record.h"
#include "security/tls.h"
#include "security/tls_probe.h"

struct openssl_client {
    struct tls_client base;
    struct tls_request request;
    struct rpc_tls_context *context;
    /* numbers of sessions that all threads began, and of those that were resumed */
    _Atomic uint64_t begun, resumed;
};

static struct openssl_client *client_of(struct tls_client *base)
{
    return (struct openssl_client *)base;
}

static int open_client(struct tls_client **result, const struct tls_request *request,
                       struct error *error)
{
    struct openssl_client *client = calloc(1, sizeof *client);
    int code;

    if (!client)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for TLS");
    client->base.type = &tls_client_openssl;
    client->request = *request;
    code = rpc_tls_context_open_client(&client->context, &request->files, error);
    if (code)
        free(client);
    else
        *result = &client->base;
    return code;
}

static void close_client(struct tls_client *client)
{
    rpc_tls_context_close(client_of(client)->context);
    free(client);
}

static void resume(struct tls_client *client, bool resumes)
{
    rpc_tls_context_resume(client_of(client)->context, resumes);
}

static struct tls_counts counts(const struct tls_client *base)
{
    const struct openssl_client *client = (const struct openssl_client *)base;

    return (struct tls_counts){atomic_load(&client->begun), atomic_load(&client->resumed)};
}

/* Beginning a session */

struct beginning {
    const struct tls_request *request;
    const struct endpoint *endpoint;
    struct socket_io *io;
    size_t sent, received; /* numbers of bytes of the probe and of its reply */
};

/* Set ERROR to a message that ends in WHAT and WHY, with the kind that CODE implies. Returns CODE,
 * or -EPROTO instead of -EBADMSG. */
static int refuse(const struct beginning *beginning, int code, const char *what, const char *why,
                  struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];
    enum error_kind kind = code == -EINTR || code == -EBADMSG ? ERROR_FAILED : ERROR_UNREACHABLE;

    error_set(error, kind, code, "--xprtsec %s with %s: %s%s",
              rpc_xprtsec_name(beginning->request->how),
              endpoint_describe(beginning->endpoint, name), what, why);
    return code == -EBADMSG ? -EPROTO : code;
}

/* Set ERROR: the connection failed with CODE (-EAGAIN: timed out) in WHAT. Returns CODE, or
 * -ETIMEDOUT instead of -EAGAIN. */
static int lose(const struct beginning *beginning, int code, const char *what, struct error *error)
{
    if (code == -EAGAIN)
        code = -ETIMEDOUT;
    return refuse(beginning, code, what,
                  socket_io_was_lost(code) ? ": the server closed the connection"
                  : code == -ETIMEDOUT     ? ": no answer (RPC_TIMEDOUT); see --timeout"
                  : code == -EINTR         ? ": interrupted"
                                           : ": RPC_CANTRECV",
                  error);
}

/* Receive into BYTES, which has room for SIZE bytes, until it contains a complete RECORD. *FILLED
 * is then the number of bytes in BYTES, which may be more than RECORD's. */
static int receive_record(struct socket_io *io, uint8_t *bytes, size_t size, size_t *filled,
                          struct rpc_record *record)
{
    int code = 0;

    *record = (struct rpc_record){0};
    for (*filled = 0; code == 0;) {
        ssize_t got = socket_io_receive(io, bytes + *filled, size - *filled);
        int found;

        if (got <= 0)
            return got == 0 ? -ECONNRESET : (int)got;
        *filled += (size_t)got;
        found = rpc_record_find(bytes, filled, size, record);
        if (found != 0)
            return found < 0 ? -EBADMSG : 0;
        code = *filled < size ? socket_io_look(io, 0) : -EBADMSG;
    }
    return code;
}

/* Check that RECORD is the reply to the probe XID and begins TLS. ALONE: no bytes follow RECORD. */
static int check_reply(const struct beginning *beginning, const struct rpc_record *record,
                       bool alone, uint32_t xid, struct error *error)
{
    struct wire_reader reader = wire_reader(record->message, record->length);
    struct rpc_reply_header header;
    char outcome[96];

    if (rpc_reply_decode(&reader, &header) != 0 || header.xid != xid || !alone)
        return refuse(beginning, -EBADMSG, "the reply to the probe (AUTH_TLS) is not an RPC reply",
                      "", error);
    if (rpc_tls_reply_starts(&header))
        return 0;
    if (header.outcome == RPC_OUTCOME_SUCCESS)
        return refuse(beginning, -EPROTO,
                      "the server has no TLS: its reply to the probe (AUTH_TLS) has no STARTTLS",
                      "", error);
    return refuse(beginning, -EPROTO, "the server has no TLS: it answered the probe (AUTH_TLS) by ",
                  rpc_reply_describe(&header, outcome, sizeof outcome), error);
}

static int probe(struct beginning *beginning, struct error *error)
{
    uint8_t bytes[512];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);
    uint32_t xid = (uint32_t)random_system_seed();
    struct rpc_record record;
    size_t length;
    int code;

    wire_reserve(&writer, RPC_RECORD_MARK_SIZE);
    rpc_tls_probe_encode(&writer, xid, beginning->request->program, beginning->request->version);
    length = (size_t)(writer.at - bytes);
    wire_store_u32(bytes, RPC_LAST_FRAGMENT | (uint32_t)(length - RPC_RECORD_MARK_SIZE));
    code = socket_io_send(beginning->io, bytes, length);
    if (code == 0)
        code = receive_record(beginning->io, bytes, sizeof bytes, &beginning->received, &record);
    if (code == -EBADMSG)
        return refuse(beginning, code, "the reply to the probe (AUTH_TLS) is not an RPC reply", "",
                      error);
    if (code)
        return lose(beginning, code, "the probe (AUTH_TLS)", error);
    beginning->sent = length;
    return check_reply(beginning, &record, record.consumed == beginning->received, xid, error);
}

static int shake_hands(const struct beginning *beginning, struct rpc_tls *tls, struct error *error)
{
    struct socket_io *io = beginning->io;
    int code;

    io->over_ns = 0;
    while ((code = rpc_tls_handshake(tls)) == -EAGAIN || code == -EINTR) {
        code = socket_io_look(io, code == -EAGAIN ? io->sleep_ns : 0);
        if (code)
            break;
    }
    if (code == -EPROTO)
        return refuse(beginning, code, "", rpc_tls_why(tls), error);
    return code ? lose(beginning, code, "the TLS handshake", error) : 0;
}

/* Functions of a TLS session that replace sendmsg() and recv() */

static ssize_t send_messages(void *context, unsigned connection, int fd, struct msghdr *message,
                             int flags)
{
    const struct tls_session *session = context;
    const struct load_watch *watch = session->watched.watch;

    if (watch)
        watch->encrypting(watch->context, connection);
    return rpc_tls_send(session->tls, message->msg_iov, message->msg_iovlen, flags);
}

static ssize_t receive_messages(void *context, unsigned connection, int fd, void *bytes,
                                size_t room, int flags)
{
    const struct tls_session *session = context;
    const struct load_watch *watch = session->watched.watch;
    ssize_t got = rpc_tls_receive(session->tls, bytes, room, flags);

    if (watch && got > 0)
        watch->decrypted(watch->context, connection);
    return got;
}

/* The observer's functions: they replace the session's system calls, and note its records. */

static ssize_t send_bytes(void *context, int fd, const void *bytes, size_t length, int flags)
{
    const struct load_watched *watched = context;
    struct iovec part = {(void *)(uintptr_t)bytes, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    return load_watched_send(watched, fd, &message, flags);
}

static ssize_t receive_bytes(void *context, int fd, void *bytes, size_t room, int flags)
{
    return load_watched_receive(context, fd, bytes, room, flags);
}

static void note_sent(void *context, size_t bytes)
{
    const struct load_watched *watched = context;

    watched->watch->record_sent(watched->watch->context, watched->connection, bytes);
}

static void note_opened(void *context, size_t bytes, size_t received, size_t skipped)
{
    const struct load_watched *watched = context;

    watched->watch->record_opened(watched->watch->context, watched->connection, bytes, received,
                                  skipped);
}

static void observe(struct tls_session *session, const struct beginning *beginning)
{
    struct load_watched *watched = &session->watched;

    watched->watch->connected(watched->watch->context, watched->connection, beginning->io->fd,
                              beginning->sent, beginning->received);
    rpc_tls_observe(session->tls, &(struct rpc_tls_calls){.send = send_bytes,
                                                          .receive = receive_bytes,
                                                          .encrypted = note_sent,
                                                          .decrypted = note_opened,
                                                          .context = watched});
}

/* Sessions */

static int begin(struct tls_session *session, struct openssl_client *client,
                 struct beginning *beginning, struct error *error)
{
    uint64_t began = clock_raw_ns(), probed;
    int code = probe(beginning, error);

    probed = clock_raw_ns();
    session->handshake.probe_ns = probed - began;
    if (code)
        return code;
    code = rpc_tls_open(&session->tls, client->context, beginning->io->fd, client->request.host);
    if (code)
        return error_set(error, ERROR_FAILED, code, "out of memory for TLS");
    if (session->watched.watch)
        observe(session, beginning);
    code = shake_hands(beginning, session->tls, error);
    session->handshake.tls_ns = clock_raw_ns() - probed;
    if (code)
        return code;
    session->handshake.resumed = rpc_tls_resumed(session->tls);
    atomic_fetch_add(&client->begun, 1);
    atomic_fetch_add(&client->resumed, session->handshake.resumed);
    return 0;
}

static int begin_session(struct tls_session *session, struct tls_client *base, struct socket_io *io,
                         const struct endpoint *endpoint, struct error *error)
{
    struct openssl_client *client = client_of(base);
    struct beginning beginning = {.request = &client->request, .endpoint = endpoint, .io = io};
    int code = begin(session, client, &beginning, error);

    if (code)
        return code;
    rpc_tls_describe(session->tls, session->handshake.description);
    session->calls =
        (struct load_watch){.send = send_messages, .receive = receive_messages, .context = session};
    return 0;
}

const struct tls_client_type tls_client_openssl = {
    .open = open_client,
    .close = close_client,
    .resume = resume,
    .counts = counts,
    .begin = begin_session,
    .end = rpc_tls_close,
    .why = rpc_tls_why,
};
