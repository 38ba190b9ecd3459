/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include "explain/rpc_trace.h"

#include <errno.h>

int rpc_trace_open(struct rpc_trace **trace, pid_t caller, struct error *error)
{
    *trace = NULL;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

const char *rpc_trace_absent(const struct rpc_trace *trace)
{
    return NULL;
}

void rpc_trace_enable(struct rpc_trace *trace, bool enabled)
{
}

struct rpc_trace_events rpc_trace_read(struct rpc_trace *trace)
{
    return (struct rpc_trace_events){0};
}

void rpc_trace_close(struct rpc_trace *trace)
{
}
