/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include "explain/trace.h"

#include <errno.h>

static int refuse(struct trace **trace, struct error *error)
{
    *trace = NULL;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

int trace_open(struct trace **trace, const struct trace_request *request, struct error *error)
{
    return refuse(trace, error);
}

int trace_open_rpcs(struct trace **trace, pid_t caller, char absent[TRACE_ABSENT_SIZE],
                    struct error *error)
{
    return refuse(trace, error);
}

void trace_watch_port(struct trace *trace, uint16_t port)
{
}

void trace_enable(struct trace *trace, bool enabled)
{
}

struct trace_events trace_read(struct trace *trace)
{
    return (struct trace_events){.list = NULL};
}

void trace_close(struct trace *trace)
{
}
