#include "explain/function_counts.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/bpf_load.h"
#include "explain/process_numbers.h"
#include "function_counts.skel.h"

enum { MODULES_MAXIMUM = 2, SOURCES = 1 + MODULES_MAXIMUM };

/* The types of the kernel or of a module, in which functions are looked up. */
struct type_source {
    struct btf *types;
    int fd; /* of a module's; 0: the kernel's */
};

struct function_counts {
    struct function_counts_bpf *programs;
    struct type_source sources[SOURCES]; /* the kernel's first */
    size_t source_count;
    int links[FUNCTIONS_MAXIMUM];           /* of each function; -1: it is not counted */
    const char *missing[FUNCTIONS_MAXIMUM]; /* why; or NULL */
    int cpus;
    struct function_count *read; /* of each processor */
};

/* The types of the kernel's server, where it is a module that is loaded */

static bool is_of_server(const char *module)
{
    return strcmp(module, "sunrpc") == 0 || strcmp(module, "nfsd") == 0;
}

static void add_source(struct function_counts *counts, __u32 id, int fd)
{
    struct type_source *source = &counts->sources[counts->source_count];

    source->types = btf__load_from_kernel_by_id_split(id, counts->sources[0].types);
    source->fd = fd;
    if (source->types)
        counts->source_count++;
    else
        close(fd);
}

static void find_modules(struct function_counts *counts)
{
    __u32 id = 0;

    while (counts->source_count < SOURCES && bpf_btf_get_next_id(id, &id) == 0) {
        int fd = bpf_btf_get_fd_by_id(id);
        char name[64] = "";
        struct bpf_btf_info info = {.name = (uintptr_t)name, .name_len = sizeof name};
        __u32 size = sizeof info;

        if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && info.kernel_btf &&
            is_of_server(name))
            add_source(counts, id, fd);
        else if (fd >= 0)
            close(fd);
    }
}

/* Attaching */

/* Copy the program's instructions, with the number of FUNCTION. NULL without memory. */
static struct bpf_insn *number_program(const struct function_counts *counts, size_t function,
                                       size_t *count)
{
    const struct bpf_program *program = counts->programs->progs.count_function;
    struct bpf_insn *instructions;

    *count = bpf_program__insn_cnt(program);
    instructions = malloc(*count * sizeof *instructions);
    if (!instructions)
        return NULL;
    memcpy(instructions, bpf_program__insns(program), *count * sizeof *instructions);
    for (size_t i = 0; i < *count; i++)
        if (instructions[i].imm == FUNCTION_NUMBER)
            instructions[i].imm = (__s32)function;
    return instructions;
}

/* Load the program for FUNCTION, as one of TYPE. Returns a descriptor, or a negative errno. */
static int load_program(const struct function_counts *counts, size_t function,
                        enum bpf_prog_type type, const struct bpf_prog_load_opts *options)
{
    size_t count;
    struct bpf_insn *instructions = number_program(counts, function, &count);
    int fd = -ENOMEM;

    if (instructions)
        fd = bpf_prog_load(type, "count_function", "Dual BSD/GPL", instructions, count, options);
    free(instructions);
    return fd;
}

/* Attach the program for a function, which has TYPE in SOURCE. Returns a descriptor, or a negative
 * errno. */
static int attach_function(const struct function_counts *counts, size_t function, int type,
                           const struct type_source *source)
{
    LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_FENTRY,
                .attach_btf_id = (__u32)type, .attach_btf_obj_fd = (__u32)source->fd);
    int fd = load_program(counts, function, BPF_PROG_TYPE_TRACING, &options), link;

    if (fd < 0)
        return fd;
    link = bpf_link_create(fd, 0, BPF_TRACE_FENTRY, NULL);
    close(fd);
    return link;
}

/* Likewise for a tracepoint. */
static int attach_tracepoint(const struct function_counts *counts, size_t function)
{
    int fd = load_program(counts, function, BPF_PROG_TYPE_RAW_TRACEPOINT, NULL), link;

    if (fd < 0)
        return fd;
    link = bpf_raw_tracepoint_open(kernel_functions[function].name, fd);
    close(fd);
    return link;
}

static int find_and_attach(const struct function_counts *counts, size_t function)
{
    const char *name = kernel_functions[function].name;
    int link = -ENOENT;

    if (kernel_functions[function].is_tracepoint)
        return attach_tracepoint(counts, function);
    for (size_t i = 0; i < counts->source_count && link == -ENOENT; i++) {
        int type = btf__find_by_name_kind(counts->sources[i].types, name, BTF_KIND_FUNC);

        if (type > 0)
            link = attach_function(counts, function, type, &counts->sources[i]);
    }
    return link;
}

/* Returns whether FUNCTION is counted from now on. */
static bool add_function(struct function_counts *counts, size_t function)
{
    int link = find_and_attach(counts, function);

    counts->links[function] = link;
    if (link == -EPERM || link == -EACCES)
        counts->missing[function] = "not permitted";
    else if (link == -ENOENT)
        counts->missing[function] = "not in this kernel";
    else if (link < 0)
        counts->missing[function] = "can't be traced in this kernel";
    return link >= 0;
}

/* Opening */

/* Returns 0 or a negative errno. */
static int load(struct function_counts *counts, pid_t client, pid_t server)
{
    int code;

    counts->cpus = libbpf_num_possible_cpus();
    counts->read = counts->cpus > 0 ? calloc((size_t)counts->cpus, sizeof *counts->read) : NULL;
    counts->programs = counts->read ? function_counts_bpf__open() : NULL;
    if (!counts->programs)
        return -ENOMEM;
    counts->programs->rodata->client_process = (uint32_t)client;
    counts->programs->rodata->server_process = (uint32_t)server;
    code = function_counts_bpf__load(counts->programs);
    if (code)
        return code;
    counts->sources[0].types = btf__load_vmlinux_btf();
    if (!counts->sources[0].types)
        return -errno;
    counts->source_count = 1;
    find_modules(counts);
    return 0;
}

static int attach_all(struct function_counts *counts, struct error *error)
{
    size_t attached = 0;

    for (size_t i = 0; i < kernel_function_count; i++)
        attached += add_function(counts, i);
    if (attached > 0)
        return 0;
    return error_set(error, ERROR_FAILED, -ENOTSUP,
                     "this kernel lets no function and no tracepoint be counted: run as root, on a "
                     "kernel with CONFIG_BPF_EVENTS");
}

int function_counts_open(struct function_counts **counts, pid_t client, pid_t server,
                         struct error *error)
{
    int code = process_numbers_check(error);

    *counts = NULL;
    if (code != 0)
        return code;
    *counts = calloc(1, sizeof **counts);
    if (!*counts)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for eBPF's counts");
    for (size_t i = 0; i < FUNCTIONS_MAXIMUM; i++)
        (*counts)->links[i] = -1;
    bpf_load_begin();
    code = load(*counts, client, server);
    code = code ? bpf_load_failed(code, error) : attach_all(*counts, error);
    bpf_load_end();
    if (code == 0)
        return 0;
    function_counts_close(*counts);
    *counts = NULL;
    return code;
}

/* Counting */

const char *function_counts_missing(const struct function_counts *counts, size_t function)
{
    return counts->missing[function];
}

void function_counts_enable(struct function_counts *counts, bool enabled)
{
    __atomic_store_n(&counts->programs->bss->enabled, enabled, __ATOMIC_SEQ_CST);
}

void function_counts_read(const struct function_counts *counts,
                          struct function_count list[FUNCTIONS_MAXIMUM])
{
    int map = bpf_map__fd(counts->programs->maps.counts);

    memset(list, 0, FUNCTIONS_MAXIMUM * sizeof *list);
    for (__u32 i = 0; i < kernel_function_count; i++) {
        if (counts->links[i] < 0 || bpf_map_lookup_elem(map, &i, counts->read) != 0)
            continue;
        for (int cpu = 0; cpu < counts->cpus; cpu++)
            for (unsigned side = 0; side < FUNCTION_SIDES; side++)
                list[i].calls[side] += counts->read[cpu].calls[side];
    }
}

void function_counts_close(struct function_counts *counts)
{
    if (!counts)
        return;
    for (size_t i = 0; i < FUNCTIONS_MAXIMUM; i++)
        if (counts->links[i] >= 0)
            close(counts->links[i]);
    for (size_t i = 0; i < counts->source_count; i++) {
        btf__free(counts->sources[i].types);
        if (counts->sources[i].fd > 0)
            close(counts->sources[i].fd);
    }
    function_counts_bpf__destroy(counts->programs);
    free(counts->read);
    free(counts);
}
