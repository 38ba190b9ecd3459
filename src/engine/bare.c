#include "engine/bare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/socket_io.h"

struct bare {
    struct endpoint endpoint;
    struct channel_options options;
    struct socket_io io;
    uint8_t answer[]; /* options.reply_maximum bytes */
};

static int connect_bare(struct bare *bare, struct error *error)
{
    int code = endpoint_connect(&bare->endpoint, &bare->io.fd, error);

    if (code) {
        bare->io.fd = -1;
        return code;
    }
    code = socket_io_set_wait(&bare->io, bare->options.timeout_ns);
    return code ? error_set(error, ERROR_FAILED, code, "setting a socket's timeout: %s",
                            strerror(-code))
                : 0;
}

int bare_open(struct bare **result, const struct endpoint *endpoint,
              const struct channel_options *options, struct error *error)
{
    struct bare *bare = calloc(1, sizeof *bare + options->reply_maximum);
    int code;

    if (!bare)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
    bare->endpoint = channel_endpoint(endpoint, options);
    bare->options = *options;
    bare->io = (struct socket_io){.fd = -1,
                                  .spin = options->spin,
                                  .deadline_ns = options->deadline_ns,
                                  .stop = options->stop};
    code = connect_bare(bare, error);
    if (code) {
        bare_close(bare);
        return code;
    }
    *result = bare;
    return 0;
}

void bare_close(struct bare *bare)
{
    if (!bare)
        return;
    if (bare->io.fd >= 0)
        close(bare->io.fd);
    free(bare);
}

static int receive_answer(struct bare *bare, size_t length)
{
    size_t filled = 0;
    int code = 0;

    while (filled < length && code == 0) {
        ssize_t got = socket_io_receive(&bare->io, bare->answer + filled,
                                        bare->options.reply_maximum - filled);

        if (got < 0)
            return (int)got;
        filled += (size_t)got;
        if (bare->endpoint.transport == TRANSPORT_UDP)
            break;
        if (got == 0)
            return -ECONNRESET;
        if (filled < length)
            code = socket_io_look(&bare->io, 0);
    }
    if (code)
        return code;
    return filled == length ? 0 : -EBADMSG;
}

static int try_exchange(struct bare *bare, const struct bare_message *message,
                        const struct clock *clock, uint64_t *ticks)
{
    uint64_t started = clock->start();
    int code = socket_io_send(&bare->io, message->bytes, message->length);

    if (code == 0)
        code = receive_answer(bare, message->answer);
    *ticks = clock->stop() - started;
    return code;
}

static int explain_failure(const struct bare *bare, int code, struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(&bare->endpoint, name);
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

/* UDP: send again from another port, so that a late answer is not taken for the next one. */
static int exchange_again(struct bare *bare, const struct bare_message *message,
                          const struct clock *clock, uint64_t *ticks, struct error *error)
{
    int code;

    close(bare->io.fd);
    code = connect_bare(bare, error);
    return code ? code : try_exchange(bare, message, clock, ticks);
}

int bare_exchange(struct bare *bare, const struct bare_message *message, const struct clock *clock,
                  uint64_t *ticks, struct error *error)
{
    bool datagrams = bare->endpoint.transport == TRANSPORT_UDP;
    int code = try_exchange(bare, message, clock, ticks);

    if (code == 0)
        return 0;
    for (unsigned i = 0; datagrams && i < bare->options.retransmissions && code == -EAGAIN; i++)
        code = exchange_again(bare, message, clock, ticks, error);
    return code ? explain_failure(bare, code, error) : 1;
}
