/* Threads that leave signals to others. */
#pragma once

#include <pthread.h>

/* Start a thread that calls RUN with ARGUMENT and handles no signals, so that they go to the thread
 * that expects them. Returns 0 or a negative errno. */
int thread_start_without_signals(pthread_t *thread, void *(*run)(void *argument), void *argument);
