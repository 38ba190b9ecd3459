/* A run's set-up and end with a hostile server: mount, find the objects, make the scratch
 * directory, try procedures, remove directories that other runs left and the scratch directory,
 * unmount. Whatever the server sends, each step ends with a result or an error. If no reply is a
 * lie, the export's objects and other users' files remain, even if other users rename or replace
 * scratch directories meanwhile. Without lies, faults and other users' actions, all steps succeed,
 * and the export has as many nodes as before. */
#include <errno.h>
#include <string.h>

#include "embedded.h"
#include "hostile.h"
#include "nfs/call.h"
#include "nfs/client.h"
#include "nfs/objects/data_plan.h"
#include "nfs/objects/leftover.h"
#include "nfs/objects/objects.h"
#include "nfs/objects/scratch.h"
#include "nfs/objects/working_set.h"
#include "target/mount.h"

/* Length of the script of the client's actions. The rest is the server's script. */
enum { PLAN_SIZE = 32 };

enum {
    FILE_SIZE = 6000,
    VARIANTS = 3,
    MEMORY = 4 << 20,
    THEIRS_MAXIMUM = 16,
    LONG_WRITE = 40 << 10
};

#define DEADLINE_NS UINT64_C(3000000000) /* deadline of some runs, ns after their begin */

struct run {
    struct script script; /* bytes that choose the client's actions */
    struct mount mount;
    struct rpc_client *client;
    struct nfs_objects objects;
    struct error error;
    bool clean;            /* at the end, remove directories that other runs left */
    bool spin;             /* NFS calls spin while they wait; false: they sleep */
    uint64_t nodes_before; /* nodes of the exported tree before the run */
};

/* Make the export: a file, an empty file, a link, and dir with a file and sub, which has a link. */
static void make_export(struct run *run)
{
    struct tree_node *root, *directory;

    embedded_renew(MEMORY);
    root = tree_root(embedded_exported.tree);
    embedded_make(root, "file", TREE_FILE, FILE_SIZE);
    embedded_make(root, "zero", TREE_FILE, 0);
    embedded_make(root, "link", TREE_SYMLINK, 0);
    directory = embedded_make(root, "dir", TREE_DIRECTORY, 0);
    embedded_make(directory, "file", TREE_FILE, 100);
    directory = embedded_make(directory, "sub", TREE_DIRECTORY, 0);
    embedded_make(directory, "link", TREE_SYMLINK, 0);
    run->nodes_before = embedded_exported.tree->count;
}

static void check_export(const struct run *run)
{
    static const struct {
        const char *name;
        uint64_t size;
    } files[] = {{"zero", 0}, {"file", FILE_SIZE}, {"link", 4}};
    struct tree_node *root = tree_root(embedded_exported.tree), *directory;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct tree_node *node = tree_lookup(root, files[i].name, strlen(files[i].name));

        FUZZ_CHECK(node && node->size == files[i].size);
    }
    directory = tree_lookup(root, "dir", 3);
    FUZZ_CHECK(directory && tree_lookup(directory, "file", 4) && tree_lookup(directory, "sub", 3));
    FUZZ_CHECK(embedded_exported.tree->count >= run->nodes_before);
}

/* A file of another user, which the run must not remove. This user adds files and directories to
 * the run's scratch directory, moves it away, and may put another directory in its place. */

struct theirs {
    uint64_t number, generation;
};

static struct theirs theirs[THEIRS_MAXIMUM];
static size_t theirs_count;

static void put_theirs(struct tree_node *directory)
{
    const struct tree_node *file;

    if (theirs_count == THEIRS_MAXIMUM || tree_lookup(directory, "thesis", 6))
        return;
    file = embedded_make(directory, "thesis", TREE_FILE, 10);
    theirs[theirs_count++] = (struct theirs){file->number, file->generation};
}

/* Return the first entry of DIRECTORY that is a directory with a scratch directory's name; NULL if
 * there is none. */
static const struct directory_entry *find_scratch(const struct tree_node *directory)
{
    const struct directory_entry *entry = directory_next(directory->entries, 0);

    while (entry && (entry->node->type != TREE_DIRECTORY ||
                     strncmp(entry->name, NFS_SCRATCH_PREFIX, strlen(NFS_SCRATCH_PREFIX)) != 0))
        entry = directory_next(directory->entries, entry->cookie);
    return entry;
}

static void disturb(uint8_t what)
{
    struct tree *tree = embedded_exported.tree;
    struct tree_node *base = tree_root(tree), *directory;
    const struct directory_entry *entry = find_scratch(base);
    char name[NFS_NAME_SIZE];

    if (!entry)
        return;
    directory = entry->node;
    snprintf(name, sizeof name, "%.*s", (int)entry->name_length, entry->name);
    if (what % 4 == 0 && !tree_lookup(directory, "theirs", 6))
        put_theirs(embedded_make(directory, "theirs", TREE_DIRECTORY, 0));
    else if (what % 4 == 1)
        put_theirs(directory);
    else if (!tree_lookup(base, "moved", 5))
        FUZZ_CHECK(tree_rename(tree, base, name, strlen(name), base, "moved", 5) == 0);
    if (what % 4 == 3 && !tree_lookup(base, name, strlen(name)))
        put_theirs(embedded_make(base, name, TREE_DIRECTORY, 0));
}

static void check_theirs(void)
{
    for (size_t i = 0; i < theirs_count; i++)
        FUZZ_CHECK(tree_find(embedded_exported.tree, theirs[i].number, theirs[i].generation));
}

static void count_service(void *context, const struct portmap_entry *entry)
{
    ++*(unsigned *)context;
}

/* List the port mapper's registrations. If it refuses a protocol version, an older one is tried. */
static int list_services(struct run *run, const struct channel_options *options)
{
    const struct endpoint host = {.address.ss_family = AF_INET, .transport = TRANSPORT_TCP};
    unsigned count = 0;
    int code = portmap_dump(&host, options, count_service, &count, &run->error);

    FUZZ_CHECK(code != 0 || hostile_deeds.lies > 0 || count == 2);
    return code;
}

static int mount_it(struct run *run)
{
    static const char *const paths[] = {"/export", "/export/file", "/export/dir/sub",
                                        "/",       "/none",        "/export/none/such"};
    uint8_t how = script_byte(&run->script), path = script_byte(&run->script);
    struct target target = {.host = "one",
                            .transport = how & 1 ? TRANSPORT_UDP : TRANSPORT_TCP,
                            .nfs_port = how & 2 ? 2049 : 0,
                            .mount_port = how & 4 ? 2049 : 0};
    struct mount_options options = {.identity = {.flavor = RPC_FLAVOR_SYS, .machine = "fuzz"},
                                    .channel = hostile_options()};

    if (how & 8)
        strcpy(target.host, how & 32 ? "none" : "two");
    if (how & 16)
        options.identity.flavor = RPC_FLAVOR_KRB5;
    if (how & 16 || path % 6 > 2 || strcmp(target.host, "none") == 0)
        /* The run may fail with this flavor, path or host. Counting a lie makes the final checks
         * accept the failure. */
        hostile_deeds.lies++;
    if (path & 64 && list_services(run, &options.channel) != 0)
        FUZZ_CHECK(run->error.text[0]);
    strcpy(target.path, paths[path % 6]);
    run->spin = how & 64;
    if (how & 128)
        options.channel.deadline.at_ns = clock_raw_ns() + DEADLINE_NS;
    return mount_export(&run->mount, &target, &options, &run->error);
}

static int find_objects(struct run *run)
{
    static const char *const files[] = {NULL, NULL, "file", "dir", "none/such"};
    uint8_t how = script_byte(&run->script), file = script_byte(&run->script);
    struct nfs_objects_request request = {.root = run->mount.root,
                                          .export = run->mount.export,
                                          .path = run->mount.path,
                                          .file = files[file % 5],
                                          .want_file = !(how & 1),
                                          .want_symlink = !(how & 2),
                                          .verify = how & 8,
                                          .read_size = how & 16 ? 8192 : 64,
                                          .read_offset = how & 32 ? FILE_SIZE - 10 : 0};

    int code;

    if (file % 5 > 1 || how & 32)
        hostile_deeds.lies++;
    code = nfs_objects_find(&run->objects, run->client, &request, &run->error);
    if (code == 0)
        code = nfs_objects_search(&run->objects, run->client, &request, &run->error);
    if (code == 0 && !(how & 4) && run->objects.has_file)
        code = nfs_objects_plan_read(&run->objects, run->client, &request, &run->error);
    return code;
}

static const char leftover_name[] = ".nfsbench-far-7-0000000a";

/* Make a directory where the run makes its own, as if a run that was killed had left it long enough
 * ago that its lease has expired. */
static void make_leftover(const struct run *run)
{
    struct nfs_lease lease = {
        .nonce = 7, .host = "far", .process = 7, .started = "2026-11-21T23:41:36Z"};
    struct tree_node *base = embedded_node(&run->objects.base), *directory, *file;
    char text[NFS_LEASE_TEXT_SIZE];
    size_t length;

    if (!base || base->type != TREE_DIRECTORY ||
        tree_lookup(base, leftover_name, strlen(leftover_name)))
        return;
    directory = embedded_make(base, leftover_name, TREE_DIRECTORY, 0);
    strcpy(lease.name, leftover_name);
    lease.directory_id = directory->number;
    length = nfs_lease_print(&lease, text);
    file = embedded_make(directory, NFS_LEASE_FILE, TREE_FILE, 0);
    file->mode = 0600;
    FUZZ_CHECK(tree_write(embedded_exported.tree, file, 0, (uint8_t *)text, length) == 0);
    file->changed = file->modified = 1000000000;
    embedded_make(directory, "filler-4", TREE_FILE, 0);
}

static int make_scratch(struct run *run)
{
    uint8_t how = script_byte(&run->script);
    char name[NFS_NAME_SIZE] = "own";
    struct nfs_scratch_request request = {.name = name,
                                          .entries = how >> 6 ? 5u * (how >> 6) : 0,
                                          .write_size = how & 32 ? LONG_WRITE : 512,
                                          .verify = how & 4,
                                          .files = how & 8 ? 2 : 0,
                                          .file_size = how & 32 ? LONG_WRITE : 1024};

    int code;

    if (!(how & 1))
        nfs_scratch_choose_name(name);
    run->clean = how & 16;
    nfs_base_is_writable_by_all(&run->objects, run->client);
    if (how & 32)
        /* The WRITEs may be too long for a datagram. Counting a lie makes the final checks accept
         * the failure. */
        hostile_deeds.lies++;
    if (run->clean)
        make_leftover(run);
    code = nfs_scratch_make(&run->objects, run->client, &request, &run->error);
    if (code == 0)
        code = nfs_scratch_make_contents(&run->objects, run->client, &request, &run->error);
    if (code == 0)
        code = nfs_objects_plan_write(&run->objects, run->client, how & 2 ? request.write_size : 0,
                                      &run->error);
    return code ? code : nfs_scratch_check_written(&run->objects, run->client, &run->error);
}

static bool has_object(const struct nfs_objects *objects, const struct nfs_procedure *procedure)
{
    switch (procedure->object) {
    case NFS_OBJECT_FILE:
        return objects->has_file;
    case NFS_OBJECT_SYMLINK:
        return objects->has_symlink;
    case NFS_OBJECT_SCRATCH:
    case NFS_OBJECT_SCRATCH_FILE:
        return objects->scratch_name[0] != '\0';
    default:
        return true;
    }
}

static int try_procedure(struct run *run, const struct nfs_procedure *procedure)
{
    struct nfs_call call;
    int status, code;

    if (!has_object(&run->objects, procedure))
        return 0;
    code = nfs_call_make(&call, procedure, &run->objects, &run->mount.options.identity, VARIANTS,
                         &run->error);
    if (code)
        return code;
    code = nfs_call_try(&call, run->client, &status, &run->error);
    if (code == 0)
        code = nfs_call_prepare(&call, VARIANTS, run->client, &run->error);
    if (code == 0)
        code = nfs_call_clear(&call, VARIANTS, run->client, &run->error);
    nfs_call_free(&call);
    return code;
}

static int try_procedures(struct run *run)
{
    size_t count = 0;
    int code = 0;

    while (nfs_procedure_at(count))
        count++;
    while (!script_ended(&run->script) && code == 0)
        code = try_procedure(run, nfs_procedure_at(script_byte(&run->script) % count));
    return code;
}

struct leftovers {
    char names[3][NFS_NAME_SIZE];
    unsigned count;
};

static int take_leftover(void *context, const char *name)
{
    struct leftovers *leftovers = context;

    if (nfs_scratch_is_chosen_name(name))
        strcpy(leftovers->names[leftovers->count++], name);
    return leftovers->count == sizeof leftovers->names / sizeof leftovers->names[0];
}

static int remove_leftovers(struct run *run)
{
    struct leftovers leftovers = {.count = 0};
    int code = nfs_list(run->client, &run->objects.base, run->objects.base_path, 1000,
                        take_leftover, &leftovers, &run->error);

    for (unsigned i = 0; i < leftovers.count && code >= 0; i++) {
        struct nfs_leftover leftover = {.scratch = {.base = run->objects.base,
                                                    .base_path = run->objects.base_path,
                                                    .name = leftovers.names[i]}};
        struct error ignored;

        if (nfs_leftover_check(run->client, &leftover, &ignored) == 0)
            code = nfs_leftover_remove(run->client, &leftover, &run->error);
    }
    return code < 0 ? code : 0;
}

static int remove_scratch(struct run *run)
{
    struct nfs_scratch scratch = nfs_scratch_of(&run->objects);
    struct error ignored;
    int code = run->clean ? remove_leftovers(run) : 0, removed;

    nfs_lease_renew(run->client, &run->objects.scratch_lease, run->objects.scratch_path, &ignored);
    nfs_lease_end(run->client, &run->objects.scratch_lease, run->objects.scratch_path, &ignored);
    removed = nfs_scratch_remove(run->client, &scratch, &run->error);
    return code ? code : removed;
}

static int use(struct run *run)
{
    int code = find_objects(run);

    if (code == 0)
        code = make_scratch(run);
    if (code == 0)
        code = try_procedures(run);
    if (run->objects.scratch_name[0]) {
        int removed = remove_scratch(run);

        code = code ? code : removed;
    }
    nfs_objects_free(&run->objects);
    return code;
}

static int connect_and_use(struct run *run)
{
    int code;

    run->mount.options.channel.spin = run->spin;
    code = rpc_client_open(&run->client, &run->mount.nfs, &run->mount.options.identity,
                           &run->mount.options.channel, &run->error);

    if (code)
        return code;
    code = use(run);
    channel_packets(rpc_client_channel(run->client), 100);
    rpc_client_close(run->client);
    return code;
}

static int go(struct run *run)
{
    int code = mount_it(run), unmounted;

    if (code)
        return code;
    code = connect_and_use(run);
    unmounted = mount_unmount(&run->mount, &run->error);
    return code ? code : unmounted;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    return embedded_open();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t plan = size < PLAN_SIZE ? size : PLAN_SIZE;
    struct run run = {.script = script_of(data, plan)};
    struct script deeds = script_of(data + plan, size - plan);
    int code;

    make_export(&run);
    theirs_count = 0;
    hostile_begin(&deeds, disturb);
    code = go(&run);
    hostile_end();
    FUZZ_CHECK(code <= 0 && (code == 0 || run.error.text[0]));
    tree_check(embedded_exported.tree);
    if (hostile_deeds.lies == 0) {
        check_export(&run);
        check_theirs();
    }
    if (hostile_deeds.lies > 0 || hostile_deeds.faults > 0 || hostile_deeds.others > 0)
        return 0;
    if (code)
        fprintf(stderr, "%s\n", run.error.text);
    FUZZ_CHECK(code == 0 && embedded_exported.tree->count == run.nodes_before);
    return 0;
}
