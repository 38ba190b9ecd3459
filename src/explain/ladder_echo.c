#include "explain/ladder_echo.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
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
                        struct bare_message *message, struct error *error)
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
    *message = (struct bare_message){bytes, header.length, header.answer};
    return 0;
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
    const struct bare_message message = {bytes, ECHO_HEADER_SIZE, ECHO_HEADER_SIZE};
    uint64_t ignored;
    int code;

    if (endpoint.transport == TRANSPORT_TCP)
        return 0;
    endpoint.transport = TRANSPORT_TCP;
    echo_header_store(&header, bytes);
    code = bare_open(&echo->proof, &endpoint, options, error);
    return code ? code : bare_exchange(echo->proof, &message, clock, &ignored, error);
}

static int connect_echo(struct ladder_echo *echo, const struct session *session,
                        struct error *error)
{
    struct channel_options options = session->setup.mount.options.channel;
    uint64_t ignored;
    int code;

    options.spin = session->plan->spin; /* mounting never spins */
    for (size_t i = 0; i < LADDER_ECHOES; i++)
        if (i == 0 || echo->messages[i].answer > options.reply_maximum)
            options.reply_maximum = echo->messages[i].answer;
    code = prove_address(echo, &options, &session->clock, error);
    if (code == 0)
        code = bare_open(&echo->bare, &echo->endpoint, &options, error);
    if (code)
        name_echo(error);
    for (size_t i = 0; i < LADDER_ECHOES && code >= 0; i++)
        code = bare_exchange(echo->bare, &echo->messages[i], &session->clock, &ignored, error);
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
    bare_close(echo->bare);
    bare_close(echo->proof);
    self_stop(&echo->process);
    for (size_t i = 0; i < LADDER_ECHOES; i++)
        free((void *)(uintptr_t)echo->messages[i].bytes);
}
