#include "characterize/testbed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "nfs/change.h"
#include "nfs/objects/scratch_name.h"
#include "nfs/status.h"

#define SECOND_NS UINT64_C(1000000000)

enum {
    FULL_CALLS = 200000,
    QUICK_CALLS = 20000,
    WRITE_BYTES = 64 << 10,
    DATAGRAM_BYTES = 8 << 10,
};

/* After setup_open() failed with CODE, return whether experiments are still possible that don't
 * need the scratch directory. */
static bool may_go_on_without(const struct testbed *testbed, int code)
{
    return code != -EINTR && testbed->setup.mounted && testbed->setup.clients[SERVICE_NFS] &&
           testbed->setup.objects.base.length > 0;
}

int testbed_open(struct testbed *testbed, const struct character_plan *plan, struct error *error)
{
    int code;

    memset(testbed, 0, sizeof *testbed);
    testbed->plan = plan;
    code = clock_open(&testbed->clock, NULL, error);
    if (code == 0)
        code = setup_open(&testbed->setup, &plan->run, &testbed->clock, error);
    setup_lift_deadline(&testbed->setup);
    if (code && may_go_on_without(testbed, code)) {
        if (testbed->setup.objects.scratch.length == 0)
            snprintf(testbed->no_scratch, sizeof testbed->no_scratch, "%s", error->text);
        code = 0;
    }
    testbed->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

unsigned testbed_scaled(const struct testbed *testbed, unsigned full, unsigned quick)
{
    return testbed->quick ? quick : full;
}

bool testbed_is_over_udp(const struct testbed *testbed)
{
    return setup_endpoint(&testbed->setup, SERVICE_NFS).transport == TRANSPORT_UDP;
}

struct channel_options testbed_channel_options(const struct testbed *testbed)
{
    struct channel_options options = setup_channel_options(&testbed->plan->run, SERVICE_NFS);

    options.deadline.at_ns = testbed->ends_ns;
    options.reply_maximum = (2 << 20) + RPC_REPLY_USUAL;
    return options;
}

uint64_t testbed_rounds_ns(const struct testbed *testbed)
{
    const uint64_t usual_ns = testbed_scaled(testbed, 2000, 500) * UINT64_C(1000000);

    return usual_ns < testbed->time_ns / 4 ? usual_ns : testbed->time_ns / 4;
}

int testbed_round_trip(struct testbed *testbed, uint64_t *round_trip_ns, struct error *error)
{
    enum { TRIES = 3 };
    struct nfs_node node = {.handle = testbed->setup.objects.base};
    int code = 0;

    *round_trip_ns = 0;
    for (int i = 0; i < TRIES && code == 0; i++) {
        const uint64_t began_ns = clock_raw_ns();
        uint64_t took_ns;

        code = nfs_getattr(testbed->setup.clients[SERVICE_NFS], &node,
                           testbed->setup.objects.base_path, error);
        took_ns = clock_raw_ns() - began_ns;
        *round_trip_ns = took_ns > *round_trip_ns ? took_ns : *round_trip_ns;
    }
    return code;
}

void testbed_begin(struct testbed *testbed, struct character_answer *answer, bool quick,
                   uint64_t time_ns)
{
    struct endpoint endpoint = setup_endpoint(&testbed->setup, SERVICE_NFS);
    struct channel_options options;

    testbed->answer = answer;
    testbed->quick = quick;
    testbed->calls = 0;
    testbed->xid = (uint32_t)random_system_seed();
    testbed->calls_maximum = testbed_scaled(testbed, FULL_CALLS, QUICK_CALLS);
    testbed->time_ns = time_ns;
    testbed->ends_ns = deadline_now_ns() + time_ns;
    options = testbed_channel_options(testbed);
    testbed->code = rpc_client_open(&testbed->client, &endpoint, &testbed->plan->run.identity,
                                    &options, &testbed->error);
}

void testbed_end(struct testbed *testbed)
{
    testbed_release(testbed, 0);
    rpc_client_close(testbed->client);
    testbed->client = NULL;
}

void testbed_keep_until_end(struct testbed *testbed, void *thing, void (*release)(void *thing))
{
    if (thing && testbed->owned_count < TESTBED_OWNED_MAXIMUM) {
        testbed->owned[testbed->owned_count++] = (struct testbed_owned){thing, release};
        return;
    }
    if (thing)
        release(thing);
    testbed->code =
        error_set(&testbed->error, ERROR_FAILED, -ENOMEM, "out of memory for an experiment");
}

void testbed_release(struct testbed *testbed, size_t count)
{
    while (testbed->owned_count > count) {
        const struct testbed_owned *last = &testbed->owned[--testbed->owned_count];

        last->release(last->thing);
    }
}

/* Check whether an interrupt, the time or the number of calls ends the experiment. Returns 0, or a
 * negative errno with ERROR set. */
static int find_limit(const struct testbed *testbed, struct error *error)
{
    if (run_plan_is_stopped(&testbed->plan->run))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (deadline_now_ns() >= testbed->ends_ns)
        return error_set(error, ERROR_FAILED, -ETIME,
                         "the experiment's time of %.3g s ended; raise --max-time",
                         (double)testbed->time_ns / 1e9);
    if (testbed->calls >= testbed->calls_maximum)
        return error_set(error, ERROR_FAILED, -E2BIG,
                         "the experiment made its maximum of %llu calls without a result",
                         (unsigned long long)testbed->calls_maximum);
    return 0;
}

bool testbed_may_call(struct testbed *testbed)
{
    if (testbed->code == 0)
        testbed->code = find_limit(testbed, &testbed->error);
    return testbed->code == 0;
}

bool testbed_clear_failure(struct testbed *testbed, bool matters)
{
    const int code = testbed->code;
    const bool unreachable =
        testbed->error.kind == ERROR_UNREACHABLE && code != -EPROTONOSUPPORT && matters;

    if (code != -EINTR && code != -ETIME && code != -E2BIG && !unreachable)
        testbed->code = 0;
    return code != 0;
}

/* Call OP, and again after each NFS3ERR_JUKEBOX. Returns true with any other status in *RESULT, or
 * false on failure. */
static bool call_any_status(struct testbed *testbed, const char *op, union nfs_arguments *arguments,
                            union nfs_result *result)
{
    const struct rpc_procedure *procedure = &nfs_procedure_find(op)->rpc;

    while (testbed_may_call(testbed)) {
        testbed->code =
            rpc_client_call(testbed->client, procedure, arguments, result, &testbed->error);
        testbed->calls++;
        if (testbed->code || result->status != NFS3ERR_JUKEBOX)
            return testbed->code == 0;
        nfs_free_result(op, result);
        nfs_pause(testbed->client);
        if (!testbed_may_call(testbed) && testbed->code == -ETIME)
            testbed->code = testbed_refuse(op, NFS3ERR_JUKEBOX, &testbed->error);
    }
    return false;
}

int testbed_refuse(const char *op, nfsstat3 status, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];

    return error_set(error, ERROR_FAILED, -EIO, "%s was answered by %s",
                     nfs_procedure_find(op)->rpc.name, nfs_status_name((int)status, name));
}

bool testbed_call_ok(struct testbed *testbed, const char *op, union nfs_arguments *arguments,
                     union nfs_result *result)
{
    if (!call_any_status(testbed, op, arguments, result))
        return false;
    if (result->status == NFS3_OK)
        return true;
    testbed->code = testbed_refuse(op, result->status, &testbed->error);
    nfs_free_result(op, result);
    return false;
}

uint64_t testbed_call_timed(struct testbed *testbed, const char *op, union nfs_arguments *arguments)
{
    const uint64_t started = testbed->clock.start();
    union nfs_result result;
    const bool well = testbed_call_ok(testbed, op, arguments, &result);
    const uint64_t ticks = testbed->clock.stop() - started;

    if (well)
        nfs_free_result(op, &result);
    return ticks;
}

bool testbed_ask_limits(struct testbed *testbed, FSINFO3resok *limits)
{
    union nfs_arguments arguments = {.fsinfo.fsroot =
                                         nfs_handle_argument(&testbed->setup.mount.root)};
    union nfs_result result;

    if (!testbed_call_ok(testbed, "fsinfo", &arguments, &result))
        return false;
    *limits = result.fsinfo.FSINFO3res_u.resok;
    nfs_free_result("fsinfo", &result);
    return true;
}

bool testbed_call_procedure(struct testbed *testbed, const struct nfs_procedure *procedure,
                            union nfs_result *result)
{
    const struct nfs_objects *objects = &testbed->setup.objects;
    struct nfs_variant variant = {.index = 0};
    union nfs_arguments arguments;
    struct error ignored; /* ignored, because remaining objects are removed with the directory */
    bool called;

    memset(&arguments, 0, sizeof arguments);
    snprintf(variant.name, sizeof variant.name, "%s-%08u", procedure->op, ++testbed->last_name);
    snprintf(variant.new_name, sizeof variant.new_name, "%s-to-%08u", procedure->op,
             testbed->last_name);
    if (testbed->code == 0 && procedure->prepare)
        testbed->code = procedure->prepare(objects, &variant, testbed->client, &testbed->error);
    if (testbed->code)
        return false;
    nfs_arguments_set(procedure, objects, &variant, &arguments);
    called = call_any_status(testbed, procedure->op, &arguments, result);
    /* Only procedures that take names in the scratch directory leave an object. */
    if (procedure->clear && procedure->object == NFS_OBJECT_SCRATCH)
        procedure->clear(objects, &variant, testbed->client, &ignored);
    return called;
}

void testbed_mount(struct testbed *testbed, bool reserved_port)
{
    struct mount mount;
    struct mount_options options = testbed->setup.mount.options;

    options.channel = testbed_channel_options(testbed);
    options.reserved_port = reserved_port;
    if (testbed->code == 0)
        testbed->code = mount_export(&mount, &testbed->setup.target, &options, &testbed->error);
}

/* Objects have names like those of runs, so that 'nfsbench clean' removes them. */

void testbed_file_name(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE])
{
    nfs_scratch_filler_name(name, ++testbed->last_name);
}

void testbed_directory_name(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE])
{
    snprintf(name, NFS_VARIANT_NAME_SIZE, "mkdir-%08u", ++testbed->last_name);
}

diropargs3 testbed_place(const struct testbed *testbed, const char *name)
{
    return (diropargs3){.dir = nfs_handle_argument(&testbed->setup.objects.scratch),
                        .name = (char *)(uintptr_t)name};
}

void testbed_make_file(struct testbed *testbed, char name[NFS_VARIANT_NAME_SIZE],
                       struct nfs_handle *handle)
{
    const struct nfs_objects *objects = &testbed->setup.objects;
    char own[NFS_VARIANT_NAME_SIZE];

    testbed_file_name(testbed, own);
    if (name)
        strcpy(name, own);
    if (handle)
        handle->length = 0;
    if (!testbed_may_call(testbed))
        return;
    testbed->calls++;
    testbed->code = nfs_create(testbed->client, &objects->scratch, objects->scratch_path, own,
                               handle, &testbed->error);
}

void testbed_make_directory(struct testbed *testbed, struct nfs_handle *handle)
{
    const struct nfs_objects *objects = &testbed->setup.objects;
    char name[NFS_VARIANT_NAME_SIZE];

    testbed_directory_name(testbed, name);
    if (!testbed_may_call(testbed))
        return;
    testbed->calls++;
    testbed->code = nfs_mkdir(testbed->client, &objects->scratch, objects->scratch_path, name,
                              handle, &testbed->error);
}

/* If the server accepts only a part of a WRITE, nfs_write() writes the rest by further calls. */
void testbed_write(struct testbed *testbed, const struct nfs_handle *file, uint64_t offset,
                   uint64_t bytes)
{
    static const uint8_t zeros[WRITE_BYTES];
    const uint64_t most = testbed_is_over_udp(testbed) ? DATAGRAM_BYTES : WRITE_BYTES;

    for (uint64_t at = 0; at < bytes && testbed_may_call(testbed); at += most) {
        testbed->code =
            nfs_write(testbed->client, file, "a test file", offset + at, zeros,
                      (uint32_t)(bytes - at < most ? bytes - at : most), &testbed->error);
        testbed->calls++;
    }
}

static void close_channel(void *channel)
{
    channel_close(channel);
}

struct channel *testbed_connect(struct testbed *testbed, const struct endpoint *endpoint)
{
    const struct endpoint usual = setup_endpoint(&testbed->setup, SERVICE_NFS);
    struct channel_options options = testbed_channel_options(testbed);
    struct channel *channel = NULL;

    options.reset = true;
    if (testbed->code == 0)
        testbed->code =
            channel_open(&channel, endpoint ? endpoint : &usual, &options, &testbed->error);
    if (testbed->code == 0)
        testbed_keep_until_end(testbed, channel, close_channel);
    return testbed->code ? NULL : channel;
}

struct channel_message testbed_message(struct testbed *testbed, const char *op,
                                       union nfs_arguments *arguments)
{
    struct channel_message message = {.bytes = NULL};

    if (testbed->code == 0)
        testbed->code = rpc_message_make(&message, &nfs_procedure_find(op)->rpc,
                                         &testbed->plan->run.identity, arguments, &testbed->error);
    if (testbed->code == 0)
        testbed_keep_until_end(testbed, message.bytes, free);
    return message;
}

/* Set the failure after WHAT, an action on a channel, failed with CODE. If a limit of the
 * experiment is reached, this limit is the failure. */
static void set_channel_failure(struct testbed *testbed, int code, const char *what)
{
    testbed->code = find_limit(testbed, &testbed->error);
    if (testbed->code == 0)
        testbed->code =
            error_set(&testbed->error, ERROR_UNREACHABLE, code, "%s: %s", what,
                      code == -ECONNRESET ? "the server closed the connection" : strerror(-code));
}

static void check_sent(struct testbed *testbed, int code)
{
    if (code)
        set_channel_failure(testbed, code, "sending a call");
}

void testbed_send_bytes(struct testbed *testbed, struct channel *channel, const uint8_t *bytes,
                        size_t length, unsigned calls)
{
    if (!testbed_may_call(testbed))
        return;
    testbed->calls += calls;
    check_sent(testbed, channel_send_bytes(channel, bytes, length));
}

void testbed_send(struct testbed *testbed, struct channel *channel,
                  const struct channel_message *message, uint32_t xid)
{
    if (!testbed_may_call(testbed))
        return;
    testbed->calls++;
    check_sent(testbed, channel_send(channel, message, xid));
}

/* Receive a reply. Returns true, or false if no reply came within WAIT_NS, or on failure. */
static bool receive_within(struct testbed *testbed, struct channel *channel, uint64_t wait_ns,
                           struct channel_reply *reply)
{
    int code;

    if (!testbed_may_call(testbed))
        return false;
    code = channel_receive(channel, wait_ns, &testbed->clock, reply);
    if (code == -EAGAIN)
        testbed_may_call(testbed);
    else if (code)
        set_channel_failure(testbed, code, "waiting for a reply");
    return code == 0;
}

/* If CAME is false and there is no failure yet, set the failure: no reply. Returns CAME. */
static bool expect_reply(struct testbed *testbed, bool came)
{
    if (!came && testbed->code == 0)
        testbed->code = error_set(&testbed->error, ERROR_UNREACHABLE, -ETIMEDOUT,
                                  "no reply within %.3g s (--timeout)",
                                  (double)testbed->plan->run.timeout_ns / 1e9);
    return came;
}

bool testbed_receive(struct testbed *testbed, struct channel *channel, struct channel_reply *reply)
{
    return expect_reply(testbed,
                        receive_within(testbed, channel, testbed->plan->run.timeout_ns, reply));
}

bool testbed_exchange(struct testbed *testbed, struct channel *channel,
                      const struct channel_message *message, uint32_t xid, uint64_t wait_ns,
                      struct channel_reply *reply)
{
    const uint64_t started = testbed->clock.start();
    bool came;

    testbed_send(testbed, channel, message, xid);
    do
        came = receive_within(testbed, channel, wait_ns, reply);
    while (came && testbed_xid_of(reply) != xid);
    if (came)
        reply->ticks -= started;
    return came;
}

bool testbed_transact_as(struct testbed *testbed, struct channel *channel,
                         const struct channel_message *message, uint32_t xid,
                         struct channel_reply *reply)
{
    const uint64_t wait_ns = testbed->plan->run.timeout_ns;

    return expect_reply(testbed, testbed_exchange(testbed, channel, message, xid, wait_ns, reply));
}

bool testbed_transact(struct testbed *testbed, struct channel *channel,
                      const struct channel_message *message, struct channel_reply *reply)
{
    return testbed_transact_as(testbed, channel, message, ++testbed->xid, reply);
}

uint64_t testbed_transact_ok(struct testbed *testbed, struct channel *channel, const char *op,
                             const struct channel_message *message)
{
    struct channel_reply reply;

    if (!testbed_transact(testbed, channel, message, &reply))
        return 0;
    if (testbed_status_of(&reply) != NFS3_OK)
        testbed->code = testbed_refuse(op, (nfsstat3)testbed_status_of(&reply), &testbed->error);
    return reply.ticks;
}

uint32_t testbed_xid_of(const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);

    return wire_get_u32(&reader);
}

int testbed_status_of(const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    uint32_t status;

    if (rpc_reply_decode(&reader, &header) != 0)
        return INT_MIN;
    if (header.outcome != RPC_OUTCOME_SUCCESS)
        return -(int)header.outcome;
    status = wire_get_u32(&reader);
    return reader.failed || status > INT_MAX ? INT_MIN : (int)status;
}
