#include "run/setup/setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "measure/process.h"
#include "nfs/objects/data_plan.h"
#include "nfs/objects/scratch.h"
#include "nfs/status.h"
#include "run/local_run.h"
#include "run/mount_calls.h"
#include "run/series/listing_findings.h"
#include "run/setup/scratch.h"
#include "run/setup/setup_parts.h"

/* Time that unmounting has after the end of the rest of the clean-up, ns. If the server has failed,
 * this is also the time limit of each call of the clean-up. */
enum { LAST_TIMEOUT_NS = 1000 * 1000 * 1000 };

/* Return the options for the set-up's calls, whose replies may be longer than measured ones. */
static struct channel_options own_channel_options(const struct run_plan *plan)
{
    struct channel_options options = setup_channel_options(plan, SERVICE_MOUNT);

    if (options.reply_maximum < RPC_REPLY_USUAL)
        options.reply_maximum = RPC_REPLY_USUAL;
    options.deadline = plan->deadline;
    return options;
}

int setup_note_time(const struct run_plan *plan, int code, struct error *error)
{
    const size_t used = code ? strlen(error->text) : 0;

    if (code && code != -EINTR && deadline_left_ns(&plan->deadline) == 0)
        snprintf(error->text + used, sizeof error->text - used,
                 "; --max-time %.3g s was over before the set-up was complete: raise it",
                 (double)plan->maximum_ns / 1e9);
    return code;
}

static int start_plan_command(struct server_command *server, const char *option,
                              const struct run_plan *plan, struct error *error)
{
    struct mount_options options = {
        .identity = plan->identity,
        .channel = {.reply_maximum = RPC_REPLY_USUAL, .deadline = plan->deadline},
        .reserved_port = !plan->no_reserved_port};

    return server_command_start(server, option, plan->server_start, &plan->target, &options, error);
}

int setup_start_command(struct server_command *server, const char *option,
                        const struct run_plan *plan, struct error *error)
{
    return setup_note_time(plan, start_plan_command(server, option, plan, error), error);
}

static bool starts_command(const struct run_plan *plan)
{
    return plan->server_start && !plan->server_runs;
}

bool setup_lacks_server(const struct setup *setup)
{
    return setup->plan && starts_command(setup->plan) && setup->server.guard == 0;
}

static int start_server(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    struct target *target = &setup->target;
    int code = 0;

    *target = plan->target;
    setup->self.pinned_cpu = -1;
    if (starts_command(plan)) {
        code = start_plan_command(&setup->server, "--server-start", plan, error);
        if (setup->server.port && !target->nfs_port)
            target->nfs_port = target->mount_port = setup->server.port;
    } else if (target->self && plan->self_server.port) {
        self_join(&setup->self, target, plan->self_server.port, plan->self_server.cpu);
    } else if (target->self) {
        code =
            self_start(&setup->self, target, NULL, plan->server_arguments, &plan->deadline, error);
    }
    return code;
}

bool setup_has_same_server(const struct setup *one, const struct setup *other)
{
    const struct sockaddr_storage *a = &one->mount.nfs.address, *b = &other->mount.nfs.address;

    return address_is_same_host(a, b) && address_port(a) == address_port(b);
}

pid_t setup_server_pid(const struct setup *setup)
{
    if (setup->plan->server_pid)
        return (pid_t)setup->plan->server_pid;
    if (setup->bound_server)
        return setup->bound_server;
    return setup->plan->self_server.port ? setup->plan->self_server.pid : setup->self.pid;
}

pid_t setup_client_pid(const struct setup *setup)
{
    return setup->on_mount ? setup->plan->engine->mount->process(setup) : 0;
}

static int open_tls(struct setup *setup, struct error *error)
{
    struct tls_request request = setup->plan->tls;

    request.host = setup_server_name(setup);
    request.program = NFS_PROGRAM;
    request.version = NFS_V3;
    return request.how == RPC_XPRTSEC_NONE ? 0 : tls_client_open(&setup->tls, &request, error);
}

static int mount_target(struct setup *setup, struct error *error)
{
    struct mount_options options = {.identity = setup->plan->identity,
                                    .channel = own_channel_options(setup->plan),
                                    .reserved_port = !setup->plan->no_reserved_port};
    uint64_t began_ns;
    int code;

    setup->trailing.refused = setup->plan->strict;
    options.channel.trailing = &setup->trailing;
    options.channel.stalls = &setup->stalls;
    code = mount_export(&setup->mount, &setup->target, &options, error);
    if (code)
        return code;
    setup->mounted = true;
    began_ns = clock_raw_ns();
    code = setup_connect(setup, SERVICE_NFS, error);
    setup->connect_ns = clock_raw_ns() - began_ns;
    return code;
}

static bool wants_object(const struct run_plan *plan, enum nfs_object object)
{
    for (size_t i = 0; i < plan->op_count; i++)
        if (plan->ops[i]->object == object)
            return true;
    return false;
}

static int use_tree(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    const struct nfs_tree_request request = {.top = &setup->objects.base,
                                             .path = setup->objects.base_path,
                                             .identity = &plan->identity,
                                             .extent = plan->working_set.extent,
                                             .read_size = plan->read_size};
    uint64_t began = clock_raw_ns();
    char text[LISTING_FINDINGS_TEXT];
    struct nfs_tree *tree;
    bool reads;
    int code;

    code = nfs_tree_make(&tree, setup->clients[SERVICE_NFS], &request, error);

    if (code) {
        nfs_tree_free(tree);
        return code;
    }
    if (tree->met)
        run_plan_notice(plan, "--tree %.200s ends after %llu entries: %s", plan->tree,
                        (unsigned long long)tree->counts.entries, nfs_listing_finding(tree->met));
    setup->tree_ns = clock_raw_ns() - began;
    reads = run_plan_transfers(plan, NFS_TRANSFER_READ);
    if (nfs_tree_use(&setup->objects, tree, reads ? plan->read_size : 0) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the tree");
    if (listing_findings_of_tree(&setup->objects, text))
        run_plan_warn(plan, "%s", text);
    return 0;
}

static int join_tree(const struct setup *setup, char path[NFS_PATH_SIZE], struct error *error)
{
    const char *tree = setup->plan->tree ? setup->plan->tree : "";
    int length = snprintf(path, NFS_PATH_SIZE, "%s/%s", setup->mount.path, tree);

    return length < NFS_PATH_SIZE
               ? 0
               : error_set(error, ERROR_USAGE, -ENAMETOOLONG, "the path below %.200s is too long",
                           setup->mount.path);
}

static bool searches_file(const struct run_plan *plan)
{
    return wants_object(plan, NFS_OBJECT_FILE) || wants_object(plan, NFS_OBJECT_ANY) ||
           wants_object(plan, NFS_OBJECT_NAME) || !(plan->no_model || plan->no_baseline);
}

/* Ask the server for its limits. If the server refuses, the run goes on without limits. */
static int ask_limits(struct setup *setup, struct error *error)
{
    static const char *const ops[] = {"fsinfo", "pathconf", "fsstat"};
    const struct run_plan *plan = setup->plan;
    const FSINFO3resok *sizes = &setup->info.fsinfo;

    if (!run_plan_needs_scratch(plan) && !run_plan_transfers(plan, NFS_TRANSFER_READ))
        return 0;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        int code = nfs_ask_export(setup->clients[SERVICE_NFS], ops[i], &setup->objects.root,
                                  setup->objects.export, &setup->info, error);

        if (code && !setup_goes_on(setup, code, error))
            return code;
        if (code && i == 0)
            run_plan_warn(plan,
                          "this server's rtmax and wtmax are not known, since FSINFO failed: %s",
                          error->text);
    }
    setup->objects.limits = (struct nfs_size_limits){sizes->rtmax, sizes->wtmax};
    return 0;
}

static int find_parts(struct setup *setup, const struct nfs_objects_request *request,
                      struct error *error)
{
    const struct run_plan *plan = setup->plan;
    /* a pointer to SETUP's member, because a failed part may replace the client */
    struct rpc_client **client = &setup->clients[SERVICE_NFS];
    struct nfs_objects *objects = &setup->objects;
    int code = ask_limits(setup, error);

    if (code == 0)
        code = setup_end_part(setup, SETUP_SEARCH,
                              nfs_objects_search(objects, *client, request, error), error);
    if (code == 0 && objects->has_file && run_plan_transfers(plan, NFS_TRANSFER_READ))
        code = setup_end_part(setup, SETUP_READ,
                              nfs_objects_plan_read(objects, *client, request, error), error);
    if (code == 0 && plan->tree)
        code = setup_end_part(setup, SETUP_TREE, use_tree(setup, error), error);
    return code;
}

/* Return the maximum duration of an op of many calls, ns: half of the time left, because a longer
 * op could not be measured after its trial. 0 (the default limit) without a deadline. */
static uint64_t traversal_limit(const struct run_plan *plan)
{
    const struct deadline half = deadline_half(&plan->deadline);

    return plan->deadline.at_ns ? deadline_left_ns(&half) + 1 : 0;
}

static int find_objects(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    char path[NFS_PATH_SIZE];
    struct nfs_objects_request request = {
        .root = setup->mount.root,
        .export = setup->mount.export,
        .path = path,
        .file = plan->file,
        .want_file = !plan->tree && searches_file(plan),
        .want_symlink = !plan->tree && wants_object(plan, NFS_OBJECT_SYMLINK),
        .read_size = plan->read_size,
        .read_offset = plan->read_offset,
        .verify = plan->verify,
    };

    int code = join_tree(setup, path, error);

    if (code == 0)
        code = nfs_objects_find(&setup->objects, setup->clients[SERVICE_NFS], &request, error);
    setup->objects.width = plan->load.depth;
    setup->objects.traversal_ns = traversal_limit(plan);
    setup->objects.working_set = plan->working_set;
    setup->objects.working_set.seed = plan->load.seed;
    if (code == 0 && plan->tree && setup->objects.has_file)
        return error_set(error, ERROR_USAGE, -ENOTDIR, "--tree %.200s: not a directory",
                         plan->tree);
    return code ? code : find_parts(setup, &request, error);
}

/* Plan READs of the file that the run has made. With a file set, the first reply is not kept for
 * verification, because READs are verified by file and offset (nfs/verify/verify.h). */
static int read_scratch(struct setup *setup, struct error *error)
{
    const struct nfs_objects_request request = {.read_size = setup->objects.write.count,
                                                .verify =
                                                    setup->plan->verify && !setup->plan->files};

    return nfs_objects_plan_read(&setup->objects, setup->clients[SERVICE_NFS], &request, error);
}

static int open_scratch(struct setup *setup, struct error *error)
{
    /* a pointer to SETUP's member, because a failed part may replace the client */
    struct rpc_client **client = &setup->clients[SERVICE_NFS];
    struct nfs_objects *objects = &setup->objects;
    const bool had_file = objects->has_file;
    uint32_t size;
    int code = setup_end_part(setup, SETUP_SCRATCH, scratch_begin(setup, error), error);

    if (code || setup->failed[SETUP_SCRATCH].code)
        return code;
    size = run_plan_transfers(setup->plan, NFS_TRANSFER_WRITE) ? setup->plan->read_size : 0;
    code = setup_end_part(setup, SETUP_WRITE, nfs_objects_plan_write(objects, *client, size, error),
                          error);
    if (code || setup->failed[SETUP_WRITE].code)
        return code;
    code = nfs_scratch_check_written(objects, *client, error);
    if (code == 0)
        code = nfs_scratch_serve_as_file(objects, *client, error);
    if (code || !run_plan_transfers(setup->plan, NFS_TRANSFER_READ) ||
        (had_file && !setup->plan->files))
        return setup_end_part(setup, SETUP_SCRATCH, code, error);
    return setup_end_part(setup, SETUP_READ, read_scratch(setup, error), error);
}

/* Set BOUND_SERVER to the server's process. Fail if the process is unknown or is not bound to the
 * plan's processor. A server that a command started may have bound itself to another processor, or
 * may not be a child of this process (a container, a service). */
static int find_bound_server(struct setup *setup, struct error *error)
{
    const struct endpoint *nfs = &setup->mount.nfs;
    const unsigned cpu = setup->plan->one_processor.cpu;
    pid_t pid = setup_server_pid(setup);

    if (pid == 0 && address_is_local(&nfs->address))
        pid = process_of_port(address_port(&nfs->address), nfs->transport == TRANSPORT_UDP);
    setup->bound_server = pid;
    if (pid && process_is_bound(pid, cpu))
        return 0;
    if (pid == 0)
        return error_set(
            error, ERROR_USAGE, -ESRCH,
            "--one-processor: no visible process of this machine has the server's port, so its "
            "processor is unknown; start the server on this machine, as the same user");
    return error_set(
        error, ERROR_USAGE, -EINVAL,
        "--one-processor: the server, process %d, is not bound to processor %u like nfsbench: its "
        "command must start it as a separate process, and it must not bind itself",
        (int)pid, cpu);
}

static int reach_server(struct setup *setup, const struct clock *clock, struct error *error)
{
    int code = local_run_open(setup, error);

    if (code == 0)
        code = start_server(setup, error);
    if (setup->plan->target.mounted)
        return code ? code : setup->plan->engine->mount->open(setup, clock, error);
    if (code == 0)
        code = open_tls(setup, error);
    if (code == 0)
        code = mount_target(setup, error);
    return code || !setup->plan->one_processor.of ? code : find_bound_server(setup, error);
}

static int prepare_objects(struct setup *setup, struct error *error)
{
    int code = setup->plan->target.mounted ? 0 : find_objects(setup, error);

    if (code || setup->plan->target.mounted || !run_plan_needs_scratch(setup->plan))
        return code;
    return open_scratch(setup, error);
}

void setup_lift_deadline(struct setup *setup)
{
    struct deadline *deadline = &setup->mount.options.channel.deadline;

    deadline->at_ns = 0;
    for (size_t i = 0; i < SERVICES; i++)
        if (setup->clients[i])
            channel_set_deadline(rpc_client_channel(setup->clients[i]), deadline);
}

static void begin_setup(struct setup *setup, const struct run_plan *plan, bool in_parts)
{
    memset(setup, 0, sizeof *setup);
    setup->plan = plan;
    setup->in_parts = in_parts;
    setup->began_ns = clock_raw_ns();
}

int setup_open(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
               struct error *error)
{
    int code;

    begin_setup(setup, plan, false);
    code = reach_server(setup, clock, error);
    return setup_note_time(plan, code ? code : prepare_objects(setup, error), error);
}

int setup_reach(struct setup *setup, const struct run_plan *plan, const struct clock *clock,
                struct error *error)
{
    begin_setup(setup, plan, true);
    return setup_note_time(plan, reach_server(setup, clock, error), error);
}

int setup_prepare(struct setup *setup, struct error *error)
{
    return setup_note_time(setup->plan, prepare_objects(setup, error), error);
}

static void limit_cleanup_time(struct setup *setup)
{
    struct channel_options *limits = &setup->mount.options.channel;
    const uint64_t budget = scratch_budget_ns(setup), patience = scratch_patience_ns(setup);
    const uint64_t longest = patience < budget ? patience : budget;

    limits->deadline = deadline_within(NULL, budget);
    if (limits->timeout_ns > longest)
        limits->timeout_ns = longest;
    if (!setup->healthy && limits->timeout_ns > LAST_TIMEOUT_NS) {
        limits->timeout_ns = LAST_TIMEOUT_NS;
        limits->retransmissions = 0;
    }
}

/* Unmount. The deadline is one second after the clean-up's deadline. If the server has failed or a
 * signal stopped the run, the deadline is one second from now. */
static int unmount_target(struct setup *setup, struct error *error)
{
    uint64_t *at_ns = &setup->mount.options.channel.deadline.at_ns;

    if (!setup->mounted)
        return 0;
    setup->mounted = false;
    if (!setup->healthy || setup->scratch_is_lost || run_plan_is_stopped(setup->plan))
        *at_ns = deadline_now_ns();
    *at_ns += LAST_TIMEOUT_NS;
    return mount_unmount(&setup->mount, error);
}

int setup_take_down(struct setup *setup, struct error *error)
{
    int code;

    setup->trailing.refused = false; /* a refused reply would leave the run's files */
    limit_cleanup_time(setup);
    scratch_end(setup);
    if (setup->on_mount)
        setup->plan->engine->mount->close(setup);
    local_run_end(setup);
    code = unmount_target(setup, error);
    self_stop(&setup->self);
    if (setup->plan)
        server_command_stop(&setup->server, &setup->plan->deadline);
    return code;
}

void setup_close(struct setup *setup)
{
    struct error ignored;

    setup_take_down(setup, &ignored);
    free(setup->on_mount);
    setup->on_mount = NULL;
    local_run_close(setup);
    nfs_objects_free(&setup->objects);
    for (size_t i = 0; i < SERVICES; i++)
        rpc_client_close(setup->clients[i]);
    if (setup->tls)
        setup->tls->type->close(setup->tls);
    setup->tls = NULL;
}
