#include "run/echo_run.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "engine/channel/socket_io.h"
#include "rpc/echo.h"

static void name_echo(struct error *error)
{
    char text[sizeof error->text];

    snprintf(text, sizeof text, "the bare echo: %.480s", error->text);
    memcpy(error->text, text, sizeof text);
}

/* Set ECHO's address and port to TARGET's. Prefer an address of the NFS server's address family. */
static int resolve_echo(struct echo_run *echo, const struct target *target,
                        const struct deadline *deadline, struct error *error)
{
    struct addrinfo *found, *chosen;
    int code = target_resolve(target, deadline, &found, error);

    if (code) {
        name_echo(error);
        return code;
    }
    for (chosen = found; chosen; chosen = chosen->ai_next)
        if (chosen->ai_family == echo->endpoint.address.ss_family)
            break;
    chosen = chosen ? chosen : found;
    memcpy(&echo->endpoint.address, chosen->ai_addr, chosen->ai_addrlen);
    address_set_port(&echo->endpoint.address, target->nfs_port);
    freeaddrinfo(found);
    return 0;
}

/* Start an echo at the server's own address, so that both have the same network path. */
static int start_echo_process(struct echo_run *echo, int cpu, const struct deadline *deadline,
                              struct error *error)
{
    struct sockaddr_storage *address = &echo->endpoint.address;
    bool is_ipv6 = address->ss_family == AF_INET6;
    char text[TARGET_HOST_SIZE];
    uint16_t port;
    int code = getnameinfo((struct sockaddr *)address, address_length(address), text, sizeof text,
                           NULL, 0, NI_NUMERICHOST);

    if (code)
        return error_set(error, ERROR_FAILED, -EINVAL,
                         "can't convert the server's address to text: %s", gai_strerror(code));
    if (!address_is_local(address))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "the bare echo must be on the server's machine: start 'nfsbench serve "
                         "--echo --bind %s' there, and give --echo %s%s%s:PORT",
                         text, is_ipv6 ? "[" : "", text, is_ipv6 ? "]" : "");
    code = self_start_echo(&echo->process, text, cpu, NULL, deadline, &port, error);
    if (code == 0)
        address_set_port(address, port);
    return code;
}

int echo_run_open(struct echo_run *echo, const struct target *address, const struct setup *setup,
                  enum service_kind service, int cpu, struct error *error)
{
    const struct deadline *deadline = &setup->plan->deadline;

    *echo = (struct echo_run){.endpoint = setup_endpoint(setup, service)};
    echo->endpoint.reserved_port = false;
    return address && address->host[0] ? resolve_echo(echo, address, deadline, error)
                                       : start_echo_process(echo, cpu, deadline, error);
}

int echo_run_message(const struct echo_run *echo, const struct nfs_call *call,
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

static int describe_failure(const struct endpoint *endpoint, int code, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(endpoint, name);
    switch (code) {
    case -EINTR:
        return error_set(error, ERROR_FAILED, code, "interrupted while waiting for %s", name);
    case -EBADMSG:
        return error_set(
            error, ERROR_FAILED, code,
            "%s did not return the requested number of bytes; is it an 'nfsbench serve --echo'?",
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

/* If a datagram is lost, send the message again from another port, because a late answer to the
 * first message must not be taken for an answer to the second. */
int echo_run_exchange(struct echo_run *echo, const struct channel_bytes *message,
                      const struct clock *clock, uint64_t *ticks, struct error *error)
{
    const bool datagrams = echo->endpoint.transport == TRANSPORT_UDP;
    int code = channel_exchange_bytes(echo->channel, message, clock, ticks);

    if (code == 0)
        return 0;
    for (unsigned i = 0; datagrams && i < echo->retransmissions && code == -EAGAIN; i++) {
        code = channel_reconnect(echo->channel, 0, error);
        if (code == 0)
            code = channel_exchange_bytes(echo->channel, message, clock, ticks);
    }
    return code ? describe_failure(&echo->endpoint, code, error) : 1;
}

/* Over UDP, open ECHO's PROOF, because an echo sends long datagrams only to clients with a TCP
 * connection. An exchange over PROOF shows that the echo has accepted the connection. */
static int prove_address(struct echo_run *echo, const struct channel_options *options,
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
    return code ? describe_failure(&endpoint, code, error) : 0;
}

int echo_run_connect(struct echo_run *echo, const struct setup *setup, size_t longest,
                     const struct clock *clock, struct error *error)
{
    struct channel_options options = setup->mount.options.channel;
    int code;

    options.spin = setup->plan->spin; /* in the mount's options, spin is always false */
    options.reply_maximum = longest;
    echo->retransmissions = options.retransmissions;
    code = prove_address(echo, &options, clock, error);
    if (code == 0)
        code = channel_open(&echo->channel, &echo->endpoint, &options, error);
    if (code)
        name_echo(error);
    return code;
}

void echo_run_close(struct echo_run *echo)
{
    channel_close(echo->channel);
    channel_close(echo->proof);
    self_stop(&echo->process);
    echo->channel = echo->proof = NULL;
}
