#include "explain/rpc_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "explain/process_numbers.h"

static int try(struct rpc_source *source, const struct rpc_source_type *type, pid_t caller,
               struct error *error)
{
    int code;

    source->absent[0] = '\0';
    code = type->open(&source->trace, caller, source->absent, error);
    if (code == 0)
        source->type = type;
    return code;
}

int rpc_source_open(struct rpc_source *source, pid_t caller, struct error *error)
{
    struct error second;
    int code;

    *source = (struct rpc_source){.type = NULL};
    code = process_numbers_check(error);
    if (code)
        return code;
    code = try(source, &rpc_source_ebpf, caller, &source->without_ebpf);
    if (code == 0)
        return 0;
    code = try(source, &rpc_source_tracefs, caller, error);
    if (code == 0)
        return 0;
    second = *error;
    return error_set(error, ERROR_FAILED, code, "%.240s; and %.240s", source->without_ebpf.text,
                     second.text);
}

void rpc_source_enable(struct rpc_source *source, bool enabled)
{
    source->type->enable(source->trace, enabled);
}

struct rpc_source_events rpc_source_read(struct rpc_source *source)
{
    return source->type->read(source->trace);
}

void rpc_source_close(struct rpc_source *source)
{
    if (source->type)
        source->type->close(source->trace);
    source->type = NULL;
}

/* Without these there are no states. */
static bool is_needed(const char *tracepoint)
{
    static const char *const needed[] = {"rpc_task_begin", "rpc_task_run_action", "rpc_task_sleep",
                                         "rpc_task_wakeup", "rpc_task_end"};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (strcmp(tracepoint, needed[i]) == 0)
            return true;
    return false;
}

/* Where its module is not loaded there is no server, and nothing is missing of it. */
static bool is_of_absent_server(const char *tracepoint)
{
    return strncmp(tracepoint, "nfsd_", 5) == 0 && access("/sys/module/nfsd", F_OK) != 0;
}

int rpc_source_note_absent(const char *tracepoint, char absent[RPC_ABSENT_SIZE],
                           struct error *error)
{
    size_t used = strlen(absent);

    if (is_of_absent_server(tracepoint))
        return 0;
    if (is_needed(tracepoint))
        return error_set(error, ERROR_FAILED, -ENOTSUP,
                         "the kernel has no tracepoint %s: run Linux 5.6 or newer", tracepoint);
    snprintf(absent + used, RPC_ABSENT_SIZE - used, "%s%s", used ? ", " : "", tracepoint);
    return 0;
}
