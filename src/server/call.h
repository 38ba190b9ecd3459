/* One call as the server's procedures see it, and what they all need: reading handles and names,
 * writing attributes, permissions. */
#ifndef NFSBENCH_SERVER_CALL_H
#define NFSBENCH_SERVER_CALL_H

#include <sys/socket.h>

#include "nfs3.h" /* for the protocol's constants; the encoding is the server's own */
#include "rpc/message.h"
#include "server/tree.h"

enum {
    CALL_READ_MAXIMUM_STREAM = 1 << 20,    /* bytes in a READ, over TCP */
    CALL_READ_MAXIMUM_DATAGRAM = 32 << 10, /* and over UDP, where a datagram must hold it */
    CALL_HANDLE_SIZE = 20,
    CALL_HANDLE_MAXIMUM = 64,
    CALL_ATTRIBUTES_SIZE = 84, /* of a fattr3 */
};

struct mounts;

struct caller {
    uint32_t uid, gid;
    uint32_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    uint32_t gid_count;
};

struct call {
    struct wire_reader arguments;
    struct wire_writer results;
    struct tree *tree;
    struct mounts *mounts;
    struct caller caller;
    const struct sockaddr_storage *peer;
    uint32_t read_maximum; /* bytes in a READ on this transport */
    uint64_t cost_ns;      /* to spend once the arguments are decoded */
};

/* A procedure: reads the arguments, writes the results. RPC_OUTCOME_SUCCESS, or
 * RPC_OUTCOME_GARBAGE_ARGS for arguments that can't be decoded (what it wrote is then dropped). */
typedef enum rpc_outcome (*call_procedure)(struct call *call);

/* The arguments are all read: are they whole, with nothing behind them? When they are, the injected
 * cost is spent here, between decoding and encoding. */
bool call_decoded(struct call *call);

/* A handle in the arguments. The node, or NULL with *STATUS set (BADHANDLE, STALE). */
struct tree_node *call_get_node(struct call *call, nfsstat3 *status);

/* The same of one that must be a directory (NOTDIR). */
struct tree_node *call_get_directory(struct call *call, nfsstat3 *status);

/* What the caller may do with NODE, as permission bits of one class: 4 read, 2 write, 1 execute or
 * search. The superuser may always. */
uint32_t call_permissions(const struct call *call, const struct tree_node *node);

/* Does NODE belong to the caller? READ and WRITE let the owner in whatever the mode says, as RFC
 * 1813 section 4.4 recommends: an open file stays usable after its mode is changed. */
bool call_by_owner(const struct call *call, const struct tree_node *node);

/* Write NODE's handle, as an nfs_fh3. */
void call_put_handle(struct wire_writer *writer, const struct tree_node *node);

/* Write NODE's fattr3, or a post_op_attr that holds it (NULL: none). */
void call_put_attributes(struct wire_writer *writer, const struct tree_node *node);
void call_put_post_op(struct wire_writer *writer, const struct tree_node *node);

/* Write the result of a procedure that failed and has a post_op_attr to show. */
enum rpc_outcome call_fail(struct call *call, nfsstat3 status, const struct tree_node *node);

#endif
