/* libnfs's asynchronous RPC calls of all procedures behind one function. No file can include both
 * libnfs's headers and libtirpc's, as they define the same names. This part knows libnfs and its
 * NFS types, and no engine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rpc/credential.h"

struct guard;
struct rpc_context; /* libnfs's connection */

/* The outcome of a call. */
struct libnfs_reply {
    bool answered;     /* a result came; else the server refused, or the connection was lost */
    const char *words; /* libnfs's message where no result came; may be NULL */
    /* From the result: the status that it begins with (0 where it has none), the number of bytes
     * that READ or WRITE returned, and of a READ whether the file ends there, and the data, which
     * are valid during the callback. */
    uint32_t status, count, length;
    bool ended;
    char *data;
};

struct libnfs_procedure;

/* A call in flight. libnfs keeps its address until TAKE has been called. */
struct libnfs_call {
    const struct libnfs_procedure *procedure;
    void (*take)(struct libnfs_call *call, const struct libnfs_reply *reply);
};

/* How libnfs makes a call of the procedure; NULL if it has no way to. */
const struct libnfs_procedure *libnfs_procedure_find(uint32_t program, uint32_t version,
                                                     uint32_t number);

/* Arguments as libnfs takes them. */
struct libnfs_arguments;

/* Allocate space for any procedure's arguments. NULL: out of memory. */
struct libnfs_arguments *libnfs_arguments_new(void);
void libnfs_arguments_free(struct libnfs_arguments *arguments);

/* Have libnfs decode PROCEDURE's arguments from LENGTH bytes of XDR at BYTES, which must stay valid
 * as long as the arguments are used. Returns 0 or -EBADMSG. */
int libnfs_arguments_decode(struct libnfs_arguments *arguments,
                            const struct libnfs_procedure *procedure, const uint8_t *bytes,
                            size_t length);

/* Begin to connect over TCP to HOST (an address). *STATE becomes 1 when connected, or -1. Returns
 * NULL when it failed at once. May be called by several threads at the same time. */
struct rpc_context *libnfs_connect(const char *host, int port, int *state);

/* Close it. Its calls in flight are delivered as not answered. */
void libnfs_close(struct rpc_context *connection);

/* Set the calls' credential. Returns 0 or -ENOMEM. */
int libnfs_set_identity(struct rpc_context *connection, const struct identity *identity);

/* Add CALL with XID, to be sent by the next libnfs_service(). Returns 0 or -ENOMEM. */
int libnfs_issue(struct rpc_context *connection, uint32_t xid, struct libnfs_call *call,
                 const struct libnfs_arguments *arguments);

/* The descriptor and the events for poll(). */
int libnfs_fd(struct rpc_context *connection);
short libnfs_events(struct rpc_context *connection);

/* Do what poll()'s REVENTS allow: send calls, take replies, which GUARD checks. Returns 0, or
 * -ECONNRESET when the connection is unusable. */
int libnfs_service(struct rpc_context *connection, struct guard *guard, short revents);

/* libnfs's message for its last error. */
const char *libnfs_error(struct rpc_context *connection);
