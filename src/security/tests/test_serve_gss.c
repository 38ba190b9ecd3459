/* RPCSEC_GSS in the server (RFC 2203): calls that establish, use and end a context; calls that are
 * refused or dropped. A client accepts no changed reply. scripts/with-kerberos provides a realm. */
#include "service.h"

#include <gssapi/gssapi_krb5.h>

#include "security/gss.h"
#include "security/gss_contexts.h"
#include "security/sequence_window.h"

enum { ROOM = 4096, MKDIR = 9 };

static struct rpc_gss client;
static gss_name_t target;
static uint8_t sealed[ROOM], opened[ROOM];
static size_t sealed_length, opened_length;

/* Make a server with POLICY and the system's keytab, which with-kerberos provides. */
static void serve_flavors(struct fixture *fixture, const struct policy *policy)
{
    struct error error;

    exported_close(&fixture->exported);
    assert_int_equal(
        exported_open(&fixture->exported, tree_open(1000, 100, UINT64_C(1) << 24), policy), 0);
    assert_int_equal(
        tree_make_contents(fixture->exported.tree, &(struct contents_plan){.files = 0}), 0);
    tree_root(fixture->exported.tree)->mode = 0777;
    if (gss_server_open(&fixture->exported.gss, NULL, policy, &error) != 0)
        fail_msg("%s", error.text);
}

static int open_server(void **state)
{
    const struct policy policy = {
        .flavors = {RPC_FLAVOR_KRB5, RPC_FLAVOR_KRB5I, RPC_FLAVOR_KRB5P, RPC_FLAVOR_SYS},
        .flavor_count = 4};
    gss_buffer_desc name = {.length = 13, .value = (char[]){"nfs@localhost"}};
    OM_uint32 minor;
    int code = set_up(state);

    serve_flavors(*state, &policy);
    assert_int_equal(gss_import_name(&minor, &name, GSS_C_NT_HOSTBASED_SERVICE, &target), 0);
    client = (struct rpc_gss){.service = RPC_GSS_INTEGRITY};
    return code;
}

static int close_server(void **state)
{
    struct fixture *fixture = *state;
    OM_uint32 minor;

    rpc_gss_delete(&client.context);
    gss_release_name(&minor, &target);
    free(fixture->service.gss.bytes);
    return tear_down(state);
}

/* Calls */

/* Protect a call of NFS PROCEDURE with XID, and arguments in hexadecimal. */
static void seal(uint32_t xid, enum rpc_gss_procedure gss_procedure, uint32_t procedure,
                 const char *arguments)
{
    uint8_t request[REQUEST_MAXIMUM];
    size_t length = make_call(request, NFS_PROGRAM, 3, procedure, 0, arguments);
    struct wire_writer writer = wire_writer(sealed, sizeof sealed);

    wire_store_u32(request, xid);
    assert_int_equal(rpc_gss_seal(&client, gss_procedure, request, length, &writer), 0);
    sealed_length = (size_t)(writer.at - sealed);
}

static void send_sealed(struct fixture *fixture)
{
    send_bytes(fixture, sealed, sealed_length, true);
}

/* Verify and open the reply, as a client does. */
static int open_reply(const struct fixture *fixture)
{
    struct wire_writer writer = wire_writer(opened, sizeof opened);
    int code = rpc_gss_open(&client, client.sequence, client.sequence, fixture->reply,
                            fixture->length, &writer);

    opened_length = (size_t)(writer.at - opened);
    return code;
}

static void call_getattr(struct fixture *fixture)
{
    seal(1, RPC_GSS_DATA, NFSPROC3_GETATTR, handle(fixture, ""));
    send_sealed(fixture);
}

static bool has_attributes(void)
{
    struct wire_reader reader = wire_reader(opened, opened_length);
    struct rpc_reply_header header;

    return rpc_reply_decode(&reader, &header) == 0 && header.outcome == RPC_OUTCOME_SUCCESS &&
           wire_get_u32(&reader) == NFS3_OK && wire_left(&reader) == CALL_ATTRIBUTES_SIZE;
}

static void assert_answered(const struct fixture *fixture)
{
    assert_int_not_equal(fixture->length, 0);
    assert_all((open_reply(fixture), 0), (has_attributes()));
}

static void assert_refused(const struct fixture *fixture, uint32_t auth_status)
{
    assert_int_not_equal(fixture->length, 0);
    assert_int_equal(fixture->header.outcome, RPC_OUTCOME_AUTH_ERROR);
    assert_int_equal(fixture->header.auth_status, auth_status);
}

/* Establishing a context */

/* Send TOKEN, and read rpc_gss_init_res. Returns the server's major status, or GSS_S_FAILURE if the
 * reply has no result. */
static OM_uint32 send_token(struct fixture *fixture, enum rpc_gss_procedure procedure,
                            const void *token, size_t length, gss_buffer_desc *answer)
{
    uint8_t request[REQUEST_MAXIMUM];
    struct wire_writer writer = wire_writer(request, sizeof request);
    const uint8_t *bytes;
    uint32_t size;
    OM_uint32 major;

    rpc_call_encode(&writer, &(struct rpc_call_header){.program = NFS_PROGRAM, .version = 3});
    wire_put_opaque(&writer, token, length);
    length = (size_t)(writer.at - request);
    writer = wire_writer(sealed, sizeof sealed);
    assert_int_equal(rpc_gss_seal(&client, procedure, request, length, &writer), 0);
    send_bytes(fixture, sealed, (size_t)(writer.at - sealed), true);
    if (fixture->header.outcome != RPC_OUTCOME_SUCCESS)
        return GSS_S_FAILURE;
    bytes = wire_get_opaque(&fixture->results, RPC_GSS_HANDLE_MAXIMUM, &client.handle_length);
    memcpy(client.handle, bytes, client.handle_length);
    major = wire_get_u32(&fixture->results);
    wire_get_u32(&fixture->results);
    assert_int_equal(wire_get_u32(&fixture->results), SEQUENCE_WINDOW_MAXIMUM);
    bytes = wire_get_opaque(&fixture->results, ROOM, &size);
    assert_false(fixture->results.failed);
    *answer = (gss_buffer_desc){.length = size, .value = (void *)(uintptr_t)bytes};
    return major;
}

static void step(gss_buffer_desc *from, gss_buffer_desc *to, OM_uint32 expected)
{
    OM_uint32 minor;

    assert_int_equal(gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL, &client.context.handle,
                                          target, (gss_OID)gss_mech_krb5,
                                          GSS_C_MUTUAL_FLAG | GSS_C_CONF_FLAG, 0,
                                          GSS_C_NO_CHANNEL_BINDINGS, from, NULL, to, NULL, NULL),
                     expected);
}

static void establish(struct fixture *fixture, enum rpc_gss_service service)
{
    gss_buffer_desc from = GSS_C_EMPTY_BUFFER, to = GSS_C_EMPTY_BUFFER;
    OM_uint32 minor;

    rpc_gss_delete(&client.context);
    client = (struct rpc_gss){.service = service};
    step(&from, &to, GSS_S_CONTINUE_NEEDED);
    assert_int_equal(send_token(fixture, RPC_GSS_INIT, to.value, to.length, &from), GSS_S_COMPLETE);
    gss_release_buffer(&minor, &to);
    step(&from, &to, GSS_S_COMPLETE);
    gss_release_buffer(&minor, &to);
    assert_int_equal(rpc_gss_verify_number(&client.context, SEQUENCE_WINDOW_MAXIMUM,
                                           fixture->header.verifier,
                                           fixture->header.verifier_length),
                     0);
}

TEST_CASE_WITH(all_services_are_served, open_server, close_server)
{
    for (unsigned service = RPC_GSS_NONE; service <= RPC_GSS_PRIVACY; service++) {
        establish(*state, (enum rpc_gss_service)service);
        for (unsigned i = 0; i < 3; i++) {
            call_getattr(*state);
            assert_answered(*state);
        }
    }
    /* Errors of RPC are signed, too. */
    seal(1, RPC_GSS_DATA, 22, "");
    send_sealed(*state);
    assert_int_equal(open_reply(*state), 0);
    assert_int_equal(((struct fixture *)*state)->header.outcome, RPC_OUTCOME_PROC_UNAVAIL);
}

TEST_CASE_WITH(a_call_is_answered_once, open_server, close_server)
{
    struct fixture *fixture = *state;

    establish(fixture, RPC_GSS_INTEGRITY);
    call_getattr(fixture);
    assert_answered(fixture);
    send_sealed(fixture);
    assert_int_equal(fixture->length, 0);

    /* A number below the window gets no reply. The lowest number in the window gets one. */
    client.sequence = 4999;
    call_getattr(fixture);
    assert_answered(fixture);
    client.sequence = 4999 - SEQUENCE_WINDOW_MAXIMUM;
    call_getattr(fixture);
    assert_int_equal(fixture->length, 0);
    call_getattr(fixture);
    assert_answered(fixture);
}

TEST_CASE_WITH(a_number_that_is_too_high_ends_the_context, open_server, close_server)
{
    establish(*state, RPC_GSS_INTEGRITY);
    client.sequence = RPC_GSS_MAXSEQ - 1;
    call_getattr(*state);
    assert_answered(*state);
    call_getattr(*state);
    assert_refused(*state, RPC_AUTH_GSS_CTXPROBLEM);
}

TEST_CASE_WITH(a_context_that_is_not_known_is_refused, open_server, close_server)
{
    struct fixture *fixture = *state;

    establish(fixture, RPC_GSS_INTEGRITY);
    client.handle[7] ^= 1;
    call_getattr(fixture);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
    client.handle[7] ^= 1;
    client.handle_length = 4;
    call_getattr(fixture);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
    client.handle_length = 8;
    call_getattr(fixture);
    assert_answered(fixture);
}

TEST_CASE_WITH(a_context_ends, open_server, close_server)
{
    struct fixture *fixture = *state;

    establish(fixture, RPC_GSS_PRIVACY);
    seal(1, RPC_GSS_DESTROY, 0, "");
    send_sealed(fixture);
    client.service = RPC_GSS_NONE;
    assert_all((open_reply(fixture), 0), (opened_length, 24));
    call_getattr(fixture);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
}

/* Who only knows a context's name can't end or change the context by sending a token. */
TEST_CASE_WITH(an_established_context_takes_no_tokens, open_server, close_server)
{
    struct fixture *fixture = *state;
    struct rpc_gss kept;
    gss_buffer_desc answer;

    establish(fixture, RPC_GSS_INTEGRITY);
    kept = client;
    send_token(fixture, RPC_GSS_CONTINUE_INIT, "token", 5, &answer);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
    client = kept;
    call_getattr(fixture);
    assert_answered(fixture);
    client.handle_length = 0;
    send_token(fixture, RPC_GSS_CONTINUE_INIT, "token", 5, &answer);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
}

TEST_CASE_WITH(what_is_no_token_is_named_as_such, open_server, close_server)
{
    gss_buffer_desc answer;

    assert_true(GSS_ERROR(send_token(*state, RPC_GSS_INIT, "this is no token", 16, &answer)));
    assert_int_equal(client.handle_length, 0);
    assert_int_equal(((struct fixture *)*state)->header.outcome, RPC_OUTCOME_SUCCESS);
}

TEST_CASE_WITH(malformed_credentials_are_refused, open_server, close_server)
{
    static const struct {
        size_t at; /* offset in the credential */
        uint8_t value;
        uint32_t auth_status;
    } changes[] = {
        {3, 2, RPC_AUTH_BADCRED},            /* version */
        {7, 4, RPC_AUTH_BADCRED},            /* procedure */
        {7, RPC_GSS_INIT, RPC_AUTH_BADCRED}, /* a context is established only by calls of NULL */
        {15, 0, RPC_AUTH_BADCRED},           /* service */
        {15, 4, RPC_AUTH_BADCRED},
        {19, 12, RPC_AUTH_BADCRED},        /* handle longer than the credential */
        {19, 7, RPC_AUTH_GSS_CREDPROBLEM}, /* handle too short for this server */
    };

    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        establish(*state, RPC_GSS_INTEGRITY);
        seal(1, RPC_GSS_DATA, NFSPROC3_GETATTR, handle(*state, ""));
        sealed[RPC_CALL_CREDENTIAL_AT + 8 + changes[i].at] = changes[i].value;
        send_sealed(*state);
        assert_refused(*state, changes[i].auth_status);
    }
}

/* Whichever byte is changed, a call by krb5i or krb5p is not carried out. */
TEST_CASE_WITH(no_changed_call_is_taken, open_server, close_server)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    struct fixture *fixture = *state;

    for (unsigned service = RPC_GSS_INTEGRITY; service <= RPC_GSS_PRIVACY; service++) {
        establish(fixture, (enum rpc_gss_service)service);
        for (size_t at = 0; at == 0 || at < sealed_length; at++) {
            for (size_t i = 0; i < COUNT_OF(changes); i++) {
                seal(1, RPC_GSS_DATA, NFSPROC3_GETATTR, handle(fixture, ""));
                sealed[at] ^= changes[i];
                send_sealed(fixture);
                if (fixture->length > 0 && fixture->header.outcome == RPC_OUTCOME_SUCCESS)
                    fail_msg("byte %zu changed by %#x was not noticed", at, changes[i]);
            }
        }
        call_getattr(fixture);
        assert_answered(fixture);
    }
}

/* Return whether a change of the byte at AT has no effect. A Kerberos token contains the number of
 * bytes by which its encrypted data are rotated (RFC 4121 section 4.2.5). A rotation by a multiple
 * of the data's length changes nothing. */
static bool changes_nothing(const struct fixture *fixture, size_t at)
{
    enum { TOKEN_AT = 56, ROTATION_AT = TOKEN_AT + 6, ENCRYPTED_AT = TOKEN_AT + 16 };
    const uint8_t *rotation = fixture->reply + ROTATION_AT;
    size_t turn = fixture->length - ENCRYPTED_AT;

    return client.service == RPC_GSS_PRIVACY && (at == ROTATION_AT || at == ROTATION_AT + 1) &&
           ((size_t)rotation[0] << 8 | rotation[1]) % turn == 0;
}

/* A client notices a change of any byte but the xid, which is not protected. With krb5 the results
 * are not protected, either. */
TEST_CASE_WITH(no_changed_reply_is_taken, open_server, close_server)
{
    struct fixture *fixture = *state;

    for (unsigned service = RPC_GSS_NONE; service <= RPC_GSS_PRIVACY; service++) {
        size_t end;

        establish(fixture, (enum rpc_gss_service)service);
        call_getattr(fixture);
        end = fixture->length - (service == RPC_GSS_NONE ? CALL_ATTRIBUTES_SIZE : 0);
        for (size_t at = 4; at < end; at++) {
            for (unsigned change = 1; change < 256; change++) {
                fixture->reply[at] ^= (uint8_t)change;
                if (open_reply(fixture) == 0 && has_attributes() && !changes_nothing(fixture, at))
                    fail_msg("byte %zu changed by %#x was not noticed", at, change);
                fixture->reply[at] ^= (uint8_t)change;
            }
        }
        assert_answered(fixture);
    }
}

static void mkdir_again(struct fixture *fixture, nfsstat3 expected)
{
    struct wire_reader reader;
    struct rpc_reply_header header;

    seal(99, RPC_GSS_DATA, MKDIR,
         with_handle(fixture, "",
                     "00000003 'new' 00 00000000 00000000 00000000 00000000 00000000 "
                     "00000000"));
    send_sealed(fixture);
    assert_int_equal(open_reply(fixture), 0);
    reader = wire_reader(opened, opened_length);
    assert_all((rpc_reply_decode(&reader, &header), 0), (header.outcome, RPC_OUTCOME_SUCCESS),
               (wire_get_u32(&reader), expected));
}

/* A call that is sent again has a new sequence number, but the same xid. */
TEST_CASE_WITH(a_repeated_call_is_carried_out_once, open_server, close_server)
{
    establish(*state, RPC_GSS_PRIVACY);
    mkdir_again(*state, NFS3_OK);
    mkdir_again(*state, NFS3_OK);
    /* A call by another context is a new call. */
    establish(*state, RPC_GSS_PRIVACY);
    mkdir_again(*state, NFS3ERR_EXIST);
}

/* The ticket is that of the user who runs the test, to whom a new directory then belongs. */
TEST_CASE_WITH(a_principal_is_its_local_user, open_server, close_server)
{
    const struct tree_node *made;

    establish(*state, RPC_GSS_INTEGRITY);
    mkdir_again(*state, NFS3_OK);
    made = node_at(*state, "new");
    assert_all((made), (made->uid, geteuid()));
}

TEST_CASE_WITH(flavors_that_are_not_offered_are_too_weak, open_server, close_server)
{
    const struct policy policy = {.flavors = {RPC_FLAVOR_KRB5I}, .flavor_count = 1};
    struct fixture *fixture = *state;
    mountres3 result;

    serve_flavors(fixture, &policy);
    call(fixture, NFS_PROGRAM, NFSPROC3_GETATTR, 0, handle(fixture, ""));
    assert_refused(fixture, RPC_AUTH_TOOWEAK);
    call(fixture, NFS_PROGRAM, NFSPROC3_NULL, 0, "");
    assert_int_equal(fixture->header.outcome, RPC_OUTCOME_SUCCESS);
    for (unsigned service = RPC_GSS_NONE; service <= RPC_GSS_PRIVACY; service++) {
        establish(fixture, (enum rpc_gss_service)service);
        call_getattr(fixture);
        if (service == RPC_GSS_INTEGRITY)
            assert_answered(fixture);
        else
            assert_refused(fixture, RPC_AUTH_TOOWEAK);
    }
    call(fixture, MOUNT_PROGRAM, 1, 0, "00000007 '/export' 00");
    decode(fixture, (xdrproc_t)xdr_mountres3, &result, sizeof result);
    assert_all((result.mountres3_u.mountinfo.auth_flavors.auth_flavors_len, 1),
               (result.mountres3_u.mountinfo.auth_flavors.auth_flavors_val[0], RPC_FLAVOR_KRB5I));
    xdr_free((xdrproc_t)xdr_mountres3, &result);
}

TEST_CASE_WITH(a_context_is_forgotten_after_its_calls, open_server, close_server)
{
    const struct policy policy = {
        .flavors = {RPC_FLAVOR_KRB5}, .flavor_count = 1, .context_calls = 3};

    serve_flavors(*state, &policy);
    establish(*state, RPC_GSS_NONE);
    for (unsigned i = 0; i < 3; i++) {
        call_getattr(*state);
        assert_answered(*state);
    }
    call_getattr(*state);
    assert_refused(*state, RPC_AUTH_GSS_CREDPROBLEM);
    call_getattr(*state);
    assert_refused(*state, RPC_AUTH_GSS_CREDPROBLEM);
}

TEST_CASE_WITH(a_context_expires, open_server, close_server)
{
    const struct policy policy = {.flavors = {RPC_FLAVOR_KRB5}, .flavor_count = 1, .context_ns = 1};

    serve_flavors(*state, &policy);
    establish(*state, RPC_GSS_NONE);
    do
        call_getattr(*state);
    while (((struct fixture *)*state)->header.outcome == RPC_OUTCOME_SUCCESS);
    assert_refused(*state, RPC_AUTH_GSS_CTXPROBLEM);
}

/* One context too many: the least recently used one is forgotten. */
TEST_CASE_WITH(contexts_are_limited_in_number, open_server, close_server)
{
    struct fixture *fixture = *state;
    struct rpc_gss first;

    establish(fixture, RPC_GSS_INTEGRITY);
    first = client;
    client.context.handle = GSS_C_NO_CONTEXT; /* else establish() deletes FIRST's context */
    for (unsigned i = 0; i < GSS_CONTEXTS_MAXIMUM; i++)
        establish(fixture, RPC_GSS_INTEGRITY);
    rpc_gss_delete(&client.context);
    client = first;
    call_getattr(fixture);
    assert_refused(fixture, RPC_AUTH_GSS_CREDPROBLEM);
    establish(fixture, RPC_GSS_INTEGRITY);
    call_getattr(fixture);
    assert_answered(fixture);
}
