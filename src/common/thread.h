/* Threads that leave signals to others. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Start a thread that calls RUN with ARGUMENT and handles no signals, so that they go to the thread
 * that expects them. Returns 0 or a negative errno. */
int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* May the calling thread, when it wakes up, take the processor from a thread that is running? It
 * may by default; a thread with work that has time may not (SCHED_BATCH). */
void thread_may_preempt(bool may);
