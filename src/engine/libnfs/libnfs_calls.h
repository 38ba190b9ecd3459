/* libnfs's asynchronous RPC calls of all procedures behind one function. No file can include the
 * headers of both libnfs and libtirpc, because they define the same names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rpc/credential.h"

struct guard;
struct rpc_context; /* connection of libnfs */

struct libnfs_reply {
    bool answered;     /* true: a result came; false: the call was refused or the connection lost */
    const char *words; /* libnfs's message if there is no result; may be NULL */
    /* Members of the result. STATUS is 0 if the result has no status. Only READ and WRITE set
     * COUNT. Only READ sets the end-of-file flag ENDED and LENGTH bytes of DATA, which are valid
     * during the callback. */
    uint32_t status, count, length;
    bool ended;
    char *data;
};

struct libnfs_procedure;

/* A call in flight. Its address must not change until libnfs has called TAKE. */
struct libnfs_call {
    const struct libnfs_procedure *procedure;
    void (*take)(struct libnfs_call *call, const struct libnfs_reply *reply);
};

/* Return the entry of procedure NUMBER; NULL if libnfs can't call this procedure. */
const struct libnfs_procedure *libnfs_procedure_find(uint32_t program, uint32_t version,
                                                     uint32_t number);

struct libnfs_arguments;

/* Allocate space for the arguments of any procedure. Returns NULL if out of memory. */
struct libnfs_arguments *libnfs_arguments_new(void);
void libnfs_arguments_free(struct libnfs_arguments *arguments);

/* Decode PROCEDURE's arguments from LENGTH BYTES of XDR, which must stay valid as long as ARGUMENTS
 * are used. Returns 0 or -EBADMSG. */
int libnfs_arguments_decode(struct libnfs_arguments *arguments,
                            const struct libnfs_procedure *procedure, const uint8_t *bytes,
                            size_t length);

/* Begin to connect over TCP to PORT of the address HOST. *STATE, which must outlive the connection,
 * becomes 1 when connected, -1 after a failure. Returns NULL if connecting fails at once. Several
 * threads may call this. */
struct rpc_context *libnfs_connect(const char *host, int port, int *state);

/* Close CONNECTION. Each call in flight is passed to its TAKE with a reply that is not ANSWERED. */
void libnfs_close(struct rpc_context *connection);

/* Set the credential of later calls. Returns 0 or -ENOMEM. */
int libnfs_set_identity(struct rpc_context *connection, const struct identity *identity);

/* Add CALL with XID and ARGUMENTS. libnfs_service() will send CALL. Returns 0 or -ENOMEM. */
int libnfs_issue(struct rpc_context *connection, uint32_t xid, struct libnfs_call *call,
                 const struct libnfs_arguments *arguments);

/* Return CONNECTION's descriptor, and the events to wait for, for poll(). */
int libnfs_fd(struct rpc_context *connection);
short libnfs_events(struct rpc_context *connection);

/* Send calls and receive replies, as poll()'s REVENTS allow. GUARD checks the replies. Returns 0,
 * or -ECONNRESET if the connection can't be used any more. */
int libnfs_service(struct rpc_context *connection, struct guard *guard, short revents);

const char *libnfs_error(struct rpc_context *connection);
