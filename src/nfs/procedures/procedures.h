/* The table of procedures: everything the harness knows about each of them. A procedure is added by
 * adding its entry and the functions it names (its arguments, the walk over its result) in one of
 * the procedures_*.c; nothing else asks which procedure it is. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include "common/pattern.h"
#include "engine/channel/rpc_client.h"
#include "engine/procedure.h"
#include "engine/sequence.h"
#include "mount3.h"
#include "nfs/procedures/items.h"
#include "nfs3.h"
#include "nfs_acl.h"
#include "rpc/procedures.h"
#include "rpc/wire.h"

enum { NFS_NAME_SIZE = 256, NFS_PATH_SIZE = 1200, NFS_VARIANT_NAME_SIZE = 40 };

enum {
    NFS_DIRECTORY_REPLY_SIZE = 8192, /* what READDIR and READDIRPLUS ask for, in bytes */
    NFS_DIRECTORY_NAMES_SIZE = 2048, /* READDIRPLUS: of that, names and cookies */
};

/* The RPC service that calls go to; each has connections of its own. NFS_ACL's program answers on
 * NFS's port. */
enum service_kind { SERVICE_NFS, SERVICE_MOUNT, SERVICE_PORTMAP, SERVICES };

/* Which message carries data whose length the user chooses. */
enum nfs_transfer { NFS_TRANSFER_NONE, NFS_TRANSFER_READ, NFS_TRANSFER_WRITE };

/* What the places are that a procedure's calls are spread over (nfs/objects/working_set.h). */
enum nfs_places_kind {
    NFS_PLACES_NONE,
    NFS_PLACES_FILES,       /* its arguments begin with the handle of a file */
    NFS_PLACES_NAMES,       /* with a directory's handle and a name in it */
    NFS_PLACES_RANGES,      /* with the handle of a file and an offset in it */
    NFS_PLACES_SYMLINKS,    /* with the handle of a symbolic link */
    NFS_PLACES_DIRECTORIES, /* with the handle of a directory */
};

/* The object of a procedure. */
enum nfs_object {
    NFS_OBJECT_NONE,
    NFS_OBJECT_ROOT,      /* the export's root */
    NFS_OBJECT_ANY,       /* the file, or the directory where there is no file */
    NFS_OBJECT_FILE,      /* a regular file */
    NFS_OBJECT_DIRECTORY, /* the directory that holds it */
    NFS_OBJECT_TARGET,    /* the target, or the directory that holds it where it is a file */
    NFS_OBJECT_NAME,      /* a name in that directory */
    NFS_OBJECT_SYMLINK,
    NFS_OBJECT_SCRATCH,      /* the scratch directory (nfs/objects/scratch.h), or names in it */
    NFS_OBJECT_SCRATCH_FILE, /* the file in it */
};

/* The most bytes that a server takes in a READ and in a WRITE (FSINFO's rtmax and wtmax); 0: it
 * does not say. */
struct nfs_size_limits {
    uint32_t reads, writes;
};

/* What READ requests and must return. */
struct nfs_read_plan {
    uint64_t offset;
    uint32_t count;    /* requested */
    uint32_t expected; /* what the first READ returned, and every other must return */
    bool is_short;     /* EXPECTED is less than was requested, and than the file has */
    bool to_end;       /* instead: as much as requested, or what is left of the file */
    uint8_t *data;     /* with --verify, where all READs have one place: the bytes of an untimed
                        * READ of it, to compare with; else NULL */
};

/* Bytes that each call of a block of COMMITs has of its own, unless it has a place. */
enum { NFS_COMMIT_RANGE = 4096 };

/* What WRITE writes to the scratch file, unless it is verified (nfs/verify/verify.h). */
struct nfs_write_plan {
    uint32_t count;    /* bytes, from the file's beginning */
    uint32_t expected; /* of these, how many the server takes in each WRITE: all, or as many as in
                        * the first WRITE */
    uint8_t *data;
};

/* What the verified calls of a run have in common. */
struct nfs_passes {
    uint32_t latest; /* the number of the latest block of verified calls, from 1 on, which their
                      * data state; 1: what set-up wrote */
    uint32_t files;  /* how many files verified WRITEs have made for themselves */
};

/* The latest write verifier of the server. A different one means that the server has restarted, and
 * that unstable data must be written again (RFC 1813 section 3.3.7). Threads that make calls at the
 * same time update it; the counts are read when no thread does. */
struct nfs_verifier {
    atomic_bool known;
    _Atomic uint64_t value; /* its bytes */
    uint64_t changes;       /* how often it changed */
    uint64_t resent;        /* after how many of these data were written again */
};

struct nfs_file_set;
struct nfs_visits;

/* The beginning of the files, laid end to end: so many bytes, or so many files; 0: all. */
struct nfs_extent {
    uint64_t bytes, files;
};

/* Which part of the files the calls are spread over, and how. */
struct nfs_working_set {
    struct pattern pattern;
    bool chosen; /* by the user; else it is the usual one */
    bool once;   /* each place is visited once */
    struct nfs_extent extent;
    uint64_t seed;
    /* Visits (nfs/objects/visits.h) to the file set of the run, instead of the pattern; NULL: none.
     */
    const struct nfs_visits *visits;
};

/* The objects of a run. Each has a handle, if it was found, and its path for messages. */
struct nfs_objects {
    const char *export; /* the path that was mounted */
    struct nfs_handle root, directory, file, symlink;
    struct nfs_handle base; /* the target itself, or the directory that contains it: where a scratch
                             * directory may be made */
    struct nfs_handle scratch, scratch_file, scratch_commit_file, scratch_lease;
    char scratch_name[NFS_NAME_SIZE];  /* empty: there is none */
    uint64_t scratch_id, scratch_fsid; /* its fileid, and the fsid of its file system */
    uint32_t scratch_stamp;            /* the time of last change that it was made with
                                        * (nfs_mkdir_stamped()) */
    uint64_t scratch_nonce;            /* of the lease in it (nfs/objects/lease.h) */
    struct nfs_working_set working_set;
    unsigned width;             /* of a walk: the calls that may be in flight; 0: 1 */
    uint64_t traversal_ns;      /* the longest that an op on whole directories may take; 0: usual */
    struct nfs_file_set *files; /* the files that calls on a file are spread over
                                 * (nfs/objects/working_set.h); or NULL */
    bool has_file, has_symlink, scratch_has_symlink;
    char name[NFS_NAME_SIZE]; /* of the file (or of what there is) in the directory */
    char directory_path[NFS_PATH_SIZE], file_path[NFS_PATH_SIZE], symlink_path[NFS_PATH_SIZE];
    char base_path[NFS_PATH_SIZE], scratch_path[NFS_PATH_SIZE], scratch_file_path[NFS_PATH_SIZE];
    uint64_t file_size;
    uint64_t file_id; /* fileid3 */
    struct nfs_size_limits limits;
    struct nfs_read_plan read;
    struct nfs_write_plan write;
    struct nfs_verifier *verifier; /* changed by the checks of WRITE and COMMIT */
    struct nfs_passes *passes;     /* NULL: the calls are not verified */
};

/* A file of the file set (0 where there is none), an offset in it, and of how many bytes it is; 0:
 * of as many as the run's READs or WRITEs. */
struct nfs_place {
    uint32_t file, length;
    uint64_t offset;
};

/* What distinguishes the calls of a block: each has its number in the block, and names of its own,
 * or a place. */
struct nfs_variant {
    unsigned index;
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    bool placed; /* it has a place that was drawn for it */
    struct nfs_place place;
    /* Of verified calls (nfs/verify/verify.h): */
    uint32_t pass;                /* that its data or attributes state; 0: it is not verified */
    const struct nfs_handle *own; /* a file that no other call has; NULL: none */
};

#define NFS_EACH_PROCEDURE(X) RPC_EACH_NFS_PROCEDURE(X) X(getacl, GETACL) X(setacl, SETACL)

#define NFS_ARGUMENTS(lower, UPPER) UPPER##3args lower;
#define NFS_RESULT(lower, UPPER)    UPPER##3res lower;

union nfs_arguments {
    nfs_fh3 object;   /* with which they begin, */
    diropargs3 entry; /* or with this */
    NFS_EACH_PROCEDURE(NFS_ARGUMENTS)
    dirpath mount_path;
};

union nfs_result {
    nfsstat3 status; /* every NFS result but NULL's begins with it */
    NFS_EACH_PROCEDURE(NFS_RESULT)
    mountres3 mnt;
    mountlist dump;
    exports export;
};

struct nfs_procedure {
    const char *op; /* its name on the command line and in results */
    struct rpc_procedure rpc;
    enum service_kind service;
    enum nfs_object object;
    enum nfs_transfer transfer;
    bool fits_cost_model; /* its calls differ from those of the cost model's own series only in
                             length, so they are a point of the model */
    bool changes;         /* it changes the export: its objects are in the scratch directory */
    bool varies;          /* the calls of a block differ: each has its own name or range */
    bool has_verifier;    /* its check compares the write verifier with that of earlier replies */
    enum nfs_places_kind places; /* that its calls are spread over */
    bool by_name_only;  /* no group contains it, because it removes other programs' mounts, belongs
                         * to a protocol beside NFSv3, or is several calls */
    bool on_mount_only; /* a system call of two RPCs, of which this is one; it is no call of its own
                         * (doc/MOUNTED.md) */
    const struct engine_sequence *sequence; /* the op is several calls (nfs/procedures/entry.h);
                                             * NULL: it is one */
    bool without_status;                    /* not a result of NFS: CHECK walks all of it */
    int refusal; /* the status by which its calls are to be refused, and whose result CHECK walks
                    over; 0: they are to succeed */
    /* Fill in the rest of the arguments for OBJECTS (nfs_arguments_fill()). NULL where there is
     * nothing more. */
    void (*arguments)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                      union nfs_arguments *arguments);
    /* Walk over the result that is to come, from after its status to its end, marking READER failed
     * where it is malformed. Returns 0, or what else is wrong with it (nfs/status.h). NULL where
     * the result is empty, without even a status. */
    int (*check)(struct wire_reader *reader, const struct nfs_objects *objects);
    /* The same for a successful result that an engine's own library has decoded, where its status
     * alone is not enough; NULL where it is. */
    int (*check_decoded)(const union nfs_result *result, const struct nfs_objects *objects);
    /* Make what a call of VARIANT needs; remove what it left, or what was left for it. NULL where
     * there is nothing to do. 0, or a negative errno with ERROR set. */
    int (*prepare)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                   struct rpc_client *client, struct error *error);
    int (*clear)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                 struct rpc_client *client, struct error *error);
    /* With --verify: is there what the acknowledged call of VARIANT with ARGUMENTS was to do? It is
     * called before CLEAR. 0, -NFS_NOT_AS_WRITTEN or another negative errno, with ERROR set. NULL
     * where there is nothing to look for. */
    int (*verify)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                  const union nfs_arguments *arguments, struct rpc_client *client,
                  struct error *error);
    bool renewed; /* verified calls differ from block to block, and are encoded anew in each */
};

/* The procedure with that INDEX, from 0 on, or NULL after the last. */
const struct nfs_procedure *nfs_procedure_at(size_t index);

/* The procedure called OP, or NULL. */
const struct nfs_procedure *nfs_procedure_find(const char *op);

/* An op with the same calls as PROCEDURE that is to succeed; PROCEDURE itself if there is none. */
const struct nfs_procedure *nfs_procedure_granted(const struct nfs_procedure *procedure);

/* The op that a call of PROCEDURE is if it is answered by STATUS: one that is to be refused so, or
 * PROCEDURE. */
const struct nfs_procedure *nfs_procedure_refused(const struct nfs_procedure *procedure,
                                                  int status);

/* Fill in the ARGUMENTS (zeroed before) of a call of PROCEDURE on OBJECTS: the handle of its
 * object, or of that which VARIANT's place stands for; in the scratch directory, also the name:
 * VARIANT's, or that of the file there, where a call of it is to be refused; and what PROCEDURE has
 * beside. */
void nfs_arguments_fill(const struct nfs_procedure *procedure, const struct nfs_objects *objects,
                        const struct nfs_variant *variant, union nfs_arguments *arguments);
