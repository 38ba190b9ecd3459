#include "server/gss.h"

#include <errno.h>
#include <grp.h>
#include <gssapi/gssapi_ext.h>
#include <gssapi/gssapi_krb5.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/gss_contexts.h"

/* Half-made contexts are completed within this time, or forgotten. */
#define ESTABLISHING_NS UINT64_C(30000000000)
#define SECOND_NS       UINT64_C(1000000000)

struct gss_server {
    const char *keytab;
    uint64_t lifetime_ns, forget_after; /* as in struct gss_plan */
    uint32_t window;                    /* sequence numbers */
    bool services[RPC_GSS_PRIVACY + 1]; /* those that calls may have */
    gss_cred_id_t credential;           /* the keys by which contexts are accepted */
    struct gss_contexts contexts;
};

/* Opening */

static int refuse_keytab(const struct gss_plan *plan, OM_uint32 major, OM_uint32 minor,
                         struct error *error)
{
    char words[300];

    return error_set(error, ERROR_USAGE, -EACCES, "--keytab %.200s: no key for nfs/HOST: %s",
                     plan->keytab ? plan->keytab : "(the system's)",
                     rpc_gss_describe(major, minor, words, sizeof words));
}

/* The keys of nfs/HOST, for any HOST. Replayed tokens need not be remembered: somebody with a
 * client's token, but not its session key, can do nothing with the context that it makes. */
static OM_uint32 read_keytab(struct gss_server *server, OM_uint32 *minor)
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

int gss_server_open(struct gss_server **result, const struct gss_plan *plan, struct error *error)
{
    struct gss_server *server = calloc(1, sizeof *server);
    OM_uint32 major, minor;

    if (!server)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for Kerberos");
    server->keytab = plan->keytab;
    server->lifetime_ns = plan->lifetime_ns;
    server->forget_after = plan->forget_after;
    server->window = plan->window ? plan->window : SEQUENCE_WINDOW_MAXIMUM;
    for (size_t i = 0; i < plan->flavor_count; i++)
        if (plan->flavors[i] >= RPC_FLAVOR_KRB5)
            server->services[rpc_gss_service_of(plan->flavors[i])] = true;
    gss_contexts_open(&server->contexts);
    major = read_keytab(server, &minor);
    if (GSS_ERROR(major)) {
        gss_server_close(server);
        return refuse_keytab(plan, major, minor, error);
    }
    *result = server;
    return 0;
}

void gss_server_close(struct gss_server *server)
{
    OM_uint32 minor;

    if (!server)
        return;
    gss_contexts_close(&server->contexts);
    gss_release_cred(&minor, &server->credential);
    free(server);
}

void gss_scratch_free(struct gss_scratch *scratch)
{
    free(scratch->bytes);
}

/* Make room for the other form of a message of LENGTH bytes. */
static bool make_room(struct gss_scratch *scratch, size_t length)
{
    size_t room = length + RPC_GSS_OVERHEAD;
    uint8_t *grown;

    if (scratch->room >= room)
        return true;
    grown = realloc(scratch->bytes, room);
    if (!grown)
        return false;
    *scratch = (struct gss_scratch){.bytes = grown, .room = room};
    return true;
}

/* The credential (RFC 2203 section 5) */

struct credential {
    uint32_t procedure, sequence, service;
    const uint8_t *handle;
    uint32_t handle_length;
};

static bool is_control(const struct credential *credential)
{
    return credential->procedure != RPC_GSS_DATA;
}

/* False if it is malformed. The calls that establish a context have neither number nor service. */
static bool read_credential(const struct rpc_call_header *header, struct credential *credential)
{
    struct wire_reader reader = wire_reader(header->credential, header->credential_length);
    uint32_t version = wire_get_u32(&reader);

    credential->procedure = wire_get_u32(&reader);
    credential->sequence = wire_get_u32(&reader);
    credential->service = wire_get_u32(&reader);
    credential->handle =
        wire_get_opaque(&reader, RPC_AUTH_BODY_MAXIMUM, &credential->handle_length);
    if (reader.failed || wire_left(&reader) > 0 || version != RPC_GSS_VERSION ||
        credential->procedure > RPC_GSS_DESTROY)
        return false;
    if (is_control(credential) && header->procedure != 0)
        return false;
    return is_control(credential) ||
           (credential->service >= RPC_GSS_NONE && credential->service <= RPC_GSS_PRIVACY);
}

/* The verifier follows the credential, and signs everything up to there. Returns 0, or why it is
 * refused. */
static uint32_t verify_header(struct gss_context *context, const struct gss_received *received)
{
    const struct rpc_call_header *header = received->header;
    size_t signed_length =
        (size_t)(header->credential - received->bytes) + wire_padded(header->credential_length);
    struct wire_reader reader =
        wire_reader(received->bytes + signed_length, received->length - signed_length);
    uint32_t flavor = wire_get_u32(&reader), length;
    const uint8_t *mic = wire_get_opaque(&reader, RPC_AUTH_BODY_MAXIMUM, &length);

    if (flavor != RPC_FLAVOR_GSS)
        return RPC_AUTH_BADVERF;
    return rpc_gss_verify_mic(&context->security, received->bytes, signed_length, mic, length) == 0
               ? 0
               : RPC_AUTH_GSS_CREDPROBLEM;
}

/* Replies */

/* The header of an accepted reply with a signed NUMBER; ACCEPT_STAT comes next. */
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

/* Establishing a context (section 5.2) */

static uint64_t shorter(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static void set_groups(struct caller *caller, const char *name)
{
    gid_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    int count = RPC_AUTH_SYS_GIDS_MAXIMUM;

    if (getgrouplist(name, caller->gid, gids, &count) < 0)
        count = RPC_AUTH_SYS_GIDS_MAXIMUM; /* the others do not count, as with AUTH_SYS */
    for (int i = 0; i < count; i++)
        caller->gids[i] = gids[i];
    caller->gid_count = (uint32_t)count;
}

/* The local user that krb5.conf's auth_to_local names for PRINCIPAL; nobody if there is none. */
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

/* What accepting a token brought. */
struct acceptance {
    OM_uint32 major, minor;
    gss_buffer_desc token; /* for the client */
};

static void accept_token(struct gss_server *server, struct gss_context *context,
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
            gss_contexts_now() +
            (server->lifetime_ns ? shorter(ticket_ns, server->lifetime_ns) : ticket_ns);
        find_caller(principal, &context->caller);
        context->established = true;
    } else if (GSS_ERROR(acceptance->major)) {
        rpc_gss_delete(&context->security);
    }
    gss_release_name(&unused, &principal);
}

/* rpc_gss_init_res. A context that failed has no name. */
static void put_init_result(const struct gss_context *context, const struct acceptance *acceptance,
                            struct wire_writer *reply)
{
    bool failed = GSS_ERROR(acceptance->major);

    wire_put_u32(reply, failed ? 0 : GSS_CONTEXT_HANDLE_SIZE);
    if (!failed)
        wire_put_u64(reply, context->name);
    wire_put_u32(reply, acceptance->major);
    wire_put_u32(reply, acceptance->minor);
    wire_put_u32(reply, context->window.size);
    wire_put_opaque(reply, acceptance->token.value, acceptance->token.length);
}

/* The reply's verifier proves that the server has the key, as soon as the context is complete. */
static enum gss_step put_init_reply(struct gss_context *context, uint32_t xid,
                                    const struct acceptance *acceptance, struct wire_writer *reply,
                                    uint32_t *auth_status)
{
    *auth_status = RPC_AUTH_GSS_CTXPROBLEM;
    if (acceptance->major != GSS_S_COMPLETE)
        rpc_reply_encode(reply, &(struct rpc_reply_header){.xid = xid});
    else if (put_header(context, xid, context->window.size, reply) != 0)
        return GSS_REFUSED;
    else
        wire_put_u32(reply, RPC_OUTCOME_SUCCESS);
    put_init_result(context, acceptance, reply);
    return reply->failed ? GSS_REFUSED : GSS_ANSWERED;
}

/* One token of the client, with its context locked. A context is complete only once. */
static enum gss_step take_token(struct gss_server *server, struct gss_context *context,
                                const struct gss_received *received, struct wire_writer *reply,
                                uint32_t *auth_status)
{
    struct wire_reader reader = received->arguments;
    struct acceptance acceptance = {.token = GSS_C_EMPTY_BUFFER};
    uint32_t length;
    const uint8_t *token = wire_get_opaque(&reader, received->length, &length);
    gss_buffer_desc from = {.length = length, .value = (void *)(uintptr_t)token};
    enum gss_step step;
    OM_uint32 unused;

    *auth_status = RPC_AUTH_GSS_CREDPROBLEM;
    if (context->established || gss_contexts_now() >= context->expires_ns)
        return GSS_REFUSED;
    *auth_status = RPC_AUTH_BADCRED;
    if (reader.failed || wire_left(&reader) > 0)
        return GSS_REFUSED;
    accept_token(server, context, &from, &acceptance);
    step = put_init_reply(context, received->header->xid, &acceptance, reply, auth_status);
    gss_release_buffer(&unused, &acceptance.token);
    return step;
}

static enum gss_step establish(struct gss_server *server, const struct gss_received *received,
                               const struct credential *credential, struct wire_writer *reply,
                               uint32_t *auth_status)
{
    bool first = credential->procedure == RPC_GSS_INIT;
    struct gss_context *context =
        first ? gss_contexts_add(&server->contexts, ESTABLISHING_NS)
              : gss_contexts_find(&server->contexts, credential->handle, credential->handle_length);
    enum gss_step step;
    bool keep;

    *auth_status = RPC_AUTH_GSS_CREDPROBLEM;
    if (!context)
        return GSS_REFUSED;
    pthread_mutex_lock(&context->lock);
    context->window.size = server->window;
    step = take_token(server, context, received, reply, auth_status);
    keep = context->security.handle != GSS_C_NO_CONTEXT;
    pthread_mutex_unlock(&context->lock);
    if (!keep)
        gss_contexts_forget(&server->contexts, context);
    gss_contexts_release(&server->contexts, context);
    return step;
}

/* Ending a context (section 5.4) */

static enum gss_step end_context(struct gss_server *server, struct gss_call *call, uint32_t xid,
                                 struct wire_writer *reply, uint32_t *auth_status)
{
    int code = put_header(call->context, xid, call->sequence, reply);

    wire_put_u32(reply, RPC_OUTCOME_SUCCESS);
    gss_contexts_forget(&server->contexts, call->context);
    *auth_status = RPC_AUTH_GSS_CTXPROBLEM;
    return code || reply->failed ? GSS_REFUSED : GSS_ANSWERED;
}

/* Calls (section 5.3) */

/* The plain form of the call: its credential is the name of the context, so that a call that is
 * repeated with another sequence number is recognised. */
static void put_plain(const struct gss_received *received, const struct credential *credential,
                      struct wire_writer *plain)
{
    wire_put_fixed(plain, received->bytes, RPC_CALL_CREDENTIAL_AT);
    wire_put_u32(plain, RPC_FLAVOR_GSS);
    wire_put_opaque(plain, credential->handle, credential->handle_length);
    wire_put_u32(plain, RPC_FLAVOR_NONE);
    wire_put_u32(plain, 0);
}

static void unwrap(struct gss_call *call, const struct gss_received *received,
                   const struct credential *credential, struct gss_scratch *scratch)
{
    struct wire_writer plain = wire_writer(scratch->bytes, scratch->room);
    struct wire_reader arguments = received->arguments;

    put_plain(received, credential, &plain);
    call->garbled =
        rpc_gss_get_data(&call->context->security, (enum rpc_gss_service)credential->service,
                         credential->sequence, &arguments, &plain) != 0;
    call->plain_length = (size_t)(plain.at - scratch->bytes);
}

/* Why a context can't be used for a call with this credential; 0: it can. */
static uint32_t check_context(struct gss_server *server, struct gss_context *context,
                              const struct credential *credential)
{
    uint64_t limit = server->forget_after;

    if (limit && ++context->calls > limit) {
        gss_contexts_forget(&server->contexts, context);
        return RPC_AUTH_GSS_CREDPROBLEM;
    }
    if (!context->established)
        return RPC_AUTH_GSS_CREDPROBLEM;
    return gss_contexts_now() >= context->expires_ns || credential->sequence > RPC_GSS_MAXSEQ
               ? RPC_AUTH_GSS_CTXPROBLEM
               : 0;
}

/* A call by a context that is there and locked. A replay is found only after its signature was
 * verified, or anyone could move the window. */
static enum gss_step take_call(struct gss_server *server, const struct gss_received *received,
                               const struct credential *credential, struct gss_scratch *scratch,
                               struct gss_call *call, struct wire_writer *reply,
                               uint32_t *auth_status)
{
    *auth_status = check_context(server, call->context, credential);
    if (*auth_status == 0)
        *auth_status = verify_header(call->context, received);
    if (*auth_status)
        return GSS_REFUSED;
    if (!sequence_window_take(&call->context->window, credential->sequence))
        return GSS_DROPPED;
    if (credential->procedure == RPC_GSS_DESTROY)
        return end_context(server, call, received->header->xid, reply, auth_status);
    *auth_status = RPC_AUTH_TOOWEAK;
    if (!server->services[credential->service])
        return GSS_REFUSED;
    unwrap(call, received, credential, scratch);
    return GSS_TAKEN;
}

enum gss_step gss_server_take(struct gss_server *server, const struct gss_received *received,
                              struct gss_scratch *scratch, struct gss_call *call,
                              struct wire_writer *reply, uint32_t *auth_status)
{
    struct credential credential;
    enum gss_step step;

    *auth_status = RPC_AUTH_BADCRED;
    if (!read_credential(received->header, &credential) || !make_room(scratch, received->length))
        return GSS_REFUSED;
    if (credential.procedure == RPC_GSS_INIT || credential.procedure == RPC_GSS_CONTINUE_INIT)
        return establish(server, received, &credential, reply, auth_status);
    *auth_status = RPC_AUTH_GSS_CREDPROBLEM;
    *call = (struct gss_call){.service = credential.service, .sequence = credential.sequence};
    call->context =
        gss_contexts_find(&server->contexts, credential.handle, credential.handle_length);
    if (!call->context)
        return GSS_REFUSED;
    call->caller = &call->context->caller;
    pthread_mutex_lock(&call->context->lock);
    step = take_call(server, received, &credential, scratch, call, reply, auth_status);
    pthread_mutex_unlock(&call->context->lock);
    if (step != GSS_TAKEN)
        gss_contexts_release(&server->contexts, call->context);
    return step;
}

/* The step after */

/* The header of an accepted reply as this server writes it: xid, REPLY, MSG_ACCEPTED, a verifier of
 * AUTH_NONE, and the outcome; then the results. */
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

static size_t protect_in_place(struct gss_call *call, struct gss_scratch *scratch, uint8_t *reply,
                               size_t length, size_t room)
{
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

size_t gss_server_protect(struct gss_server *server, struct gss_call *call,
                          struct gss_scratch *scratch, uint8_t *reply, size_t length, size_t room)
{
    pthread_mutex_lock(&call->context->lock);
    length = protect_in_place(call, scratch, reply, length, room);
    pthread_mutex_unlock(&call->context->lock);
    gss_contexts_release(&server->contexts, call->context);
    return length;
}
