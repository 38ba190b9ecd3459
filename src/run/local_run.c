#include "run/local_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counted.h"
#include "common/memory.h"
#include "nfs/objects/scratch_name.h"
#include "run/setup/scratch.h"

enum { ALIGNMENT = 4096 };

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

static void announce_local_files(const struct setup *setup, size_t count, uint64_t size)
{
    run_plan_notice(setup->plan,
                    "the baseline uses %s of %" PRIu64
                    " bytes in %s/%s, which is removed at the end",
                    counted(count, "local file").text, size, setup->plan->baseline_directory,
                    setup->local->name);
}

uint64_t local_run_bytes(const struct local_run *local)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < LOCAL_FILES; i++)
        bytes += local->files[i].count * local->files[i].size;
    return bytes;
}

void local_run_look(struct setup *setup)
{
    struct local_run *local = setup->local;
    double cached = 0;

    if (!local)
        return;
    for (size_t i = 0; i < LOCAL_FILES; i++) {
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

    for (size_t i = 0; setup->local && i < LOCAL_FILES; i++)
        local_files_close(&setup->local->files[i]);
    if (!setup->local || local_directory_close(&setup->local->directory, &error) == 0)
        return;
    scratch_note_failed_removal();
    run_plan_warn(setup->plan, "%s", error.text);
}

void local_run_close(struct setup *setup)
{
    if (setup->local)
        free(setup->local->mix.order);
    free(setup->local);
    setup->local = NULL;
}

/* Return the size of a local file for OP, bytes: that of the file that the NFS calls access. */
static uint64_t file_size(const struct setup *setup, const struct local_op *op)
{
    const struct nfs_objects *objects = &setup->objects;
    uint64_t read_end = objects->read.offset + objects->read.expected;

    if (objects->files)
        return objects->files->size;
    if (op->files == LOCAL_FILES_READ)
        return objects->file_size > read_end ? objects->file_size : read_end;
    return op->files == LOCAL_FILES_WRITTEN ? objects->write.count : NFS_COMMIT_RANGE;
}

int local_run_make_files(struct setup *setup, const struct local_op *op,
                         const struct local_files **made, struct error *error)
{
    const struct nfs_file_set *set = setup->objects.files;
    struct local_directory *directory = &setup->local->directory;
    struct local_files *files = &setup->local->files[set ? LOCAL_FILES_READ : op->files];
    const uint64_t size = file_size(setup, op);
    const size_t count = set ? set->count : 1;
    int code = directory->made ? 0 : local_directory_make(directory, error);

    *made = files;
    if (code || files->descriptors)
        return code;
    code = local_directory_check_room(directory, count, size, error);
    if (code)
        return code;
    announce_local_files(setup, count, size);
    return local_files_make(files, directory, count, size, error);
}

/* Write the data for COUNT COMMITs of SERIES, which are on local files. For COMMITs over NFS,
 * nfs/procedures/procedures_data.c does that. */
static int write_data_to_commit(const struct run_series *series, size_t count)
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

static int draw_order(struct local_mix *mix, const struct nfs_mix *ops, size_t count,
                      struct error *error)
{
    uint32_t shares[NFS_MIX_OPS_MAXIMUM];
    const size_t length = nfs_mix_divide(ops, (uint32_t)count, shares);
    size_t drawn = 0;

    if (array_reserve(&mix->order, &mix->room, length, sizeof *mix->order) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the local mix");
    for (size_t op = 0; op < ops->count; op++)
        for (uint32_t i = 0; i < shares[op]; i++)
            mix->order[drawn++] = op;
    random_shuffle(&mix->random, mix->order, length);
    return 0;
}

int local_run_prepare(struct series_set *set, struct run_series *series, size_t count,
                      struct error *error)
{
    struct local_mix *mix = &set->setup->local->mix;
    int code = nfs_call_draw(&series->call, count, error);

    if (code == 0 && series->local.parts) {
        code = draw_order(mix, &set->mix_ops, count, error);
        series->local.order = mix->order;
    }
    if (code || series->local.kind != LOCAL_COMMIT)
        return code;
    code = write_data_to_commit(series, count);
    return code ? error_set(error, ERROR_FAILED, code, "writing what %s commits: %s", series->name,
                            strerror(-code))
                : 0;
}
