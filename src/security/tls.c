#include "security/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "security/tls_records.h"

/* the name of RPC in ALPN (RFC 9289 section 4.2), after a byte with its length */
static const unsigned char alpn[] = "\x06sunrpc";

struct rpc_tls_context {
    SSL_CTX *openssl;
    BIO_METHOD *socket;
    int key_log; /* descriptor of the file for TLS keys; -1: none */
    pthread_mutex_t lock;
    bool resumes; /* a client's sessions resume by TICKET; LOCK protects RESUMES and TICKET */
    SSL_SESSION *ticket; /* the client's latest ticket; NULL: none */
};

static int refuse_file(const char *what, const char *path, struct error *error)
{
    error_set(error, ERROR_USAGE, -EINVAL, "%s %.200s: %s", what, path,
              tls_reason(ERR_peek_error()));
    ERR_clear_error();
    return -EINVAL;
}

static int use_own(SSL_CTX *openssl, const struct rpc_tls_files *files, struct error *error)
{
    if (!files->certificate)
        return 0;
    if (SSL_CTX_use_certificate_chain_file(openssl, files->certificate) != 1)
        return refuse_file("--tls-cert", files->certificate, error);
    if (SSL_CTX_use_PrivateKey_file(openssl, files->key, SSL_FILETYPE_PEM) != 1)
        return refuse_file("--tls-key", files->key, error);
    return 0;
}

/* Write LINE to the file that SSLKEYLOGFILE names, for programs that decrypt packets. */
static void log_key(const SSL *openssl, const char *line)
{
    struct rpc_tls_context *context = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(openssl), 0);

    if (context->key_log >= 0)
        dprintf(context->key_log, "%s\n", line);
}

static void open_key_log(struct rpc_tls_context *context)
{
    const char *path = getenv("SSLKEYLOGFILE");

    context->key_log =
        path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR) : -1;
    if (context->key_log >= 0)
        SSL_CTX_set_keylog_callback(context->openssl, log_key);
}

static int open_context(struct rpc_tls_context **result, const SSL_METHOD *method,
                        struct error *error)
{
    struct rpc_tls_context *context = calloc(1, sizeof *context);

    if (context) {
        pthread_mutex_init(&context->lock, NULL);
        context->key_log = -1;
        context->socket = tls_socket_method();
        context->openssl = SSL_CTX_new(method);
    }
    if (!context || !context->socket || !context->openssl) {
        rpc_tls_context_close(context);
        return error_set(error, ERROR_FAILED, -ENOMEM, "TLS: %s",
                         tls_reason(ERR_peek_last_error()));
    }
    SSL_CTX_set_ex_data(context->openssl, 0, context);
    SSL_CTX_set_min_proto_version(context->openssl, TLS1_3_VERSION);
    SSL_CTX_set_options(context->openssl, SSL_OP_ENABLE_KTLS | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context->openssl, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                           SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                           SSL_MODE_NO_AUTO_CHAIN);
    SSL_CTX_set_read_ahead(context->openssl, 1);
    open_key_log(context);
    *result = context;
    return 0;
}

/* Tickets. OpenSSL resumes a session only once, and not if its connection was closed without TLS's
 * close. Therefore copies of sessions are kept and used. RFC 8446 (appendix C.4) advises to use a
 * ticket only once, so that observers do not see that connections belong to one client. Here all
 * connections of a context are of one process anyway. */

static int keep_ticket(SSL *openssl, SSL_SESSION *session)
{
    struct rpc_tls_context *context = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(openssl), 0);
    SSL_SESSION *copy = SSL_SESSION_dup(session);

    if (!copy)
        return 0;
    pthread_mutex_lock(&context->lock);
    SSL_SESSION_free(context->ticket);
    context->ticket = copy;
    pthread_mutex_unlock(&context->lock);
    return 0;
}

static void use_ticket(SSL *openssl, struct rpc_tls_context *context)
{
    SSL_SESSION *copy = NULL;

    pthread_mutex_lock(&context->lock);
    if (context->resumes && context->ticket)
        copy = SSL_SESSION_dup(context->ticket);
    pthread_mutex_unlock(&context->lock);
    if (copy)
        SSL_set_session(openssl, copy);
    SSL_SESSION_free(copy);
}

void rpc_tls_context_resume(struct rpc_tls_context *context, bool resumes)
{
    pthread_mutex_lock(&context->lock);
    context->resumes = resumes;
    pthread_mutex_unlock(&context->lock);
}

void rpc_tls_context_give_no_tickets(struct rpc_tls_context *context)
{
    SSL_CTX_set_num_tickets(context->openssl, 0);
}

int rpc_tls_context_open_client(struct rpc_tls_context **result, const struct rpc_tls_files *files,
                                struct error *error)
{
    struct rpc_tls_context *context;
    int code = open_context(&context, TLS_client_method(), error);

    if (code)
        return code;
    SSL_CTX_set_verify(context->openssl, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_alpn_protos(context->openssl, alpn, sizeof alpn - 1);
    SSL_CTX_set_session_cache_mode(context->openssl,
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context->openssl, keep_ticket);
    context->resumes = true;
    if (!files->authorities)
        SSL_CTX_set_default_verify_paths(context->openssl);
    else if (SSL_CTX_load_verify_file(context->openssl, files->authorities) != 1)
        code = refuse_file("--tls-ca", files->authorities, error);
    if (code == 0)
        code = use_own(context->openssl, files, error);
    if (code)
        rpc_tls_context_close(context);
    else
        *result = context;
    return code;
}

/* Refuse a client that offers only other protocols than sunrpc. A client that offers no protocol is
 * refused after the handshake. */
static int select_alpn(SSL *openssl, const unsigned char **selected, unsigned char *length,
                       const unsigned char *offered, unsigned offered_length, void *unused)
{
    return SSL_select_next_proto((unsigned char **)(uintptr_t)selected, length, alpn,
                                 sizeof alpn - 1, offered, offered_length) == OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int accept_clients_of(SSL_CTX *openssl, const char *authorities, bool clients_must,
                             struct error *error)
{
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(authorities);

    if (!names || SSL_CTX_load_verify_file(openssl, authorities) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return refuse_file("--tls-ca", authorities, error);
    }
    SSL_CTX_set_client_CA_list(openssl, names);
    SSL_CTX_set_verify(
        openssl, SSL_VERIFY_PEER | (clients_must ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
    return 0;
}

int rpc_tls_context_open_server(struct rpc_tls_context **result, const struct rpc_tls_files *files,
                                bool clients_must, struct error *error)
{
    static const unsigned char name[] = "nfsbench";
    struct rpc_tls_context *context;
    int code = open_context(&context, TLS_server_method(), error);

    if (code)
        return code;
    SSL_CTX_set_alpn_select_cb(context->openssl, select_alpn, NULL);
    SSL_CTX_set_session_id_context(context->openssl, name, sizeof name - 1);
    SSL_CTX_set_session_cache_mode(context->openssl,
                                   /* no cache, because tickets contain all state */
                                   SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_early_data(context->openssl, 0);
    code = use_own(context->openssl, files, error);
    if (code == 0 && files->authorities)
        code = accept_clients_of(context->openssl, files->authorities, clients_must, error);
    if (code)
        rpc_tls_context_close(context);
    else
        *result = context;
    return code;
}

void rpc_tls_context_close(struct rpc_tls_context *context)
{
    if (!context)
        return;
    SSL_SESSION_free(context->ticket);
    pthread_mutex_destroy(&context->lock);
    SSL_CTX_free(context->openssl);
    BIO_meth_free(context->socket);
    if (context->key_log >= 0)
        close(context->key_log);
    free(context);
}

/* Sessions */

static int set_host(SSL *openssl, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];

    SSL_set_connect_state(openssl);
    SSL_set_hostflags(openssl, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(openssl), host);
    return SSL_set1_host(openssl, host) && SSL_set_tlsext_host_name(openssl, host);
}

int rpc_tls_open(struct rpc_tls **result, struct rpc_tls_context *context, int fd, const char *host)
{
    struct rpc_tls *tls = calloc(1, sizeof *tls);

    if (!tls || !(tls->openssl = SSL_new(context->openssl)) ||
        tls_use_socket(tls, context->socket, fd) != 0 || (host && !set_host(tls->openssl, host))) {
        rpc_tls_close(tls);
        return -ENOMEM;
    }
    if (host)
        use_ticket(tls->openssl, context);
    else
        SSL_set_accept_state(tls->openssl);
    *result = tls;
    return 0;
}

/* A record begins. Add the length of the previous record to SKIPPED, unless the length was passed
 * to decrypted(). Set RECORD to the length of this record. OpenSSL reads a header only after it has
 * returned all bytes of the previous record. */
static void note_header(int was_sent, int version, int type, const void *bytes, size_t length,
                        SSL *openssl, void *context)
{
    const unsigned char *header = bytes;
    struct rpc_tls *tls = context;

    if (was_sent || type != SSL3_RT_HEADER || length != SSL3_RT_HEADER_LENGTH)
        return;
    tls->skipped += tls->record;
    tls->record = SSL3_RT_HEADER_LENGTH + (size_t)(header[3] << 8 | header[4]);
}

void rpc_tls_observe(struct rpc_tls *tls, const struct rpc_tls_calls *calls)
{
    SSL_clear_options(tls->openssl, SSL_OP_ENABLE_KTLS);
    tls->calls = *calls;
    if (!calls->decrypted)
        return;
    SSL_set_msg_callback(tls->openssl, note_header);
    SSL_set_msg_callback_arg(tls->openssl, tls);
}

void rpc_tls_close(struct rpc_tls *tls)
{
    if (!tls)
        return;
    SSL_free(tls->openssl);
    free(tls);
}

int rpc_tls_handshake(struct rpc_tls *tls)
{
    const unsigned char *selected;
    unsigned length;
    int returned, number;

    tls_begin(tls, 0);
    returned = SSL_do_handshake(tls->openssl);
    if (returned != 1) {
        number = tls_find_errno(tls, returned);
        return number ? -number : -ECONNRESET;
    }
    SSL_get0_alpn_selected(tls->openssl, &selected, &length);
    if (length != sizeof alpn - 2)
        return -tls_fail(tls, "the peer does not support the ALPN protocol sunrpc");
    return 0;
}

bool rpc_tls_resumed(const struct rpc_tls *tls)
{
    return SSL_session_reused(tls->openssl);
}

const char *rpc_tls_describe(const struct rpc_tls *tls, char text[RPC_TLS_TEXT_SIZE])
{
    bool sends = BIO_get_ktls_send(SSL_get_wbio(tls->openssl)),
         receives = BIO_get_ktls_recv(SSL_get_rbio(tls->openssl));

    snprintf(text, RPC_TLS_TEXT_SIZE, "%s %s %s", SSL_get_version(tls->openssl),
             SSL_get_cipher_name(tls->openssl),
             sends && receives ? "with kTLS"
             : sends           ? "with kTLS for sending"
             : receives        ? "with kTLS for receiving"
                               : "without kTLS");
    return text;
}

const char *rpc_tls_why(const struct rpc_tls *tls)
{
    return tls->why;
}
