#include "common/thread.h"

#include <sched.h>
#include <signal.h>

int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, before;
    int code;

    sigfillset(&all); /* the new thread inherits the mask */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -code;
}

void thread_may_preempt(bool may)
{
    const struct sched_param none = {.sched_priority = 0};

    sched_setscheduler(0, may ? SCHED_OTHER : SCHED_BATCH, &none);
}
