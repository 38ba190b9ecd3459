/* Threads that do not handle signals. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that calls RUN with ARGUMENT and blocks all signals, so that the thread that
 * expects them handles them. Returns 0 or a negative errno. */
int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Set whether the calling thread, when it wakes up, may take the processor from a running thread.
 * By default it may; a thread without urgent work need not (SCHED_BATCH). */
void thread_may_preempt(bool may);
