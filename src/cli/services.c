/* nfsbench HOST: -- show the services and exports of a host. */

#include <errno.h>

#include "cli/measure.h"
#include "job/console.h"
#include "job/plan.h"
#include "run/setup/services.h"

enum { NFS_MEASURED = 3, NFS_LATER = 4 };

bool services_are_asked_for(const struct options *options)
{
    struct target target;

    return options->word_count == 1 && target_parse_host(options->words[0], &target);
}

static void set_service_options(struct target *target, struct mount_options *mount,
                                const struct options *options)
{
    target->transport = (enum transport)options->proto;
    target->nfs_port = options->port;
    target->mount_port = options->mount_port;
    *mount = (struct mount_options){
        .channel = {.timeout_ns = plan_timeout_ns(options, target->transport),
                    .retransmissions = options->plan.retransmissions,
                    .reply_maximum = RPC_REPLY_USUAL,
                    .deadline.stop = &interrupt_flag},
        .reserved_port = !options->plan.no_reserved_port};
    identity_own(&mount->identity);
}

/* Check that the host has NFS version 3, without which its exports can't be measured. */
static int check_version(const struct services *services, struct error *error)
{
    if (services_offer(services, SERVICES_NFS, NFS_MEASURED))
        return 0;
    return error_set(
        error, ERROR_UNREACHABLE, -EPROTONOSUPPORT,
        "%.200s has no NFS version 3%s; nfsbench measures version 3 only: enable it on the server",
        services->target,
        services_offer(services, SERVICES_NFS, NFS_LATER) ? ", but has version 4" : "");
}

int services_show(const struct options *options, struct error *error)
{
    struct mount_options mount;
    struct services services;
    struct target target;
    int code = forms_check(options, RESULT_SERVICES, NULL, error);

    if (code)
        return code;
    interrupt_catch();
    target_parse_host(options->words[0], &target);
    set_service_options(&target, &mount, options);
    code = services_find(&services, &target, &mount, error);
    services.target = options->words[0];
    if (code == 0)
        code = forms_show(options, RESULT_SERVICES, &services, NULL, error);
    if (code == 0)
        code = check_version(&services, error);
    services_free(&services);
    return code;
}
