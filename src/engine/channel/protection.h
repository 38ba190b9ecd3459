/* Which protection of calls and of connections this program was built with. */
#pragma once

#include <stdint.h>

#include "rpc/xprtsec.h"

/* Why it can't make calls by FLAVOR, over connections that are protected like HOW; NULL: it can. */
const char *protection_missing(uint32_t flavor, enum rpc_xprtsec how);
