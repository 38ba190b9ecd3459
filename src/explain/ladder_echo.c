#include "explain/ladder_echo.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "engine/socket_io.h"
#include "rpc/echo.h"

/* Address */

/* If the host has several addresses, use one of the server's family. */
static int resolve(struct ladder_echo *echo, const struct echo_address *address,
                   struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found, *chosen;
    int code = getaddrinfo(address->host, address->port, &hints, &found);

    if (code)
        return error_set(error, ERROR_UNREACHABLE, -EHOSTUNREACH,
                         "can't look up the echo's host '%.200s': %s; is the name right?",
                         address->host, gai_strerror(code));
    for (chosen = found; chosen; chosen = chosen->ai_next)
        if (chosen->ai_family == echo->endpoint.address.ss_family)
            break;
    chosen = chosen ? chosen : found;
    memcpy(&echo->endpoint.address, chosen->ai_addr, chosen->ai_addrlen);
    freeaddrinfo(found);
    return 0;
}

/* Start an echo at the server's own address, so that the network path to both is the same. */
static int start(struct ladder_echo *echo, const struct setup *setup, struct error *error)
{
    struct sockaddr_storage *address = &echo->endpoint.address;
    bool is_ipv6 = address->ss_family == AF_INET6;
    char text[TARGET_HOST_SIZE]; /* with the interface of a link-local address */
    uint16_t port;
    int code = getnameinfo((struct sockaddr *)address, address_length(address), text, sizeof text,
                           NULL, 0, NI_NUMERICHOST);

    if (code)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "can't convert the server's address to text: %s", gai_strerror(code));
    if (!address_is_local(address))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "the echo must be on the server's machine: start 'nfsbench serve --echo "
                         "--bind %s' there, and give --echo %s%s%s:PORT",
                         text, is_ipv6 ? "[" : "", text, is_ipv6 ? "]" : "");
    /* The scheduler places a server that is not embedded, and so the echo beside it. */
    code = self_start_echo(&echo->process, text, setup->self.pid ? setup->self.pinned_cpu : -1,
                           NULL, &port, error);
    if (code == 0)
        address_set_port(address, port);
    return code;
}

/* Messages */

/* Make a message as long as CALL's, which requests an answer as long as its reply. */
static int make_message(const struct ladder_echo *echo, const struct nfs_call *call,
                        struct channel_bytes *message, struct error *error)
{
    bool tcp = echo->endpoint.transport == TRANSPORT_TCP;
    size_t mark = tcp ? RPC_RECORD_MARK_SIZE : 0;
    struct echo_header header = {.length = (uint32_t)(mark + call->engine.messages[0].length),
                                 .answer = (uint32_t)(mark + call->reply_length)};
    uint8_t *bytes;

    if (!echo_header_is_valid(&header, tcp ? ECHO_MAXIMUM : ECHO_DATAGRAM_MAXIMUM))
        return error_set(
            error, ERROR_USAGE, -EMSGSIZE,
            "%s's call of %u bytes or reply of %u bytes is too long for an echo; see --size",
            call->procedure->op, header.length, header.answer);
    bytes = calloc(1, header.length);
    if (!bytes)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a message");
    echo_header_store(&header, bytes);
    *message = (struct channel_bytes){bytes, header.length, header.answer};
    return 0;
}

/* Exchanges */

static int explain_failure(const struct endpoint *endpoint, int code, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(endpoint, name);
    switch (code) {
    case -EINTR:
        return error_set(error, ERROR_FAILED, code, "interrupted while waiting for %s", name);
    case -EBADMSG:
        return error_set(error, ERROR_FAILED, code,
                         "%s did not answer with as many bytes as it was asked for; is it an "
                         "'nfsbench serve --echo'?",
                         name);
    case -EAGAIN:
    case -ETIMEDOUT:
        return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                         "no answer from the echo at %s; see --timeout and --retrans", name);
    default:
        return error_set(error, ERROR_UNREACHABLE, code, "talking to the echo at %s: %s", name,
                         socket_io_was_lost(code) ? "it closed the connection" : strerror(-code));
    }
}

/* Over UDP it is sent again from another port, so that a late answer is not taken for the next one.
 */
int ladder_echo_exchange(struct ladder_echo *echo, size_t number, const struct clock *clock,
                         uint64_t *ticks, struct error *error)
{
    const bool datagrams = echo->endpoint.transport == TRANSPORT_UDP;
    int code = channel_exchange_bytes(echo->channel, &echo->messages[number], clock, ticks);

    if (code == 0)
        return 0;
    for (unsigned i = 0; datagrams && i < echo->retransmissions && code == -EAGAIN; i++) {
        code = channel_reconnect(echo->channel, 0, error);
        if (code == 0)
            code = channel_exchange_bytes(echo->channel, &echo->messages[number], clock, ticks);
    }
    return code ? explain_failure(&echo->endpoint, code, error) : 1;
}

/* Connections */

/* Prefix ERROR, to show that it concerns the echo and not the server. */
static void name_echo(struct error *error)
{
    char text[sizeof error->text];

    snprintf(text, sizeof text, "the bare echo: %.480s", error->text);
    memcpy(error->text, text, sizeof text);
}

/* An echo sends long datagrams only to clients that also have a TCP connection; an exchange over it
 * shows that the echo has accepted it. */
static int prove_address(struct ladder_echo *echo, const struct channel_options *options,
                         const struct clock *clock, struct error *error)
{
    const struct echo_header header = {ECHO_HEADER_SIZE, ECHO_HEADER_SIZE};
    struct endpoint endpoint = echo->endpoint;
    uint8_t bytes[ECHO_HEADER_SIZE];
    const struct channel_bytes message = {bytes, ECHO_HEADER_SIZE, ECHO_HEADER_SIZE};
    uint64_t ignored;
    int code;

    if (endpoint.transport == TRANSPORT_TCP)
        return 0;
    endpoint.transport = TRANSPORT_TCP;
    echo_header_store(&header, bytes);
    code = channel_open(&echo->proof, &endpoint, options, error);
    if (code)
        return code;
    code = channel_exchange_bytes(echo->proof, &message, clock, &ignored);
    return code ? explain_failure(&endpoint, code, error) : 0;
}

static int connect_echo(struct ladder_echo *echo, const struct session *session,
                        struct error *error)
{
    struct channel_options options = session->setup.mount.options.channel;
    uint64_t ignored;
    int code;

    options.spin = session->plan->spin; /* mounting never spins */
    echo->retransmissions = options.retransmissions;
    for (size_t i = 0; i < LADDER_ECHOES; i++)
        if (i == 0 || echo->messages[i].answer > options.reply_maximum)
            options.reply_maximum = echo->messages[i].answer;
    code = prove_address(echo, &options, &session->clock, error);
    if (code == 0)
        code = channel_open(&echo->channel, &echo->endpoint, &options, error);
    if (code)
        name_echo(error);
    for (size_t i = 0; i < LADDER_ECHOES && code >= 0; i++)
        code = ladder_echo_exchange(echo, i, &session->clock, &ignored, error);
    return code < 0 ? code : 0;
}

int ladder_echo_open(struct ladder_echo *echo, const struct echo_address *address,
                     const struct session *session,
                     const struct run_series *const of[LADDER_ECHOES], struct error *error)
{
    int code;

    echo->endpoint = setup_endpoint(&session->setup, of[LADDER_ECHO_OF_OP]->service);
    echo->endpoint.reserved_port = false;
    code = address->host[0] ? resolve(echo, address, error) : start(echo, &session->setup, error);
    for (size_t i = 0; i < LADDER_ECHOES && code == 0; i++)
        code = make_message(echo, &of[i]->call, &echo->messages[i], error);
    return code ? code : connect_echo(echo, session, error);
}

void ladder_echo_close(struct ladder_echo *echo)
{
    channel_close(echo->channel);
    channel_close(echo->proof);
    self_stop(&echo->process);
    for (size_t i = 0; i < LADDER_ECHOES; i++)
        free((void *)(uintptr_t)echo->messages[i].bytes);
}
