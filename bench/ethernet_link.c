#include "ethernet_link.h"

#include <errno.h>
#include <stdlib.h>

int ethernet_link_open(struct ethernet_link *link, const struct ethernet_properties *properties)
{
    /* One more than CAPACITY, so that a frame can be read even if it must be dropped. */
    size_t frames = (size_t)properties->capacity + 1;
    size_t align = _Alignof(struct ethernet_frame);
    size_t size;

    *link = (struct ethernet_link){
        .properties = *properties,
        .ns_per_byte = properties->rate ? 8e9 / (double)properties->rate : 0,
        .transit = calloc(frames, sizeof *link->transit),
        .unused = calloc(frames, sizeof *link->unused),
    };
    size = sizeof(struct ethernet_frame) + ethernet_link_longest(link);
    size = (size + align - 1) / align * align;
    link->memory = calloc(frames, size);
    if (!link->memory || !link->transit || !link->unused) {
        ethernet_link_close(link);
        return -ENOMEM;
    }
    for (size_t i = 0; i < frames; i++)
        link->unused[i] = (struct ethernet_frame *)((char *)link->memory + i * size);
    random_seed(&link->random, properties->seed);
    return 0;
}

void ethernet_link_close(struct ethernet_link *link)
{
    free(link->memory);
    free(link->transit);
    free(link->unused);
}

size_t ethernet_link_longest(const struct ethernet_link *link)
{
    return (size_t)ETHERNET_HEADER + link->properties.mtu;
}

struct ethernet_frame *ethernet_link_room(struct ethernet_link *link)
{
    return link->unused[link->properties.capacity - link->count];
}

struct fate {
    bool lost, late;
    uint64_t jitter_ns;
};

/* Draw whether the next frame is lost or late, and its jitter. Each frame uses three random
 * numbers, so that its fate does not depend on the fates of earlier frames. */
static struct fate draw_fate(struct ethernet_link *link)
{
    const struct ethernet_properties *properties = &link->properties;
    struct fate fate;

    fate.lost = random_chance(&link->random, properties->loss);
    fate.late = random_chance(&link->random, properties->reordering.probability);
    fate.jitter_ns = (uint64_t)(random_uniform(&link->random) * (double)properties->jitter_ns);
    return fate;
}

/* Return how long a frame of LENGTH bytes takes to send, in ns, without the gap. */
static double sending_time(const struct ethernet_link *link, size_t length)
{
    size_t padded = length < ETHERNET_LEAST ? ETHERNET_LEAST : length;

    return (double)(ETHERNET_PREAMBLE + padded + ETHERNET_CHECK_SEQUENCE) * link->ns_per_byte;
}

/* Start to send a frame at NOW_NS or, if the wire is occupied, as soon as it is free. Sending takes
 * TIME_NS. Returns the time when the frame's last bit is sent. */
static uint64_t occupy_wire(struct ethernet_link *link, double time_ns, uint64_t now_ns)
{
    double starts = (double)now_ns > link->free_at_ns ? (double)now_ns : link->free_at_ns;
    double sent = starts + time_ns;

    link->free_at_ns = sent + ETHERNET_GAP * link->ns_per_byte;
    return (uint64_t)sent;
}

/* Return the time when a frame with FATE arrives. Its last bit is sent at SENT_NS, and sending it
 * takes TIME_NS. Frames arrive in order and with the gap between them, except for frames that are
 * late on purpose: later frames do not wait for them. Counts such a frame in `reordered`. */
static uint64_t due_at(struct ethernet_link *link, uint64_t sent_ns, double time_ns,
                       const struct fate *fate)
{
    uint64_t due = sent_ns + link->properties.latency_ns + fate->jitter_ns;
    uint64_t earliest = link->far_free_at_ns + (uint64_t)time_ns;

    if (due < earliest)
        due = earliest;
    link->far_free_at_ns = due + (uint64_t)(ETHERNET_GAP * link->ns_per_byte);
    if (!fate->late)
        return due;
    link->reordered++;
    return due + link->properties.reordering.delay_ns;
}

static struct ethernet_frame **place(const struct ethernet_link *link, size_t index)
{
    return &link->transit[(link->first + index) % (link->properties.capacity + 1)];
}

/* Insert FRAME into TRANSIT, before the late frames that it overtakes. */
static void add_to_transit(struct ethernet_link *link, struct ethernet_frame *frame)
{
    size_t index = link->count++;

    for (; index > 0 && (*place(link, index - 1))->due_ns > frame->due_ns; index--)
        *place(link, index) = *place(link, index - 1);
    *place(link, index) = frame;
}

void ethernet_link_send(struct ethernet_link *link, size_t length, uint64_t now_ns)
{
    struct ethernet_frame *frame = ethernet_link_room(link);
    struct fate fate = draw_fate(link);
    double time = sending_time(link, length);
    uint64_t sent;

    if (link->count == link->properties.capacity) {
        link->dropped++;
        return;
    }
    sent = occupy_wire(link, time, now_ns);
    if (fate.lost) {
        link->lost++;
        return;
    }
    frame->length = length;
    frame->due_ns = due_at(link, sent, time, &fate);
    add_to_transit(link, frame);
}

const struct ethernet_frame *ethernet_link_next(const struct ethernet_link *link)
{
    return link->count ? *place(link, 0) : NULL;
}

void ethernet_link_deliver(struct ethernet_link *link, uint64_t now_ns)
{
    struct ethernet_frame *frame = *place(link, 0);

    link->delivered++;
    link->bytes += frame->length;
    histogram_record(&link->late_ns, (double)(now_ns - frame->due_ns));
    link->first = (link->first + 1) % (link->properties.capacity + 1);
    link->count--;
    link->unused[link->properties.capacity - link->count] = frame;
}
