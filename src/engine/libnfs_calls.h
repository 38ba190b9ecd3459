/* libnfs's asynchronous RPC calls, all behind one: its headers and libtirpc's name the same things,
 * so no file can include both. Knows libnfs and its NFS, and no engine. */
#ifndef NFSBENCH_ENGINE_LIBNFS_CALLS_H
#define NFSBENCH_ENGINE_LIBNFS_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rpc_context; /* libnfs's connection */

/* What became of a call. */
struct libnfs_reply {
    bool answered;     /* by a result; else the server refused, or the connection was lost */
    const char *words; /* libnfs's for it, where it was not answered; may be NULL */
    /* Of the result: the status that it begins with (0 where it has none), the bytes that READ or
     * WRITE says there were, and the data that READ brought, valid during the callback. */
    uint32_t status, count, length;
    char *data;
};

struct libnfs_procedure;

/* A call in flight. libnfs has its address until TAKE was called. */
struct libnfs_call {
    const struct libnfs_procedure *procedure;
    void (*take)(struct libnfs_call *call, const struct libnfs_reply *reply);
};

/* How libnfs makes a call of the procedure, or NULL where it can't. */
const struct libnfs_procedure *libnfs_procedure_find(uint32_t program, uint32_t version,
                                                     uint32_t number);

/* Arguments as libnfs takes them. */
struct libnfs_arguments;

/* Room for any procedure's; NULL: out of memory. */
struct libnfs_arguments *libnfs_arguments_new(void);
void libnfs_arguments_free(struct libnfs_arguments *arguments);

/* Have libnfs decode PROCEDURE's from BYTES, LENGTH bytes of XDR that must stay as long as they are
 * used. 0 or -EBADMSG. */
int libnfs_arguments_decode(struct libnfs_arguments *arguments,
                            const struct libnfs_procedure *procedure, const uint8_t *bytes,
                            size_t length);

/* Begin to connect over TCP to HOST (an address). *STATE is set to 1 when connected, or to -1. NULL
 * when it failed at once. Threads may do so at the same time. */
struct rpc_context *libnfs_connect(const char *host, int port, int *state);

/* Close it; calls in flight are taken as not answered. */
void libnfs_close(struct rpc_context *connection);

/* Who the calls come from: AUTH_SYS, or AUTH_NONE where MACHINE is NULL. 0 or -ENOMEM. */
int libnfs_set_identity(struct rpc_context *connection, const char *machine, uint32_t uid,
                        uint32_t gid, uint32_t gid_count, const uint32_t *gids);

/* Put CALL in, to be sent by the next libnfs_service(). 0 or -ENOMEM. */
int libnfs_issue(struct rpc_context *connection, struct libnfs_call *call,
                 const struct libnfs_arguments *arguments);

/* For poll(). */
int libnfs_fd(struct rpc_context *connection);
short libnfs_events(struct rpc_context *connection);

/* Do what poll()'s REVENTS allow: send calls, take replies. 0, or -ECONNRESET: it can't go on. */
int libnfs_service(struct rpc_context *connection, short revents);

/* What libnfs said last went wrong. */
const char *libnfs_error(struct rpc_context *connection);

#endif
