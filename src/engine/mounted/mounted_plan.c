/* Refuses plans that a mount does not support. */
#include <errno.h>

#include "engine/mounted/caller.h"
#include "engine/mounted/mounted_run.h"

static int refuse_plan(struct error *error, const char *text)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "%s", text);
}

int mounted_check_plan(struct run_plan *plan, struct error *error)
{
    if (run_plan_makes_load(plan) || plan->mix_name || plan->files || plan->directory_size ||
        plan->working_set.chosen || plan->working_set.once || plan->file)
        return refuse_plan(error, "a mount takes one call at a time (explain also --clients), on "
                                  "the run's own files or on a file as target; leave out load, "
                                  "mix, --file, --files, --dir-size, --pattern and --cold");
    if (plan->mount_others >= CALLER_OTHERS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--clients on a mount is a number of processes, %d at most",
                         CALLER_OTHERS_MAXIMUM);
    if (plan->verify && plan->mount_others && run_plan_transfers(plan, NFS_TRANSFER_WRITE))
        return refuse_plan(error, "--verify and --clients exclude each other on a mount, because "
                                  "all processes write to the same places; leave out one of them");
    if (plan->verify && plan->block > OPERATION_FILE_SIZES &&
        run_plan_transfers(plan, NFS_TRANSFER_WRITE))
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "--verify on a mount reads back %d WRITEs of a block at most; use --block %d",
            OPERATION_FILE_SIZES, OPERATION_FILE_SIZES);
    if (plan->block > OPERATION_CALLS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "--block must be at most %d on a mount",
                         OPERATION_CALLS_MAXIMUM);
    plan->no_model = true;
    return 0;
}
