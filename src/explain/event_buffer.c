#include "explain/event_buffer.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "explain/kernel_event_count.h"

/* Space for the events of some hundred calls on each processor, or some thousand if there are few
 * processors. */
static size_t choose_room(size_t cpus, size_t times)
{
    enum { TOTAL = 1 << 19, LEAST = 1 << 13, MOST = 1 << 15 };
    size_t room = TOTAL / cpus;

    return times * (room < LEAST ? LEAST : room > MOST ? MOST : room);
}

int event_buffer_size(struct event_buffer *buffer, struct bpf_map *events, struct bpf_map *counts,
                      size_t times)
{
    int cpus = libbpf_num_possible_cpus(), code;

    if (cpus < 0)
        return cpus;
    buffer->events = events;
    buffer->counts = counts;
    buffer->size = bpf_map__value_size(events);
    buffer->cpus = (size_t)cpus;
    buffer->room = choose_room(buffer->cpus, times);
    code = bpf_map__set_max_entries(events, (uint32_t)(buffer->cpus * buffer->room));
    if (code == 0)
        code = bpf_map__set_max_entries(counts, (uint32_t)cpus);
    return code ? code : (int)buffer->room;
}

/* Map the memory of MAP, which is shared with the programs. NULL if that fails. */
static void *share(const struct bpf_map *map)
{
    size_t length = (size_t)bpf_map__max_entries(map) * bpf_map__value_size(map);
    void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(void *memory, const struct bpf_map *map)
{
    if (memory)
        munmap(memory, (size_t)bpf_map__max_entries(map) * bpf_map__value_size(map));
}

int event_buffer_share(struct event_buffer *buffer)
{
    buffer->places = share(buffer->events);
    buffer->counted = share(buffer->counts);
    return buffer->places && buffer->counted ? 0 : -ENOMEM;
}

/* Every event begins with its time. */
static int by_time(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static bool reserve(struct event_buffer *buffer, size_t count)
{
    char *list;

    if (count <= buffer->capacity)
        return true;
    list = realloc(buffer->list, count * buffer->size);
    if (!list)
        return false;
    buffer->list = list;
    buffer->capacity = count;
    return true;
}

/* Take the events of a processor and reset its count. Events are lost if memory runs out. */
static void take(struct event_buffer *buffer, size_t cpu, size_t *count, uint64_t *lost)
{
    uint64_t written = __atomic_exchange_n(&buffer->counted[cpu].events, 0, __ATOMIC_ACQUIRE);
    size_t found = written < buffer->room ? written : buffer->room;

    if (found == 0)
        return;
    if (!reserve(buffer, *count + found))
        found = 0;
    else
        memcpy(buffer->list + *count * buffer->size,
               buffer->places + cpu * buffer->room * buffer->size, found * buffer->size);
    *count += found;
    *lost += written - found;
}

void *event_buffer_read(struct event_buffer *buffer, size_t *count, uint64_t *lost)
{
    *count = 0;
    *lost = 0;
    for (size_t cpu = 0; cpu < buffer->cpus; cpu++)
        take(buffer, cpu, count, lost);
    if (*count > 0)
        qsort(buffer->list, *count, buffer->size, by_time);
    return buffer->list;
}

void event_buffer_close(struct event_buffer *buffer)
{
    unmap(buffer->places, buffer->events);
    unmap(buffer->counted, buffer->counts);
    free(buffer->list);
}
