#include "explain/process_numbers.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool sees_machine_processes(void)
{
    static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO of the kernel */
    char name[64] = "";

    if (readlink("/proc/self/ns/pid", name, sizeof name - 1) < 0)
        return true; /* a kernel without namespaces */
    return strcmp(name, first) == 0;
}

int process_numbers_check(struct error *error)
{
    if (sees_machine_processes())
        return 0;
    return error_set(
        error, ERROR_FAILED, -ENOTSUP,
        "this container has its own process numbers, which the kernel's tracing doesn't know: "
        "run outside of it, or with the host's (docker run --pid=host)");
}
