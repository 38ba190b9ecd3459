#include "common/stack.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Stack that the program needs, bytes. Its deepest calls use 300 KiB, TLS and Kerberos less. */
enum { NEEDED = 512 << 10 };

/* Uses write(), because fprintf(stderr) needs an 8 KiB buffer, which the stack may lack. */
static void print_refusal(const char *program, unsigned long long bytes)
{
    static char line[160];
    int length = snprintf(line, sizeof line,
                          "%s: the stack limit is %llu KiB (RLIMIT_STACK), and this program needs "
                          "%u KiB; raise the limit ('ulimit -s')\n",
                          program, bytes >> 10, NEEDED >> 10);

    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return;
}

int stack_check(const char *program)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= NEEDED)
        return 0;
    limit.rlim_cur = limit.rlim_max < NEEDED ? limit.rlim_max : NEEDED;
    if (limit.rlim_cur >= NEEDED && setrlimit(RLIMIT_STACK, &limit) == 0)
        return 0;
    print_refusal(program, limit.rlim_max);
    return -ENOMEM;
}
