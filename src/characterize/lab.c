#include "characterize/lab.h"

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

/* Opening and closing. If the scratch directory can't be made or filled, experiments that don't
 * need it are still possible. */

static bool may_go_on_without(const struct lab *lab, int code)
{
    return code != -EINTR && lab->setup.mounted && lab->setup.clients[SERVICE_NFS] &&
           lab->setup.objects.base.length > 0;
}

int lab_open(struct lab *lab, const struct character_plan *plan, struct error *error)
{
    int code;

    memset(lab, 0, sizeof *lab);
    lab->plan = plan;
    code = clock_open(&lab->clock, NULL, error);
    if (code == 0)
        code = setup_open(&lab->setup, &plan->run, &lab->clock, error);
    setup_lift_deadline(&lab->setup);
    if (code && may_go_on_without(lab, code)) {
        if (lab->setup.objects.scratch.length == 0)
            snprintf(lab->no_scratch, sizeof lab->no_scratch, "%s", error->text);
        code = 0;
    }
    lab->setup.healthy = code == 0 || code == -EINTR;
    return code;
}

/* One experiment */

unsigned lab_scaled(const struct lab *lab, unsigned full, unsigned quick)
{
    return lab->quick ? quick : full;
}

bool lab_is_over_udp(const struct lab *lab)
{
    return setup_endpoint(&lab->setup, SERVICE_NFS).transport == TRANSPORT_UDP;
}

struct channel_options lab_channel_options(const struct lab *lab)
{
    struct channel_options options = setup_channel_options(&lab->plan->run, SERVICE_NFS);

    options.deadline.at_ns = lab->ends_ns;
    options.reply_maximum = (2 << 20) + RPC_REPLY_USUAL;
    return options;
}

uint64_t lab_rounds_ns(const struct lab *lab)
{
    const uint64_t usual_ns = lab_scaled(lab, 2000, 500) * UINT64_C(1000000);

    return usual_ns < lab->time_ns / 4 ? usual_ns : lab->time_ns / 4;
}

int lab_round_trip(struct lab *lab, uint64_t *round_trip_ns, struct error *error)
{
    enum { TRIES = 3 };
    struct nfs_node node = {.handle = lab->setup.objects.base};
    int code = 0;

    *round_trip_ns = 0;
    for (int i = 0; i < TRIES && code == 0; i++) {
        const uint64_t began_ns = clock_raw_ns();
        uint64_t took_ns;

        code = nfs_getattr(lab->setup.clients[SERVICE_NFS], &node, lab->setup.objects.base_path,
                           error);
        took_ns = clock_raw_ns() - began_ns;
        *round_trip_ns = took_ns > *round_trip_ns ? took_ns : *round_trip_ns;
    }
    return code;
}

void lab_begin(struct lab *lab, struct character_answer *answer, bool quick, uint64_t time_ns)
{
    struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct channel_options options;

    lab->answer = answer;
    lab->quick = quick;
    lab->calls = 0;
    lab->xid = (uint32_t)random_system_seed();
    lab->calls_maximum = lab_scaled(lab, FULL_CALLS, QUICK_CALLS);
    lab->time_ns = time_ns;
    lab->ends_ns = deadline_now_ns() + time_ns;
    options = lab_channel_options(lab);
    lab->code =
        rpc_client_open(&lab->client, &endpoint, &lab->plan->run.identity, &options, &lab->error);
}

void lab_end(struct lab *lab)
{
    lab_release(lab, 0);
    rpc_client_close(lab->client);
    lab->client = NULL;
}

void lab_own(struct lab *lab, void *thing, void (*release)(void *thing))
{
    if (thing && lab->owned_count < LAB_OWNED_MAXIMUM) {
        lab->owned[lab->owned_count++] = (struct lab_owned){thing, release};
        return;
    }
    if (thing)
        release(thing);
    lab->code = error_set(&lab->error, ERROR_FAILED, -ENOMEM, "out of memory for an experiment");
}

void lab_release(struct lab *lab, size_t count)
{
    while (lab->owned_count > count) {
        const struct lab_owned *last = &lab->owned[--lab->owned_count];

        last->release(last->thing);
    }
}

/* Check interrupt, time and number of calls, even after a failure. Returns 0, or a negative errno
 * with ERROR set. */
static int find_limit(const struct lab *lab, struct error *error)
{
    if (run_plan_is_stopped(&lab->plan->run))
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    if (deadline_now_ns() >= lab->ends_ns)
        return error_set(error, ERROR_FAILED, -ETIME,
                         "the experiment's time of %.3g s ended; raise --max-time",
                         (double)lab->time_ns / 1e9);
    if (lab->calls >= lab->calls_maximum)
        return error_set(error, ERROR_FAILED, -E2BIG,
                         "the experiment made its maximum of %llu calls without a result",
                         (unsigned long long)lab->calls_maximum);
    return 0;
}

bool lab_goes_on(struct lab *lab)
{
    if (lab->code == 0)
        lab->code = find_limit(lab, &lab->error);
    return lab->code == 0;
}

bool lab_forgive(struct lab *lab, bool matters)
{
    const int code = lab->code;
    const bool unreachable =
        lab->error.kind == ERROR_UNREACHABLE && code != -EPROTONOSUPPORT && matters;

    if (code != -EINTR && code != -ETIME && code != -E2BIG && !unreachable)
        lab->code = 0;
    return code != 0;
}

/* Calls */

/* Call OP, again after NFS3ERR_JUKEBOX. Returns false on failure. RESULT may have any status. */
static bool call_any_status(struct lab *lab, const char *op, union nfs_arguments *arguments,
                            union nfs_result *result)
{
    const struct rpc_procedure *procedure = &nfs_procedure_find(op)->rpc;

    while (lab_goes_on(lab)) {
        lab->code = rpc_client_call(lab->client, procedure, arguments, result, &lab->error);
        lab->calls++;
        if (lab->code || result->status != NFS3ERR_JUKEBOX)
            return lab->code == 0;
        nfs_free_result(op, result);
        nfs_pause(lab->client);
        if (!lab_goes_on(lab) && lab->code == -ETIME)
            lab->code = lab_refuse(op, NFS3ERR_JUKEBOX, &lab->error);
    }
    return false;
}

int lab_refuse(const char *op, nfsstat3 status, struct error *error)
{
    char name[NFS_STATUS_NAME_SIZE];

    return error_set(error, ERROR_FAILED, -EIO, "%s was answered by %s",
                     nfs_procedure_find(op)->rpc.name, nfs_status_name((int)status, name));
}

bool lab_call_well(struct lab *lab, const char *op, union nfs_arguments *arguments,
                   union nfs_result *result)
{
    if (!call_any_status(lab, op, arguments, result))
        return false;
    if (result->status == NFS3_OK)
        return true;
    lab->code = lab_refuse(op, result->status, &lab->error);
    nfs_free_result(op, result);
    return false;
}

uint64_t lab_call_timed(struct lab *lab, const char *op, union nfs_arguments *arguments)
{
    const uint64_t started = lab->clock.start();
    union nfs_result result;
    const bool well = lab_call_well(lab, op, arguments, &result);
    const uint64_t ticks = lab->clock.stop() - started;

    if (well)
        nfs_free_result(op, &result);
    return ticks;
}

bool lab_ask_limits(struct lab *lab, FSINFO3resok *limits)
{
    union nfs_arguments arguments = {.fsinfo.fsroot = nfs_handle_argument(&lab->setup.mount.root)};
    union nfs_result result;

    if (!lab_call_well(lab, "fsinfo", &arguments, &result))
        return false;
    *limits = result.fsinfo.FSINFO3res_u.resok;
    nfs_free_result("fsinfo", &result);
    return true;
}

bool lab_call_procedure(struct lab *lab, const struct nfs_procedure *procedure,
                        union nfs_result *result)
{
    const struct nfs_objects *objects = &lab->setup.objects;
    struct nfs_variant variant = {.index = 0};
    union nfs_arguments arguments;
    struct error ignored; /* remaining objects are removed with the directory */
    bool called;

    memset(&arguments, 0, sizeof arguments);
    snprintf(variant.name, sizeof variant.name, "%s-%08u", procedure->op, ++lab->last_name);
    snprintf(variant.new_name, sizeof variant.new_name, "%s-to-%08u", procedure->op,
             lab->last_name);
    if (lab->code == 0 && procedure->prepare)
        lab->code = procedure->prepare(objects, &variant, lab->client, &lab->error);
    if (lab->code)
        return false;
    nfs_arguments_fill(procedure, objects, &variant, &arguments);
    called = call_any_status(lab, procedure->op, &arguments, result);
    /* The procedure leaves a name. */
    if (procedure->clear && procedure->object == NFS_OBJECT_SCRATCH)
        procedure->clear(objects, &variant, lab->client, &ignored);
    return called;
}

void lab_mount(struct lab *lab, bool reserved_port)
{
    struct mount mount;
    struct mount_options options = lab->setup.mount.options;

    options.channel = lab_channel_options(lab);
    options.reserved_port = reserved_port;
    if (lab->code == 0)
        lab->code = mount_export(&mount, &lab->setup.target, &options, &lab->error);
}

/* Objects have names like those of runs, so that 'nfsbench clean' removes them, too */

void lab_file_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE])
{
    nfs_scratch_filler_name(name, ++lab->last_name);
}

void lab_directory_name(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE])
{
    snprintf(name, NFS_VARIANT_NAME_SIZE, "mkdir-%08u", ++lab->last_name);
}

diropargs3 lab_place(const struct lab *lab, const char *name)
{
    return (diropargs3){.dir = nfs_handle_argument(&lab->setup.objects.scratch),
                        .name = (char *)(uintptr_t)name};
}

void lab_make_file(struct lab *lab, char name[NFS_VARIANT_NAME_SIZE], struct nfs_handle *handle)
{
    const struct nfs_objects *objects = &lab->setup.objects;
    char own[NFS_VARIANT_NAME_SIZE];

    lab_file_name(lab, own);
    if (name)
        strcpy(name, own);
    if (handle)
        handle->length = 0;
    if (!lab_goes_on(lab))
        return;
    lab->calls++;
    lab->code =
        nfs_create(lab->client, &objects->scratch, objects->scratch_path, own, handle, &lab->error);
}

void lab_make_directory(struct lab *lab, struct nfs_handle *handle)
{
    const struct nfs_objects *objects = &lab->setup.objects;
    char name[NFS_VARIANT_NAME_SIZE];

    lab_directory_name(lab, name);
    if (!lab_goes_on(lab))
        return;
    lab->calls++;
    lab->code =
        nfs_mkdir(lab->client, &objects->scratch, objects->scratch_path, name, handle, &lab->error);
}

/* nfs_write() divides writes that are longer than the server accepts. */
void lab_write(struct lab *lab, const struct nfs_handle *file, uint64_t offset, uint64_t bytes)
{
    static const uint8_t zeros[WRITE_BYTES];
    const uint64_t most = lab_is_over_udp(lab) ? DATAGRAM_BYTES : WRITE_BYTES;

    for (uint64_t at = 0; at < bytes && lab_goes_on(lab); at += most) {
        lab->code = nfs_write(lab->client, file, "a test file", offset + at, zeros,
                              (uint32_t)(bytes - at < most ? bytes - at : most), &lab->error);
        lab->calls++;
    }
}

/* Channels */

static void close_channel(void *channel)
{
    channel_close(channel);
}

struct channel *lab_connect(struct lab *lab, const struct endpoint *endpoint)
{
    const struct endpoint usual = setup_endpoint(&lab->setup, SERVICE_NFS);
    struct channel_options options = lab_channel_options(lab);
    struct channel *channel = NULL;

    options.reset = true;
    if (lab->code == 0)
        lab->code = channel_open(&channel, endpoint ? endpoint : &usual, &options, &lab->error);
    if (lab->code == 0)
        lab_own(lab, channel, close_channel);
    return lab->code ? NULL : channel;
}

struct channel_message lab_message(struct lab *lab, const char *op, union nfs_arguments *arguments)
{
    struct channel_message message = {.bytes = NULL};

    if (lab->code == 0)
        lab->code = rpc_message_make(&message, &nfs_procedure_find(op)->rpc,
                                     &lab->plan->run.identity, arguments, &lab->error);
    if (lab->code == 0)
        lab_own(lab, message.bytes, free);
    return message;
}

/* Set the failure after an operation of a channel ended with CODE. If a limit of the experiment was
 * the reason, it is named. */
static void set_channel_failure(struct lab *lab, int code, const char *what)
{
    lab->code = find_limit(lab, &lab->error);
    if (lab->code == 0)
        lab->code =
            error_set(&lab->error, ERROR_UNREACHABLE, code, "%s: %s", what,
                      code == -ECONNRESET ? "the server closed the connection" : strerror(-code));
}

/* Set the failure if CODE, which a channel returned, is not 0. */
static void check_sent(struct lab *lab, int code)
{
    if (code)
        set_channel_failure(lab, code, "sending a call");
}

void lab_send_bytes(struct lab *lab, struct channel *channel, const uint8_t *bytes, size_t length,
                    unsigned calls)
{
    if (!lab_goes_on(lab))
        return;
    lab->calls += calls;
    check_sent(lab, channel_send_bytes(channel, bytes, length));
}

void lab_send(struct lab *lab, struct channel *channel, const struct channel_message *message,
              uint32_t xid)
{
    if (!lab_goes_on(lab))
        return;
    lab->calls++;
    check_sent(lab, channel_send(channel, message, xid));
}

/* Receive a reply. Returns false if none came within WAIT_NS, or on failure. */
static bool receive_within(struct lab *lab, struct channel *channel, uint64_t wait_ns,
                           struct channel_reply *reply)
{
    int code;

    if (!lab_goes_on(lab))
        return false;
    code = channel_receive(channel, wait_ns, &lab->clock, reply);
    if (code == -EAGAIN)
        lab_goes_on(lab);
    else if (code)
        set_channel_failure(lab, code, "waiting for a reply");
    return code == 0;
}

/* Set the failure if no reply CAME. */
static bool expect_reply(struct lab *lab, bool came)
{
    if (!came && lab->code == 0)
        lab->code = error_set(&lab->error, ERROR_UNREACHABLE, -ETIMEDOUT,
                              "no reply within %.3g s (--timeout)",
                              (double)lab->plan->run.timeout_ns / 1e9);
    return came;
}

bool lab_receive(struct lab *lab, struct channel *channel, struct channel_reply *reply)
{
    return expect_reply(lab, receive_within(lab, channel, lab->plan->run.timeout_ns, reply));
}

bool lab_exchange(struct lab *lab, struct channel *channel, const struct channel_message *message,
                  uint32_t xid, uint64_t wait_ns, struct channel_reply *reply)
{
    const uint64_t started = lab->clock.start();
    bool came;

    lab_send(lab, channel, message, xid);
    do
        came = receive_within(lab, channel, wait_ns, reply);
    while (came && lab_xid_of(reply) != xid);
    if (came)
        reply->ticks -= started;
    return came;
}

bool lab_transact_as(struct lab *lab, struct channel *channel,
                     const struct channel_message *message, uint32_t xid,
                     struct channel_reply *reply)
{
    const uint64_t wait_ns = lab->plan->run.timeout_ns;

    return expect_reply(lab, lab_exchange(lab, channel, message, xid, wait_ns, reply));
}

bool lab_transact(struct lab *lab, struct channel *channel, const struct channel_message *message,
                  struct channel_reply *reply)
{
    return lab_transact_as(lab, channel, message, ++lab->xid, reply);
}

uint64_t lab_transact_well(struct lab *lab, struct channel *channel, const char *op,
                           const struct channel_message *message)
{
    struct channel_reply reply;

    if (!lab_transact(lab, channel, message, &reply))
        return 0;
    if (lab_status_of(&reply) != NFS3_OK)
        lab->code = lab_refuse(op, (nfsstat3)lab_status_of(&reply), &lab->error);
    return reply.ticks;
}

uint32_t lab_xid_of(const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);

    return wire_get_u32(&reader);
}

int lab_status_of(const struct channel_reply *reply)
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
