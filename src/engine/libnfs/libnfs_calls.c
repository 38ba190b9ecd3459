#include "engine/libnfs/libnfs_calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <nfsc/libnfs.h>
/* libnfs.h must come before the headers below, which need it. */
#include <nfsc/libnfs-raw-mount.h>
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs-raw-portmap.h>
#include <nfsc/libnfs-raw.h>

#include "engine/library/guard.h"
#include "rpc/procedures.h"

enum { PORTMAP_PROGRAM = 100000, PORTMAP_VERSION = 2 };

union arguments {
#define MEMBER(lower, UPPER) UPPER##3args lower;
    RPC_EACH_NFS_PROCEDURE(MEMBER)
    dirpath path;
};

struct libnfs_arguments {
    ZDR zdr; /* latest decoder; owns the decoded arguments */
    bool decoded;
    union arguments decoded_arguments;
};

struct libnfs_procedure {
    uint32_t program, version, number;
    bool has_status; /* true: the result begins with a status */
    int (*issue)(struct rpc_context *connection, rpc_cb callback, union arguments *arguments,
                 void *call);
    /* Decode the procedure's arguments. NULL: it has none. */
    uint32_t (*decode)(ZDR *zdr, union arguments *arguments);
};

#define NFS_CALL(lower, UPPER)                                                                     \
    static int issue_##lower(struct rpc_context *connection, rpc_cb callback,                      \
                             union arguments *arguments, void *call)                               \
    {                                                                                              \
        return rpc_nfs3_##lower##_async(connection, callback, &arguments->lower, call);            \
    }                                                                                              \
    static uint32_t decode_##lower(ZDR *zdr, union arguments *arguments)                           \
    {                                                                                              \
        return zdr_##UPPER##3args(zdr, &arguments->lower);                                         \
    }

RPC_EACH_NFS_PROCEDURE(NFS_CALL)

#define CALL_WITHOUT_ARGUMENTS(name, function)                                                     \
    static int issue_##name(struct rpc_context *connection, rpc_cb callback,                       \
                            union arguments *arguments, void *call)                                \
    {                                                                                              \
        return function(connection, callback, call);                                               \
    }

CALL_WITHOUT_ARGUMENTS(null, rpc_nfs3_null_async)
CALL_WITHOUT_ARGUMENTS(mount_null, rpc_mount3_null_async)
CALL_WITHOUT_ARGUMENTS(dump, rpc_mount3_dump_async)
CALL_WITHOUT_ARGUMENTS(umntall, rpc_mount3_umntall_async)
CALL_WITHOUT_ARGUMENTS(export, rpc_mount3_export_async)
CALL_WITHOUT_ARGUMENTS(portmap_null, rpc_pmap2_null_async)

static int issue_mnt(struct rpc_context *connection, rpc_cb callback, union arguments *arguments,
                     void *call)
{
    return rpc_mount3_mnt_async(connection, callback, arguments->path, call);
}

static int issue_umnt(struct rpc_context *connection, rpc_cb callback, union arguments *arguments,
                      void *call)
{
    return rpc_mount3_umnt_async(connection, callback, arguments->path, call);
}

static uint32_t decode_path(ZDR *zdr, union arguments *arguments)
{
    return zdr_dirpath(zdr, &arguments->path);
}

#define NFS_ENTRY(lower, UPPER)                                                                    \
    {NFS_PROGRAM, NFS_V3, NFS3_##UPPER, true, issue_##lower, decode_##lower},

static const struct libnfs_procedure procedures[] = {
    {NFS_PROGRAM, NFS_V3, NFS3_NULL, false, issue_null, NULL},
    RPC_EACH_NFS_PROCEDURE(NFS_ENTRY){MOUNT_PROGRAM, MOUNT_V3, MOUNT3_NULL, false, issue_mount_null,
                                      NULL},
    {MOUNT_PROGRAM, MOUNT_V3, MOUNT3_MNT, true, issue_mnt, decode_path},
    {MOUNT_PROGRAM, MOUNT_V3, MOUNT3_DUMP, false, issue_dump, NULL},
    {MOUNT_PROGRAM, MOUNT_V3, MOUNT3_UMNT, false, issue_umnt, decode_path},
    {MOUNT_PROGRAM, MOUNT_V3, MOUNT3_UMNTALL, false, issue_umntall, NULL},
    {MOUNT_PROGRAM, MOUNT_V3, MOUNT3_EXPORT, false, issue_export, NULL},
    {PORTMAP_PROGRAM, PORTMAP_VERSION, 0, false, issue_portmap_null, NULL},
};

const struct libnfs_procedure *libnfs_procedure_find(uint32_t program, uint32_t version,
                                                     uint32_t number)
{
    for (size_t i = 0; i < sizeof procedures / sizeof procedures[0]; i++)
        if (procedures[i].program == program && procedures[i].version == version &&
            procedures[i].number == number)
            return &procedures[i];
    return NULL;
}

struct libnfs_arguments *libnfs_arguments_new(void)
{
    return calloc(1, sizeof(struct libnfs_arguments));
}

static void forget_arguments(struct libnfs_arguments *arguments)
{
    if (arguments->decoded)
        zdr_destroy(&arguments->zdr);
    arguments->decoded = false;
}

void libnfs_arguments_free(struct libnfs_arguments *arguments)
{
    if (arguments)
        forget_arguments(arguments);
    free(arguments);
}

int libnfs_arguments_decode(struct libnfs_arguments *arguments,
                            const struct libnfs_procedure *procedure, const uint8_t *bytes,
                            size_t length)
{
    forget_arguments(arguments);
    if (!procedure->decode)
        return 0;
    /* Clear all pointers, because the decoder sets only those that are NULL. */
    memset(&arguments->decoded_arguments, 0, sizeof arguments->decoded_arguments);
    zdrmem_create(&arguments->zdr, (char *)(uintptr_t)bytes, (uint32_t)length, ZDR_DECODE);
    arguments->decoded = true;
    return procedure->decode(&arguments->zdr, &arguments->decoded_arguments) ? 0 : -EBADMSG;
}

static void note_connected(struct rpc_context *connection, int status, void *data, void *state)
{
    *(int *)state = status == RPC_STATUS_SUCCESS ? 1 : -1;
}

struct rpc_context *libnfs_connect(const char *host, int port, int *state)
{
    /* Connect one at a time: libnfs keeps the next xid and the next port in static variables. */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct rpc_context *connection;

    *state = 0;
    pthread_mutex_lock(&mutex);
    connection = rpc_init_context();
    if (connection && rpc_connect_async(connection, host, port, note_connected, state) != 0) {
        rpc_destroy_context(connection);
        connection = NULL;
    }
    pthread_mutex_unlock(&mutex);
    return connection;
}

void libnfs_close(struct rpc_context *connection)
{
    rpc_destroy_context(connection);
}

int libnfs_set_identity(struct rpc_context *connection, const struct identity *identity)
{
    struct AUTH *auth =
        identity->flavor == RPC_FLAVOR_SYS
            ? authunix_create(identity->machine, identity->uid, identity->gid, identity->gid_count,
                              (uint32_t *)(uintptr_t)identity->gids)
            : authnone_create();

    if (!auth)
        return -ENOMEM;
    rpc_set_auth(connection, auth); /* releases the previous AUTH */
    return 0;
}

int libnfs_fd(struct rpc_context *connection)
{
    return rpc_get_fd(connection);
}

short libnfs_events(struct rpc_context *connection)
{
    return (short)rpc_which_events(connection);
}

int libnfs_service(struct rpc_context *connection, struct guard *guard, short revents)
{
    int code;

    guard_begin(guard);
    code = rpc_service(connection, revents);
    guard_end();
    return code < 0 ? -ECONNRESET : 0;
}

const char *libnfs_error(struct rpc_context *connection)
{
    const char *words = rpc_get_error(connection);

    return words ? words : "nothing";
}

static void read_result(const struct libnfs_procedure *procedure, void *data,
                        struct libnfs_reply *reply)
{
    if (!procedure->has_status)
        return;
    memcpy(&reply->status, data, sizeof reply->status);
    if (reply->status != NFS3_OK || procedure->program != NFS_PROGRAM)
        return;
    if (procedure->number == NFS3_WRITE)
        reply->count = ((WRITE3res *)data)->WRITE3res_u.resok.count;
    if (procedure->number == NFS3_READ) {
        READ3resok *read = &((READ3res *)data)->READ3res_u.resok;

        reply->count = read->count;
        reply->ended = read->eof;
        reply->length = read->data.data_len;
        reply->data = read->data.data_val;
    }
}

static void take_reply(struct rpc_context *connection, int status, void *data, void *private_data)
{
    struct libnfs_call *call = private_data;
    struct libnfs_reply reply = {.answered = status == RPC_STATUS_SUCCESS};

    if (reply.answered)
        read_result(call->procedure, data, &reply);
    else if (status == RPC_STATUS_ERROR)
        reply.words = data;
    call->take(call, &reply);
}

int libnfs_issue(struct rpc_context *connection, uint32_t xid, struct libnfs_call *call,
                 const struct libnfs_arguments *arguments)
{
    /* The cast is safe, because libnfs only encodes the arguments. */
    union arguments *decoded = (union arguments *)(uintptr_t)&arguments->decoded_arguments;

    rpc_set_next_xid(connection, xid);
    return call->procedure->issue(connection, take_reply, decoded, call) == 0 ? 0 : -ENOMEM;
}
