/* What Kerberos offers to a client's channels (engine/channel/gss_client.h). */
#pragma once

#include "engine/channel/gss_client.h"

extern const struct gss_client_type gss_client_kerberos;

/* Have libtirpc's CLIENT establish a context as REQUEST has it, over its connection. Returns its
 * AUTH, or NULL. */
void *gss_tirpc_auth(void *client, const struct gss_request *request);
