#include "common/thread.h"

#include <signal.h>

int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, before;
    int code;

    sigfillset(&all); /* which the new thread inherits */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -code;
}
