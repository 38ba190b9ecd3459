/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include <errno.h>

#include "explain/rpc_source.h"

static int open_none(void **trace, pid_t caller, char absent[RPC_ABSENT_SIZE], struct error *error)
{
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

const struct rpc_source_type rpc_source_ebpf = {.name = "eBPF", .open = open_none};
