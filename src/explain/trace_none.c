/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include "explain/trace.h"

#include <errno.h>

int trace_open(struct trace **trace, const struct trace_request *request, struct error *error)
{
    *trace = NULL;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

void trace_watch_port(struct trace *trace, uint16_t port)
{
}

void trace_enable(struct trace *trace, bool enabled)
{
}

struct trace_events trace_read(struct trace *trace)
{
    return (struct trace_events){0};
}

void trace_close(struct trace *trace)
{
}
