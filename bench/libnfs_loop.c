/* The performance of libnfs itself: it calls NULL, GETATTR or READ again and again through its
 * asynchronous functions, in one thread, as a simple program would; for bench/peers.
 *
 * usage: libnfs_loop HOST PORT MOUNT_PORT EXPORT OP DEPTH CONNECTIONS CALLS [SIZE]
 *   OP    null, getattr or read; each op needs a file called file in the export
 *   DEPTH calls in flight on each connection; CALLS in all; SIZE of a READ (default 4096 bytes)
 * Prints one line: mean latency of a call in microseconds, calls per second, the client's CPU time
 * per call in microseconds, and the number of calls. The CPU time of connecting is not counted. */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <nfsc/libnfs.h>
/* these headers need those above */
#include <nfsc/libnfs-raw-mount.h>
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs-raw.h>

enum { CONNECTIONS_MAXIMUM = 64, SILENCE_MS = 10 * 1000 };

enum op { OP_NULL, OP_GETATTR, OP_READ };

struct handle {
    unsigned length;
    char bytes[NFS3_FHSIZE];
};

struct run {
    enum op op;
    struct GETATTR3args getattr;
    struct READ3args read;
    uint64_t to_issue, to_finish, latency_ns;
};

struct connection {
    struct rpc_context *rpc;
    struct run *run;
};

struct call {
    struct connection *connection;
    uint64_t began_ns;
};

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "libnfs_loop: %s: %s\n", what, why);
    exit(1);
}

static void issue(struct call *call);

static void take_result(struct rpc_context *rpc, int status, void *data, void *private_data)
{
    struct call *call = private_data;
    struct run *run = call->connection->run;

    if (status != RPC_STATUS_SUCCESS)
        die("a call", data ? data : "no result");
    if (run->op != OP_NULL && *(uint32_t *)data != NFS3_OK)
        die("a call", "not NFS3_OK");
    run->latency_ns += clock_ns(CLOCK_MONOTONIC) - call->began_ns;
    run->to_finish--;
    if (run->to_issue > 0)
        issue(call);
}

static void issue(struct call *call)
{
    struct connection *connection = call->connection;
    struct run *run = connection->run;
    int code;

    run->to_issue--;
    call->began_ns = clock_ns(CLOCK_MONOTONIC);
    if (run->op == OP_NULL)
        code = rpc_nfs3_null_async(connection->rpc, take_result, call);
    else if (run->op == OP_GETATTR)
        code = rpc_nfs3_getattr_async(connection->rpc, take_result, &run->getattr, call);
    else
        code = rpc_nfs3_read_async(connection->rpc, take_result, &run->read, call);
    if (code != 0)
        die("making a call", rpc_get_error(connection->rpc));
}

static void serve(struct connection *connections, nfds_t count)
{
    struct pollfd polled[CONNECTIONS_MAXIMUM];

    for (nfds_t i = 0; i < count; i++)
        polled[i] = (struct pollfd){.fd = rpc_get_fd(connections[i].rpc),
                                    .events = (short)rpc_which_events(connections[i].rpc)};
    if (poll(polled, count, SILENCE_MS) <= 0)
        die("poll", "the server does not answer");
    for (nfds_t i = 0; i < count; i++)
        if (polled[i].revents && rpc_service(connections[i].rpc, polled[i].revents) < 0)
            die("a connection", rpc_get_error(connections[i].rpc));
}

static unsigned long number(const char *text, unsigned long maximum)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (*end || value == 0 || value > maximum)
        die(text, "not a number, or too large");
    return value;
}

static bool answered;

static void take_connected(struct rpc_context *rpc, int status, void *data, void *private_data)
{
    if (status != RPC_STATUS_SUCCESS)
        die("connecting", data ? data : "no answer");
    answered = true;
}

static void keep(struct handle *handle, unsigned length, const char *bytes)
{
    if (length > NFS3_FHSIZE)
        die("a handle", "too long");
    handle->length = length;
    memcpy(handle->bytes, bytes, length);
    answered = true;
}

static void take_root(struct rpc_context *rpc, int status, void *data, void *handle)
{
    const mountres3 *result = data;

    if (status != RPC_STATUS_SUCCESS || result->fhs_status != MNT3_OK)
        die("MNT", "refused");
    keep(handle, result->mountres3_u.mountinfo.fhandle.fhandle3_len,
         result->mountres3_u.mountinfo.fhandle.fhandle3_val);
}

static void take_file(struct rpc_context *rpc, int status, void *data, void *handle)
{
    const LOOKUP3res *result = data;

    if (status != RPC_STATUS_SUCCESS || result->status != NFS3_OK)
        die("LOOKUP of file", "refused");
    keep(handle, result->LOOKUP3res_u.resok.object.data.data_len,
         result->LOOKUP3res_u.resok.object.data.data_val);
}

/* Wait for the answer to a call. End the program if CODE, the result of starting it, is not 0. */
static void await(struct connection *connection, int code)
{
    if (code != 0)
        die("making a call", rpc_get_error(connection->rpc));
    for (answered = false; !answered;)
        serve(connection, 1);
}

static void connect_to(struct connection *connection, const char *host, int port)
{
    connection->rpc = rpc_init_context();
    if (!connection->rpc)
        die("libnfs", "out of memory");
    await(connection, rpc_connect_async(connection->rpc, host, port, take_connected, NULL));
}

static nfs_fh3 argument(struct handle *handle)
{
    return (nfs_fh3){.data = {.data_len = handle->length, .data_val = handle->bytes}};
}

static void find_file(struct connection *nfs, char **words, struct handle *handle)
{
    struct connection mount = {0};
    LOOKUP3args lookup = {0};
    struct handle root;

    connect_to(&mount, words[1], (int)number(words[3], 65535));
    await(&mount, rpc_mount3_mnt_async(mount.rpc, take_root, words[4], &root));
    rpc_destroy_context(mount.rpc);
    lookup.what.dir = argument(&root);
    lookup.what.name = (char *)(uintptr_t) "file";
    await(nfs, rpc_nfs3_lookup_async(nfs->rpc, take_file, &lookup, handle));
}

static enum op op_named(const char *name)
{
    if (strcmp(name, "null") == 0)
        return OP_NULL;
    if (strcmp(name, "getattr") == 0)
        return OP_GETATTR;
    if (strcmp(name, "read") == 0)
        return OP_READ;
    die(name, "expected null, getattr or read");
}

int main(int argc, char **argv)
{
    struct connection connections[CONNECTIONS_MAXIMUM] = {0};
    struct run run = {0};
    uint64_t calls, began, cpu;
    unsigned long depth, count;
    struct call *in_flight;
    struct handle file;

    if (argc < 9 || argc > 10)
        die("usage", "libnfs_loop HOST PORT MOUNT_PORT EXPORT OP DEPTH CONNECTIONS CALLS [SIZE]");
    run.op = op_named(argv[5]);
    depth = number(argv[6], 65536);
    count = number(argv[7], CONNECTIONS_MAXIMUM);
    calls = run.to_issue = run.to_finish = number(argv[8], 1000000000);
    for (unsigned long i = 0; i < count; i++) {
        connections[i].run = &run;
        connect_to(&connections[i], argv[1], (int)number(argv[2], 65535));
    }
    find_file(&connections[0], argv, &file);
    run.getattr.object = run.read.file = argument(&file);
    run.read.count = argc > 9 ? (uint32_t)number(argv[9], 1 << 20) : 4096;
    in_flight = calloc(depth * count, sizeof *in_flight);
    if (!in_flight)
        die("calls", "out of memory");
    began = clock_ns(CLOCK_MONOTONIC);
    cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned long i = 0; i < depth * count && run.to_issue > 0; i++) {
        in_flight[i].connection = &connections[i % count];
        issue(&in_flight[i]);
    }
    while (run.to_finish > 0)
        serve(connections, count);
    cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    began = clock_ns(CLOCK_MONOTONIC) - began;
    printf("%.3f %.0f %.3f %lu\n", (double)run.latency_ns / (double)calls / 1000,
           (double)calls * 1e9 / (double)began, (double)cpu / (double)calls / 1000,
           (unsigned long)calls);
    for (unsigned long i = 0; i < count; i++)
        rpc_destroy_context(connections[i].rpc);
    free(in_flight);
    return 0;
}
