/* A call that is prepared by the project's own code: the target is mounted, the objects are found,
 * and the call has been made once. */
#pragma once

#include "nfs/call.h"
#include "nfs/objects/objects.h"
#include "target/mount.h"
#include "target/self.h"

struct made_call_request {
    const char *target;
    const char *op;        /* one that changes no file */
    const char *proto;     /* "tcp", "udp", or NULL for the target's transport */
    uint32_t read_size;    /* bytes to READ */
    const char *arguments; /* of the embedded server, as for self_start(), or NULL */
};

/* It must not be moved, because the call points to it. */
struct made_call {
    struct self_server self;
    struct target target;
    struct mount mount;
    struct rpc_client *client;
    struct nfs_objects objects;
    struct nfs_call call;
    size_t reply_length; /* of the whole reply on the wire, record mark included over TCP */
};

/* 0, or a negative errno with ERROR set. */
int made_call_open(struct made_call *made, const struct made_call_request *request,
                   struct error *error);

/* Stop the embedded server, if one was started. */
void made_call_close(struct made_call *made);
