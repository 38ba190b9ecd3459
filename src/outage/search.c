#include "outage/search.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "nfs/objects/lease.h"
#include "nfs/objects/objects.h"
#include "nfs/objects/scratch.h"
#include "run/setup/scratch.h"

#define SECOND_NS UINT64_C(1000000000)

enum { PATIENCE_S = 2, PAUSE_MAXIMUM_S = 1 };

/* The search */

static int find_base(struct search *search, struct rpc_client *client, struct error *error)
{
    const struct nfs_objects_request request = {
        .root = search->mount.root, .export = search->mount.export, .path = search->mount.path};

    return nfs_objects_find(&search->objects, client, &request, error);
}

/* Find the scratch directory by its name. Returns 0; -ENOENT if the directory is gone; -EBADMSG if
 * it has no lease of this run; or another negative errno with ERROR set. */
static int find_directory(struct search *search, struct rpc_client *client, struct error *error)
{
    const struct nfs_objects *before = &search->setup->objects;
    struct nfs_objects *objects = &search->objects;
    struct nfs_node node;
    int code =
        nfs_lookup(client, &objects->base, before->scratch_name, objects->base_path, &node, error);

    if (code)
        return code;
    code = nfs_lease_find(client, &node, before->scratch_path, before->scratch_name,
                          before->scratch_nonce, &objects->scratch_lease, error);
    if (code)
        return code == -ENOENT ? -EBADMSG : code;
    objects->scratch = node.handle;
    objects->scratch_id = node.id;
    objects->scratch_fsid = node.fsid;
    objects->scratch_stamp = before->scratch_stamp;
    objects->scratch_nonce = before->scratch_nonce;
    strcpy(objects->scratch_name, before->scratch_name);
    strcpy(objects->scratch_path, before->scratch_path);
    strcpy(objects->scratch_file_path, before->scratch_file_path);
    return 0;
}

/* Create the scratch directory again, by another name unless its name IS_FREE. */
static int make_directory(struct search *search, struct rpc_client *client, bool is_free,
                          struct error *error)
{
    char name[NFS_NAME_SIZE];
    struct nfs_scratch_request request = {.name = name, .write_size = 1};

    strcpy(name, search->setup->objects.scratch_name);
    if (!is_free)
        nfs_scratch_choose_name(name);
    search->directory_is_new = true;
    return nfs_scratch_make(&search->objects, client, &request, error);
}

static int find_file(struct search *search, struct rpc_client *client, struct error *error)
{
    struct nfs_objects *objects = &search->objects;
    struct nfs_node node;
    int code = nfs_lookup(client, &objects->scratch, NFS_SCRATCH_FILE, objects->scratch_path, &node,
                          error);

    search->file_is_new = code == -ENOENT;
    if (code == -ENOENT)
        code = nfs_create(client, &objects->scratch, objects->scratch_path, NFS_SCRATCH_FILE,
                          &node.handle, error);
    if (code == 0 && search->file_is_new)
        code = nfs_getattr(client, &node, objects->scratch_file_path, error);
    objects->scratch_file = node.handle;
    search->file_id = node.id;
    return code;
}

static int find_objects(struct search *search, struct rpc_client *client, struct error *error)
{
    int code = find_base(search, client, error), found;

    if (code)
        return code;
    found = find_directory(search, client, error);
    if (found == -ENOENT || found == -EBADMSG)
        code = make_directory(search, client, found == -ENOENT, error);
    else
        code = found;
    return code ? code : find_file(search, client, error);
}

static int find_all(struct search *search, struct error *error)
{
    const struct setup *setup = search->setup;
    const struct mount_options *options = &search->options;
    struct channel_options secured;
    struct rpc_client *client;
    int code = mount_export(&search->mount, &setup->target, options, error);

    if (code || search->what == SEARCH_SERVER)
        return code;
    secured = setup_secure(setup, SERVICE_NFS, &options->channel);
    code = rpc_client_open(&client, &search->mount.nfs, &options->identity, &secured, error);
    if (code)
        return code;
    code = find_objects(search, client, error);
    rpc_client_close(client);
    return code;
}

static void *run_search(void *argument)
{
    struct search *search = argument;
    struct error ignored;

    search->code = find_all(search, &ignored);
    atomic_store(&search->over, true);
    eventfd_write(search->wake_fd, 1);
    return NULL;
}

/* Beginning and end */

void search_open(struct search *search, enum search_for what, int wake_fd, uint64_t pause_ns)
{
    *search = (struct search){.what = what, .wake_fd = wake_fd, .pause_minimum_ns = pause_ns};
    search_reset_pause(search);
}

void search_reset_pause(struct search *search)
{
    search->pause_ns = search->pause_minimum_ns;
    search->next_ns = search->began_ns + search->pause_ns;
}

static struct mount_options choose_options(const struct setup *setup)
{
    struct mount_options options = setup->mount.options;

    options.channel.timeout_ns = SECOND_NS;
    /* Ignore signals, because the run must know at its end what the search created. */
    options.channel.deadline = deadline_within(NULL, PATIENCE_S * SECOND_NS);
    options.channel.trailing = NULL;
    return options;
}

void search_begin(struct search *search, const struct setup *setup)
{
    if (search->runs || clock_raw_ns() < search->next_ns)
        return;
    search->setup = setup;
    search->options = choose_options(setup);
    search->directory_is_new = search->file_is_new = false;
    search->began_ns = clock_raw_ns();
    search->next_ns = search->began_ns + search->pause_ns;
    search->pause_ns *= 2;
    if (search->pause_ns > PAUSE_MAXIMUM_S * SECOND_NS)
        search->pause_ns = PAUSE_MAXIMUM_S * SECOND_NS;
    atomic_store(&search->over, false);
    search->runs = pthread_create(&search->thread, NULL, run_search, search) == 0;
}

void search_end(struct search *search)
{
    if (search->runs)
        pthread_join(search->thread, NULL);
    search->runs = false;
}

/* Copy the new mount to SETUP, but keep SETUP's options, because the search had other deadlines. */
static void take_mount(const struct search *search, struct setup *setup)
{
    const struct mount_options options = setup->mount.options;

    setup->mount = search->mount;
    setup->mount.options = options;
    setup->objects.export = setup->mount.export;
}

static void take_objects(const struct search *search, struct setup *setup)
{
    struct error ignored; /* the clean-up reports the error */

    nfs_objects_free(&setup->objects);
    setup->objects = search->objects;
    setup->objects.export = setup->mount.export;
    rpc_client_close(setup->clients[SERVICE_NFS]);
    setup->clients[SERVICE_NFS] = NULL;
    setup_connect(setup, SERVICE_NFS, &ignored);
}

bool search_use_result(struct search *search, struct setup *setup, bool wait)
{
    struct error ignored; /* without a thread, the lease is renewed only after the next search */
    eventfd_t woken;

    if (!search->runs || (!wait && !atomic_load(&search->over)))
        return false;
    search_end(search);
    eventfd_read(search->wake_fd, &woken);
    if (search->code)
        return false;
    ticker_stop(&setup->lease);
    take_mount(search, setup);
    if (search->what == SEARCH_FILE)
        take_objects(search, setup);
    scratch_renew_lease(setup, &ignored);
    return true;
}
