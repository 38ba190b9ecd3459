/* Tables of the implementations of RPCSEC_GSS and TLS that this build has; the first is used. */
#include <errno.h>
#include <stddef.h>

#include "protection_lists.h" /* made by CMake from the parts' lists (cmake/Module.cmake) */
#include "serve/rpc/gss.h"
#include "serve/transport/tls.h"

#define GSS_DECLARED(type) extern const struct gss_server_type type;
#define TLS_DECLARED(type) extern const struct tls_server_type type;
#define ENTRY(type)        &(type),

SERVER_GSS(GSS_DECLARED)
SERVER_TLS(TLS_DECLARED)

static const struct gss_server_type *const gss_types[] = {SERVER_GSS(ENTRY) NULL};
static const struct tls_server_type *const tls_types[] = {SERVER_TLS(ENTRY) NULL};

int gss_server_open(struct gss_server **server, const char *keytab, const struct policy *policy,
                    struct error *error)
{
    *server = NULL;
    if (gss_types[0])
        return gss_types[0]->open(server, keytab, policy, error);
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "Kerberos (krb5, krb5i and krb5p): this nfsbench was built without it; "
                     "install libkrb5-dev and build again");
}

int tls_server_open(struct tls_server **server, const struct rpc_tls_files *files,
                    bool clients_must, struct error *error)
{
    if (tls_types[0])
        return tls_types[0]->open(server, files, clients_must, error);
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "TLS: this nfsbench was built without it; install libssl-dev and build again");
}
