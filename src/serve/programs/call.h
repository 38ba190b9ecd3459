/* A call as the server's procedures see it, and what they share: reading handles, writing
 * attributes, checking permissions. */
#pragma once

#include <sys/socket.h>

#include "nfs3.h" /* for the protocol's constants; the encoding is the server's own */
#include "rpc/message.h"
#include "serve/export/tree.h"
#include "serve/habit.h"
#include "serve/limits.h"
#include "serve/policy.h"
#include "serve/transport/gather.h"

enum {
    CALL_DATA_MAXIMUM_STREAM = 1 << 20,    /* bytes in a READ or WRITE, over TCP */
    CALL_DATA_MAXIMUM_DATAGRAM = 32 << 10, /* and over UDP, where a datagram must hold it */
    CALL_HANDLE_SIZE = 20,
    CALL_HANDLE_MAXIMUM = 64,
    CALL_ATTRIBUTES_SIZE = 84, /* of a fattr3 */
    CALL_TEXT_MAXIMUM = 4096,  /* of a symbolic link */
    CALL_NOBODY = 65534,       /* user and group of callers who are nobody here */
};

struct mounts;

struct caller {
    uint32_t uid, gid;
    uint32_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    uint32_t gid_count;
};

/* Find the identity in HEADER's credential. False if that is malformed, or of another flavor than
 * AUTH_SYS and AUTH_NONE. */
bool caller_read(const struct rpc_call_header *header, struct caller *caller);

/* A caller whom the export does not trust becomes nobody. */
void caller_squash(struct caller *caller, enum policy_squash how);

/* An object's attributes before a procedure changed it: the first part of its weak cache
 * consistency data (RFC 1813 section 2.6, wcc_data). */
struct call_before {
    struct tree_node *node; /* NULL: none */
    uint64_t size, modified, changed;
};

/* What the handle with which the arguments begin must be: anything; a regular file (ISDIR for a
 * directory: of the two errors that RFC 1813 allows, knfsd and other servers return this one; INVAL
 * for other types); a symbolic link (INVAL); a directory (NOTDIR). */
enum call_object { CALL_NO_OBJECT, CALL_ANY, CALL_FILE, CALL_SYMLINK, CALL_DIRECTORY };

/* What a result begins with, on failure always and on success mostly: nothing; a status; and after
 * it the object's post_op_attr; a wcc_data; one of each; two wcc_data. */
enum call_head {
    HEAD_NOTHING,
    HEAD_STATUS,
    HEAD_POST_OP,
    HEAD_WCC,
    HEAD_POST_OP_AND_WCC,
    HEAD_TWO_WCC,
};

struct call {
    struct wire_reader arguments;
    struct wire_writer results;
    enum call_head head;
    struct tree_node *node;       /* its object; NULL: there is none */
    nfsstat3 status;              /* of that */
    struct call_before before[2]; /* its object, and another that it changes */
    struct tree *tree;
    struct mounts *mounts;
    struct caller caller;
    const struct sockaddr_storage *peer;
    struct gather
        *gather; /* where READ may add data to be sent without a copy; NULL: it copies them */
    uint32_t data_maximum; /* bytes in a READ or WRITE on this transport */
    bool read_only;        /* the export is */
    unsigned habits;       /* the policy's */
    uint64_t sync_ns;      /* by which the reply is to be delayed, as by a sync; 0 at first */
    struct limits_use use; /* of what the server's limits are for; zeroed at first */
    habit_turn *locks;     /* of objects, by the last bits of their numbers */
    struct habit_memory *memory;
    enum fault fault;        /* that this call has */
    struct fault_kept *kept; /* of an earlier one */
};

enum { CALL_LOCKS = 256 };

/* A procedure, and its properties that matter before it is called. */
struct procedure {
    /* Read the rest of the arguments and, if call_ready() then allows it, do what they ask for.
     * Returns NFS3_OK with the results written, where there are more than their head; or an error,
     * and nothing that was written counts. */
    nfsstat3 (*serve)(struct call *call);
    enum call_object object;
    enum call_head head;
    bool changes;    /* it changes the tree or the mounts, and needs exclusive access */
    bool remembered; /* it is not idempotent: a repeated request gets the reply to the first one */
};

/* Serve CALL, which is at the arguments, by PROCEDURE. RPC_OUTCOME_SUCCESS, or
 * RPC_OUTCOME_GARBAGE_ARGS for arguments that can't be decoded (the results are then discarded). */
enum rpc_outcome call_serve(struct call *call, const struct procedure *procedure);

/* All arguments were read: NFS3_OK if they were complete, with nothing after them, and the object
 * is one that the procedure takes. */
nfsstat3 call_ready(const struct call *call);

/* Begin the results of a procedure that succeeds, and has more to write. */
void call_put_head(struct call *call);

/* Read a handle from the arguments. Returns the node, or NULL with *STATUS set (BADHANDLE, STALE).
 */
struct tree_node *call_get_node(struct call *call, nfsstat3 *status);

/* Is NODE such an OBJECT? NFS3_OK, or the error for it. */
nfsstat3 call_check_type(const struct tree_node *node, enum call_object object);

/* What the caller may do with NODE, as permission bits of one class: 4 read, 2 write, 1 execute or
 * search. The superuser may do everything. */
uint32_t call_permissions(const struct call *call, const struct tree_node *node);

/* Does NODE belong to the caller? READ and WRITE allow the owner regardless of the mode, as RFC
 * 1813 section 4.4 recommends, so that an open file stays usable after its mode was changed. */
bool call_by_owner(const struct call *call, const struct tree_node *node);

/* Is the caller the superuser, or in group GID? */
bool call_by_superuser(const struct call *call);
bool call_in_group(const struct call *call, uint32_t gid);

/* May the caller write NODE's data (ACCES), and is the export writable (ROFS)? */
nfsstat3 call_check_writable(const struct call *call, const struct tree_node *node);

/* Write NODE's handle, as an nfs_fh3. */
void call_put_handle(struct wire_writer *writer, const struct tree_node *node);

/* Write NODE's fattr3, or a post_op_attr that holds it (NULL: none). */
void call_put_attributes(struct wire_writer *writer, const struct tree_node *node);
void call_put_post_op(struct call *call, const struct tree_node *node);

/* The attributes of NODE, which may be NULL, now. */
struct call_before call_remember(struct tree_node *node);

/* Write a wcc_data: the attributes of BEFORE's node, before and now. */
void call_put_wcc(struct call *call, const struct call_before *before);
