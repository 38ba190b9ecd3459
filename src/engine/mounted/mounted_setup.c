#include "engine/mounted/mounted_run.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/address.h"
#include "nfs/objects/scratch_name.h"

enum { NFS_PORT = 2049 };

/* The mount */

bool mounted_is_nfs3(const struct mountinfo *info, char *what, size_t size)
{
    char version[MOUNTINFO_VALUE_SIZE] = "";
    bool nfs = strcmp(info->type, "nfs") == 0;

    if ((nfs || strcmp(info->type, "nfs4") == 0) && mountinfo_option(info, "vers", version))
        snprintf(what, size, "NFSv%.20s", version);
    else
        snprintf(what, size, "%s", info->type);
    return nfs && strcmp(version, "3") == 0;
}

static int find_mount(struct setup *setup, uint64_t id, struct error *error)
{
    char what[MOUNTINFO_TYPE_SIZE + 8];
    int code = mountinfo_read(id, &setup->mounted_at);

    if (code)
        return error_set(error, ERROR_FAILED, code,
                         "target '%.200s': its mount is not in /proc/self/mountinfo",
                         setup->plan->target_text);
    if (mounted_is_nfs3(&setup->mounted_at, what, sizeof what))
        return 0;
    return error_set(
        error, ERROR_USAGE, -ENODEV,
        "target '%.200s' is on %s, not on NFSv3: name a directory or a file on a mount made with "
        "-o vers=3, or a server as host:/export",
        setup->plan->target_text, what);
}

const char *mounted_setup_change(const struct setup *setup)
{
    const struct mountinfo *then = &setup->mounted_at;
    struct mountinfo now;

    if (mountinfo_read(setup->on_mount->file_system.mount_id, &now) != 0 ||
        strcmp(now.point, then->point) != 0 || strcmp(now.source, then->source) != 0)
        return "the mount was unmounted";
    return strcmp(now.options, then->options) != 0 ? "the mount's options changed" : NULL;
}

uint32_t mounted_flavor(const struct mountinfo *info)
{
    char value[MOUNTINFO_VALUE_SIZE], name[24];

    if (!mountinfo_option(info, "sec", value))
        return RPC_FLAVOR_SYS;
    for (uint32_t flavor = RPC_FLAVOR_KRB5; flavor <= RPC_FLAVOR_KRB5P; flavor++)
        if (strcmp(value, rpc_flavor_name(flavor, name)) == 0)
            return flavor;
    return strcmp(value, "null") == 0 ? RPC_FLAVOR_NONE : RPC_FLAVOR_SYS;
}

/* The server */

static void set_address(struct endpoint *nfs, const char *text, uint16_t port)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&nfs->address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&nfs->address;

    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1)
        v4->sin_family = AF_INET;
    else if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1)
        v6->sin6_family = AF_INET6;
    address_set_port(&nfs->address, port);
}

static uint16_t port_option(const struct mountinfo *info, const char *name)
{
    char value[MOUNTINFO_VALUE_SIZE];
    unsigned long port = mountinfo_option(info, name, value) ? strtoul(value, NULL, 10) : 0;

    return port <= UINT16_MAX ? (uint16_t)port : 0;
}

/* Set the server's address, transport and flavor. If the mount options name no port, it is 2049. */
static void describe_server(struct setup *setup)
{
    const struct mountinfo *info = &setup->mounted_at;
    char address[MOUNTINFO_VALUE_SIZE] = "", proto[MOUNTINFO_VALUE_SIZE] = "";
    uint16_t port = port_option(info, "port");

    mountinfo_option(info, "addr", address);
    mountinfo_option(info, "proto", proto);
    setup->mount.options.identity.flavor = mounted_flavor(info);
    setup->mount.nfs.transport = strncmp(proto, "udp", 3) == 0 ? TRANSPORT_UDP : TRANSPORT_TCP;
    set_address(&setup->mount.nfs, address, port ? port : NFS_PORT);
}

/* Set host and export from "host:/export". An IPv6 host loses its brackets. */
static void describe_export(struct setup *setup)
{
    const char *source = setup->mounted_at.source, *colon = strstr(source, ":/");
    int length = colon ? (int)(colon - source) : 0, bracket = length > 1 && source[0] == '[';

    snprintf(setup->target.host, sizeof setup->target.host, "%.*s", length - 2 * bracket,
             source + bracket);
    snprintf(setup->mount.export, sizeof setup->mount.export, "%.*s", TARGET_PATH_SIZE - 1,
             colon ? colon + 1 : source);
}

static void describe_path(struct setup *setup, const char *path)
{
    struct nfs_objects *objects = &setup->objects;
    size_t point = strlen(setup->mounted_at.point);

    if (strncmp(path, setup->mounted_at.point, point) == 0)
        snprintf(setup->mount.path, sizeof setup->mount.path, "%.*s", TARGET_PATH_SIZE - 1,
                 path + point + (path[point] == '/'));
    snprintf(objects->directory_path, sizeof objects->directory_path, "%.*s", NFS_PATH_SIZE - 1,
             path);
    objects->read.count =
        run_plan_transfers(setup->plan, NFS_TRANSFER_READ) ? setup->plan->read_size : 0;
    objects->read.expected = objects->write.count = objects->write.expected =
        setup->plan->read_size;
}

void mounted_setup_target(const struct setup *setup, struct target *target)
{
    const struct mount *mount = &setup->mount;
    char address[ADDRESS_TEXT_SIZE];

    *target = (struct target){.transport = mount->nfs.transport,
                              .nfs_port = port_option(&setup->mounted_at, "port"),
                              .mount_port = port_option(&setup->mounted_at, "mountport")};
    snprintf(target->host, sizeof target->host, "%s",
             identity_needs_kerberos(&mount->options.identity)
                 ? setup->target.host
                 : address_text(&mount->nfs.address, address));
    snprintf(target->path, sizeof target->path, "%.500s%s%.500s", mount->export,
             mount->path[0] ? "/" : "", mount->path);
}

/* Return whether any op of PLAN works on OBJECT. */

static bool works_on(const struct run_plan *plan, enum operation_object object)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        const struct mounted_operation *operation = mounted_operation_find(plan->ops[i]->op);

        if (operation && operation->object == object)
            return true;
    }
    return false;
}

static int make_scratch(struct setup *setup, struct error *error)
{
    struct nfs_objects *objects = &setup->objects;
    char name[NFS_NAME_SIZE];

    if (!works_on(setup->plan, OPERATION_FILE) && !works_on(setup->plan, OPERATION_SCRATCH))
        return 0;
    if (setup->plan->scratch)
        snprintf(name, sizeof name, "%.*s", NFS_NAME_SIZE - 1, setup->plan->scratch);
    else
        nfs_scratch_choose_name(name);
    snprintf(objects->scratch_path, sizeof objects->scratch_path, "%.900s/%s",
             objects->directory_path, name);
    run_plan_notice(setup->plan, "ops that need files work in %s, which is removed at the end",
                    objects->scratch_path);
    return caller_make_scratch(setup->on_mount->caller, name, setup->plan->read_size, error);
}

static int use_file(const struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    uint64_t size = setup->on_mount->file_system.size;

    if (!works_on(plan, OPERATION_FILE))
        return 0;
    if (size < plan->read_size)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "target '%.200s' has %" PRIu64
                         " bytes, fewer than a READ of %u; lower --size",
                         plan->target_text, size, plan->read_size);
    return caller_use_file(setup->on_mount->caller, plan->read_size, error);
}

int mounted_setup_open(struct setup *setup, const struct clock *clock, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    const struct caller_options options = {.target = plan->target.path,
                                           .patience_ns =
                                               plan->timeout_ns * (plan->retransmissions + 1),
                                           .verify = plan->verify,
                                           .others = plan->mount_others,
                                           .stop = plan->deadline.stop,
                                           .clock = clock};
    struct caller_file_system *found;
    int code;

    setup->on_mount = calloc(1, sizeof *setup->on_mount);
    if (!setup->on_mount)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the mount");
    found = &setup->on_mount->file_system;
    code = caller_open(&setup->on_mount->caller, &options, found, error);
    if (code == 0)
        code = find_mount(setup, found->mount_id, error);
    if (code)
        return code;
    if (found->is_file && plan->verify)
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "--verify: the contents of the file '%.200s' are unknown; name a directory",
            plan->target_text);
    describe_server(setup);
    describe_export(setup);
    describe_path(setup, found->path);
    return found->is_file ? use_file(setup, error) : make_scratch(setup, error);
}

void mounted_setup_close(struct setup *setup)
{
    struct error error;

    if (caller_close(setup->on_mount->caller, &error) != 0)
        run_plan_warn(setup->plan, "%s", error.text);
    setup->on_mount->caller = NULL;
}
