/* Starting a thread that handles no signals, and how threads take the processor from others. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that calls RUN with ARGUMENT. It blocks all signals, so that they are handled by
 * the thread that expects them. Returns 0 or a negative errno. */
int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Set whether the calling thread MAY take the processor from a running thread when it wakes up.
 * True, the default, is SCHED_OTHER; false, for threads without urgent work, is SCHED_BATCH. */
void thread_may_preempt(bool may);
