#include "run/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nfs/lease.h"
#include "nfs/scratch.h"
#include "run/setup.h"

#define SECOND_NS UINT64_C(1000000000)

enum { BUDGET_S = 10 };

static bool any_stayed;

bool scratch_any_stayed(void)
{
    return any_stayed;
}

/* Reporting */

/* Nothing on an export is changed unannounced. */
static void announce(const struct setup *setup, const char *name)
{
    const struct nfs_objects *objects = &setup->objects;

    run_plan_notice(
        setup->plan, "the ops that change something work in %s:%s/%s, %s%s", setup->target.host,
        strcmp(objects->base_path, "/") == 0 ? "" : objects->base_path, name,
        setup->plan->keep_scratch ? "which stays" : "which is removed at the end",
        setup->plan->load.ranks > 1 ? "; each other rank does so in one of its own" : "");
}

/* Where all may rename what is in a directory, the scratch directory's name can become another's.
 */
static void warn_of_open_base(const struct setup *setup)
{
    const struct nfs_objects *objects = &setup->objects;

    if (setup->plan->quiet || setup->target.self ||
        !nfs_base_is_open_to_all(objects, setup->clients[SERVICE_NFS]))
        return;
    run_plan_notice(setup->plan,
                    "all users may rename what is in %s:%s; a directory of your own in it is a "
                    "safer target, or one with the sticky bit (chmod +t)",
                    setup->target.host, objects->base_path);
}

struct left {
    unsigned count;
    char first[NFS_NAME_SIZE];
    char own[NFS_NAME_SIZE]; /* a name such as this process chooses */
};

/* This process may have made one for another session: only the end of its name is another. */
static bool is_own(const struct left *left, const char *name)
{
    return strncmp(name, left->own, (size_t)(strrchr(left->own, '-') - left->own) + 1) == 0;
}

static int count_left(void *context, const char *name)
{
    struct left *left = context;

    if (nfs_scratch_is_chosen_name(name) && !is_own(left, name) && ++left->count == 1)
        snprintf(left->first, sizeof left->first, "%s", name);
    return 0;
}

/* Those of runs that were killed; others may be in use. */
static void report_what_is_left(const struct setup *setup)
{
    enum { LOOKED_AT = 100000 /* entries */ };
    const struct nfs_objects *objects = &setup->objects;
    struct left left = {.count = 0};
    struct error ignored;
    char more[40] = "";

    if (setup->plan->quiet || setup->plan->load.ranks > 1) /* others may be a rank's */
        return;
    nfs_scratch_choose_name(left.own);
    nfs_list(setup->clients[SERVICE_NFS], &objects->base, objects->base_path, LOOKED_AT, count_left,
             &left, &ignored);
    if (left.count > 1)
        snprintf(more, sizeof more, ", and %u more like it", left.count - 1);
    if (left.count > 0)
        run_plan_notice(setup->plan,
                        "%s is there, of another run%s; 'nfsbench clean %s' removes what killed "
                        "runs left",
                        left.first, more, setup->plan->target_text);
}

/* The lease */

/* Over a connection of its own, which is not kept: what the run measures is not to share it, and
 * half a minute later it may be gone. What fails is tried again by the next renewal. */
static void renew_lease(void *context)
{
    struct setup *setup = context;
    const struct nfs_objects *objects = &setup->objects;
    struct channel_options patience = {.timeout_ns = SECOND_NS,
                                       .deadline_ns = clock_raw_ns() + SECOND_NS,
                                       .reply_maximum = setup->mount.options.channel.reply_maximum};
    struct rpc_client *client;
    struct error ignored;

    if (rpc_client_open(&client, &setup->mount.nfs, &setup->mount.options.identity, &patience,
                        &ignored) != 0)
        return;
    nfs_lease_renew(client, &objects->scratch_lease, objects->scratch_path, &ignored);
    rpc_client_close(client);
}

static int keep_alive(struct setup *setup, struct error *error)
{
    int code = ticker_start(&setup->lease, NFS_LEASE_RENEWAL_S * SECOND_NS, renew_lease, setup);

    return code ? error_set(error, ERROR_FAILED, code, "a thread to renew the lease in %.300s: %s",
                            setup->objects.scratch_path, strerror(-code))
                : 0;
}

int scratch_begin(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    struct rpc_client *client = setup->clients[SERVICE_NFS];
    char name[NFS_NAME_SIZE];
    struct nfs_scratch_request request = {.name = name,
                                          .entries = plan->directory_size,
                                          .write_size = plan->read_size,
                                          .writes = run_plan_transfers(plan, NFS_TRANSFER_WRITE),
                                          .verify = plan->verify,
                                          .files = plan->files,
                                          .file_size = run_plan_file_size(plan)};
    uint64_t began = clock_raw_ns();
    int code;

    if (!run_plan_needs_scratch(plan))
        return 0;
    if (plan->scratch)
        snprintf(name, sizeof name, "%s", plan->scratch);
    else
        nfs_scratch_choose_name(name);
    report_what_is_left(setup);
    warn_of_open_base(setup);
    announce(setup, name);
    code = nfs_scratch_make(&setup->objects, client, &request, error);
    if (code == 0)
        code = keep_alive(setup, error);
    if (code == 0)
        code = nfs_scratch_fill(&setup->objects, client, &request, error);
    setup->scratch_filling_ns = clock_raw_ns() - began;
    return code;
}

/* The end */

/* What took long to fill takes long to empty; but who ends a run wants it to end, and a server that
 * failed may not be asked for ever. */
uint64_t scratch_budget_ns(const struct setup *setup)
{
    uint64_t budget = BUDGET_S * SECOND_NS;

    if (!setup->plan) /* it was never opened */
        return budget;
    if (setup->plan->cleanup_timeout_ns)
        return setup->plan->cleanup_timeout_ns;
    if (!run_plan_is_stopped(setup->plan) && setup->healthy &&
        budget < 2 * setup->scratch_filling_ns)
        budget = 2 * setup->scratch_filling_ns;
    return budget;
}

/* Progress reports: after one second, two, four, and so on. */
struct passing {
    const struct setup *setup;
    uint64_t began_ns, next_ns;
};

static void tell_passing(void *context)
{
    struct passing *passing = context;
    const struct setup *setup = passing->setup;
    uint64_t passed = clock_raw_ns() - passing->began_ns;
    uint64_t budget = setup->mount.options.channel.deadline_ns - passing->began_ns;

    if (passed < passing->next_ns)
        return;
    run_plan_notice(setup->plan,
                    "removing %s takes its time: %.0f s of %.0f s (--cleanup-timeout); Ctrl-C ends "
                    "it",
                    setup->objects.scratch_path, (double)passed / 1e9, (double)budget / 1e9);
    passing->next_ns = 2 * passed;
}

/* The lease ends first: should something stay, clean need not wait for it to expire. */
static int remove_it(const struct setup *setup, const struct channel_options *patience,
                     struct error *error)
{
    const struct nfs_objects *objects = &setup->objects;
    struct nfs_scratch scratch = nfs_scratch_of(objects);
    struct rpc_client *client;
    int code = rpc_client_open(&client, &setup->mount.nfs, &setup->mount.options.identity, patience,
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

static void tell_what_stays(const struct setup *setup, const struct error *error)
{
    const struct run_plan *plan = setup->plan;

    any_stayed = true;
    run_plan_warn(plan, "%s stays: %s; 'nfsbench clean %s%s%s%s' tries again",
                  setup->objects.scratch_path, error->text, plan->scratch ? "--scratch " : "",
                  plan->scratch ? plan->scratch : "", plan->scratch ? " " : "", plan->target_text);
}

void scratch_end(struct setup *setup)
{
    struct nfs_objects *objects = &setup->objects;
    struct channel_options patience = setup->mount.options.channel;
    struct passing passing = {.setup = setup, .began_ns = clock_raw_ns()};
    struct ticker teller = {.runs = false};
    struct error error;
    int code;

    ticker_stop(&setup->lease);
    if (!objects->scratch_name[0])
        return;
    /* An interrupt before has led here; one that comes now ends this, too. */
    patience.stop = run_plan_is_stopped(setup->plan) ? NULL : setup->plan->stop;
    ticker_start(&teller, SECOND_NS, tell_passing, &passing);
    code = remove_it(setup, &patience, &error);
    ticker_stop(&teller);
    if (code && !setup->plan->keep_scratch)
        tell_what_stays(setup, &error);
    objects->scratch_name[0] = '\0';
}
