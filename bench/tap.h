/* A TAP device: a network interface whose frames a process sends and receives (tun(4), kernel
 * documentation "Universal TUN/TAP device driver"). It is removed when its descriptor is closed. */
#pragma once

#include <stdint.h>

#include "common/error.h"

struct tap {
    int fd;       /* each read or write is one frame without check sequence; non-blocking */
    int counters; /* /proc/net/dev of the namespace */
    char name[16];
};

/* Make the device NAME in the network namespace of the file PATH, with its MTU in bytes and a queue
 * of so many frames between the kernel and the descriptor. It has no offloads, so each frame is one
 * that an ethernet would carry. The caller stays in its own namespace. 0, or a negative errno with
 * ERROR set. */
int tap_open(struct tap *tap, const char *path, const char *name, unsigned mtu, unsigned queue,
             struct error *error);
void tap_close(struct tap *tap);

/* The number of frames that were dropped between the kernel and the descriptor, because they were
 * not read in time. */
uint64_t tap_dropped(const struct tap *tap);
