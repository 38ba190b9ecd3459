/* Adds and tries the series on local files, each after the op or mix that it is compared with. */
#include <errno.h>
#include <string.h>

#include "nfs/status.h"
#include "output/result/result.h"
#include "run/local_ops.h"
#include "run/local_run.h"

static struct local_call make_local_call(const struct local_op *op,
                                         const struct nfs_objects *objects,
                                         const struct local_files *files)
{
    bool reads = op->kind == LOCAL_READ;

    return (struct local_call){.kind = op->kind,
                               .flags = op->flags,
                               .files = files,
                               .offset = reads && !objects->files ? objects->read.offset : 0,
                               .size = reads ? objects->read.expected : objects->write.count,
                               .data = objects->write.data};
}

/* Return a load with one thread per call in flight of LOAD. A thread makes one call at a time. */
static struct load make_local_load(const struct load *load)
{
    struct load own = {.clients = load->clients,
                       .connections = load->connections * load->depth,
                       .depth = 1,
                       .cpu_count = load->cpu_count};

    own.threads = own.clients * own.connections;
    memcpy(own.cpus, load->cpus, sizeof own.cpus);
    return own;
}

static int open_local_engine(struct series_set *set, struct error *error)
{
    const struct engine_config config = {.channel = {.deadline.stop = set->plan->deadline.stop},
                                         .clock = set->clock,
                                         .load = make_local_load(&set->plan->load)};

    return set->local_engine ? 0 : engine_open(&set->local_engine, &engine_local, &config, error);
}

static int try_local_call(struct series_set *set, struct run_series *series, struct error *error)
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

static int add_local_series(struct series_set *set, const char *name,
                            const struct nfs_procedure *procedure, const struct local_call *call,
                            struct error *error)
{
    const struct series_request request = {SERIES_LOCAL, name, .procedure = procedure};
    struct run_series *series;
    int code = series_set_add(set, &request, error);

    if (code)
        return code;
    series = series_set_last(set);
    series->local = *call;
    series->call.engine.local = &series->local;
    series->baseline = NULL;
    code = open_local_engine(set, error);
    return code ? code : try_local_call(set, series, error);
}

int series_add_local(struct series_set *set, const struct nfs_procedure *procedure,
                     struct error *error)
{
    const struct local_op *op = set->setup->local ? local_op_find(procedure->op) : NULL;
    const struct local_files *files;
    struct local_call call;
    int code;

    if (!op || set->mix)
        return 0;
    code = local_run_make_files(set->setup, op, &files, error);
    if (code)
        return code;
    call = make_local_call(op, &set->setup->objects, files);
    return add_local_series(set, op->local_op, procedure, &call, error);
}

int series_add_local_mix(struct series_set *set, struct error *error)
{
    const struct nfs_mix *ops = &set->mix_ops;
    struct local_call all, *parts;
    int code = 0;

    if (!set->setup->local)
        return 0;
    parts = set->setup->local->mix.parts;
    for (size_t i = 0; i < ops->count && code == 0; i++) {
        const struct local_op *op = local_op_find(ops->ops[i].procedure->op);
        const struct local_files *files;

        code = local_run_make_files(set->setup, op, &files, error);
        if (code == 0)
            parts[i] = make_local_call(op, &set->setup->objects, files);
    }
    if (code)
        return code;
    random_seed(&set->setup->local->mix.random, set->plan->seed);
    all = parts[0];
    all.parts = parts;
    return add_local_series(set, "mix" RESULT_LOCAL_END, ops->ops[0].procedure, &all, error);
}
