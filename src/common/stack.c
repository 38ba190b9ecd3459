#include "common/stack.h"

#include <errno.h>
#include <sys/resource.h>

/* The deepest calls of the program itself take some 300 KiB, those of libraries for TLS and
 * Kerberos less. */
enum { NEEDED = 512 << 10 };

int stack_check(struct error *error)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= NEEDED)
        return 0;
    limit.rlim_cur = limit.rlim_max < NEEDED ? limit.rlim_max : NEEDED;
    if (limit.rlim_cur >= NEEDED && setrlimit(RLIMIT_STACK, &limit) == 0)
        return 0;
    return error_set(
        error, ERROR_FAILED, -ENOMEM,
        "this process may have a stack of %llu KiB (RLIMIT_STACK), and needs %u: raise "
        "that ('ulimit -s')",
        (unsigned long long)limit.rlim_max >> 10, NEEDED >> 10);
}
