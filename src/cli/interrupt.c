#include "cli/interrupt.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

volatile sig_atomic_t interrupt_flag;

static void on_signal(int number)
{
    if (interrupt_flag)
        _exit(128 + number);
    __atomic_store_n(&interrupt_flag, 1, __ATOMIC_RELAXED); /* threads look at it */
}

void interrupt_catch(void)
{
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART */

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

bool interrupt_ended(int code)
{
    return code == -EINTR || interrupt_flag;
}
