/* RPC-with-TLS on the server's connections: an entry of the table in serve/protection.c. */
#include <errno.h>
#include <stdlib.h>

#include "security/servers.h"
#include "security/tls.h"
#include "security/tls_probe.h"

struct openssl_server {
    struct tls_server base;
    struct rpc_tls_context *context;
};

static struct rpc_tls_context *context_of(struct tls_server *server)
{
    return ((struct openssl_server *)server)->context;
}

static int open_server(struct tls_server **result, const struct rpc_tls_files *files,
                       bool clients_must, struct error *error)
{
    struct openssl_server *server = calloc(1, sizeof *server);
    int code;

    if (!server)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for TLS");
    server->base.type = &tls_server_openssl;
    code = rpc_tls_context_open_server(&server->context, files, clients_must, error);
    if (code)
        free(server);
    else
        *result = &server->base;
    return code;
}

static void close_server(struct tls_server *server)
{
    rpc_tls_context_close(context_of(server));
    free(server);
}

static void give_no_tickets(struct tls_server *server)
{
    rpc_tls_context_give_no_tickets(context_of(server));
}

static int begin(struct tls_server *server, struct rpc_tls **session, int fd)
{
    return rpc_tls_open(session, context_of(server), fd, NULL);
}

const struct tls_server_type tls_server_openssl = {
    .open = open_server,
    .close = close_server,
    .give_no_tickets = give_no_tickets,
    .put_reply = rpc_tls_reply_encode,
    .begin = begin,
    .end = rpc_tls_close,
    .handshake = rpc_tls_handshake,
    .receive = rpc_tls_receive,
    .send = rpc_tls_send,
};
