#include <gssapi/gssapi_krb5.h>
#include <rpc/rpc.h>

#include <rpc/auth_gss.h>
#include <stdio.h>

#include "rpc/credential.h"
#include "security/gss_client.h"

void *gss_tirpc_auth(void *client, const struct gss_request *request)
{
    struct rpc_gss_sec security = {
        .mech = (gss_OID)gss_mech_krb5,
        .qop = GSS_C_QOP_DEFAULT,
        .svc = request->flavor == RPC_FLAVOR_KRB5P   ? RPCSEC_GSS_SVC_PRIVACY
               : request->flavor == RPC_FLAVOR_KRB5I ? RPCSEC_GSS_SVC_INTEGRITY
                                                     : RPCSEC_GSS_SVC_NONE,
        .cred = GSS_C_NO_CREDENTIAL,
        .req_flags = GSS_C_MUTUAL_FLAG};
    char service[300];

    snprintf(service, sizeof service, "nfs@%s", request->host);
    return authgss_create_default(client, service, &security);
}
