/* The implementations of Kerberos and TLS for the embedded server. */
#pragma once

#include "serve/rpc/gss.h"
#include "serve/transport/tls.h"

extern const struct gss_server_type gss_server_kerberos;
extern const struct tls_server_type tls_server_openssl;
