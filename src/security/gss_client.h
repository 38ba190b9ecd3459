/* The Kerberos implementation for a client's channels (engine/channel/gss_client.h). */
#pragma once

#include "engine/channel/gss_client.h"

extern const struct gss_client_type gss_client_kerberos;

/* Establish a context for REQUEST over libtirpc's CLIENT. Returns an AUTH or NULL. */
void *gss_tirpc_auth(void *client, const struct gss_request *request);
