/* The table of procedures. To add a procedure, add its entry and the functions that the entry names
 * to one of the procedures_*.c. */
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
    NFS_DIRECTORY_REPLY_SIZE = 8192, /* requested size of a READDIR or READDIRPLUS reply, bytes */
    /* READDIRPLUS's dircount: number of bytes for fileids, names and cookies */
    NFS_DIRECTORY_NAMES_SIZE = 2048,
};

/* The RPC service of a call. Each service has separate connections. NFS_ACL uses those of NFS. */
enum service_kind { SERVICE_NFS, SERVICE_MOUNT, SERVICE_PORTMAP, SERVICES };

/* Direction in which calls transfer data whose length the user chooses; NONE without such data. */
enum nfs_transfer { NFS_TRANSFER_NONE, NFS_TRANSFER_READ, NFS_TRANSFER_WRITE };

/* The kind of place (struct nfs_place) that a procedure's calls are spread over
 * (nfs/objects/working_set.h). */
enum nfs_places_kind {
    NFS_PLACES_NONE,
    NFS_PLACES_FILES,       /* arguments begin with the handle of a file */
    NFS_PLACES_NAMES,       /* arguments begin with a directory's handle and a name in it */
    NFS_PLACES_RANGES,      /* arguments begin with the handle of a file and an offset */
    NFS_PLACES_SYMLINKS,    /* arguments begin with the handle of a symbolic link */
    NFS_PLACES_DIRECTORIES, /* arguments begin with the handle of a directory */
};

/* The object, of struct nfs_objects, to which a procedure's calls are applied. */
enum nfs_object {
    NFS_OBJECT_NONE,
    NFS_OBJECT_ROOT,      /* the export's root */
    NFS_OBJECT_ANY,       /* the file, or the directory if there is no file */
    NFS_OBJECT_FILE,      /* a regular file */
    NFS_OBJECT_DIRECTORY, /* the directory of the file, or the target if there is no file */
    NFS_OBJECT_TARGET,    /* the target, or its directory if the target is a file */
    NFS_OBJECT_NAME,      /* the name of the file in its directory */
    NFS_OBJECT_SYMLINK,
    NFS_OBJECT_SCRATCH,      /* the scratch directory (nfs/objects/scratch.h), or names in it */
    NFS_OBJECT_SCRATCH_FILE, /* the file NFS_SCRATCH_FILE in the scratch directory */
};

/* Maximum number of bytes in a READ and in a WRITE (FSINFO's rtmax and wtmax); 0 if unknown. */
struct nfs_size_limits {
    uint32_t reads, writes;
};

/* What READs request and must return. OFFSET is that of the first place, unless there is a file
 * set. */
struct nfs_read_plan {
    uint64_t offset;
    uint32_t count; /* number of requested bytes */
    /* Number of bytes that a READ must return: COUNT in files that the run made, else the number
     * that READs returned at set-up. Captured lengths (struct nfs_visits) are accepted, too. */
    uint32_t expected;
    bool is_short; /* EXPECTED is less than COUNT although the file has more data */
    bool to_end;   /* READs return COUNT bytes, or fewer at the end of a file; EXPECTED is unused */
    /* With --verify, if all READs have the same place: the data of this place, from an untimed READ
     * or as written to the scratch file. Else NULL. */
    uint8_t *data;
};

/* Length in bytes of the range that each COMMIT of a block has in the file NFS_SCRATCH_COMMIT_FILE,
 * unless COMMITs are spread over places. */
enum { NFS_COMMIT_RANGE = 4096 };

/* The data of each WRITE, unless the calls are verified (nfs/verify/verify.h). */
struct nfs_write_plan {
    uint32_t count; /* number of bytes in DATA; the length of a WRITE whose place has no length */
    /* Number of bytes that the server must accept in a WRITE: COUNT or, if all WRITEs at set-up
     * were short, the number that it accepted then. Captured lengths are accepted, too. */
    uint32_t expected;
    uint8_t *data;
};

/* State of all verified calls of a run. A pass is one block of verified calls other than READs. */
struct nfs_passes {
    /* Number of the latest pass. It starts at 1, the pass of the data that set-up wrote. */
    uint32_t latest;
    uint32_t files; /* number of verified WRITE ops so far; the next op's file has this number */
};

/* The latest write verifier of the server. If it changes, the server has restarted, and unstable
 * data must be written again (RFC 1813 section 3.3.7). Several threads may update this structure.
 * CHANGES and RESENT are read only when no thread makes calls. */
struct nfs_verifier {
    atomic_bool known;
    _Atomic uint64_t value; /* the 8 bytes of the verifier */
    uint64_t changes;       /* number of times that VALUE changed */
    uint64_t resent;        /* value of CHANGES when lost data, if any, were last written again */
};

struct nfs_file_set;
struct nfs_visits;

/* Limit on the files that are used, from the first one on: the sum of their bytes, and their
 * number. 0: no limit. */
struct nfs_extent {
    uint64_t bytes, files;
};

/* The working set: the part of the files over which calls are spread, and the calls' order. */
struct nfs_working_set {
    struct pattern pattern;
    bool chosen; /* the user chose the pattern; false: it is the default */
    bool once;   /* each place is used once before any is used again */
    struct nfs_extent extent;
    uint64_t seed;
    /* How calls are distributed over the run's file set instead of by PATTERN
     * (nfs/objects/visits.h); NULL if PATTERN applies. */
    const struct nfs_visits *visits;
};

/* The test objects of a run: for each that was found, its handle, and its path for messages. */
struct nfs_objects {
    const char *export; /* path of the export */
    struct nfs_handle root, directory, file, symlink;
    /* The target, or its directory if the target is a file. A scratch directory is made here. */
    struct nfs_handle base;
    struct nfs_handle scratch, scratch_file, scratch_commit_file, scratch_lease;
    char scratch_name[NFS_NAME_SIZE]; /* name of the scratch directory; empty if there is none */
    /* fileid of the scratch directory, and fsid of its file system */
    uint64_t scratch_id, scratch_fsid;
    /* Random time, in seconds. MKDIR sets it as the scratch directory's time of last change,
     * unless the server rejects it (nfs_mkdir_stamped()). */
    uint32_t scratch_stamp;
    uint64_t scratch_nonce; /* nonce of the scratch directory's lease (nfs/objects/lease.h) */
    struct nfs_working_set working_set;
    unsigned width;        /* maximum number of calls in flight in a walk; 0 stands for 1 */
    uint64_t traversal_ns; /* time limit of an op that lists a directory or tree; 0: the default */
    /* Files that calls are spread over (nfs/objects/file_set.h); NULL if there is no file set. */
    struct nfs_file_set *files;
    bool has_file, has_symlink, scratch_has_symlink;
    char name[NFS_NAME_SIZE]; /* name of the file in the directory; "." if there is no file */
    char directory_path[NFS_PATH_SIZE], file_path[NFS_PATH_SIZE], symlink_path[NFS_PATH_SIZE];
    char base_path[NFS_PATH_SIZE], scratch_path[NFS_PATH_SIZE], scratch_file_path[NFS_PATH_SIZE];
    uint64_t file_size;
    uint64_t file_id; /* fileid3 of the file */
    struct nfs_size_limits limits;
    struct nfs_read_plan read;
    struct nfs_write_plan write;
    /* verifier of WRITE and COMMIT replies; NULL without a scratch directory */
    struct nfs_verifier *verifier;
    struct nfs_passes *passes; /* passes of verified calls; NULL if calls are not verified */
};

/* The place of a call: the object, and the range of its bytes, that the call is applied to. FILE is
 * the index of an object in the file set; 0 without a file set. OFFSET and LENGTH are in bytes.
 * LENGTH 0 stands for the length of the run's READs or WRITEs. */
struct nfs_place {
    uint32_t file, length;
    uint64_t offset;
};

/* Properties in which a block's calls differ: the call's number, and its names or its place. */
struct nfs_variant {
    unsigned index;
    char name[NFS_VARIANT_NAME_SIZE], new_name[NFS_VARIANT_NAME_SIZE];
    bool placed; /* calls have drawn places, and PLACE is this call's */
    struct nfs_place place;
    /* The members below are used only if calls are verified (nfs/verify/verify.h). */
    /* pass of the call's block (struct nfs_passes); 0: a READ, or a call that is not verified */
    uint32_t pass;
    /* file made for the SETATTRs with this INDEX, or for all WRITEs of the op; NULL if none */
    const struct nfs_handle *own;
};

#define NFS_EACH_PROCEDURE(X) RPC_EACH_NFS_PROCEDURE(X) X(getacl, GETACL) X(setacl, SETACL)

#define NFS_ARGUMENTS(lower, UPPER) UPPER##3args lower;
#define NFS_RESULT(lower, UPPER)    UPPER##3res lower;

union nfs_arguments {
    nfs_fh3 object;   /* any arguments that begin with a handle */
    diropargs3 entry; /* any arguments that begin with a handle and a name */
    NFS_EACH_PROCEDURE(NFS_ARGUMENTS)
    dirpath mount_path;
};

union nfs_result {
    nfsstat3 status; /* first member of every NFS result except NULL's */
    NFS_EACH_PROCEDURE(NFS_RESULT)
    mountres3 mnt;
    mountlist dump;
    exports export;
};

struct nfs_procedure {
    const char *op; /* name on the command line and in results */
    struct rpc_procedure rpc;
    enum service_kind service;
    enum nfs_object object;
    enum nfs_transfer transfer;
    /* The op's results are also a point of the cost model, because its calls differ from the
     * model's calls only in length. */
    bool fits_cost_model;
    /* the op changes the export, or tries to: its objects are in the scratch directory */
    bool changes;
    bool varies;       /* without places, each call of a block has a different name or range */
    bool has_verifier; /* CHECK compares the write verifier with that of earlier replies */
    enum nfs_places_kind places; /* kind of the places that the op's calls are spread over */
    /* The op is in no group of ops, so it is called only if it is named. */
    bool by_name_only;
    /* The op is a system call that takes two RPCs; the member `rpc` is one of them. The op is
     * measured only through a mount (doc/MOUNTED.md). */
    bool on_mount_only;
    /* How the op makes several calls (nfs/procedures/entry.h); NULL if it is one call. */
    const struct engine_sequence *sequence;
    /* CHECK reads the result from its beginning, because it does not begin with an nfsstat3.
     * Ignored if CHECK is NULL. */
    bool without_status;
    /* Status with which the op's calls are expected to fail; CHECK reads a result with this status.
     * 0 if the calls are expected to succeed. */
    int refusal;
    /* Set the arguments that nfs_arguments_set() does not set itself. NULL if there are none. */
    void (*arguments)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                      union nfs_arguments *arguments);
    /* Read the expected result, from just after its nfsstat3 to its end, and mark READER as failed
     * if the result is malformed. Returns 0, a finding of nfs/status.h or, for MNT, its mountstat3
     * plus NFS_MOUNT_STATUS. NULL if the result is empty and has no status. */
    int (*check)(struct wire_reader *reader, const struct nfs_objects *objects);
    /* Check a successful result that an engine's library has decoded. Returns as CHECK does, but
     * may check less. NULL if only the status is checked. */
    int (*check_decoded)(const union nfs_result *result, const struct nfs_objects *objects);
    /* prepare() makes the objects or data that a call of VARIANT needs. clear() removes the objects
     * that the call left, or writes lost data again. NULL: nothing to do. Both return 0, or a
     * negative errno with ERROR set. */
    int (*prepare)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                   struct rpc_client *client, struct error *error);
    int (*clear)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                 struct rpc_client *client, struct error *error);
    /* With --verify: check whether the call of VARIANT with ARGUMENTS had its effect. Called before
     * clear(). Returns 0, -NFS_NOT_AS_WRITTEN or another negative errno, with ERROR set. NULL if
     * there is no effect, if none is checked (SETACL), or if nfs/verify checks it (WRITE). */
    int (*verify)(const struct nfs_objects *objects, const struct nfs_variant *variant,
                  const union nfs_arguments *arguments, struct rpc_client *client,
                  struct error *error);
    bool renewed; /* verified calls differ from block to block, so each block is encoded anew */
};

/* Return procedure INDEX of the table, from 0 on; NULL after the last. */
const struct nfs_procedure *nfs_procedure_at(size_t index);

const struct nfs_procedure *nfs_procedure_find(const char *op);

/* Return the first op of the table that makes the same RPC as PROCEDURE, is expected to succeed,
 * and has a CHECK; PROCEDURE if there is none. */
const struct nfs_procedure *nfs_procedure_succeeding(const struct nfs_procedure *procedure);

/* Return the first op whose calls are expected to fail with STATUS and that makes the same RPC as
 * PROCEDURE; PROCEDURE if there is none. */
const struct nfs_procedure *nfs_procedure_refused(const struct nfs_procedure *procedure,
                                                  int status);

/* Set the ARGUMENTS, which are zeroed, of a call of PROCEDURE on OBJECTS. The handle is that of the
 * first of these that exists: VARIANT's `own` file, VARIANT's place, PROCEDURE's object. A name in
 * the scratch directory is VARIANT's or, if the call is expected to fail with NFS3ERR_EXIST, the
 * scratch file's. PROCEDURE's `arguments` sets all other arguments, and may replace these. */
void nfs_arguments_set(const struct nfs_procedure *procedure, const struct nfs_objects *objects,
                       const struct nfs_variant *variant, union nfs_arguments *arguments);
