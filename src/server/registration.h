/* Registering the server with this machine's rpcbind (RFC 1833), which tells clients the port. */
#ifndef NFSBENCH_SERVER_REGISTRATION_H
#define NFSBENCH_SERVER_REGISTRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct registration {
    uint32_t entries; /* bits of the entries that were made */
};

/* Register NFS, MOUNT and NFS_ACL, version 3 each, on PORT over TCP and UDP, for IPv4 and IPv6 as
 * requested. Entries of other servers are never replaced. 0; or a negative errno with ERROR set,
 * and nothing is registered. */
int registration_make(struct registration *registration, uint16_t port, bool ipv4, bool ipv6,
                      struct error *error);

/* Remove what was registered. */
void registration_end(struct registration *registration);

#endif
