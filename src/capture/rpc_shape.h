/* Does it look like an RPC message? A capture begins in the middle of streams, has holes, and holds
 * other traffic: what follows a record mark, or fills a datagram, is a message only if its first
 * words say so. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RPC_SHAPE_SIZE = 20,                 /* bytes that decide; no message is shorter */
    RPC_SHAPE_MESSAGE_MAXIMUM = 1 << 25, /* bytes of a message */
};

/* BYTES: the first RPC_SHAPE_SIZE of a message, LENGTH bytes long, or of which the first fragment
 * is. A call must be of RPC version 2 and of a program around NFS (rpc_shape_program()); a reply,
 * of a form that RFC 5531 section 9 allows. */
bool rpc_shape_fits(const uint8_t bytes[RPC_SHAPE_SIZE], size_t length);

/* The name of a program that clients and servers of NFS use: "nfs", "portmapper"; NULL for any
 * other. */
const char *rpc_shape_program(uint32_t program);
