/* The events that eBPF programs write into memory that they share with this process
 * (event_buffer.bpf.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct kernel_event_count;

struct event_buffer {
    struct bpf_map *events, *counts;
    size_t cpus, room;                  /* capacity for events per processor */
    size_t size;                        /* bytes of an event */
    char *places;                       /* shared with the programs: ROOM per processor */
    struct kernel_event_count *counted; /* shared with the programs: one per processor */
    char *list;                         /* the events read */
    size_t capacity;
};

/* Set the size of the maps EVENTS and COUNTS, before they are loaded, so that each processor has
 * space for some thousand events, or TIMES as many; BUFFER is zeroed. Returns the capacity per
 * processor, for the programs' 'room', or a negative errno. */
int event_buffer_size(struct event_buffer *buffer, struct bpf_map *events, struct bpf_map *counts,
                      size_t times);

/* Share the memory, after the maps were loaded. Returns 0 or -ENOMEM. */
int event_buffer_share(struct event_buffer *buffer);

/* The events since the last call, sorted by time; their number, and the number of those that did
 * not fit. The programs should write none meanwhile, since an event that is just being added may
 * be lost. The list is valid until the next call. */
void *event_buffer_read(struct event_buffer *buffer, size_t *count, uint64_t *lost);

/* Free the memory, before the maps are closed; BUFFER may be zeroed. */
void event_buffer_close(struct event_buffer *buffer);
