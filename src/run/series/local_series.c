/* The series of a run on local files: added and tried, each beside the op that it is compared with.
 */
#include <string.h>

#include "nfs/status.h"
#include "run/local_ops.h"
#include "run/local_run.h"

static void set_call(struct run_series *series, const struct local_op *op,
                     const struct local_files *files)
{
    const struct nfs_objects *objects = series->call.objects;
    bool reads = op->kind == LOCAL_READ;

    series->local =
        (struct local_call){.kind = op->kind,
                            .flags = op->flags,
                            .files = files,
                            .offset = reads && !objects->files ? objects->read.offset : 0,
                            .size = reads ? objects->read.expected : objects->write.count,
                            .data = objects->write.data};
    series->call.engine.local = &series->local;
    series->baseline = NULL;
}

/* As many threads as the plan's clients have calls in flight; each makes one call at a time. */
static struct load load_of(const struct load *load)
{
    struct load own = {.clients = load->clients,
                       .connections = load->connections * load->depth,
                       .depth = 1,
                       .cpu_count = load->cpu_count};

    own.threads = own.clients * own.connections;
    memcpy(own.cpus, load->cpus, sizeof own.cpus);
    return own;
}

static int open_engine(struct series_set *set, struct error *error)
{
    const struct engine_config config = {.channel = {.deadline.stop = set->plan->deadline.stop},
                                         .clock = set->clock,
                                         .load = load_of(&set->plan->load)};

    return set->local_engine ? 0 : engine_open(&set->local_engine, &engine_local, &config, error);
}

static int try_call(struct series_set *set, struct run_series *series, struct error *error)
{
    uint64_t ticks;
    struct block block = {.count = 1, .ticks = &ticks};
    struct engine_tally tally = {.failed = 0};
    char name[NFS_STATUS_NAME_SIZE];
    int code = series_set_prepare(set, series, 1, error);

    if (code == 0)
        code = series_set_run(set, series, &block, &tally, error);
    if (code || tally.failed == 0)
        return code;
    return error_set(error, ERROR_USAGE, -EIO, "--baseline-dir %.300s: %s of %u bytes%s: %s",
                     set->plan->baseline_directory, series->name, series->local.size,
                     set->plan->baseline_direct ? " with O_DIRECT" : "",
                     nfs_status_name(tally.errors[0].status, name));
}

int series_add_local(struct series_set *set, const struct nfs_procedure *procedure,
                     struct error *error)
{
    const struct local_op *op = set->setup->local ? local_op_find(procedure->op) : NULL;
    const struct local_files *files;
    struct series_request request = {.role = SERIES_LOCAL, .procedure = procedure};
    int code;

    if (!op)
        return 0;
    request.name = op->local_op;
    code = local_run_make_files(set->setup, op, &files, error);
    if (code == 0)
        code = series_set_add(set, &request, error);
    if (code == 0) {
        set_call(series_set_last(set), op, files);
        code = open_engine(set, error);
    }
    return code ? code : try_call(set, series_set_last(set), error);
}
