/* The engine for system calls on a mount. The kernel's NFS client has the connection, and a
 * separate process makes the calls (mounted/caller.h). There are no messages to check. */
#include <errno.h>
#include <stdlib.h>

#include "engine/engine.h"
#include "engine/mounted/mounted_run.h"

_Static_assert(ENGINE_DATA_MISMATCH == ENGINE_SYSTEM_ERROR + OPERATION_DATA_MISMATCH,
               "what the process counts is counted as it is");

struct mounted {
    struct engine engine;
    struct caller *caller;
};

static int mounted_open(struct engine **engine, const struct engine_config *config,
                        struct error *error)
{
    struct mounted *mounted = calloc(1, sizeof *mounted);

    if (!mounted)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    mounted->caller = config->on_mount->caller;
    *engine = &mounted->engine;
    return 0;
}

static int mounted_run(struct engine *engine, const struct engine_call *call, struct block *block,
                       struct engine_tally *tally, struct error *error)
{
    struct mounted *mounted = (struct mounted *)engine;
    struct caller_errors errors = {.kinds = 0};
    int code = caller_run(mounted->caller, call->operation, block, &errors, error);

    for (size_t i = 0; i < errors.kinds; i++)
        engine_count_errors(tally, ENGINE_SYSTEM_ERROR + errors.errors[i].number,
                            errors.errors[i].count);
    return code;
}

static void mounted_close(struct engine *engine)
{
    free(engine);
}

static pid_t process_of(const struct setup *setup)
{
    const struct caller *caller = setup->on_mount->caller;

    return caller ? caller_pid(caller) : 0;
}

static void times_of(const struct setup *setup, double *user_ns, double *system_ns)
{
    if (setup->on_mount->caller)
        caller_times(setup->on_mount->caller, user_ns, system_ns);
}

static const struct mount_calls mounted_calls = {
    .verified_writes = OPERATION_FILE_SIZES,
    .settle = mounted_check_plan,
    .open = mounted_setup_open,
    .close = mounted_setup_close,
    .change = mounted_setup_change,
    .target = mounted_setup_target,
    .process = process_of,
    .times = times_of,
    .add_ops = mounted_add_ops,
    .prepare = mounted_prepare,
    .run = mounted_run_block,
    .clear = mounted_clear,
    .begin = mounted_begin,
    .count = mounted_count,
};

static const char *const own_ops[] = {MOUNTED_CACHED, MOUNTED_READ_CACHED, NULL};

const struct engine_type engine_mounted = {
    .name = "mounted",
    .counts_retransmissions = true,
    .own_ops = own_ops,
    .mount = &mounted_calls,
    .open = mounted_open,
    .run = mounted_run,
    .close = mounted_close,
};
