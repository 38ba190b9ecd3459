/* Asking a host's port mapper where a program is (RFC 1833): rpcbind versions 4 and 3, then, over
 * IPv4, the port mapper's version 2. The protocol's types are libtirpc's. */
#ifndef NFSBENCH_TARGET_PORTMAP_H
#define NFSBENCH_TARGET_PORTMAP_H

#include "engine/channel.h"
#include "engine/identity.h"

/* Set the port in SERVICE, whose address and transport are given, to that of PROGRAM, VERSION. NAME
 * is the program's name for messages. 0, or with ERROR set: -ENOENT if the program is not
 * registered, or what rpc_client_call() returned. */
int portmap_lookup(struct endpoint *service, uint32_t program, uint32_t version, const char *name,
                   const struct channel_options *options, struct error *error);

#endif
