/* What gss.h declares, in a program that was built without GSS-API: it can't be opened, so the
 * functions for calls are never called. */
#include <errno.h>

#include "server/gss.h"

int gss_server_open(struct gss_server **server, const struct gss_plan *plan, struct error *error)
{
    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "this program was built without Kerberos, which krb5, krb5i and krb5p need; "
                     "install libkrb5-dev and build it again");
}

void gss_server_close(struct gss_server *server)
{
}

void gss_scratch_free(struct gss_scratch *scratch)
{
}

enum gss_step gss_server_take(struct gss_server *server, const struct gss_received *received,
                              struct gss_scratch *scratch, struct gss_call *call,
                              struct wire_writer *reply, uint32_t *auth_status)
{
    *auth_status = RPC_AUTH_BADCRED;
    return GSS_REFUSED;
}

size_t gss_server_protect(struct gss_server *server, struct gss_call *call,
                          struct gss_scratch *scratch, uint8_t *reply, size_t length, size_t room)
{
    return 0;
}
