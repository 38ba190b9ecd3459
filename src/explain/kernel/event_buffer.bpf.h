/* Code that both eBPF programs share, and the memory that they write events into. Each program
 * includes this file once, after it has defined EVENT as the type of its events. EVENT must have
 * the members AT_NS (its first), TYPE and CPU. Each processor writes events to its own part of the
 * array, and starts again at the part's beginning after the reader has taken the events. So the
 * part stays in the processor's cache, and processors don't wait for one another. (A ring buffer
 * shared by all processors adds one microsecond to a call.) The reader sets the capacity. */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kernel_event.h"
#include "kernel_types.h"

char terms[] SEC("license") = "Dual BSD/GPL";

/* true: events are recorded. The reader may change it at any time. */
volatile bool enabled;

/* Set before loading: capacity for events per processor. */
const volatile __u32 room;

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, EVENT);
} events SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct kernel_event_count);
} counts SEC(".maps");

/* Add an event of TYPE with its time and processor; all other members are 0. Returns NULL if there
 * is no space. An interrupt may add another event at any time. */
static __always_inline EVENT *add_event(__u32 type)
{
    __u32 cpu = bpf_get_smp_processor_id(), place;
    struct kernel_event_count *count = bpf_map_lookup_elem(&counts, &cpu);
    EVENT *event;
    __u64 before;

    if (!count)
        return NULL;
    before = __sync_fetch_and_add(&count->events, 1);
    if (before >= room)
        return NULL;
    place = cpu * room + (__u32)before;
    event = bpf_map_lookup_elem(&events, &place);
    if (!event)
        return NULL;
    __builtin_memset(event, 0, sizeof *event);
    event->at_ns = bpf_ktime_get_ns();
    event->type = type;
    event->cpu = cpu;
    return event;
}
