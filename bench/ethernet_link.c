#include "ethernet_link.h"

#include <errno.h>
#include <stdlib.h>

int ethernet_link_open(struct ethernet_link *link, uint64_t rate, uint64_t latency_ns,
                       size_t capacity)
{
    *link = (struct ethernet_link){
        .ns_per_byte = rate ? 8e9 / (double)rate : 0,
        .latency_ns = latency_ns,
        .capacity = capacity,
        /* An additional one, so that a frame for which there is no room can be read. */
        .frames = calloc(capacity + 1, sizeof *link->frames),
    };
    return link->frames ? 0 : -ENOMEM;
}

void ethernet_link_close(struct ethernet_link *link)
{
    free(link->frames);
}

struct ethernet_frame *ethernet_link_room(struct ethernet_link *link)
{
    return &link->frames[(link->first + link->count) % (link->capacity + 1)];
}

void ethernet_link_send(struct ethernet_link *link, size_t length, uint64_t now_ns)
{
    struct ethernet_frame *frame = ethernet_link_room(link);
    size_t padded = length < ETHERNET_LEAST ? ETHERNET_LEAST : length;
    double starts = (double)now_ns > link->free_at_ns ? (double)now_ns : link->free_at_ns;
    double sent =
        starts + (double)(ETHERNET_PREAMBLE + padded + ETHERNET_CHECK_SEQUENCE) * link->ns_per_byte;

    if (link->count == link->capacity) {
        link->dropped++;
        return;
    }
    frame->length = length;
    frame->due_ns = (uint64_t)sent + link->latency_ns;
    link->free_at_ns = sent + ETHERNET_GAP * link->ns_per_byte;
    link->count++;
}

const struct ethernet_frame *ethernet_link_next(const struct ethernet_link *link)
{
    return link->count ? &link->frames[link->first] : NULL;
}

void ethernet_link_deliver(struct ethernet_link *link, uint64_t now_ns)
{
    const struct ethernet_frame *frame = &link->frames[link->first];

    link->delivered++;
    link->bytes += frame->length;
    histogram_record(&link->late_ns, (double)(now_ns - frame->due_ns));
    link->first = (link->first + 1) % (link->capacity + 1);
    link->count--;
}
