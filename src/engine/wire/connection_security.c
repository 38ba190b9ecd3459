#include "engine/wire/connection_security.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "engine/channel/socket_io.h"

int connection_protect(struct connection *connection, struct gss_client *security)
{
    connection->sealed = calloc(connection->depth, sizeof *connection->sealed);
    connection->security = security;
    return connection->sealed ? 0 : -ENOMEM;
}

void connection_unprotect(struct connection *connection)
{
    for (unsigned i = 0; connection->sealed && i < connection->depth; i++)
        free(connection->sealed[i].bytes);
    free(connection->sealed);
    free(connection->plain.bytes);
    connection->sealed = NULL;
    connection->plain.bytes = NULL;
}

/* Copy CALL's message to CONNECTION's PLAIN, and write CALL's place and xid into the copy. The
 * message itself must not change, because other calls use it. */
static int copy_plain(struct connection *connection, const struct call_slot *call)
{
    size_t length = RPC_RECORD_MARK_SIZE + call->message->length;
    struct channel_message *plain = &connection->plain;

    if (array_reserve(&plain->bytes, &connection->plain_room, length, 1) != 0)
        return -ENOMEM;
    plain->length = call->message->length;
    memcpy(plain->bytes, call->message->bytes, length);
    channel_message_stamp(plain, call->xid);
    if (call->place)
        engine_patch_write(call->message->patch, call->place, plain->bytes);
    return 0;
}

void connection_transmit_protected(struct connection *connection, const struct call_slot *call)
{
    const struct gss_client_type *type = connection->security->type;
    const struct load_watch *watch = connection->watched.watch;
    struct gss_sealed *own = &connection->sealed[call - connection->slots];
    struct channel_message sealed;
    int code;

    if (connection->security_failure) /* connection_send() must report the failure first */
        return;
    code = copy_plain(connection, call);
    if (code)
        type->describe(connection->security, code, &connection->security_error);
    else
        code = type->seal_call(connection->security, &connection->plain, own, &sealed,
                               &connection->security_error);
    if (code == 0)
        transmit_buffer_put(&connection->transmit_buffer, &sealed, call->xid);
    if (code == 0 && watch)
        watch->wrapped(watch->context, connection->watched.connection, call,
                       sealed.length + RPC_RECORD_MARK_SIZE);
    connection->security_failure = code;
}

void connection_release(struct connection *connection, const struct call_slot *call)
{
    if (connection->security)
        connection->security->type->release(connection->security,
                                            &connection->sealed[call - connection->slots]);
}

void connection_release_all(struct connection *connection)
{
    for (unsigned i = 0; connection->security && i < connection->depth; i++)
        connection_release(connection, &connection->slots[i]);
}

int connection_open_protected(struct connection *connection, struct call_slot *slot,
                              struct receive_buffer_message *message)
{
    enum { RENEWALS_MAXIMUM = 8 };
    const struct load_watch *watch = connection->watched.watch;
    struct receive_buffer *buffer = &connection->receive_buffer;
    uint8_t *bytes = buffer->bytes + (message->bytes - buffer->bytes);
    int code = connection->security->type->open_call(
        connection->security, &connection->sealed[slot - connection->slots], bytes,
        &message->length, &connection->counts.renewals, &connection->security_error);

    /* Ignore a late reply to an earlier transmission over UDP. */
    if (code == -EKEYREJECTED && slot->resent > 0 &&
        connection->endpoint.transport == TRANSPORT_UDP) {
        connection->counts.unmatched++;
        return -EKEYEXPIRED;
    }
    if (code == 0 && watch)
        watch->unwrapped(watch->context, connection->watched.connection, slot);
    if (code != -EKEYEXPIRED)
        return code;
    if (slot->resent == RENEWALS_MAXIMUM && !connection->options.unending)
        return -EKEYREJECTED;
    slot->lost = slot->renewed = true;
    connection->resend_next = 0;
    return code;
}

int connection_begin_tls(struct connection *connection, struct error *error)
{
    const struct channel_options *options = &connection->options;
    struct socket_io io = {.fd = connection->fd, .deadline = options->deadline};
    int code = options->tls ? socket_io_set_wait(&io, connection->endpoint.timeout_ns) : 0;

    if (code)
        return error_set(error, ERROR_FAILED, code, "setting a socket's timeout: %s",
                         strerror(-code));
    connection->tls.watched = connection->watched;
    return tls_session_begin(&connection->tls, options->tls, &io, &connection->endpoint, error);
}
