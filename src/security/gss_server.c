/* RPCSEC_GSS in the server by Kerberos version 5: an entry of the table in serve/protection.c. */
#include "serve/rpc/gss.h"

#include <errno.h>
#include <grp.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/system_clock.h"
#include "security/gss_contexts.h"
#include "security/servers.h"

/* Time limit for establishing a context, in ns. After it, no further token is accepted. */
#define ESTABLISHING_NS UINT64_C(30000000000)
#define SECOND_NS       UINT64_C(1000000000)

struct kerberos_server {
    struct gss_server base;
    const char *keytab;
    /* maximum lifetime of a context in ns, and maximum number of its calls; 0: no maximum, but the
     * lifetime also ends with the client's ticket */
    uint64_t lifetime_ns, forget_after;
    uint32_t window;                    /* size of a context's window, in sequence numbers */
    bool services[RPC_GSS_PRIVACY + 1]; /* the service may be used; index: rpc_gss_service */
    gss_cred_id_t credential;           /* keys by which contexts are accepted */
    struct gss_contexts contexts;
};

/* Opening */

static int refuse_keytab(const char *keytab, OM_uint32 major, OM_uint32 minor, struct error *error)
{
    char words[300];

    return error_set(error, ERROR_USAGE, -EACCES, "--keytab %.200s: no key for nfs/HOST: %s",
                     keytab ? keytab : "(the system's)",
                     rpc_gss_describe(major, minor, words, sizeof words));
}

/* Read the keys of nfs/HOST, for any HOST. Tokens are not checked for replay, because without the
 * client's session key, a replayed token makes a context that cannot be used. */
static OM_uint32 read_keytab(struct kerberos_server *server, OM_uint32 *minor)
{
    gss_key_value_element_desc elements[] = {{"rcache", "none:"}, {"keytab", server->keytab}};
    gss_key_value_set_desc store = {.count = server->keytab ? 2 : 1, .elements = elements};
    gss_OID_set_desc mechanisms = {.count = 1, .elements = (gss_OID)gss_mech_krb5};
    gss_buffer_desc text = {.length = 3, .value = (char[]){"nfs"}};
    gss_name_t name;
    OM_uint32 unused, major = gss_import_name(minor, &text, GSS_C_NT_HOSTBASED_SERVICE, &name);

    if (GSS_ERROR(major))
        return major;
    major = gss_acquire_cred_from(minor, name, GSS_C_INDEFINITE, &mechanisms, GSS_C_ACCEPT, &store,
                                  &server->credential, NULL, NULL);
    gss_release_name(&unused, &name);
    return major;
}

static void close_server(struct gss_server *base)
{
    struct kerberos_server *server = (struct kerberos_server *)base;
    OM_uint32 minor;

    gss_contexts_close(&server->contexts);
    gss_release_cred(&minor, &server->credential);
    free(server);
}

static int open_server(struct gss_server **result, const char *keytab, const struct policy *policy,
                       struct error *error)
{
    struct kerberos_server *server = calloc(1, sizeof *server);
    OM_uint32 major, minor;

    if (!server)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for Kerberos");
    server->base.type = &gss_server_kerberos;
    server->keytab = keytab;
    server->lifetime_ns = policy->context_ns;
    server->forget_after = policy->context_calls;
    server->window = policy->context_window ? policy->context_window : SEQUENCE_WINDOW_MAXIMUM;
    for (size_t i = 0; i < policy->flavor_count; i++)
        if (policy->flavors[i] >= RPC_FLAVOR_KRB5)
            server->services[rpc_gss_service_of(policy->flavors[i])] = true;
    gss_contexts_open(&server->contexts);
    major = read_keytab(server, &minor);
    if (GSS_ERROR(major)) {
        close_server(&server->base);
        return refuse_keytab(keytab, major, minor, error);
    }
    *result = &server->base;
    return 0;
}

static struct kerberos_server *server_of(const struct gss_call *call)
{
    return (struct kerberos_server *)call->server;
}

/* Make room in SCRATCH for the plain form of a call, or the protected form of a reply, that has
 * LENGTH bytes. */
static bool make_room(struct gss_scratch *scratch, size_t length)
{
    return array_reserve(&scratch->bytes, &scratch->room, length + RPC_GSS_OVERHEAD, 1) == 0;
}

static enum gss_step refuse_call(struct gss_call *call, uint32_t auth_status)
{
    call->auth_status = auth_status;
    return GSS_REFUSED;
}

/* Read CALL's credential (RFC 2203 section 5). Returns false if the credential is malformed, or if
 * the call establishes or ends a context, but is not a call of NULL. Sequence number and service
 * of a call that establishes a context have no meaning. */
static bool read_credential(struct gss_call *call)
{
    const struct rpc_call_header *header = call->header;
    struct wire_reader reader = wire_reader(header->credential, header->credential_length);
    uint32_t version = wire_get_u32(&reader);

    call->procedure = wire_get_u32(&reader);
    call->sequence = wire_get_u32(&reader);
    call->service = wire_get_u32(&reader);
    call->handle = wire_get_opaque(&reader, RPC_AUTH_BODY_MAXIMUM, &call->handle_length);
    if (reader.failed || wire_left(&reader) > 0 || version != RPC_GSS_VERSION ||
        call->procedure > RPC_GSS_DESTROY)
        return false;
    return call->procedure == RPC_GSS_DATA
               ? call->service >= RPC_GSS_NONE && call->service <= RPC_GSS_PRIVACY
               : header->procedure == 0;
}

/* Verify the call's verifier, which signs everything up to the end of the credential. Returns 0, or
 * the auth_stat with which the call is refused. */
static uint32_t verify_header(const struct gss_call *call)
{
    const struct rpc_call_header *header = call->header;
    size_t signed_length =
        (size_t)(header->credential - call->bytes) + wire_padded(header->credential_length);
    struct wire_reader reader =
        wire_reader(call->bytes + signed_length, call->length - signed_length);
    uint32_t flavor = wire_get_u32(&reader), length;
    const uint8_t *mic = wire_get_opaque(&reader, RPC_AUTH_BODY_MAXIMUM, &length);

    if (flavor != RPC_FLAVOR_GSS)
        return RPC_AUTH_BADVERF;
    return rpc_gss_verify_mic(&call->context->security, call->bytes, signed_length, mic, length)
               ? RPC_AUTH_GSS_CREDPROBLEM
               : 0;
}

/* Replies */

/* Write an accepted reply's header without the accept_stat. The verifier is a MIC of NUMBER. */
static int put_header(struct gss_context *context, uint32_t xid, uint32_t number,
                      struct wire_writer *reply)
{
    enum { MESSAGE_IS_REPLY = 1, REPLY_IS_ACCEPTED = 0 };

    wire_put_u32(reply, xid);
    wire_put_u32(reply, MESSAGE_IS_REPLY);
    wire_put_u32(reply, REPLY_IS_ACCEPTED);
    wire_put_u32(reply, RPC_FLAVOR_GSS);
    return rpc_gss_put_number(&context->security, number, reply);
}

static uint64_t shorter_ns(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void set_groups(struct caller *caller, const char *name)
{
    gid_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    int count = RPC_AUTH_SYS_GIDS_MAXIMUM;

    if (getgrouplist(name, caller->gid, gids, &count) < 0)
        count = RPC_AUTH_SYS_GIDS_MAXIMUM; /* further groups are ignored, as with AUTH_SYS */
    for (int i = 0; i < count; i++)
        caller->gids[i] = gids[i];
    caller->gid_count = (uint32_t)count;
}

/* Set CALLER to the local user that auth_to_local (krb5.conf) gives for PRINCIPAL, or to nobody. */
static void find_caller(gss_name_t principal, struct caller *caller)
{
    gss_buffer_desc local = GSS_C_EMPTY_BUFFER;
    struct passwd entry, *found = NULL;
    char name[256], space[4096];
    OM_uint32 minor;

    *caller = (struct caller){.uid = CALL_NOBODY, .gid = CALL_NOBODY};
    if (GSS_ERROR(gss_localname(&minor, principal, GSS_C_NO_OID, &local)))
        return;
    snprintf(name, sizeof name, "%.*s", (int)local.length, (const char *)local.value);
    gss_release_buffer(&minor, &local);
    if (getpwnam_r(name, &entry, space, sizeof space, &found) != 0 || !found)
        return;
    caller->uid = found->pw_uid;
    caller->gid = found->pw_gid;
    set_groups(caller, name);
}

struct acceptance {
    OM_uint32 major, minor;
    gss_buffer_desc token; /* token for the client */
};

static void accept_token(struct kerberos_server *server, struct gss_context *context,
                         gss_buffer_desc *from, struct acceptance *acceptance)
{
    gss_name_t principal = GSS_C_NO_NAME;
    OM_uint32 unused, seconds = 0;
    uint64_t ticket_ns;

    acceptance->major = gss_accept_sec_context(
        &acceptance->minor, &context->security.handle, server->credential, from,
        GSS_C_NO_CHANNEL_BINDINGS, &principal, NULL, &acceptance->token, NULL, &seconds, NULL);
    if (acceptance->major == GSS_S_COMPLETE) {
        ticket_ns = seconds == GSS_C_INDEFINITE ? UINT64_MAX / 2 : seconds * SECOND_NS;
        context->expires_ns =
            monotonic_coarse_ns() +
            (server->lifetime_ns ? shorter_ns(ticket_ns, server->lifetime_ns) : ticket_ns);
        find_caller(principal, &context->caller);
        context->established = true;
    } else if (GSS_ERROR(acceptance->major)) {
        rpc_gss_delete(&context->security);
    }
    gss_release_name(&unused, &principal);
}

/* Write rpc_gss_init_res to CALL's reply. After an error, the result has no context's name. */
static void put_init_result(struct gss_call *call, const struct acceptance *acceptance)
{
    bool failed = GSS_ERROR(acceptance->major);

    wire_put_u32(&call->reply, failed ? 0 : GSS_CONTEXT_HANDLE_SIZE);
    if (!failed)
        wire_put_u64(&call->reply, call->context->name);
    wire_put_u32(&call->reply, acceptance->major);
    wire_put_u32(&call->reply, acceptance->minor);
    wire_put_u32(&call->reply, call->context->window.size);
    wire_put_opaque(&call->reply, acceptance->token.value, acceptance->token.length);
}

/* Write the reply to a token. Once the context is complete, the reply's verifier proves that the
 * server has the key. */
static enum gss_step put_init_reply(struct gss_call *call, const struct acceptance *acceptance)
{
    uint32_t xid = call->header->xid;

    if (acceptance->major != GSS_S_COMPLETE)
        rpc_reply_encode(&call->reply, &(struct rpc_reply_header){.xid = xid});
    else if (put_header(call->context, xid, call->context->window.size, &call->reply) != 0)
        return refuse_call(call, RPC_AUTH_GSS_CTXPROBLEM);
    else
        wire_put_u32(&call->reply, RPC_OUTCOME_SUCCESS);
    put_init_result(call, acceptance);
    return call->reply.failed ? refuse_call(call, RPC_AUTH_GSS_CTXPROBLEM) : GSS_ANSWERED;
}

/* Handle one token of the client (RFC 2203 section 5.2). The caller holds the context's lock. A
 * context can be completed only once. */
static enum gss_step take_token(struct gss_call *call)
{
    struct acceptance acceptance = {.token = GSS_C_EMPTY_BUFFER};
    uint32_t length;
    const uint8_t *token = wire_get_opaque(&call->arguments, call->length, &length);
    gss_buffer_desc from = {.length = length, .value = (void *)(uintptr_t)token};
    enum gss_step step;
    OM_uint32 unused;

    if (call->context->established || monotonic_coarse_ns() >= call->context->expires_ns)
        return refuse_call(call, RPC_AUTH_GSS_CREDPROBLEM);
    if (call->arguments.failed || wire_left(&call->arguments) > 0)
        return refuse_call(call, RPC_AUTH_BADCRED);
    accept_token(server_of(call), call->context, &from, &acceptance);
    step = put_init_reply(call, &acceptance);
    gss_release_buffer(&unused, &acceptance.token);
    return step;
}

static enum gss_step establish(struct gss_call *call)
{
    struct gss_context *context = call->context;
    enum gss_step step;

    context->window.size = server_of(call)->window;
    step = take_token(call);
    if (context->security.handle == GSS_C_NO_CONTEXT)
        gss_contexts_forget(&server_of(call)->contexts, context);
    return step;
}

static enum gss_step end_context(struct gss_call *call)
{
    int code = put_header(call->context, call->header->xid, call->sequence, &call->reply);

    wire_put_u32(&call->reply, RPC_OUTCOME_SUCCESS);
    gss_contexts_forget(&server_of(call)->contexts, call->context);
    return code || call->reply.failed ? refuse_call(call, RPC_AUTH_GSS_CTXPROBLEM) : GSS_ANSWERED;
}

/* Write the header of the plain call. The credential is the context's name, so that a repeated call
 * is recognised although it has another sequence number. */
static void put_plain(const struct gss_call *call, struct wire_writer *plain)
{
    wire_put_fixed(plain, call->bytes, RPC_CALL_CREDENTIAL_AT);
    wire_put_u32(plain, RPC_FLAVOR_GSS);
    wire_put_opaque(plain, call->handle, call->handle_length);
    wire_put_u32(plain, RPC_FLAVOR_NONE);
    wire_put_u32(plain, 0);
}

static void unwrap(struct gss_call *call)
{
    struct wire_writer plain = wire_writer(call->scratch->bytes, call->scratch->room);

    put_plain(call, &plain);
    call->garbled = rpc_gss_get_data(&call->context->security, (enum rpc_gss_service)call->service,
                                     call->sequence, &call->arguments, &plain) != 0;
    call->plain_length = (size_t)(plain.at - call->scratch->bytes);
}

/* Count the call, if the number of calls is limited, and check whether the context can be used for
 * it. A context with too many calls is forgotten. Returns 0 or an auth_stat. */
static uint32_t check_context(struct gss_call *call)
{
    struct gss_context *context = call->context;
    uint64_t limit = server_of(call)->forget_after;

    if (limit && ++context->calls > limit) {
        gss_contexts_forget(&server_of(call)->contexts, context);
        return RPC_AUTH_GSS_CREDPROBLEM;
    }
    if (!context->established)
        return RPC_AUTH_GSS_CREDPROBLEM;
    return monotonic_coarse_ns() >= context->expires_ns || call->sequence > RPC_GSS_MAXSEQ
               ? RPC_AUTH_GSS_CTXPROBLEM
               : 0;
}

/* Verify a call by an existing context (RFC 2203 section 5.3), whose lock is held. The window is
 * checked after the signature, because otherwise anyone could move the window. */
static enum gss_step take_call(struct gss_call *call)
{
    uint32_t problem = check_context(call);

    if (problem == 0)
        problem = verify_header(call);
    if (problem)
        return refuse_call(call, problem);
    if (!sequence_window_take(&call->context->window, call->sequence))
        return GSS_DROPPED;
    if (call->procedure == RPC_GSS_DESTROY)
        return end_context(call);
    if (!server_of(call)->services[call->service])
        return refuse_call(call, RPC_AUTH_TOOWEAK);
    call->caller = &call->context->caller;
    unwrap(call);
    return GSS_VERIFIED;
}

static enum gss_step handle_call(struct gss_call *call)
{
    struct gss_contexts *contexts = &server_of(call)->contexts;
    enum gss_step step;

    if (!read_credential(call) || !make_room(call->scratch, call->length))
        return refuse_call(call, RPC_AUTH_BADCRED);
    call->context = call->procedure == RPC_GSS_INIT
                        ? gss_contexts_add(contexts, ESTABLISHING_NS)
                        : gss_contexts_find(contexts, call->handle, call->handle_length);
    if (!call->context)
        return refuse_call(call, RPC_AUTH_GSS_CREDPROBLEM);
    pthread_mutex_lock(&call->context->lock);
    step = call->procedure == RPC_GSS_INIT || call->procedure == RPC_GSS_CONTINUE_INIT
               ? establish(call)
               : take_call(call);
    pthread_mutex_unlock(&call->context->lock);
    if (step != GSS_VERIFIED)
        gss_contexts_release(contexts, call->context);
    return step;
}

/* Protect the reply in PLAIN. It has the header that this server wrote (xid, REPLY, MSG_ACCEPTED, a
 * verifier of AUTH_NONE, and the outcome), followed by the results. */
static int protect(struct gss_call *call, const uint8_t *plain, size_t length,
                   struct wire_writer *reply)
{
    enum { VERIFIER_AND_BEFORE = 4 * 4 };
    struct wire_reader reader = wire_reader(plain, length);
    uint32_t xid = wire_get_u32(&reader), outcome;
    int code;

    wire_skip(&reader, VERIFIER_AND_BEFORE);
    outcome = wire_get_u32(&reader);
    code = put_header(call->context, xid, call->sequence, reply);
    wire_put_u32(reply, outcome);
    if (code == 0 && outcome == RPC_OUTCOME_SUCCESS)
        return rpc_gss_put_data(&call->context->security, (enum rpc_gss_service)call->service,
                                call->sequence, reader.at, wire_left(&reader), reply);
    wire_put_fixed(reply, reader.at, wire_left(&reader));
    return code;
}

static size_t protect_in_place(struct gss_call *call, uint8_t *reply, size_t length, size_t room)
{
    struct gss_scratch *scratch = call->scratch;
    struct wire_writer writer;

    if (!make_room(scratch, length))
        return 0;
    writer = wire_writer(scratch->bytes, room < scratch->room ? room : scratch->room);
    if (protect(call, reply, length, &writer) != 0 || writer.failed)
        return 0;
    length = (size_t)(writer.at - scratch->bytes);
    memcpy(reply, scratch->bytes, length);
    return length;
}

static size_t protect_reply(struct gss_call *call, uint8_t *reply, size_t length, size_t room)
{
    if (length > 0) {
        pthread_mutex_lock(&call->context->lock);
        length = protect_in_place(call, reply, length, room);
        pthread_mutex_unlock(&call->context->lock);
    }
    gss_contexts_release(&server_of(call)->contexts, call->context);
    return length;
}

const struct gss_server_type gss_server_kerberos = {
    .open = open_server, .close = close_server, .take = handle_call, .protect = protect_reply};
