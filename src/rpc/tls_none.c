/* What tls.h declares, in a program that was built without OpenSSL: there is no context, so the
 * functions that need one are never called. */
#include "rpc/tls.h"

#include <errno.h>

static int refuse(struct error *error)
{
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "this program was built without TLS; install libssl-dev and build it again");
}

int rpc_tls_context_open_client(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                struct error *error)
{
    return refuse(error);
}

int rpc_tls_context_open_server(struct rpc_tls_context **context, const struct rpc_tls_files *files,
                                bool clients_must, struct error *error)
{
    return refuse(error);
}

void rpc_tls_context_give_no_tickets(struct rpc_tls_context *context)
{
}

void rpc_tls_context_resume(struct rpc_tls_context *context, bool resumes)
{
}

void rpc_tls_context_close(struct rpc_tls_context *context)
{
}

int rpc_tls_open(struct rpc_tls **tls, struct rpc_tls_context *context, int fd, const char *host)
{
    return -ENOTSUP;
}

void rpc_tls_observe(struct rpc_tls *tls, const struct rpc_tls_calls *calls)
{
}

void rpc_tls_close(struct rpc_tls *tls)
{
}

int rpc_tls_handshake(struct rpc_tls *tls)
{
    return -ENOTSUP;
}

bool rpc_tls_resumed(const struct rpc_tls *tls)
{
    return false;
}

ssize_t rpc_tls_receive(struct rpc_tls *tls, void *bytes, size_t room, int flags)
{
    errno = ENOTSUP;
    return -1;
}

ssize_t rpc_tls_send(struct rpc_tls *tls, const struct iovec *parts, size_t count, int flags)
{
    errno = ENOTSUP;
    return -1;
}

const char *rpc_tls_describe(const struct rpc_tls *tls, char text[RPC_TLS_TEXT_SIZE])
{
    text[0] = '\0';
    return text;
}

const char *rpc_tls_why(const struct rpc_tls *tls)
{
    return "";
}
