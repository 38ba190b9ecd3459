/* One NFS call, prepared by the project's own code: the target is mounted, the objects are found,
 * and the call has been made once. */
#pragma once

#include "nfs/call.h"
#include "nfs/objects/objects.h"
#include "target/mount.h"
#include "target/self.h"

struct made_call_request {
    const char *target;
    const char *op;        /* op to call, which must not change files */
    const char *proto;     /* "tcp", "udp", or NULL for the target's transport */
    uint32_t read_size;    /* number of bytes to read if the op is READ */
    const char *arguments; /* arguments of the embedded server, as for self_start(); NULL: none */
};

/* A prepared call. It must not be moved, because CALL points into it. */
struct made_call {
    struct self_server self;
    struct target target;
    struct mount mount;
    struct rpc_client *client;
    struct nfs_objects objects;
    struct nfs_call call;
    size_t reply_length; /* number of bytes of a reply on the wire, over TCP with its record mark */
};

/* Prepare the call of REQUEST in MADE (zeroed). Returns 0, or a negative errno with ERROR set. */
int made_call_open(struct made_call *made, const struct made_call_request *request,
                   struct error *error);

/* Stop the embedded server if made_call_open() started one. Nothing else is freed. */
void made_call_close(struct made_call *made);
