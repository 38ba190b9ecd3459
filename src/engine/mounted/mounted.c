/* The engine for system calls on a mount: the kernel's NFS client has the connection, and a process
 * of its own makes the calls (mounted/caller.h). There are no messages here, and no replies to
 * check. */
#include <errno.h>
#include <stdlib.h>

#include "engine/engine.h"
#include "engine/mounted/caller.h"

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
    mounted->caller = config->caller;
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

const struct engine_type engine_mounted = {
    .name = "mounted",
    .counts_retransmissions = true,
    .on_mount = true,
    .open = mounted_open,
    .run = mounted_run,
    .close = mounted_close,
};
