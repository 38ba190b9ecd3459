/* Sets the host, target and configuration of struct measured, and a result's origin. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/address.h"
#include "common/append.h"
#include "common/cpu.h"
#include "common/environment.h"
#include "measure/statistics/estimate.h"
#include "run/local_run.h"
#include "run/outcome/measured_parts.h"
#include "run/outcome/outcome.h"

static void fill_host(struct taking *taking)
{
    const struct clock *clock = taking->measured->clock;
    struct result_host *host = &taking->measured->host;
    struct host found;

    host_read(&found);
    host->name =
        taking->measured->plan->no_hostname ? NULL : filling_copy(&taking->filling, found.name);
    host->kernel = filling_copy(&taking->filling, found.kernel);
    host->machine = filling_copy(&taking->filling, found.machine);
    host->cpu = filling_copy(&taking->filling, found.cpu);
    host->clocksource = filling_copy(&taking->filling, found.clocksource);
    host->cpus = found.cpus;
    host->virtual = found.virtual;
    host->tsc_hz = clock->tsc ? 1e9 / clock->ns_per_tick : NAN;
}

static void fill_flavors(const struct mount *mount, char *out, size_t size)
{
    char name[24];

    out[0] = '\0';
    for (size_t i = 0; i < mount->flavor_count; i++)
        append_item(out, size, "%s", rpc_flavor_name(mount->flavors[i], name));
}

static void fill_median(struct taking *taking, const double *values, size_t count,
                        struct interval *interval)
{
    struct error ignored;

    *interval = (struct interval){NAN, NAN, NAN};
    if (count > 0 && estimate_median_interval(values, count, taking->measured->plan->seed, interval,
                                              &ignored) != 0)
        taking->filling.failed = true;
}

static const struct result_contexts *describe_contexts(struct taking *taking)
{
    const struct contexts_run *made = taking->contexts;
    struct result_contexts *contexts =
        made->made ? filling_alloc(&taking->filling, 1, sizeof *contexts) : NULL;

    if (!contexts)
        return NULL;
    contexts->made = made->made;
    fill_median(taking, made->creation, made->made, &contexts->creation);
    fill_median(taking, made->init, made->made, &contexts->init);
    fill_median(taking, made->continued, made->continues, &contexts->continued);
    fill_median(taking, made->destroy, made->destroyed, &contexts->destroy);
    return contexts;
}

static const struct result_handshakes *describe_handshakes(struct taking *taking)
{
    const struct contexts_run *made = taking->contexts;
    struct result_handshakes *handshakes =
        made->probes ? filling_alloc(&taking->filling, 1, sizeof *handshakes) : NULL;
    const struct tls_counts counts = contexts_run_tls_counts(made, taking->setup);

    if (!handshakes)
        return NULL;
    handshakes->full = made->full;
    handshakes->resumed = made->resumed;
    handshakes->run_connections = counts.begun;
    handshakes->run_resumed = counts.resumed;
    fill_median(taking, made->probe, made->probes, &handshakes->probe);
    fill_median(taking, made->full_handshake, made->full, &handshakes->full_ns);
    fill_median(taking, made->resumed_handshake, made->resumed, &handshakes->resumed_ns);
    return handshakes;
}

static struct result_limits describe_limits(const struct nfs_export_info *info)
{
    return (struct result_limits){
        .rtmax = info->fsinfo.rtmax,
        .rtpref = info->fsinfo.rtpref,
        .wtmax = info->fsinfo.wtmax,
        .wtpref = info->fsinfo.wtpref,
        .dtpref = info->fsinfo.dtpref,
        .properties = info->fsinfo.properties,
        .name_max = info->pathconf.name_max,
        .link_max = info->pathconf.linkmax,
        .bytes = info->fsstat.tbytes,
        .bytes_free = info->fsstat.abytes,
        .files = info->fsstat.tfiles,
        .files_free = info->fsstat.afiles,
    };
}

static void fill_target(struct taking *taking)
{
    const struct run_plan *plan = taking->measured->plan;
    const struct setup *setup = taking->setup;
    const struct mount *mount = &setup->mount;
    struct result_target *target = &taking->measured->target;
    char name[24], address[64], flavors[160];
    const char *tls = taking->contexts->tls;
    bool mounted = plan->target.mounted;

    fill_flavors(mount, flavors, sizeof flavors);
    address_text(&mount->nfs.address, address);
    *target = (struct result_target){
        .text = plan->target_text,
        .host = setup->target.host,
        .export = mount->export,
        .path = mount->path,
        .address = filling_copy(&taking->filling, address),
        .transport = transport_name(mount->nfs.transport),
        .nfs_port = address_port(&mount->nfs.address),
        .mount_port = address_port(&mount->mount.address),
        .auth =
            filling_copy(&taking->filling, rpc_flavor_name(mount->options.identity.flavor, name)),
        .flavors = filling_copy(&taking->filling, flavors),
        .limits = describe_limits(&setup->info),
        .mount_ns = mount->mount_ns,
        .unmount_ns = mount->unmount_ns,
        .look_up_ns = mount->look_up_ns,
        .port_mapper_ns = mount->port_mapper_ns,
        .connect_ns = setup->connect_ns,
        .contexts = describe_contexts(taking),
        .xprtsec = *tls ? rpc_xprtsec_name(plan->tls.how) : NULL,
        .tls = *tls ? filling_copy(&taking->filling, tls) : NULL,
        .handshakes = describe_handshakes(taking),
        .mount_point = mounted ? setup->mounted_at.point : NULL,
        .mount_options = mounted ? setup->mounted_at.options : NULL,
    };
}

static const struct result_mix *describe_mix(struct taking *taking)
{
    const char *plan_name = taking->measured->plan->mix_name;
    const struct nfs_mix *ops = &taking->set->mix_ops;
    struct result_mix *mix = plan_name ? filling_alloc(&taking->filling, 1, sizeof *mix) : NULL;
    char name[PATH_MAX + NFS_MIX_MISSING_SIZE];

    if (!mix)
        return NULL;
    snprintf(name, sizeof name, "%s%s%s", plan_name, ops->missing[0] ? RESULT_MIX_LESS : "",
             ops->missing);
    mix->name = filling_copy(&taking->filling, name);
    for (size_t i = 0; i < ops->count && i < RESULT_MIX_MAXIMUM; i++) {
        mix->ops[i].op = ops->ops[i].procedure->op;
        mix->ops[i].weight = ops->ops[i].weight;
        mix->count++;
    }
    return mix;
}

static const struct result_tree *describe_tree(struct taking *taking)
{
    const struct setup *setup = taking->setup;
    const struct nfs_tree *found = setup->objects.files ? setup->objects.files->tree : NULL;
    struct result_tree *tree = found ? filling_alloc(&taking->filling, 1, sizeof *tree) : NULL;

    if (tree)
        *tree = (struct result_tree){.path = setup->plan->tree,
                                     .files = found->files.count,
                                     .bytes = found->bytes,
                                     .symlinks = found->symlinks.count,
                                     .directories = found->directory_count,
                                     .others = found->others,
                                     .vanished = found->counts.vanished,
                                     .denied = found->counts.denied,
                                     .loops = found->counts.loops,
                                     .calls = found->counts.calls,
                                     .elapsed_ns = setup->tree_ns,
                                     .cut = found->cut};
    return tree;
}

static const struct result_baseline_directory *describe_directory(struct taking *taking)
{
    const struct setup *setup = taking->setup;
    struct result_baseline_directory *directory =
        setup->local ? filling_alloc(&taking->filling, 1, sizeof *directory) : NULL;

    if (directory)
        *directory = (struct result_baseline_directory){
            .path = setup->plan->baseline_directory,
            .file_system = setup->local->file_system[0]
                               ? filling_copy(&taking->filling, setup->local->file_system)
                               : NULL,
            .bytes = local_run_bytes(setup->local),
            .direct = setup->plan->baseline_direct,
            .cached_share = setup->local->cached_share};
    return directory;
}

static bool opens_in_time(const struct run_plan *plan)
{
    return plan->verify_in_time ||
           (plan->engine->opens_in_time && identity_needs_kerberos(&plan->identity));
}

static void describe_given_up(const struct series_set *set, const struct time_use *time,
                              struct result_given_up *gave)
{
    const struct time_needs *needs = &time->needs;
    const struct time_plan *plan = &time->plan;
    const double asked_s = (double)set->plan->maximum_ns / 1e9;

    *gave = (struct result_given_up){.usual_seconds = 0};
    if (time->rounds_end_ns == 0 || (time_plan_is_complete(plan, needs) && !set->model_untried))
        return;
    *gave = (struct result_given_up){
        .launches = plan->launches,
        .launches_usual = needs->launches,
        .block = plan->block,
        .block_usual = needs->block,
        .warmup = needs->warms_up && !plan->whole_warmup,
        .model = set->model_untried || (needs->model_ns > 0 && !plan->model),
        .control = needs->control_ns > 0 && !plan->control,
        .ledger = needs->ledger_ns > 0 && !plan->ledger,
        .usual_seconds = fmax(1.1 * asked_s, asked_s + (plan->whole_ns - needs->left_ns) / 1e9),
    };
}

static void fill_config(struct taking *taking)
{
    const struct run_plan *plan = taking->measured->plan;
    const struct setup *setup = taking->setup;
    char client_cpus[128], pattern[PATTERN_NAME_SIZE];

    cpu_allowed_list(client_cpus);
    taking->measured->config = (struct result_config){
        .engine = plan->engine->name,
        .mix = describe_mix(taking),
        .load = plan->load,
        .spin = plan->spin,
        .verify = plan->verify,
        .count_resent = plan->count_resent || plan->load.rate > 0,
        .check_in_time = opens_in_time(plan),
        .baseline = !plan->no_baseline,
        .precision = plan->precision,
        .maximum_ns = plan->maximum_ns,
        .over_ns = plan->over_ns,
        .block = taking->set->block,
        .timeout_ns = plan->timeout_ns,
        .retransmissions = plan->retransmissions,
        .receive_window = plan->receive_window,
        .read_size = setup->objects.read.count,
        .read_offset = setup->objects.read.offset,
        .write_size = run_plan_transfers(plan, NFS_TRANSFER_WRITE) ? plan->read_size : 0,
        .files = plan->files,
        .file_size = plan->files ? run_plan_file_size(plan) : 0,
        .tree = describe_tree(taking),
        .pattern =
            filling_copy(&taking->filling, pattern_name(&plan->working_set.pattern, pattern)),
        .cold = plan->working_set.once,
        .working_set_bytes = plan->working_set.extent.bytes,
        .working_set_files = plan->working_set.extent.files,
        .directory_size = plan->directory_size,
        .baseline_directory = describe_directory(taking),
        .client_cpus = filling_copy(&taking->filling, client_cpus),
        .server_cpu = plan->target.self ? setup->self.pinned_cpu : -1,
        .one_processor = plan->one_processor,
    };
    describe_given_up(taking->set, taking->time, &taking->measured->config.given_up);
}

static bool share_core(const char *client_cpus, const char *server_cpus)
{
    char *client_end, *server_end;
    unsigned long client = strtoul(client_cpus, &client_end, 10);
    unsigned long server = strtoul(server_cpus, &server_end, 10);

    return client_end != client_cpus && !*client_end && server_end != server_cpus && !*server_end &&
           cpu_share_core((unsigned)client, (unsigned)server);
}

void measured_take_settings(struct taking *taking)
{
    fill_host(taking);
    fill_target(taking);
    fill_config(taking);
    if (!taking->filling.failed)
        taking->measured->shares_core =
            share_core(taking->measured->config.client_cpus, taking->measured->ledger->server_cpus);
}

void outcome_fill_origin(struct origin *origin, const struct run_plan *plan, time_t started,
                         const char *transport)
{
    struct host host;
    char flavor[24];

    host_read(&host);
    *origin = (struct origin){.command = (const char *const *)plan->command,
                              .command_count = plan->command_count,
                              .target = plan->target_text,
                              .transport = transport,
                              .seed = plan->seed};
    snprintf(origin->auth, sizeof origin->auth, "%s",
             rpc_flavor_name(plan->identity.flavor, flavor));
    if (plan->tls.how != RPC_XPRTSEC_NONE)
        origin->xprtsec = rpc_xprtsec_name(plan->tls.how);
    if (!plan->no_hostname)
        snprintf(origin->name, sizeof origin->name, "%s", host.name);
    snprintf(origin->kernel, sizeof origin->kernel, "%s", host.kernel);
    snprintf(origin->cpu, sizeof origin->cpu, "%s", host.cpu);
    system_clock_text(started, origin->start);
}
