#include "explain/thread_start.h"

#include <stdbool.h>

static uint32_t waker_of(struct event_window window, const struct kernel_event *event)
{
    bool is_server = event->other_process == window.server_process &&
                     event->other != window.client_thread && event->other != event->thread;

    return is_server ? event->other : 0;
}

struct thread_start thread_start_find(struct event_window window, uint32_t thread, uint64_t from,
                                      uint64_t until)
{
    struct thread_start start = {0};

    for (const struct kernel_event *event = window.first; event < window.end; event++) {
        if (event->thread != thread || event->at_ns < from || event->at_ns > until)
            continue;
        if (event->type == KERNEL_WOKEN) {
            start.woken = event->at_ns;
            start.waker = waker_of(window, event);
        } else if (event->type == KERNEL_SWITCHED_OUT && event->preempted && !start.woken) {
            break;
        } else if (event->type == KERNEL_SWITCHED_IN) {
            start.runs = event->at_ns;
            return start;
        }
    }
    return (struct thread_start){0};
}
