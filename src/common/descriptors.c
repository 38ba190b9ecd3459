#include "common/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

unsigned long long descriptors_limit(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

/* The lowest free descriptor is at most the number of open ones; less if there are gaps. */
unsigned long long descriptors_left(void)
{
    const unsigned long long limit = descriptors_limit();
    const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (lowest < 0)
        return 0;
    close(lowest);
    return (unsigned long long)lowest < limit ? limit - (unsigned)lowest : 0;
}

void descriptors_raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int descriptors_pipes(int (*pipes)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            int code = -errno;

            while (i-- > 0) {
                close(pipes[i][0]);
                close(pipes[i][1]);
            }
            return code;
        }
    return 0;
}
