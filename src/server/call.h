/* A call as the server's procedures see it, and what they share: reading handles, writing
 * attributes, checking permissions. */
#pragma once

#include <sys/socket.h>

#include "nfs3.h" /* for the protocol's constants; the encoding is the server's own */
#include "rpc/message.h"
#include "server/gather.h"
#include "server/habit.h"
#include "server/policy.h"
#include "server/tree.h"

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

struct call {
    struct wire_reader arguments;
    struct wire_writer results;
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
    habit_turn *locks;     /* of objects, by the last bits of their numbers */
    struct habit_memory *memory;
};

enum { CALL_LOCKS = 256 };

/* A procedure: reads the arguments and writes the results. RPC_OUTCOME_SUCCESS, or
 * RPC_OUTCOME_GARBAGE_ARGS for arguments that can't be decoded (the results are then discarded). */
typedef enum rpc_outcome (*call_procedure)(struct call *call);

/* A procedure, and its properties that matter before it is called. */
struct procedure {
    call_procedure serve; /* NULL: there is none */
    bool changes;         /* it changes the tree or the mounts, and needs exclusive access */
    bool remembered; /* it is not idempotent: a repeated request gets the reply to the first one */
    uint8_t failure_words; /* words of zeros (no attributes) that follow the status on failure */
};

/* Were all arguments complete, with nothing after them? */
bool call_decoded(const struct call *call);

/* Read a handle from the arguments. Returns the node, or NULL with *STATUS set (BADHANDLE, STALE).
 */
struct tree_node *call_get_node(struct call *call, nfsstat3 *status);

/* The same for a handle that must be a directory's (NOTDIR). */
struct tree_node *call_get_directory(struct call *call, nfsstat3 *status);

/* Is it a regular file? NFS3_OK; ISDIR for a directory (of the two errors that RFC 1813 allows,
 * knfsd and other servers return this one); INVAL for other types. */
nfsstat3 call_check_file(const struct tree_node *node);

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

/* An object's attributes before a procedure changed it: the first part of its weak cache
 * consistency data (RFC 1813 section 2.6, wcc_data). */
struct call_before {
    struct tree_node *node; /* NULL: none */
    uint64_t size, modified, changed;
};

struct call_before call_remember(struct tree_node *node);

/* Write a wcc_data: the attributes of BEFORE's node, before and now. */
void call_put_wcc(struct call *call, const struct call_before *before);

/* Begin the result of a procedure on NODE (NULL: there is none) that has read all its arguments:
 * STATUS and NODE's attributes. True if more is to be written. Otherwise the result is complete,
 * because STATUS is an error, or the arguments can't be decoded. *OUTCOME is the call's. */
bool call_begin(struct call *call, const struct tree_node *node, nfsstat3 status,
                enum rpc_outcome *outcome);

/* Write the result of a procedure that failed and has a post_op_attr, or a wcc_data, to show. */
enum rpc_outcome call_fail(struct call *call, nfsstat3 status, const struct tree_node *node);
enum rpc_outcome call_fail_wcc(struct call *call, nfsstat3 status,
                               const struct call_before *before);
