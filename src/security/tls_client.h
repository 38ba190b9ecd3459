/* The TLS implementation for a client's connections. */
#pragma once

#include "engine/channel/tls_client.h"

extern const struct tls_client_type tls_client_openssl;
