#include "capture/time_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct held {
    struct captured_frame frame;
    struct held *earlier, *later;
    uint8_t bytes[];
};

struct time_order {
    struct time_order_sink sink;
    size_t count_maximum, bytes_maximum;
    size_t count, bytes; /* that are held back */
    struct held *earliest, *latest;
};

struct time_order *time_order_open(size_t count, size_t bytes, const struct time_order_sink *sink)
{
    struct time_order *order = calloc(1, sizeof *order);

    if (order)
        *order = (struct time_order){.sink = *sink, .count_maximum = count, .bytes_maximum = bytes};
    return order;
}

static void pass_on_earliest(struct time_order *order)
{
    struct held *held = order->earliest;

    order->earliest = held->later;
    *(held->later ? &held->later->earlier : &order->latest) = NULL;
    order->count--;
    order->bytes -= held->frame.captured;
    order->sink.take(order->sink.context, &held->frame);
    free(held);
}

/* Nearly all frames are later than all others. */
static void insert(struct time_order *order, struct held *held)
{
    struct held *before = order->latest;

    while (before && before->frame.time > held->frame.time)
        before = before->earlier;
    held->earlier = before;
    held->later = before ? before->later : order->earliest;
    *(before ? &before->later : &order->earliest) = held;
    *(held->later ? &held->later->earlier : &order->latest) = held;
    order->count++;
    order->bytes += held->frame.captured;
}

int time_order_add(struct time_order *order, const struct captured_frame *frame)
{
    struct held *held = malloc(sizeof *held + frame->captured);

    if (!held)
        return -ENOMEM;
    *held = (struct held){.frame = *frame};
    memcpy(held->bytes, frame->bytes, frame->captured);
    held->frame.bytes = held->bytes;
    insert(order, held);
    while (order->count > 1 &&
           (order->count > order->count_maximum || order->bytes > order->bytes_maximum))
        pass_on_earliest(order);
    return 0;
}

void time_order_close(struct time_order *order)
{
    while (order && order->earliest)
        pass_on_earliest(order);
    free(order);
}
