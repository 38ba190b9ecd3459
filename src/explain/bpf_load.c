#include "explain/bpf_load.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* libbpf's first complaint while loading, which usually is the cause of an error. */
static char complaint[160];
static libbpf_print_fn_t printed_before;

__attribute__((format(printf, 2, 0))) static int
listen_to_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (level == LIBBPF_WARN && !complaint[0])
        vsnprintf(complaint, sizeof complaint, format, arguments);
    complaint[strcspn(complaint, "\n")] = '\0';
    return 0;
}

void bpf_load_begin(void)
{
    complaint[0] = '\0';
    printed_before = libbpf_set_print(listen_to_libbpf);
}

void bpf_load_end(void)
{
    libbpf_set_print(printed_before);
}

int bpf_load_failed(int code, struct error *error)
{
    if (code == -EPERM || code == -EACCES)
        return error_set(error, ERROR_FAILED, code,
                         "this process may not load eBPF programs: run as root, or with the "
                         "capabilities CAP_BPF and CAP_PERFMON");
    return error_set(error, ERROR_FAILED, code, "the kernel refused the eBPF programs: %s%s%s",
                     strerror(-code), complaint[0] ? ": " : "", complaint);
}
