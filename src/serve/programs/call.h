/* An NFS, MOUNT or NFS_ACL call in the server, and functions that procedures share: reading
 * handles, writing attributes, checking permissions. */
#pragma once

#include <sys/socket.h>

#include "nfs3.h" /* only for the protocol's constants: the server has its own encoding */
#include "rpc/message.h"
#include "serve/export/tree.h"
#include "serve/habit.h"
#include "serve/limits.h"
#include "serve/policy.h"
#include "serve/transport/gather.h"

enum {
    CALL_DATA_MAXIMUM_STREAM = 1 << 20, /* maximum bytes of data in a READ or WRITE over TCP */
    /* maximum bytes of data in a READ or WRITE over UDP; one datagram must hold the call */
    CALL_DATA_MAXIMUM_DATAGRAM = 32 << 10,
    CALL_HANDLE_SIZE = 20,
    CALL_HANDLE_MAXIMUM = 64,
    CALL_ATTRIBUTES_SIZE = 84, /* bytes of a fattr3 */
    CALL_TEXT_MAXIMUM = 4096,  /* maximum bytes of a symbolic link's text */
    CALL_NOBODY = 65534, /* user and group nobody: of squashed callers, and of callers whose user is
                            not known */
};

struct mounts;

struct caller {
    uint32_t uid, gid;
    uint32_t gids[RPC_AUTH_SYS_GIDS_MAXIMUM];
    uint32_t gid_count;
};

/* Set CALLER to the identity in HEADER's credential: nobody for AUTH_NONE. Returns false if the
 * credential is malformed, or its flavor is neither AUTH_SYS nor AUTH_NONE. */
bool caller_read(const struct rpc_call_header *header, struct caller *caller);

/* Replace CALLER's user and groups by nobody: each that is 0 if HOW is SQUASH_ROOT; all if HOW is
 * SQUASH_ALL, which also removes the supplementary groups. */
void caller_squash(struct caller *caller, enum policy_squash how);

/* An object's attributes before a procedure changed it: the first half of its weak cache
 * consistency data (RFC 1813 section 2.6, wcc_data). */
struct call_before {
    struct tree_node *node; /* the object; NULL: there is none */
    uint64_t size, modified, changed;
};

/* Type of the object whose handle begins the arguments, and the error for another type.
 * CALL_NO_OBJECT: no handle. CALL_ANY: any type. CALL_FILE: a file (INVAL; as with knfsd, ISDIR for
 * a directory). CALL_SYMLINK: a symbolic link (INVAL). CALL_DIRECTORY: a directory (NOTDIR). */
enum call_object { CALL_NO_OBJECT, CALL_ANY, CALL_FILE, CALL_SYMLINK, CALL_DIRECTORY };

/* The first members of a result. They are always written on failure and usually on success. */
enum call_head {
    HEAD_NOTHING,
    HEAD_STATUS,          /* a status */
    HEAD_POST_OP,         /* a status, and the object's post_op_attr */
    HEAD_WCC,             /* a status, and the object's wcc_data */
    HEAD_POST_OP_AND_WCC, /* a status, the object's post_op_attr, the second object's wcc_data */
    HEAD_TWO_WCC,         /* a status, and both objects' wcc_data */
};

struct call {
    struct wire_reader arguments;
    struct wire_writer results;
    enum call_head head;
    struct tree_node *node; /* object of the call; NULL: there is none */
    nfsstat3 status;        /* NFS3_OK, or the error of NODE's handle or type */
    /* attributes before the call: of NODE, and of a second changed object */
    struct call_before before[2];
    struct tree *tree;
    struct mounts *mounts;
    struct caller caller;
    const struct sockaddr_storage *peer;
    /* list of READ data that are sent without a copy; NULL: READ data are copied */
    struct gather *gather;
    uint32_t data_maximum; /* maximum of bytes in a READ or WRITE over this transport */
    bool read_only;        /* the export is read-only */
    unsigned habits;       /* habits of the policy */
    uint64_t sync_ns;      /* delay that habits add to the reply, ns; 0 when the call begins */
    struct limits_use use; /* resources of struct limits that the call uses; zeroed at first */
    habit_free_at *locks;  /* locks of objects; index: the object's number modulo CALL_LOCKS */
    struct habit_memory *memory;
    enum fault fault;        /* fault of this call */
    struct fault_kept *kept; /* WRITE kept for FAULT_LATE, to be carried out again */
};

enum { CALL_LOCKS = 256 };

/* A procedure, and the properties that are needed before it is called. */
struct procedure {
    /* Read the rest of the arguments and, if call_ready() allows it, carry out the call. Returns
     * NFS3_OK, with all results written (none if they consist of the head only); or an error, which
     * discards any written results. */
    nfsstat3 (*serve)(struct call *call);
    enum call_object object;
    enum call_head head;
    bool changes; /* the procedure changes the tree or the mounts, so it needs exclusive access */
    bool remembered; /* a repeated request gets the first reply, and is not carried out again */
};

/* Carry out CALL, whose reader is at its first argument, by PROCEDURE. Returns RPC_OUTCOME_SUCCESS;
 * or RPC_OUTCOME_GARBAGE_ARGS if the arguments can't be decoded; the results are then invalid. */
enum rpc_outcome call_serve(struct call *call, const struct procedure *procedure);

/* Check that all arguments were read. Returns NFS3_OK if they were complete, with nothing after
 * them, and the object exists and has the type that the procedure needs; else an error. */
nfsstat3 call_ready(const struct call *call);

/* Write the first members of a successful result. Call only if more members follow. */
void call_put_head(struct call *call);

/* Read a handle. Returns its node or NULL, and sets *STATUS (NFS3_OK, BADHANDLE or STALE).
 * HABIT_OBJECT_LOCKS may delay the reply. */
struct tree_node *call_get_node(struct call *call, nfsstat3 *status);

/* Has NODE the type OBJECT? Returns NFS3_OK, or the error for a wrong type. */
nfsstat3 call_check_type(const struct tree_node *node, enum call_object object);

/* Return the caller's permissions for NODE, as bits: 4 read, 2 write, 1 execute or search. The
 * superuser has all, but may execute a file only if its mode allows anybody to. */
uint32_t call_permissions(const struct call *call, const struct tree_node *node);

/* Does NODE belong to the caller? READ and WRITE allow the owner regardless of the mode, as RFC
 * 1813 section 4.4 recommends, so that an open file stays usable after its mode was changed. */
bool call_by_owner(const struct call *call, const struct tree_node *node);

bool call_by_superuser(const struct call *call);
bool call_in_group(const struct call *call, uint32_t gid);

/* May the caller write NODE's data? Returns NFS3_OK if the caller has write permission for NODE or
 * owns NODE; else ACCES. If the export is read-only, returns ROFS. */
nfsstat3 call_check_writable(const struct call *call, const struct tree_node *node);

/* Write NODE's handle, as an nfs_fh3. */
void call_put_handle(struct wire_writer *writer, const struct tree_node *node);

/* call_put_attributes() writes NODE's attributes as a fattr3; call_put_post_op(), as a
 * post_op_attr, which is empty if NODE is NULL, or by HABIT_NO_ATTRIBUTES. */
void call_put_attributes(struct wire_writer *writer, const struct tree_node *node);
void call_put_post_op(struct call *call, const struct tree_node *node);

/* Return the present attributes of NODE, which may be NULL. */
struct call_before call_remember(struct tree_node *node);

/* Write a wcc_data of BEFORE's node: its attributes before the call, and its present attributes.
 * Both are left out where call_put_post_op() leaves attributes out. HABIT_OBJECT_LOCKS delays the
 * reply. */
void call_put_wcc(struct call *call, const struct call_before *before);
