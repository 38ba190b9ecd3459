/* Without libbpf, clang or bpftool at build time there are no eBPF programs to load. */
#include "explain/function_counts.h"

#include <errno.h>

int function_counts_open(struct function_counts **counts, pid_t client, pid_t server,
                         struct error *error)
{
    *counts = NULL;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this nfsbench was built without libbpf, clang or bpftool: install "
                     "libbpf-dev, clang and bpftool and build again");
}

const char *function_counts_missing(const struct function_counts *counts, size_t function)
{
    return "not counted";
}

void function_counts_enable(struct function_counts *counts, bool enabled)
{
}

void function_counts_read(const struct function_counts *counts,
                          struct function_count list[FUNCTIONS_MAXIMUM])
{
}

void function_counts_close(struct function_counts *counts)
{
}
