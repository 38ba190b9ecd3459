/* The server's dispatch layer for tests, from request message to reply message: a fixture with its
 * own tree, calls made from hexadecimal arguments, results decoded by rpcgen's functions. */
#pragma once

#include "golden.h"

#include <netinet/in.h>
#include <rpc/rpc.h>

#include "mount3.h"
#include "nfs3.h"
#include "rpc/message.h"
#include "serve/export/tree.h"
#include "serve/rpc/dispatch.h"

enum { REQUEST_MAXIMUM = 1 << 16 };

enum { OWNER = 1000, OTHER = 4711 }; /* OWNER: user of the tree's objects; OTHER: another user */

struct fixture {
    struct exported exported;
    struct service service;
    uint32_t xid; /* xid of the last call made by encode_call() */
    uint8_t *reply;
    size_t length;     /* bytes of the last reply */
    uint64_t delay_ns; /* delay of the last reply, ns */
    struct rpc_reply_header header;
    struct wire_reader results;
};

static struct sockaddr_storage peer;

static inline int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    const struct policy policy = {.read_only = false};

    assert_int_equal(
        exported_open(&fixture->exported, tree_open(1000, 100, UINT64_C(1) << 24), &policy), 0);
    fixture->service.exported = &fixture->exported;
    random_seed(&fixture->service.random, 1);
    fixture->reply = malloc(DISPATCH_REPLY_MAXIMUM);
    *(struct sockaddr_in *)&peer =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *state = fixture;
    return tree_make_contents(fixture->exported.tree, &(struct contents_plan){.files = 0});
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;

    exported_close(&fixture->exported);
    delayed_free(&fixture->service.delayed);
    free(fixture->reply);
    free(fixture);
    return 0;
}

static inline void send_bytes(struct fixture *fixture, const uint8_t *bytes, size_t length,
                              bool stream)
{
    uint8_t *copy = exact_copy(bytes, length);
    const struct answer answer =
        dispatch_message(&fixture->service, copy, length, stream, &peer, fixture->reply);

    fixture->length = answer.length;
    fixture->delay_ns = answer.delay_ns;
    free(copy);
    fixture->results = wire_reader(fixture->reply, fixture->length);
    if (fixture->length)
        assert_int_equal(rpc_reply_decode(&fixture->results, &fixture->header), 0);
}

/* Write the header of a call by user UID of group 50. */
static inline void put_header(struct wire_writer *writer, uint32_t xid, uint32_t program,
                              uint32_t version, uint32_t procedure, uint32_t uid)
{
    const struct identity identity = {RPC_FLAVOR_SYS, "m", .uid = uid, .gid = 50};
    struct rpc_opaque_auth auth;

    identity_credential(&identity, &auth);
    rpc_call_encode(writer, &(struct rpc_call_header){.xid = xid,
                                                      .program = program,
                                                      .version = version,
                                                      .procedure = procedure,
                                                      .credential_flavor = auth.flavor,
                                                      .credential_length = auth.length,
                                                      .credential = auth.body});
}

/* Store in REQUEST a call of PROCEDURE by UID, with hexadecimal ARGUMENTS. Returns its length. All
 * calls have the xid 77. */
static inline size_t make_call(uint8_t request[REQUEST_MAXIMUM], uint32_t program, uint32_t version,
                               uint32_t procedure, uint32_t uid, const char *arguments)
{
    struct wire_writer writer = wire_writer(request, REQUEST_MAXIMUM);
    struct golden words = golden(arguments);

    put_header(&writer, 77, program, version, procedure, uid);
    wire_put_fixed(&writer, words.bytes, words.length);
    assert_false(writer.failed);
    return (size_t)(writer.at - request);
}

static inline void call(struct fixture *fixture, uint32_t program, uint32_t procedure, uint32_t uid,
                        const char *arguments)
{
    uint8_t request[REQUEST_MAXIMUM];

    send_bytes(fixture, request, make_call(request, program, 3, procedure, uid, arguments), true);
    assert_int_equal(fixture->header.xid, 77);
}

/* Store a call with a new xid, and ARGUMENTS that rpcgen's function XDR encodes, in REQUEST.
 * Returns the request's length. */
static inline size_t encode_call(struct fixture *fixture, uint8_t request[REQUEST_MAXIMUM],
                                 uint32_t program, uint32_t procedure, uint32_t uid, xdrproc_t xdr,
                                 void *arguments)
{
    struct wire_writer writer = wire_writer(request, REQUEST_MAXIMUM);
    XDR stream;
    size_t length;

    put_header(&writer, ++fixture->xid, program, 3, procedure, uid);
    xdrmem_create(&stream, (char *)writer.at, (u_int)(writer.end - writer.at), XDR_ENCODE);
    assert_true(xdr(&stream, arguments, 0));
    length = (size_t)(writer.at - request) + xdr_getpos(&stream);
    xdr_destroy(&stream);
    return length;
}

static inline struct tree_node *node_at(const struct fixture *fixture, const char *path)
{
    struct tree_node *node = tree_root(fixture->exported.tree);

    while (*path && node) {
        size_t length = strcspn(path, "/");

        node = tree_lookup(node, path, length);
        path += length + (path[length] == '/');
    }
    return node;
}

/* Return NODE's handle for rpcgen's functions. The last eight results stay valid. */
static inline nfs_fh3 handle_of(const struct tree_node *node)
{
    static uint8_t bytes[8][CALL_HANDLE_SIZE + 4];
    static unsigned turn;
    uint8_t *at = bytes[turn++ % 8];
    struct wire_writer writer = wire_writer(at, CALL_HANDLE_SIZE + 4);

    call_put_handle(&writer, node);
    return (nfs_fh3){.data = {CALL_HANDLE_SIZE, (char *)at + 4}};
}

/* Return the handle of the node at PATH, as an argument in hexadecimal. */
static inline const char *handle(const struct fixture *fixture, const char *path)
{
    static char text[200];
    uint8_t bytes[64];
    struct wire_writer writer = wire_writer(bytes, sizeof bytes);

    call_put_handle(&writer, node_at(fixture, path));
    for (size_t i = 0; i < (size_t)(writer.at - bytes); i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    return text;
}

/* Return hexadecimal arguments: the handle of PATH, followed by REST. */
static inline const char *with_handle(const struct fixture *fixture, const char *path,
                                      const char *rest)
{
    static char text[3000];

    snprintf(text, sizeof text, "%s %s", handle(fixture, path), rest);
    return text;
}

/* Decode the results by rpcgen's function XDR, which must use all bytes. */
static inline void decode(struct fixture *fixture, xdrproc_t xdr, void *result, size_t size)
{
    XDR stream;

    assert_int_equal(fixture->header.outcome, RPC_OUTCOME_SUCCESS);
    memset(result, 0, size);
    xdrmem_create(&stream, (char *)(uintptr_t)fixture->results.at,
                  (u_int)wire_left(&fixture->results), XDR_DECODE);
    assert_all((xdr(&stream, result, 0)), (xdr_getpos(&stream), wire_left(&fixture->results)));
    xdr_destroy(&stream);
}
