#include "measure/awake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

int awake_begin(void)
{
    const int32_t microseconds = 0;
    int descriptor = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

    if (descriptor < 0)
        return -errno;
    if (write(descriptor, &microseconds, sizeof microseconds) != sizeof microseconds) {
        close(descriptor);
        return -EIO;
    }
    return descriptor;
}

void awake_end(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}
