/* Frames of a capture sorted by time. Captures of several interfaces, and merged ones, have frames
 * that are a little earlier than those before them. So many of the latest are held back, and each
 * is passed on when later ones take its place: the earliest first, and those of the same time in
 * the order of the file. */
#pragma once

#include "capture/traffic.h"

struct time_order;

struct time_order_sink {
    void (*take)(void *context, const struct captured_frame *frame);
    void *context;
};

/* COUNT frames, 1 or more, of so many BYTES in all are held back at most; but one frame in any
 * case. NULL without memory. */
struct time_order *time_order_open(size_t count, size_t bytes, const struct time_order_sink *sink);

/* Add FRAME, which may be gone afterwards. 0, or -ENOMEM. */
int time_order_add(struct time_order *order, const struct captured_frame *frame);

/* Pass on what is held back, and release everything. ORDER may be NULL. */
void time_order_close(struct time_order *order);
