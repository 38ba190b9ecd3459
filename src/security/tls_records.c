#include "security/tls_records.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { RECORD_MAXIMUM = 16 * 1024 }; /* bytes of plaintext in a record (RFC 8446 section 5.1) */

static ssize_t usual_send(void *context, int fd, const void *bytes, size_t length, int flags)
{
    return send(fd, bytes, length, flags);
}

static ssize_t usual_receive(void *context, int fd, void *bytes, size_t room, int flags)
{
    return recv(fd, bytes, room, flags);
}

/* The functions by which OpenSSL uses the socket. Unlike the functions of OpenSSL's own BIO, they
 * use the flags given to tls_begin(), and receive at most once after each tls_begin(). If the
 * kernel encrypts or decrypts, they call the functions of OpenSSL's own BIO. */

/* May the functions of OpenSSL's own BIO be called? They have no flags. With MSG_DONTWAIT, they may
 * be called only if the socket has one of EVENTS; otherwise errno is set to EAGAIN. */
static bool may_use_kernel(const struct rpc_tls *tls, short events)
{
    struct pollfd poller = {.fd = tls->fd, .events = events};
    const bool may = !(tls->flags & MSG_DONTWAIT) || poll(&poller, 1, 0) == 1;

    errno = may ? 0 : EAGAIN;
    return may;
}

static int write_socket(BIO *bio, const char *bytes, int length)
{
    struct rpc_tls *tls = BIO_get_ex_data(bio, 0);
    ssize_t sent = -1;

    BIO_clear_retry_flags(bio);
    if (!BIO_get_ktls_send(bio))
        sent = tls->calls.send(tls->calls.context, tls->fd, bytes, (size_t)length,
                               MSG_NOSIGNAL | tls->flags);
    else if (may_use_kernel(tls, POLLOUT))
        sent = BIO_meth_get_write(BIO_s_socket())(bio, bytes, length);
    tls->number = errno;
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        BIO_set_retry_write(bio);
    return (int)sent;
}

static int read_socket(BIO *bio, char *bytes, int room)
{
    struct rpc_tls *tls = BIO_get_ex_data(bio, 0);
    ssize_t got = -1;

    BIO_clear_retry_flags(bio);
    errno = EINTR;
    if (tls->may_receive) {
        if (!BIO_get_ktls_recv(bio))
            got = tls->calls.receive(tls->calls.context, tls->fd, bytes, (size_t)room, tls->flags);
        else if (may_use_kernel(tls, POLLIN))
            got = BIO_meth_get_read(BIO_s_socket())(bio, bytes, room);
        tls->may_receive = false;
        tls->received = got > 0;
    }
    tls->number = got < 0 ? errno : 0;
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        BIO_set_retry_read(bio);
    return (int)got;
}

BIO_METHOD *tls_socket_method(void)
{
    const BIO_METHOD *usual = BIO_s_socket();
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOCKET, "socket");

    if (method && BIO_meth_set_create(method, BIO_meth_get_create(usual)) &&
        BIO_meth_set_destroy(method, BIO_meth_get_destroy(usual)) &&
        BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(usual)) &&
        BIO_meth_set_write(method, write_socket) && BIO_meth_set_read(method, read_socket))
        return method;
    BIO_meth_free(method);
    return NULL;
}

int tls_use_socket(struct rpc_tls *tls, const BIO_METHOD *method, int fd)
{
    BIO *bio = BIO_new(method);

    if (!bio)
        return -ENOMEM;
    tls->fd = fd;
    tls->calls = (struct rpc_tls_calls){.send = usual_send, .receive = usual_receive};
    BIO_set_fd(bio, fd, BIO_NOCLOSE);
    BIO_set_ex_data(bio, 0, tls);
    SSL_set_bio(tls->openssl, bio, bio);
    return 0;
}

/* Errors */

const char *tls_reason(unsigned long number)
{
    const char *reason = ERR_SYSTEM_ERROR(number) ? strerror(ERR_GET_REASON(number))
                                                  : ERR_reason_error_string(number);

    return reason ? reason : "unknown reason";
}

int tls_fail(struct rpc_tls *tls, const char *why)
{
    long verified = SSL_get_verify_result(tls->openssl);

    if (why)
        snprintf(tls->why, sizeof tls->why, "%s", why);
    else if (verified != X509_V_OK)
        snprintf(tls->why, sizeof tls->why, "certificate verify failed: %s",
                 X509_verify_cert_error_string(verified));
    else
        snprintf(tls->why, sizeof tls->why, "%s", tls_reason(ERR_peek_last_error()));
    ERR_clear_error();
    tls->failed = true;
    return EPROTO;
}

int tls_find_errno(struct rpc_tls *tls, int returned)
{
    switch (SSL_get_error(tls->openssl, returned)) {
    case SSL_ERROR_WANT_READ:
        return tls->received ? EINTR : tls->number;
    case SSL_ERROR_WANT_WRITE:
        return tls->number;
    case SSL_ERROR_ZERO_RETURN:
        return 0;
    case SSL_ERROR_SYSCALL:
        ERR_clear_error();
        return tls->number;
    default:
        return tls_fail(tls, NULL);
    }
}

void tls_begin(struct rpc_tls *tls, int flags)
{
    tls->flags = flags;
    tls->may_receive = true;
    tls->received = false;
}

/* Return FILLED, the number of bytes received, unless it is 0. If it is 0, return 0 if the peer has
 * closed the connection; otherwise -1, with errno set for RETURNED, OpenSSL's result. */
static ssize_t end_receiving(struct rpc_tls *tls, size_t filled, int returned)
{
    int number = tls_find_errno(tls, returned);

    if (filled > 0)
        return (ssize_t)filled;
    errno = number;
    return number ? -1 : 0;
}

static void note_decrypted(struct rpc_tls *tls, size_t bytes)
{
    if (!tls->calls.decrypted)
        return;
    tls->calls.decrypted(tls->calls.context, bytes, tls->record, tls->skipped);
    tls->record = tls->skipped = 0;
}

ssize_t rpc_tls_receive(struct rpc_tls *tls, void *bytes, size_t room, int flags)
{
    size_t filled = 0, got;

    if (tls->failed) {
        errno = EPROTO;
        return -1;
    }
    tls_begin(tls, flags);
    while (filled < room) {
        int returned = SSL_read_ex(tls->openssl, (char *)bytes + filled, room - filled, &got);

        if (returned != 1)
            return end_receiving(tls, filled, returned);
        filled += got;
        tls->may_receive = false;
        note_decrypted(tls, got);
    }
    return (ssize_t)filled;
}

/* Return the address of LENGTH bytes of PARTS from offset AT on. Bytes from several parts are
 * joined in BUFFER, which has space for a record. */
static const char *join(const struct iovec *parts, size_t count, size_t at, size_t length,
                        char *buffer)
{
    size_t joined = 0;

    for (size_t i = 0; i < count && joined < length; i++) {
        const char *bytes = parts[i].iov_base;
        size_t left = parts[i].iov_len, step;

        if (at >= left) {
            at -= left;
            continue;
        }
        bytes += at;
        left -= at;
        at = 0;
        if (joined == 0 && left >= length)
            return bytes;
        step = left < length - joined ? left : length - joined;
        memcpy(buffer + joined, bytes, step);
        joined += step;
    }
    return buffer;
}

ssize_t rpc_tls_send(struct rpc_tls *tls, const struct iovec *parts, size_t count, int flags)
{
    char buffer[RECORD_MAXIMUM];
    size_t total = 0, sent = 0, wrote;

    for (size_t i = 0; i < count; i++)
        total += parts[i].iov_len;
    tls_begin(tls, flags);
    while (sent < total) {
        size_t left = total - sent;
        size_t length = tls->pending ? tls->pending : left < sizeof buffer ? left : sizeof buffer;
        int returned =
            SSL_write_ex(tls->openssl, join(parts, count, sent, length, buffer), length, &wrote);

        if (returned != 1) {
            int number = tls_find_errno(tls, returned);

            tls->pending = length;
            errno = number ? number : ECONNRESET;
            return sent ? (ssize_t)sent : -1;
        }
        tls->pending = 0;
        sent += wrote;
        if (tls->calls.encrypted)
            tls->calls.encrypted(tls->calls.context, wrote);
    }
    return (ssize_t)sent;
}
