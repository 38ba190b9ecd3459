/* The kinds of protection of calls and of connections that this program was built with. */
#pragma once

#include <stdint.h>

#include "rpc/xprtsec.h"

/* Return why calls of FLAVOR over connections protected by HOW can't be made; NULL: they can. */
const char *protection_missing(uint32_t flavor, enum rpc_xprtsec how);
