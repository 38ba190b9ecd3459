/* Which versions of a program a service has. */
#ifndef NFSBENCH_TARGET_PROBE_H
#define NFSBENCH_TARGET_PROBE_H

#include "engine/channel.h"

/* Call NULL of PROGRAM, VERSION at SERVICE. 0 if it has that version; -EPROTONOSUPPORT if it
 * answers that it has not (RPC_PROGVERSMISMATCH, RPC_PROGUNAVAIL); or what rpc_client_open() and
 * rpc_client_call() return; with ERROR set. */
int probe_version(const struct endpoint *service, uint32_t program, uint32_t version,
                  const struct channel_options *options, struct error *error);

#endif
