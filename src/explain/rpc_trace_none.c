/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include <errno.h>

#include "explain/rpc_trace.h"

int rpc_trace_open(struct rpc_trace **trace, pid_t caller, char absent[RPC_ABSENT_SIZE],
                   struct error *error)
{
    *trace = NULL;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

void rpc_trace_enable(struct rpc_trace *trace, bool enabled)
{
}

struct rpc_trace_events rpc_trace_read(struct rpc_trace *trace)
{
    return (struct rpc_trace_events){.count = 0};
}

void rpc_trace_close(struct rpc_trace *trace)
{
}
