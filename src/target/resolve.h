/* From a target's host to its addresses. */
#ifndef NFSBENCH_TARGET_RESOLVE_H
#define NFSBENCH_TARGET_RESOLVE_H

#include <netdb.h>

#include "target/target.h"

/* Look up the addresses of TARGET's host; release them with freeaddrinfo(). 0, or -EHOSTUNREACH
 * with ERROR set. */
int target_resolve(const struct target *target, struct addrinfo **addresses, struct error *error);

/* ADDRESS as an endpoint without a port, over TARGET's transport. */
struct endpoint target_endpoint(const struct target *target, const struct addrinfo *address);

#endif
