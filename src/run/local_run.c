#include "run/local_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counted.h"
#include "nfs/objects/scratch_name.h"
#include "nfs/status.h"
#include "output/result/result.h"
#include "run/setup/scratch.h"

enum { FILES_READ, FILES_WRITTEN, FILES_COMMITTED, ALIGNMENT = 4096 };

/* What each op is on a local file. */
static const struct local_op {
    const char *op, *local_op;
    enum local_kind kind;
    int flags, files; /* of pwritev2(2); where there is no file set */
} local_ops[] = {
    {"read", "read" RESULT_LOCAL_END, LOCAL_READ, 0, FILES_READ},
    {"write", "write" RESULT_LOCAL_END, LOCAL_WRITE, 0, FILES_WRITTEN},
    {"write-data-sync", "write-data-sync" RESULT_LOCAL_END, LOCAL_WRITE, RWF_DSYNC, FILES_WRITTEN},
    {"write-file-sync", "write-file-sync" RESULT_LOCAL_END, LOCAL_WRITE, RWF_SYNC, FILES_WRITTEN},
    {"commit", "commit" RESULT_LOCAL_END, LOCAL_COMMIT, 0, FILES_COMMITTED},
};

static const struct local_op *find(const char *op)
{
    for (size_t i = 0; i < sizeof local_ops / sizeof local_ops[0]; i++)
        if (strcmp(local_ops[i].op, op) == 0)
            return &local_ops[i];
    return NULL;
}

bool local_run_has(const char *op)
{
    return find(op) != NULL;
}

/* The directory */

int local_run_open(struct setup *setup, struct error *error)
{
    const struct run_plan *plan = setup->plan;
    struct local_options options = {.directory = plan->baseline_directory,
                                    .direct = plan->baseline_direct,
                                    .stop = plan->deadline.stop};
    struct mountinfo info = {.type = ""};
    int code;

    if (!plan->baseline_directory)
        return 0;
    setup->local = calloc(1, sizeof *setup->local);
    if (!setup->local)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for local files");
    setup->local->cached_share = NAN;
    nfs_scratch_choose_name(setup->local->name);
    options.name = setup->local->name;
    code = local_directory_open(&setup->local->directory, &options, error);
    if (code == 0 && mountinfo_read(setup->local->directory.mount_id, &info) == 0)
        strcpy(setup->local->file_system, info.type);
    return code;
}

/* Not before it is known that they can be made. */
static void announce(const struct setup *setup, size_t count, uint64_t size)
{
    run_plan_notice(setup->plan,
                    "%s of %" PRIu64
                    " bytes, to compare with, in %s/%s, which is removed at the end",
                    counted(count, "local file").text, size, setup->plan->baseline_directory,
                    setup->local->name);
}

uint64_t local_run_bytes(const struct local_run *local)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < LOCAL_RUN_FILES; i++)
        bytes += local->files[i].count * local->files[i].size;
    return bytes;
}

void local_run_look(struct setup *setup)
{
    struct local_run *local = setup->local;
    double cached = 0;

    if (!local)
        return;
    for (size_t i = 0; i < LOCAL_RUN_FILES; i++) {
        const struct local_files *files = &local->files[i];
        double bytes = (double)files->count * (double)files->size;

        if (bytes > 0)
            cached += bytes * local_files_cached(files);
    }
    local->cached_share = cached / (double)local_run_bytes(local);
}

void local_run_end(struct setup *setup)
{
    struct error error;

    for (size_t i = 0; setup->local && i < LOCAL_RUN_FILES; i++)
        local_files_close(&setup->local->files[i]);
    if (!setup->local || local_directory_close(&setup->local->directory, &error) == 0)
        return;
    scratch_note_failed_removal();
    run_plan_warn(setup->plan, "%s", error.text);
}

void local_run_close(struct setup *setup)
{
    free(setup->local);
    setup->local = NULL;
}

/* The files */

/* As large as what the server has. */
static uint64_t file_size(const struct setup *setup, const struct local_op *op)
{
    const struct nfs_objects *objects = &setup->objects;
    uint64_t read_end = objects->read.offset + objects->read.expected;

    if (objects->files)
        return objects->files->size;
    if (op->files == FILES_READ)
        return objects->file_size > read_end ? objects->file_size : read_end;
    return op->files == FILES_WRITTEN ? objects->write.count : NFS_COMMIT_RANGE;
}

static int make_files(struct setup *setup, const struct local_op *op,
                      const struct local_files **made, struct error *error)
{
    const struct nfs_file_set *set = setup->objects.files;
    struct local_directory *directory = &setup->local->directory;
    struct local_files *files = &setup->local->files[set ? FILES_READ : op->files];
    const uint64_t size = file_size(setup, op);
    const size_t count = set ? set->count : 1;
    int code = directory->made ? 0 : local_directory_make(directory, error);

    *made = files;
    if (code || files->descriptors)
        return code;
    code = local_directory_check_room(directory, count, size, error);
    if (code)
        return code;
    announce(setup, count, size);
    return local_files_make(files, directory, count, size, error);
}

/* The series */

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

int local_run_add(struct series_set *set, const struct nfs_procedure *procedure,
                  struct error *error)
{
    const struct local_op *op = set->setup->local ? find(procedure->op) : NULL;
    const struct local_files *files;
    struct series_request request = {.role = SERIES_LOCAL, .procedure = procedure};
    int code;

    if (!op)
        return 0;
    request.name = op->local_op;
    code = make_files(set->setup, op, &files, error);
    if (code == 0)
        code = series_set_add(set, &request, error);
    if (code == 0) {
        set_call(series_set_last(set), op, files);
        code = open_engine(set, error);
    }
    return code ? code : try_call(set, series_set_last(set), error);
}

/* Each call commits data of its own, as on the server (nfs/procedures/procedures_data.c). */
static int write_own(const struct run_series *series, size_t count)
{
    const struct nfs_objects *objects = series->call.objects;
    const struct engine_call *call = &series->call.engine;
    size_t size = call->places ? objects->write.count : NFS_COMMIT_RANGE;
    uint8_t *data = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    int code = data ? 0 : -ENOMEM;

    if (data)
        memset(data, 'c', size);
    for (size_t i = 0; i < count && code == 0; i++) {
        const struct engine_place *place = engine_place(call, i);
        uint64_t offset = place ? place->offset : i * NFS_COMMIT_RANGE;

        if (pwrite(series->local.files->descriptors[place ? place->object : 0], data, size,
                   (off_t)offset) < 0)
            code = -errno;
    }
    free(data);
    return code;
}

int local_run_prepare(struct run_series *series, size_t count, struct error *error)
{
    int code = nfs_call_draw(&series->call, count, error);

    if (code || series->local.kind != LOCAL_COMMIT)
        return code;
    code = write_own(series, count);
    return code ? error_set(error, ERROR_FAILED, code, "writing what %s commits: %s", series->name,
                            strerror(-code))
                : 0;
}
