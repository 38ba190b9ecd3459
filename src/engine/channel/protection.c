/* The tables of what protects calls and connections, and what comes before each use of them. */
#include "engine/channel/protection.h"

#include <errno.h>
#include <string.h>

#include "engine/channel/tls_client.h"
#include "protection_lists.h" /* made by CMake, of what parts have (cmake/Module.cmake) */
#include "rpc/credential.h"

#define FLAVOR_DECLARED(flavor, type) extern const struct gss_client_type type;
#define FLAVOR_ENTRY(flavor, type)    {flavor, &(type)},

CLIENT_FLAVORS(FLAVOR_DECLARED)

/* How calls by a flavor are protected. */
static const struct {
    uint32_t flavor;
    const struct gss_client_type *type;
} flavors[] = {CLIENT_FLAVORS(FLAVOR_ENTRY){0, NULL}};

#define TLS_DECLARED(type) extern const struct tls_client_type type;
#define TLS_ENTRY(type)    &(type),

CLIENT_TLS(TLS_DECLARED)

static const struct tls_client_type *const tls_types[] = {CLIENT_TLS(TLS_ENTRY) NULL};

const struct gss_client_type *gss_client_type(uint32_t flavor)
{
    size_t i = 0;

    while (flavors[i].type && flavors[i].flavor != flavor)
        i++;
    return flavors[i].type;
}

const char *protection_missing(uint32_t flavor, enum rpc_xprtsec how)
{
    if (flavor >= RPC_FLAVOR_KRB5 && !gss_client_type(flavor))
        return "this program was built without Kerberos, which krb5, krb5i and krb5p need; install "
               "libkrb5-dev and build it again";
    if (how != RPC_XPRTSEC_NONE && !tls_types[0])
        return "this program was built without TLS; install libssl-dev and build it again";
    return NULL;
}

static int refuse(const char *missing, struct error *error)
{
    return error_set(error, ERROR_USAGE, -ENOTSUP, "%s", missing);
}

int gss_client_open(struct gss_client **client, const struct gss_request *request,
                    const struct gss_transport *transport, struct error *error)
{
    const char *missing = protection_missing(request->flavor, RPC_XPRTSEC_NONE);

    *client = NULL;
    return missing ? refuse(missing, error)
                   : gss_client_type(request->flavor)->open(client, request, transport, error);
}

int tls_client_open(struct tls_client **client, const struct tls_request *request,
                    struct error *error)
{
    const char *missing = protection_missing(RPC_FLAVOR_SYS, request->how);

    return missing ? refuse(missing, error) : tls_types[0]->open(client, request, error);
}

int tls_session_begin(struct tls_session *session, struct tls_client *client, struct socket_io *io,
                      const struct endpoint *endpoint, struct error *error)
{
    int code;

    tls_session_end(session);
    if (!client)
        return 0;
    session->type = client->type;
    code = client->type->begin(session, client, io, endpoint, error);
    if (code)
        tls_session_end(session);
    return code;
}

void tls_session_end(struct tls_session *session)
{
    if (session->tls)
        session->type->end(session->tls);
    session->tls = NULL;
}

int tls_session_describe(const struct tls_session *session, const struct endpoint *endpoint,
                         struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    return error_set(error, ERROR_UNREACHABLE, -EPROTO, "TLS with %s: %s",
                     endpoint_describe(endpoint, name),
                     session->tls ? session->type->why(session->tls) : strerror(EPROTO));
}
