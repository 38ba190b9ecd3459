#include "run/setup/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nfs/objects/lease.h"
#include "nfs/objects/scratch.h"
#include "run/setup/setup.h"

#define SECOND_NS UINT64_C(1000000000)

enum { BUDGET_S = 10 };

static bool removal_failed;

bool scratch_removal_failed(void)
{
    return removal_failed;
}

void scratch_note_failed_removal(void)
{
    removal_failed = true;
}

static void announce_scratch(const struct setup *setup, const char *name)
{
    const struct nfs_objects *objects = &setup->objects;

    run_plan_notice(setup->plan, "ops that change something work in %s:%s/%s, %s%s",
                    setup->target.host,
                    strcmp(objects->base_path, "/") == 0 ? "" : objects->base_path, name,
                    setup->plan->keep_scratch ? "which is kept" : "which is removed at the end",
                    setup->plan->load.ranks > 1 ? "; each other rank has its own" : "");
}

/* Except for self:, tell the user if everybody can rename entries of the base directory. */
static void warn_of_open_base(const struct setup *setup)
{
    const struct nfs_objects *objects = &setup->objects;

    if (setup->plan->quiet || setup->target.self ||
        !nfs_base_is_writable_by_all(objects, setup->clients[SERVICE_NFS]))
        return;
    run_plan_notice(setup->plan,
                    "all users may rename the entries of %s:%s; a safer target is your own "
                    "directory, or one with the sticky bit (chmod +t)",
                    setup->target.host, objects->base_path);
}

struct leftovers {
    unsigned count;
    char first[NFS_NAME_SIZE];
    char own[NFS_NAME_SIZE]; /* name that this process would choose for its scratch directory */
};

/* Is NAME a scratch directory of this process? It then equals OWN except after the last '-'. */
static bool is_own_scratch(const struct leftovers *leftovers, const char *name)
{
    return strncmp(name, leftovers->own,
                   (size_t)(strrchr(leftovers->own, '-') - leftovers->own) + 1) == 0;
}

static int count_left(void *context, const char *name)
{
    struct leftovers *leftovers = context;

    if (nfs_scratch_is_chosen_name(name) && !is_own_scratch(leftovers, name) &&
        ++leftovers->count == 1)
        snprintf(leftovers->first, sizeof leftovers->first, "%s", name);
    return 0;
}

static void report_leftovers(const struct setup *setup)
{
    enum { LOOKED_AT = 100000 /* entries */ };
    const struct nfs_objects *objects = &setup->objects;
    struct leftovers leftovers = {.count = 0};
    struct error ignored;
    char more[40] = "";

    if (setup->plan->quiet || setup->plan->load.ranks > 1) /* other ranks may own the directories */
        return;
    nfs_scratch_choose_name(leftovers.own);
    nfs_list(setup->clients[SERVICE_NFS], &objects->base, objects->base_path, LOOKED_AT, count_left,
             &leftovers, &ignored);
    if (leftovers.count > 1)
        snprintf(more, sizeof more, ", and so do %u more directories", leftovers.count - 1);
    if (leftovers.count > 0)
        run_plan_notice(
            setup->plan,
            "%s belongs to another run%s; 'nfsbench clean %s' removes directories of killed runs",
            leftovers.first, more, setup->plan->target_text);
}

/* Renew the lease over a new connection: the open ones are needed for measured calls, and a server
 * may close an idle one. An error is ignored, because the next renewal tries again. */
static void renew_lease(void *context)
{
    struct setup *setup = context;
    const struct nfs_objects *objects = &setup->objects;
    struct channel_options options = {.timeout_ns = SECOND_NS,
                                      .deadline = deadline_within(NULL, SECOND_NS),
                                      .reply_maximum = setup->mount.options.channel.reply_maximum};
    struct rpc_client *client;
    struct error ignored;

    options = setup_secure(setup, SERVICE_NFS, &options);
    if (rpc_client_open(&client, &setup->mount.nfs, &setup->mount.options.identity, &options,
                        &ignored) != 0)
        return;
    nfs_lease_renew(client, &objects->scratch_lease, objects->scratch_path, &ignored);
    rpc_client_close(client);
}

int scratch_renew_lease(struct setup *setup, struct error *error)
{
    int code = ticker_start(&setup->lease, NFS_LEASE_RENEWAL_S * SECOND_NS, renew_lease, setup);

    return code ? error_set(error, ERROR_FAILED, code,
                            "can't start a thread to renew the lease in %.300s: %s",
                            setup->objects.scratch_path, strerror(-code))
                : 0;
}

/* Fill the scratch directory within half of the time left: its removal takes about as long. */
static int fill_scratch(struct setup *setup, const struct nfs_scratch_request *request,
                        struct error *error)
{
    struct rpc_client *client = setup->clients[SERVICE_NFS];
    const struct deadline whole = *channel_deadline(rpc_client_channel(client));
    const struct deadline half = deadline_half(&whole);
    int code;

    channel_set_deadline(rpc_client_channel(client), &half);
    code = nfs_scratch_make_contents(&setup->objects, client, request, error);
    channel_set_deadline(rpc_client_channel(client), &whole);
    if (code == -ETIMEDOUT && deadline_left_ns(&half) == 0)
        return error_set(error, ERROR_UNREACHABLE, code,
                         "filling %.300s took half of the time left, and its removal takes as "
                         "long; raise --max-time, or use fewer or smaller files",
                         setup->objects.scratch_path);
    return code;
}

int scratch_begin(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    struct rpc_client *client = setup->clients[SERVICE_NFS];
    char name[NFS_NAME_SIZE];
    struct nfs_scratch_request request = {.name = name,
                                          .entries = plan->directory_size,
                                          .write_size = plan->read_size,
                                          .verify = plan->verify,
                                          .files = plan->files,
                                          .file_size = run_plan_file_size(plan)};
    uint64_t began = clock_raw_ns();
    int code;

    if (plan->scratch)
        snprintf(name, sizeof name, "%s", plan->scratch);
    else
        nfs_scratch_choose_name(name);
    report_leftovers(setup);
    warn_of_open_base(setup);
    announce_scratch(setup, name);
    code = nfs_scratch_make(&setup->objects, client, &request, error);
    if (code == 0)
        code = scratch_renew_lease(setup, error);
    if (code == 0)
        code = fill_scratch(setup, &request, error);
    setup->scratch_filling_ns = clock_raw_ns() - began;
    return code;
}

/* Return the time, ns, until the command's deadline plus 15 % of its time limit, one second and
 * MORE_NS; DEADLINE_NEVER without a deadline. */
static uint64_t left_for_removal(const struct run_plan *plan, uint64_t more_ns)
{
    struct deadline end = plan->deadline;

    if (end.at_ns)
        end.at_ns += plan->maximum_ns / 100 * 15 + SECOND_NS + more_ns;
    return deadline_left_ns(&end);
}

/* A server that does not reply within this time is treated as unreachable. Without
 * --cleanup-timeout, the time is left_for_removal(), but at least LEAST_S and at least the time of
 * filling, because one call of the removal may take as long as filling if the server is slow. */
uint64_t scratch_patience_ns(const struct setup *setup)
{
    enum { LEAST_S = 2 };
    const uint64_t filling_ns = setup->scratch_filling_ns;
    const uint64_t least = filling_ns > LEAST_S * SECOND_NS ? filling_ns : LEAST_S * SECOND_NS;
    const uint64_t left = setup->plan ? left_for_removal(setup->plan, 0) : 0;

    if (setup->plan && setup->plan->cleanup_timeout_ns)
        return setup->plan->cleanup_timeout_ns;
    return left > least ? left : least;
}

/* Without --cleanup-timeout, the result is BUDGET_S or, if more, twice the time of filling, because
 * emptying a directory takes as long. After a signal or a failure of the server, it is BUDGET_S.
 * left_for_removal() limits it. */
uint64_t scratch_budget_ns(const struct setup *setup)
{
    uint64_t budget = BUDGET_S * SECOND_NS, left;

    if (!setup->plan) /* setup_open() was not called */
        return budget;
    if (setup->plan->cleanup_timeout_ns)
        return setup->plan->cleanup_timeout_ns;
    if (!run_plan_is_stopped(setup->plan) && setup->healthy &&
        budget < 2 * setup->scratch_filling_ns)
        budget = 2 * setup->scratch_filling_ns;
    left = left_for_removal(setup->plan, setup->plan->timeout_ns);
    return budget < left ? budget : left > SECOND_NS ? left : SECOND_NS;
}

/* A removal, whose progress is reported after about one second, two, four, and so on. */
struct removal {
    const struct setup *setup;
    uint64_t began_ns, next_ns;
};

static void report_progress(void *context)
{
    struct removal *removal = context;
    const struct setup *setup = removal->setup;
    uint64_t passed = clock_raw_ns() - removal->began_ns;
    uint64_t budget = setup->mount.options.channel.deadline.at_ns - removal->began_ns;

    if (passed < removal->next_ns)
        return;
    run_plan_notice(
        setup->plan,
        "removing %s has taken %.0f s of %.0f s (--cleanup-timeout); Ctrl-C ends the removal",
        setup->objects.scratch_path, (double)passed / 1e9, (double)budget / 1e9);
    removal->next_ns = 2 * passed;
}

/* Remove the scratch directory unless it is kept. End the lease first, so that 'nfsbench clean'
 * need not wait for its end if the removal fails. */
static int remove_scratch(const struct setup *setup, const struct channel_options *options,
                          struct error *error)
{
    const struct nfs_objects *objects = &setup->objects;
    struct nfs_scratch scratch = nfs_scratch_of(objects);
    struct channel_options secured = setup_secure(setup, SERVICE_NFS, options);
    struct rpc_client *client;
    int code;

    if (setup->scratch_is_lost)
        return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT, "the server does not answer");
    code = rpc_client_open(&client, &setup->mount.nfs, &setup->mount.options.identity, &secured,
                           error);
    if (code)
        return code;
    if (objects->scratch_lease.length > 0)
        code = nfs_lease_end(client, &objects->scratch_lease, objects->scratch_path, error);
    if (!setup->plan->keep_scratch && !(code && error->kind == ERROR_UNREACHABLE))
        code = nfs_scratch_remove(client, &scratch, error);
    rpc_client_close(client);
    return code;
}

static void warn_of_remains(const struct setup *setup, const struct error *error)
{
    const struct run_plan *plan = setup->plan;

    scratch_note_failed_removal();
    run_plan_warn(plan, "%s stays: %s; 'nfsbench clean %s%s%s%s' tries again",
                  setup->objects.scratch_path, error->text, plan->scratch ? "--scratch " : "",
                  plan->scratch ? plan->scratch : "", plan->scratch ? " " : "", plan->target_text);
}

void scratch_end(struct setup *setup)
{
    struct nfs_objects *objects = &setup->objects;
    struct channel_options options = setup->mount.options.channel;
    struct removal removal = {.setup = setup, .began_ns = clock_raw_ns()};
    struct ticker ticker = {.runs = false};
    struct error error;
    int code;

    ticker_stop(&setup->lease);
    if (!objects->scratch_name[0])
        return;
    /* A signal ends the removal, but the signal that ended the run must not. */
    options.deadline.stop = run_plan_is_stopped(setup->plan) ? NULL : setup->plan->deadline.stop;
    ticker_start(&ticker, SECOND_NS, report_progress, &removal);
    code = remove_scratch(setup, &options, &error);
    ticker_stop(&ticker);
    setup->scratch_is_lost = code && error.kind == ERROR_UNREACHABLE;
    if (code && !setup->plan->keep_scratch)
        warn_of_remains(setup, &error);
    objects->scratch_name[0] = '\0';
}
