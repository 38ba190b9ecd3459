/* Protection of calls and of connections that this program was built with. */
#pragma once

#include <stdint.h>

#include "rpc/xprtsec.h"

/* Return why calls of FLAVOR can't be made over connections protected as HOW says, or NULL. */
const char *protection_missing(uint32_t flavor, enum rpc_xprtsec how);
