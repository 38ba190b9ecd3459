/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
 *
 * Counts calls of a function of the kernel, or passages of a tracepoint. The reader loads this
 * program once for each, with its number in place of FUNCTION_NUMBER (a cookie, which would do the
 * same, needs Linux 6.10 at a raw tracepoint). Each processor has counts of its own. */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "function_side.h"

char terms[] SEC("license") = "Dual BSD/GPL";

/* Set before loading. */
const volatile __u32 client_process;
const volatile __u32 server_process; /* 0: the server is the kernel's, or unknown */

volatile bool enabled; /* switched by the reader at run time */

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, FUNCTIONS_MAXIMUM);
    __type(key, __u32);
    __type(value, struct function_count);
} counts SEC(".maps");

/* Is the current thread one of the kernel's server? */
static __always_inline bool is_nfsd(void)
{
    char name[16] = "";

    bpf_get_current_comm(name, sizeof name);
    return name[0] == 'n' && name[1] == 'f' && name[2] == 's' && name[3] == 'd' && name[4] == 0;
}

static __always_inline enum function_side side_of_current(void)
{
    __u32 process = bpf_get_current_pid_tgid() >> 32;

    if (process == client_process)
        return FUNCTION_CLIENT;
    if (server_process ? process == server_process : is_nfsd())
        return FUNCTION_SERVER;
    return FUNCTION_ELSEWHERE;
}

SEC("raw_tp/sched_switch")
int count_function(void *context)
{
    __u32 function = FUNCTION_NUMBER;
    struct function_count *count;

    if (!enabled)
        return 0;
    count = bpf_map_lookup_elem(&counts, &function);
    if (count)
        count->calls[side_of_current()]++;
    return 0;
}
